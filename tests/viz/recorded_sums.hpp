// SPDX-License-Identifier: MIT
// Traces made up of two mma that add to one another, the loads before each, and the stores of D,
// for the tests of sums and their fuzzer. See loads() of recorded.hpp for A and B.
#pragma once

#include <fmt/format.h>

#include "tests/viz/recorded.hpp"

namespace lanescope::viz::recorded {

inline constexpr std::uint64_t kD = 0x30000;
inline constexpr std::int64_t kDApart = 64;  // 16 numbers of f32

/// What one of the two loads and stores: as it is by default, all is right. K is 32.
struct Summed {
  Offset a = [](int lane, int reg) { return right_a(lane, reg); };
  Offset b = [](int lane, int reg) { return right_b(lane, reg); };
  std::int64_t next_a = 32, next_b = 32;  // bytes from the first mma to the second
  Offset d = [](int lane, int reg) {
    return (lane / 4 + reg / 2 * 8) * kDApart + (lane % 4 * 2 + reg % 2) * 4;
  };
  std::uint32_t stores = ~0u;              // the lanes that store
  int registers = 4;                       // so many of D
  int from_register = 0;                   // the first of these
  bool from_zero = true;                   // the first begins with 0
  bool goes_on = true;                     // the second does not
  std::string c = "{%f0, %f1, %f2, %f3}";  // of the second
  // Before they are stored odd lanes and even ones give each other one of two registers.
  bool exchanges = false;
};

/// Right where lanes have given each other one of two registers.
inline Summed exchanged() {
  Summed how;
  how.exchanges = true;
  how.d = [](int lane, int reg) {
    const int col = lane % 4 * 2 + (lane % 2 == 0 ? reg % 2 * 2 : 1 - reg % 2 * 2);
    return (lane / 4 + reg / 2 * 8) * kDApart + col * 4;
  };
  return how;
}

class SumWriter {
 public:
  trace::Trace trace;

  template <class Value>
  void add(const std::string& ptx, const std::vector<std::string>& names, int bits, Value value,
           std::uint32_t active = ~0u) {
    std::vector<trace::Write> writes;
    for (const std::string& name : names) {
      writes.push_back({name, "", bits, {}});
      for (int lane = 0; lane < 32; ++lane)
        writes.back().lanes.push_back(static_cast<std::uint64_t>(value(lane)));
    }
    trace.events.emplace_back(step(0, number_++, ptx, 1, std::move(writes)));
    std::get<trace::Step>(trace.events.back()).active = active;
  }
  void load(const std::string& name, const std::string& base, std::uint64_t from,
            const Offset& offset, int reg) {
    address(base, from, offset, reg);
    add("ld.global.u32 " + name + ", [%rd9];", {name}, 32, [](int lane) { return lane; });
  }
  void address(const std::string& base, std::uint64_t from, const Offset& offset, int reg) {
    add("add.s64 %rd9, " + base + ", %rd8;", {"%rd9"}, 64,
        [&](int lane) { return from + static_cast<std::uint64_t>(offset(lane, reg)); });
  }
  void zeros() {
    for (int r = 0; r < 4; ++r)
      add(fmt::format("mov.f32 %f{}, 0f00000000;", r), {fmt::format("%f{}", r)}, 32,
          [](int) { return 0; });
  }

  // An even lane keeps the first of each two and gets the next lane's first; an odd one has the
  // second ones: %x0 to %x3. Two at a time they pass through 64 bits, as LLVM has it.
  void exchange() {
    const auto zero = [](int) { return 0; };
    add("setp.ne.s32 %p1, %r8, 0;", {"%p1"}, 1, [](int lane) { return lane % 2; });
    for (int two : {0, 2}) {
      add(fmt::format("selp.f32 %x{0}, %f{1}, %f{0}, %p1;", two, two + 1),
          {fmt::format("%x{}", two)}, 32, zero);
      add(fmt::format("selp.f32 %y, %f{0}, %f{1}, %p1;", two, two + 1), {"%y"}, 32, zero);
      add(fmt::format("shfl.sync.bfly.b32 %x{}|%p2, %y, 1, 31, -1;", two + 1),
          {fmt::format("%x{}", two + 1)}, 32, zero);
      add(fmt::format("cvt.u64.u32 %w0, %x{};", two), {"%w0"}, 64, zero);
      add(fmt::format("cvt.u64.u32 %w1, %x{};", two + 1), {"%w1"}, 64, zero);
      add("shl.b64 %w1, %w1, 32;", {"%w1"}, 64, zero);
      add("or.b64 %w2, %w0, %w1;", {"%w2"}, 64, zero);
      add(fmt::format("mov.b64 {{%x{}, %x{}}}, %w2;", two, two + 1),
          {fmt::format("%x{}", two), fmt::format("%x{}", two + 1)}, 32, zero);
    }
  }

 private:
  std::int64_t number_ = 0;
};

inline trace::Trace summed(const Summed& how) {
  SumWriter to;
  to.trace = steps();
  to.trace.events.clear();
  const auto parameter = [&](int number, std::uint64_t value) {
    const std::string name = fmt::format("%rd{}", number + 1);
    to.add(fmt::format("ld.param.u64 {}, [kernel_param_{}];", name, number), {name}, 64,
           [value](int) { return value; });
  };
  parameter(0, kA);
  parameter(1, kB);
  parameter(2, kD);
  for (int k = 0; k < 2; ++k) {
    if (k == 0 ? how.from_zero : !how.goes_on) to.zeros();
    for (int reg = 0; reg < 4; ++reg)
      to.load(fmt::format("%r{}", reg), "%rd1", kA + static_cast<std::uint64_t>(k * how.next_a),
              how.a, reg);
    for (int reg = 0; reg < 2; ++reg)
      to.load(fmt::format("%r{}", 4 + reg), "%rd2", kB + static_cast<std::uint64_t>(k * how.next_b),
              how.b, reg);
    to.add(std::string(synthetic::kF16) +
               " {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, " +
               (k == 0 ? "{%f0, %f1, %f2, %f3}" : how.c) + ";",
           {"%f0", "%f1", "%f2", "%f3"}, 32, [](int) { return 0; });
  }
  if (how.exchanges) to.exchange();
  for (int reg = how.from_register; reg < how.registers; ++reg) {
    to.address("%rd3", kD, how.d, reg);
    to.add(
        fmt::format("st.global.f32 [%rd9], %{}{};", how.exchanges ? 'x' : 'f', reg), {}, 32,
        [](int) { return 0; }, how.stores);
  }
  to.add("ret;", {}, 32, [](int) { return 0; });
  return to.trace;
}

}  // namespace lanescope::viz::recorded
