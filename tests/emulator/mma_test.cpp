// SPDX-License-Identifier: MIT
// Every dense mma.sync of the atlas, run from random registers: what comes out must be what the
// integer model of the tensor cores makes of the elements that the atlas names.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <random>

#include "emulator/machine.hpp"
#include "emulator/tensor/tensor.hpp"
#include "layout/instruction.hpp"

namespace lanescope::emulator::test {
namespace {

using Words = std::vector<std::uint32_t>;

std::optional<TensorType> type_of(layout::ElementType type) {
  constexpr std::pair<std::string_view, TensorType> kNames[] = {
      {"f16", TensorType::f16},   {"bf16", TensorType::bf16}, {"tf32", TensorType::tf32},
      {"e4m3", TensorType::e4m3}, {"e5m2", TensorType::e5m2}, {"f32", TensorType::f32},
      {"s8", TensorType::s8},     {"u8", TensorType::u8},     {"s4", TensorType::s4},
      {"u4", TensorType::u4},     {"b1", TensorType::b1},     {"s32", TensorType::s32}};
  for (const auto& [name, found] : kNames)
    if (name == layout::name(type)) return found;
  return std::nullopt;
}

// The elements that the registers [register][lane] hold, row-major.
Words elements_of(const layout::Fragment& fragment, const Words& registers) {
  Words matrix(static_cast<std::size_t>(fragment.rows * fragment.cols));
  const std::uint64_t mask = (std::uint64_t{1} << fragment.element_bits) - 1;
  for (const layout::Held& held : layout::register_layout(fragment)) {
    const auto word =
        static_cast<std::size_t>(held.holder.register_index * 32 + held.holder.thread);
    matrix[static_cast<std::size_t>(held.element.row * fragment.cols + held.element.col)] =
        static_cast<std::uint32_t>((registers[word] >> held.holder.bit) & mask);
  }
  return matrix;
}

std::string program(const layout::Instruction& entry) {
  const bool of_a_kind = entry.mnemonic.find(".kind::") != std::string::npos;
  std::string text =
      of_a_kind ? ".version 8.7\n.target sm_120a\n" : ".version 8.7\n.target sm_89\n";
  text +=
      ".address_size 64\n.visible .entry k(.param .u64 in, .param "
      ".u64 out)\n{\n"
      "\t.reg .b32 %a<8>, %b<8>, %c<8>, %d<8>, %r<4>;\n\t.reg .b64 %rd<8>;\n\tld.param.u64 %rd1, "
      "[in];\n"
      "\tld.param.u64 %rd2, [out];\n\tmov.u32 %r1, %tid.x;\n\tmad.wide.u32 %rd3, %r1, 4, %rd1;\n"
      "\tmad.wide.u32 %rd4, %r1, 4, %rd2;\n";
  int word = 0;
  for (const auto& [fragment, name] : {std::pair{&entry.A, 'a'}, {&entry.B, 'b'}, {&entry.C, 'c'}})
    for (int r = 0; r < fragment->registers(); ++r)
      text += fmt::format("\tld.global.u32 %{}{}, [%rd3+{}];\n", name, r, 128 * word++);
  const auto list = [](char name, const layout::Fragment& fragment) {
    std::string all;
    for (int r = 0; r < fragment.registers(); ++r)
      all += fmt::format("{}%{}{}", r == 0 ? "" : ", ", name, r);
    return "{" + all + "}";
  };
  text += fmt::format("\t{} {}, {}, {}, {};\n", entry.mnemonic, list('d', entry.D),
                      list('a', entry.A), list('b', entry.B), list('c', entry.C));
  for (int r = 0; r < entry.D.registers(); ++r)
    text += fmt::format("\tst.global.u32 [%rd4+{}], %d{};\n", 128 * r, r);
  return text + "\tret;\n}\n";
}

bool check(const layout::Instruction& entry, std::string_view arch, unsigned seed, Host host) {
  const auto a = type_of(entry.A.type), b = type_of(entry.B.type), c = type_of(entry.C.type),
             d = type_of(entry.D.type);
  if (entry.family != "mma" || entry.D.matrices != 1 || !a || !b || c != d) return false;
  if (!layout::runs_on(entry.target, arch)) return false;
  if (entry.SFA.operand != '?') return false;  // scaled_mma_test.cpp
  TensorShape shape{entry.M, entry.N, entry.K, *a, *b, *d};
  if (entry.mnemonic.find(".and.popc") != std::string::npos)
    shape.bit_operation = BitOperation::conjunction;
  const MmaArithmetic* how = arithmetic(arch, TensorUnit::mma, shape);
  if (how == nullptr) return false;
  Machine machine({.arch = std::string(arch), .host = host});
  const auto module = machine.load(program(entry), entry.mnemonic);
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  std::mt19937 random(seed);
  Words registers;
  const auto fill = [&](const layout::Fragment& fragment) {
    Words made(static_cast<std::size_t>(fragment.registers()) * 32);
    for (std::uint32_t& word : made) word = static_cast<std::uint32_t>(random());
    registers.insert(registers.end(), made.begin(), made.end());
    return elements_of(fragment, made);
  };
  const Words ma = fill(entry.A), mb = fill(entry.B), mc = fill(entry.C);
  Words expected(mc.size());
  multiply_reference(*how, shape, ma, mb, mc, expected);
  const auto in = machine.allocate(registers.size() * 4);
  const auto out = machine.allocate(static_cast<std::uint64_t>(entry.D.registers()) * 128);
  std::memcpy(reinterpret_cast<void*>(in.value), registers.data(), registers.size() * 4);
  const std::uint64_t parameters[] = {in.value, out.value};
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {32, 1, 1};
  request.parameters = std::as_bytes(std::span(parameters));
  const LaunchReport report = machine.launch(request);
  REQUIRE_MESSAGE(!report.error, report.error.message);
  Words found(static_cast<std::size_t>(entry.D.registers()) * 32);
  std::memcpy(found.data(), reinterpret_cast<const void*>(out.value), found.size() * 4);
  CHECK_MESSAGE(elements_of(entry.D, found) == expected, entry.mnemonic);
  return true;
}

}  // namespace

TEST_CASE("every dense mma of the atlas") {
  int checked = 0;
  for (const layout::Instruction& entry : layout::instructions()) {
    for (const Host host : hosts()) {
      if (check(entry, "sm_89", 1, host)) ++checked;
      if (check(entry, "sm_90a", 2, host)) ++checked;
      if (check(entry, "sm_120a", 3, host)) ++checked;
    }
  }
  MESSAGE("checked " << checked << " mnemonics, architectures and hosts");
  CHECK(checked >= 60);
}

}  // namespace lanescope::emulator::test
