// SPDX-License-Identifier: MIT
#include "tests/golden/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "layout/descriptor.hpp"
#include "numeric/format.hpp"

namespace lanescope::golden {
namespace {

using layout::ElementType;
using layout::Fragment;
using layout::Instruction;

// %sN holds slot N in 32 bits, %dN in 64.
std::string list(const Fragment& f, int first) {
  std::string text = "{";
  for (int r = 0; r < f.registers(); ++r)
    text += fmt::format("{}%{}{}", r == 0 ? "" : ",", f.register_bits == 64 ? 'd' : 's', first + r);
  return text + "}";
}

std::string moves(std::string_view what, const Fragment& f, int first) {
  const bool wide = f.register_bits == 64;
  std::string text;
  for (int r = 0; r < f.registers(); ++r) {
    const std::string place = fmt::format("[%rd1+{}]", 8 * (first + r));
    const std::string name = fmt::format("%{}{}", wide ? 'd' : 's', first + r);
    text += what == "ld" ? fmt::format("ld.global.{} {},{};\n", wide ? "f64" : "b32", name, place)
                         : fmt::format("st.global.{} {},{};\n", wide ? "f64" : "b32", place, name);
  }
  return text;
}

// Everything around the instruction. Shared memory is copied in before `body`, and out after it.
std::string kernel(std::string_view body, int slots, int threads, int shared_bytes) {
  const int block_bytes = threads * slots * 8 + shared_bytes;
  const auto copy = [&](std::string_view label, std::string_view from_to) {
    return fmt::format(
        "mov.u32 %r2,%tid.x;\nshl.b32 %r2,%r2,2;\n{0}:\nsetp.ge.u32 %p1,%r2,{1};\n@%p1 bra "
        "{0}_end;\n"
        "cvt.u64.u32 %rd3,%r2;\nadd.u64 %rd3,%rd2,%rd3;\nadd.u32 %r4,%r3,%r2;\n{2}"
        "add.u32 %r2,%r2,{3};\nbra {0};\n{0}_end:\n",
        label, shared_bytes, from_to, 4 * threads);
  };
  std::string text = fmt::format(
      ".version 8.8\n.target sm_90a\n.address_size 64\n"
      ".visible .entry replay(.param .u64 data) {{\n.reg .b32 %s<{0}>;\n.reg .f64 %d<{0}>;\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<3>;\n"
      ".shared .align 1024 .b8 tile[{1}];\nld.param.u64 %rd0,[data];\nmov.u32 %r0,%ctaid.x;\n"
      "mul.wide.u32 %rd1,%r0,{2};\nadd.u64 %rd0,%rd0,%rd1;\nadd.u64 %rd2,%rd0,{3};\n"
      "mov.u32 %r1,%tid.x;\nmul.wide.u32 %rd1,%r1,{4};\nadd.u64 %rd1,%rd0,%rd1;\n"
      "mov.u32 %r3,tile;\n",
      slots + 1, std::max(shared_bytes, 16), block_bytes, threads * slots * 8, slots * 8);
  if (shared_bytes > 0)
    text += copy("in", "ld.global.b32 %r5,[%rd3];\nst.shared.b32 [%r4],%r5;\n") +
            "fence.proxy.async;\nbar.sync 0;\n";
  text += body;
  if (shared_bytes > 0)
    text += "bar.sync 0;\n" + copy("out", "ld.shared.b32 %r5,[%r4];\nst.global.b32 [%rd3],%r5;\n");
  return text + "ret;\n}\n";
}

}  // namespace

Slots slots_of(const Instruction& i) {
  Slots s;
  const auto take = [&](const Fragment& f) {
    const int first = s.count;
    if (f.operand != '?') s.count += f.registers();
    return first;
  };
  s.A = take(i.A);
  s.B = take(i.B);
  s.C = take(i.C.operand != '?' ? i.C : i.D);
  s.E = s.count++;
  s.D = take(i.D);
  s.D2 = take(i.D);
  return s;
}

std::string warp_kernel(const Instruction& i, int selector) {
  const Slots s = slots_of(i);
  std::string body = moves("ld", i.A, s.A) + moves("ld", i.B, s.B) + moves("ld", i.C, s.C);
  body += fmt::format("ld.global.b32 %s{},[%rd1+{}];\n", s.E, 8 * s.E);
  body +=
      fmt::format("{} {},{},{},{}{};\n", i.mnemonic, list(i.D, s.D), list(i.A, s.A), list(i.B, s.B),
                  list(i.C, s.C), i.E.empty() ? "" : fmt::format(",%s{},{}", s.E, selector));
  return kernel(body + moves("st", i.D, s.D), s.count, 32, 0);
}

std::string group_kernel(const Instruction& i, int selector, const Descriptors& descriptors,
                         int shared_bytes) {
  const Slots s = slots_of(i);
  const bool floating = i.D.type == ElementType::f16 || i.D.type == ElementType::f32;
  const bool sixteen = i.A.type == ElementType::f16 || i.A.type == ElementType::bf16;
  const std::string sparse = i.E.empty() ? "" : fmt::format(",%s{},{}", s.E, selector);
  std::string body = moves("ld", i.A, s.A) + moves("ld", i.D, s.D);
  body += fmt::format("ld.global.b32 %s{},[%rd1+{}];\n", s.E, 8 * s.E);
  if (descriptors.A != 0) body += moves("ld", i.D, s.D2);
  body += fmt::format(
      "setp.eq.u32 %p2,0,0;\nshr.u32 %r6,%r3,4;\ncvt.u64.u32 %rd4,%r6;\n"
      "add.u64 %rd5,%rd4,{};\nadd.u64 %rd6,%rd4,{};\nwgmma.fence.sync.aligned;\n",
      descriptors.A, descriptors.B);
  const auto multiply = [&](int D, const std::string& A, const std::string& trans) {
    body += fmt::format("{} {},{},%rd6{},%p2{}{};\n", i.mnemonic, list(i.D, D), A, sparse,
                        floating ? ",1,1" : "", sixteen ? trans : "");
  };
  if (!descriptors.trans_b) multiply(s.D, list(i.A, s.A), ",0");
  if (descriptors.A != 0)
    multiply(s.D2, "%rd5", fmt::format(",{:d},{:d}", descriptors.trans_a, descriptors.trans_b));
  body += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  body += moves("st", i.D, s.D);
  if (descriptors.A != 0) body += moves("st", i.D, s.D2);
  return kernel(body, s.count, 128, shared_bytes);
}

std::string plain_kernel(std::string_view body, int slots, int shared_bytes) {
  std::string text;
  for (int n = 0; n < slots; ++n) text += fmt::format("ld.global.b32 %s{},[%rd1+{}];\n", n, 8 * n);
  text += body;
  for (int n = 0; n < slots; ++n) text += fmt::format("st.global.b32 [%rd1+{}],%s{};\n", 8 * n, n);
  return kernel(text, slots, 32, shared_bytes);
}

namespace {

std::string run_on(emulator::Host host, const std::string& ptx, std::vector<Block>& blocks) {
  emulator::Machine machine({.arch = "sm_90a", .host = host});
  const auto module = machine.load(ptx, "replay");
  if (!module.ok()) return module.error.message;
  const Block& first = blocks.front();
  const std::size_t slot_bytes = first.words.size() * 8;
  const std::size_t block_bytes = slot_bytes + first.shared.size();
  const auto memory = machine.allocate(blocks.size() * block_bytes);
  auto* data = reinterpret_cast<std::byte*>(memory.value);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::memcpy(data + b * block_bytes, blocks[b].words.data(), slot_bytes);
    if (!first.shared.empty())
      std::memcpy(data + b * block_bytes + slot_bytes, blocks[b].shared.data(),
                  first.shared.size());
  }
  std::byte parameters[8];
  std::memcpy(parameters, &memory.value, 8);
  emulator::LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "replay");
  request.grid = {static_cast<int>(blocks.size()), 1, 1};
  request.block = {first.threads, 1, 1};
  request.parameters = parameters;
  const emulator::LaunchReport report = machine.launch(request);
  if (report.error) return report.error.message;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::memcpy(blocks[b].words.data(), data + b * block_bytes, slot_bytes);
    if (!first.shared.empty())
      std::memcpy(blocks[b].shared.data(), data + b * block_bytes + slot_bytes,
                  first.shared.size());
  }
  return {};
}

}  // namespace

std::string run(const std::string& ptx, std::vector<Block>& blocks) {
  const std::vector<Block> given = blocks;
  const auto best = emulator::best_host();
  if (std::string why = run_on(best, ptx, blocks); !why.empty()) return why;
  for (const emulator::Host host : emulator::hosts()) {
    if (host == emulator::Host::baseline || host == best) continue;  // the first is the slow model
    std::vector<Block> again = given;
    if (std::string why = run_on(host, ptx, again); !why.empty()) return why;
    for (std::size_t b = 0; b < blocks.size(); ++b)
      if (again[b].words != blocks[b].words || again[b].shared != blocks[b].shared)
        return fmt::format("block {} is another with {} than with {}", b, name(host), name(best));
  }
  return {};
}

std::uint64_t one(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return 0x3ff0000000000000ull;
    case ElementType::f32:
    case ElementType::tf32:
      return 0x3f800000;
    case ElementType::f16:
      return 0x3c00;
    case ElementType::bf16:
      return 0x3f80;
    case ElementType::e4m3:
      return 0x38;
    case ElementType::e5m2:
      return 0x3c;
    default:
      return 1;
  }
}

// Sums of ones only: integers from 0 to 257.
int integer(ElementType type, std::uint64_t bits) {
  if (type == ElementType::f64) return static_cast<int>(std::bit_cast<double>(bits));
  if (type == ElementType::f32)
    return static_cast<int>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (type == ElementType::f16) {
    const double value = numeric::decode(numeric::kF16, static_cast<std::uint32_t>(bits));
    return value >= 0 && value <= 2048 && value == std::trunc(value) ? static_cast<int>(value) : -1;
  }
  return static_cast<int>(static_cast<std::uint32_t>(bits));
}

void put(Block& block, int first_slot, const Fragment& f, int part, std::uint64_t bits) {
  const layout::Holder h = f.holder(part / f.values, part % f.values);
  block.slot(h.thread, first_slot + h.register_index) |= bits << h.bit;
}

std::uint64_t get(Block& block, int first_slot, const Fragment& f, int part) {
  const layout::Holder h = f.holder(part / f.values, part % f.values);
  const std::uint64_t word = block.slot(h.thread, first_slot + h.register_index) >> h.bit;
  return f.element_bits == 64 ? word : word & ((std::uint64_t{1} << f.element_bits) - 1);
}

void put_tile(std::vector<std::byte>& shared, std::size_t from, int row_bytes, int bits, int row,
              int k, std::uint64_t number) {
  const int byte = k * bits / 8;
  const std::size_t at = from + static_cast<std::size_t>(row / 8 * 8 * row_bytes + byte / 16 * 128 +
                                                         row % 8 * 16 + byte % 16);
  for (int n = 0; n < std::max(1, bits / 8); ++n)
    shared[at + static_cast<std::size_t>(n)] |=
        static_cast<std::byte>(number >> (8 * n) << (bits < 8 ? k % 8 : 0));
}

std::uint64_t k_major(std::uint32_t start_bytes, int row_bytes) {
  return layout::encode(
      {start_bytes, 128, static_cast<std::uint32_t>(8 * row_bytes), 0, layout::Swizzle::none});
}

}  // namespace lanescope::golden
