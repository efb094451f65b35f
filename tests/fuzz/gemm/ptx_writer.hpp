// SPDX-License-Identifier: MIT
// Writes a kernel of PTX. Of instructions that do the same it takes one or the other, and what is
// known beforehand becomes a number.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>

namespace lanescope::tests {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint32_t>(count)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class T>
  T any(std::initializer_list<T> of) {
    return of.begin()[below(static_cast<int>(of.size()))];
  }

 private:
  std::mt19937 engine_;
};

/// A number that the kernel knows, or a register of 32 bits.
struct Value {
  std::string reg{};
  int number = 0;
  bool is_number() const { return reg.empty(); }
  std::string text() const { return is_number() ? std::to_string(number) : reg; }
};

inline Value number(int n) { return {"", n}; }

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

  std::string fresh(char kind) {
    const char* names[] = {"r", "rd", "f", "p", "h"};
    const std::size_t at = std::string("rdfph").find(kind);
    return fmt::format("%{}{}", names[at], ++count_[at]);
  }
  template <class... Words>
  void put(fmt::format_string<Words...> format, Words&&... words) {
    lines_ += "  " + fmt::format(format, std::forward<Words>(words)...) + ";\n";
  }
  std::string label() const { return fmt::format("L{}", lines_.size()); }
  void place(const std::string& label) { lines_ += label + ":\n"; }

  Value special(const char* name) { return made("mov.u32 {}, {}", name); }
  Value add(const Value& a, const Value& b) {
    if (a.is_number() && b.is_number()) return number(a.number + b.number);
    if (a.is_number()) return add(b, a);
    if (b.is_number() && b.number == 0) return a;
    return made("add.{2} {0}, {1}, {3}", a.text(), random_.any({"u32", "s32"}), b.text());
  }
  Value times(const Value& a, int by) {
    if (a.is_number()) return number(a.number * by);
    if (by == 1) return a;
    if (const int bits = power(by); bits >= 0 && random_.one_in(2))
      return made("shl.b32 {}, {}, {}", a.text(), bits);
    return made("mul.lo.{2} {0}, {1}, {3}", a.text(), random_.any({"u32", "s32"}), by);
  }
  /// a * by + b
  Value line_of(const Value& a, int by, const Value& b) {
    if (a.is_number() || random_.one_in(2)) return add(times(a, by), b);
    return made("mad.lo.u32 {}, {}, {}, {}", a.text(), by, b.text());
  }
  Value over(const Value& a, int by) {
    if (a.is_number()) return number(a.number / by);
    if (by == 1) return a;
    if (power(by) >= 0 && !random_.one_in(4))
      return made("shr.u32 {}, {}, {}", a.text(), power(by));
    return made("div.u32 {}, {}, {}", a.text(), by);
  }
  Value modulo(const Value& a, int by) {
    if (a.is_number()) return number(a.number % by);
    if (power(by) >= 0 && !random_.one_in(4)) return made("and.b32 {}, {}, {}", a.text(), by - 1);
    return made("rem.u32 {}, {}, {}", a.text(), by);
  }
  Value exclusive_or(const Value& a, const Value& b) {
    return made("xor.b32 {}, {}, {}", in_register(a), b.text());
  }
  std::string in_register(const Value& a) {
    return a.is_number() ? made("mov.u32 {}, {}", a.number).reg : a.reg;
  }
  /// An address in global memory, so many bytes behind another.
  std::string behind(const std::string& base, const Value& bytes) {
    const std::string to = fresh('d');
    if (random_.one_in(2)) {
      put("mad.wide.u32 {}, {}, 1, {}", to, in_register(bytes), base);
    } else {
      const std::string wide = fresh('d');
      put("cvt.u64.u32 {}, {}", wide, in_register(bytes));
      put("add.s64 {}, {}, {}", to, base, wide);
    }
    return to;
  }
  const std::string& lines() const { return lines_; }
  std::string registers() const {
    const char* all[] = {".b32 %r", ".b64 %rd", ".f32 %f", ".pred %p", ".b16 %h"};
    std::string text;
    for (std::size_t k = 0; k < count_.size(); ++k)
      text += fmt::format("  .reg {}<{}>;\n", all[k], count_[k] + 1);
    return text;
  }

 private:
  static int power(int of) {
    int bits = 0;
    while (1 << bits < of) ++bits;
    return 1 << bits == of ? bits : -1;
  }
  template <class... Words>
  Value made(fmt::format_string<std::string&, Words&...> format, Words... words) {
    std::string to = fresh('r');
    put(format, to, words...);
    return {to, 0};
  }

  Random& random_;
  std::string lines_;
  std::array<int, 5> count_{};
};

}  // namespace lanescope::tests
