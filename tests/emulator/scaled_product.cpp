// SPDX-License-Identifier: MIT
// How the numbers, the sums and the program of a scaled product are made.
#include "tests/emulator/scaled_product.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <utility>

#include "numeric/format.hpp"

namespace lanescope::emulator::test {
namespace {

// A register's elements along K: a run of 32 bits for each lane of a quad, the next registers half
// of the rows, then further along K.
Held place_of_a(const Form& f, int row, int k) {
  const int each = 32 / f.bits;
  return {row % 8 * 4 + k / each % 4, row / 8 + k / (4 * each) * 2, k % each * f.bits};
}
Held place_of_b(const Form& f, int k, int col) {
  const int each = 32 / f.bits;
  return {col * 4 + k / each % 4, k / (4 * each), k % each * f.bits};
}
// e2m1 in a byte is in its bits 5:2.
int padding(const Form& f, layout::ElementType type) {
  return f.bits == 8 && type == layout::ElementType::e2m1 ? 2 : 0;
}

class Maker {
 public:
  Maker(const Form& form, unsigned seed) : f_(form), random_(seed) {}

  Case make() {
    const layout::Instruction& i = *f_.entry;
    made_.a.resize(4 * 32), made_.b.resize(static_cast<std::size_t>(f_.sparse ? 4 : 2) * 32);
    made_.c.resize(4 * 32), made_.e.resize(32);
    // What is in no element and in no scale that is read: anything.
    for (Words* words : {&made_.sfa, &made_.sfb})
      for (int lane = 0; lane < 32; ++lane) words->push_back(static_cast<std::uint32_t>(random_()));
    Matrix A(static_cast<std::size_t>(16 * i.K)), B(static_cast<std::size_t>(i.K * 8));
    for (int row = 0; row < 16; ++row) fill_row(A, row);
    for (int k = 0; k < i.K; ++k)
      for (int col = 0; col < 8; ++col)
        at(B, k, col, 8) = element(i.B.type, made_.b, place_of_b(f_, k, col));
    const Matrix sa = scales(made_.sfa, 16, true), sb = scales(made_.sfb, 8, false);
    for (int row = 0; row < 16; ++row)
      for (int col = 0; col < 8; ++col) {
        const double c = std::ldexp(static_cast<double>(random_() % 64) - 32, 0);
        put(made_.c, place_of_d(f_, row, col),
            numeric::encode(*numeric::find_format(layout::name(i.D.type)), c));
        double sum = c;
        for (int k = 0; k < i.K; ++k) {
          const int chunk = f_.scaled ? k / (i.K / f_.vectors) : 0;
          const double scale = f_.scaled
                                   ? sa[static_cast<std::size_t>(row * f_.vectors + chunk)] *
                                         sb[static_cast<std::size_t>(col * f_.vectors + chunk)]
                                   : 1;
          const double product = at(A, row, k, i.K) * at(B, k, col, 8);
          sum += product == 0 ? 0 : product * scale;
        }
        made_.expected.push_back(sum);
      }
    return std::move(made_);
  }

 private:
  static double& at(Matrix& matrix, int row, int col, int cols) {
    return matrix[static_cast<std::size_t>(row * cols + col)];
  }
  static void put(Words& words, const Held& held, std::uint32_t bits) {
    words[static_cast<std::size_t>(held.reg * 32 + held.lane)] |= bits << held.bit;
  }

  // A number of the type that is a multiple of 1/2 and at most 3: sums have few bits. What a
  // container has around it: anything.
  double element(layout::ElementType type, Words& words, const Held& held) {
    const numeric::Format& format = *numeric::find_format(layout::name(type));
    for (;;) {
      const auto pattern = static_cast<std::uint32_t>(random_()) & ((1u << format.bits) - 1);
      const double value = numeric::decode(format, pattern);
      if (!(std::fabs(value) <= 3) || value * 2 != std::trunc(value * 2)) continue;
      const int pad = padding(f_, type);
      const std::uint32_t around = ~(((1u << format.bits) - 1) << pad) & (f_.bits == 8 ? 0xff : 0);
      put(words, held, pattern << pad | (static_cast<std::uint32_t>(random_()) & around));
      return value;
    }
  }

  // Dense: all of it. Sparse: two of every four (or two pairs of every four pairs) are stored, the
  // metadata's nibble says which: eight nibbles a lane, lane % 4 is row g, g + 8, and again further
  // along K.
  void fill_row(Matrix& A, int row) {
    const layout::Instruction& i = *f_.entry;
    if (!f_.sparse) {
      for (int k = 0; k < i.K; ++k)
        at(A, row, k, i.K) = element(i.A.type, made_.a, place_of_a(f_, row, k));
      return;
    }
    constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const int together = f_.bits == 4 ? 2 : 1;
    for (int four = 0; four < i.K / (4 * together); ++four) {
      const auto& pair = kPairs[random_() % 6];
      const int lane = row % 8 * 4 + row / 8 + four / 8 * 2;
      put(made_.e, {lane, 0, four % 8 * 4}, static_cast<std::uint32_t>(pair[0] | pair[1] << 2));
      for (int n = 0; n < 2 * together; ++n) {
        const int k = (four * 4 + pair[n / together]) * together + n % together;
        at(A, row, k, i.K) =
            element(i.A.type, made_.a, place_of_a(f_, row, four * 2 * together + n));
      }
    }
  }

  // Row r of A: lane 4 * (r % 8) + r / 8, and two more for thread-id 1. Column c of B: lane 4 * c
  // and thread-id more. Chunk v is byte-id + v of the word.
  Matrix scales(Words& words, int count, bool of_a) {
    Matrix values;
    for (int n = 0; n < count; ++n)
      for (int chunk = 0; chunk < f_.vectors; ++chunk) {
        const int lane = of_a ? n % 8 * 4 + n / 8 + 2 * f_.thread_a : n * 4 + f_.thread_b;
        const int shift = 8 * ((of_a ? f_.byte_a : f_.byte_b) + chunk);
        const auto pattern = f_.scale == "ue4m3" ? 0x30 + static_cast<std::uint32_t>(random_() % 24)
                                                 : 125 + static_cast<std::uint32_t>(random_() % 5);
        std::uint32_t& word = words[static_cast<std::size_t>(lane)];
        word = (word & ~(0xffu << shift)) | pattern << shift;
        values.push_back(f_.scale == "ue4m3" ? numeric::decode(numeric::kE4m3, pattern)
                                             : std::ldexp(1.0, static_cast<int>(pattern) - 127));
      }
    return values;
  }

  Form f_;
  std::mt19937 random_;
  Case made_;
};

std::string list(char name, int from, int count) {
  std::string all;
  for (int r = from; r < from + count; ++r)
    all += fmt::format("{}%{}{}", r == from ? "" : ",", name, r);
  return "{" + all + "}";
}

}  // namespace

Form form_of(const layout::Instruction& entry) {
  Form f{&entry, entry.family == "mma.sp", false, 8, entry.K, 0, "ue8m0"};
  if (f.sparse) f.kept /= 2;
  const auto has = [&](std::string_view part) {
    return entry.mnemonic.find(part) != std::string::npos;
  };
  f.scaled = has(".block_scale");
  if (has("kind::mxf4")) f.bits = 4;
  if (f.scaled) f.vectors = has("::1X") ? 1 : has("::2X") ? 2 : 4;
  if (has(".ue4m3")) f.scale = "ue4m3";
  return f;
}

Held place_of_d(const Form& f, int row, int col) {
  const bool halves = f.entry->D.type == layout::ElementType::f16;
  const int lane = row % 8 * 4 + col / 2;
  return halves ? Held{lane, row / 8, col % 2 * 16} : Held{lane, row / 8 * 2 + col % 2, 0};
}

Case random_case(const Form& form, unsigned seed) { return Maker(form, seed).make(); }

bool is_exact(const Form& f, const Case& made) {
  const bool halves = f.entry->D.type == layout::ElementType::f16;
  for (const double sum : made.expected)
    if (halves ? std::fabs(sum * 4) > 2048 : static_cast<float>(sum) != sum) return false;
  return true;
}

Matrix numbers(const Form& f, const Words& d) {
  const numeric::Format& format = *numeric::find_format(layout::name(f.entry->D.type));
  Matrix found;
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 8; ++col) {
      const Held held = place_of_d(f, row, col);
      const std::uint32_t word = d[static_cast<std::size_t>(held.reg * 32 + held.lane)] >> held.bit;
      found.push_back(numeric::decode(format, format.bits == 16 ? word & 0xffff : word));
    }
  return found;
}

std::string program(const Form& f, std::string_view mnemonic, Selectors how,
                    std::string_view target) {
  const layout::Instruction& i = *f.entry;
  const int d = i.D.registers(), b = f.sparse ? 4 : 2;
  std::string text = fmt::format(
      ".version 8.8\n.target {}\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 "
      "out)\n{{\n.reg .b32 %a<4>, %b<4>, %c<4>, %d<4>, %e<1>, %s<2>, %r<2>; .reg .b16 %h<4>; .reg "
      ".b64 %q<4>;\nld.param.u64 %q0, [in]; ld.param.u64 %q1, [out]; mov.u32 %r0, %tid.x;\n"
      "mad.wide.u32 %q2, %r0, 4, %q0; mad.wide.u32 %q3, %r0, 4, %q1;\n",
      target);
  int word = 0;
  for (const auto& [name, count] : {std::pair{'a', 4}, {'b', b}, {'c', 4}, {'e', 1}, {'s', 2}})
    for (int r = 0; r < count; ++r)
      text += fmt::format("ld.global.u32 %{}{}, [%q2+{}];\n", name, r, 128 * word++);
  const int ids[4] = {f.byte_a, f.thread_a, f.byte_b, f.thread_b};
  for (int n = 0; n < 4; ++n) text += fmt::format("mov.u16 %h{}, {};\n", n, ids[n]);
  text += fmt::format("{} {}, {}, {}, {}", mnemonic, list('d', 0, d), list('a', 0, 4),
                      list('b', 0, b), list('c', 0, d));
  if (f.sparse) text += ", %e0, 0x0";
  if (f.scaled && how == Selectors::numbers)
    text += fmt::format(", %s0, {{{}, {}}}, %s1, {{{}, {}}}", ids[0], ids[1], ids[2], ids[3]);
  if (f.scaled && how == Selectors::registers) text += ", {%s0}, {%h0, %h1}, {%s1}, {%h2, %h3}";
  text += ";\n";
  for (int r = 0; r < d; ++r) text += fmt::format("st.global.u32 [%q3+{}], %d{};\n", 128 * r, r);
  return text + "ret;\n}\n";
}

Ran run(const std::string& text, const Case& made, std::string_view arch) {
  Machine machine({.arch = std::string(arch)});
  const auto module = machine.load(text, "scaled");
  if (!module.ok()) return {module.error, {}};
  Words in;
  for (const Words* words : {&made.a, &made.b, &made.c, &made.e, &made.sfa, &made.sfb})
    in.insert(in.end(), words->begin(), words->end());
  const auto from = machine.allocate(in.size() * 4), to = machine.allocate(4 * 128);
  std::memcpy(reinterpret_cast<void*>(from.value), in.data(), in.size() * 4);
  const std::uint64_t parameters[] = {from.value, to.value};
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {32, 1, 1};
  request.parameters = std::as_bytes(std::span(parameters));
  Ran ran{machine.launch(request).error, Words(4 * 32)};
  std::memcpy(ran.d.data(), reinterpret_cast<const void*>(to.value), ran.d.size() * 4);
  return ran;
}

}  // namespace lanescope::emulator::test
