// SPDX-License-Identifier: MIT
// The operations on f32 and f64, rounded to nearest: at() of one lane's numbers; tiny() says, where
// .ftz asks, whether the exact result is below the normal numbers although the rounded one need not
// be. Included by a file compiled once per host (see rows.hpp).
//
// Source: PTX ISA 9.2, 9.7.3.
#pragma once

#include "emulator/execute/real.hpp"

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

struct Add {
  template <class T>
  static T at(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static T at(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  static T at(T a, T b) {
    return a * b;
  }
  static bool tiny(float a, float b) {
    return __builtin_fabs(static_cast<double>(a) * static_cast<double>(b)) < kTiny;
  }
};
struct Div {
  template <class T>
  static T at(T a, T b) {
    return a / b;
  }
};
struct Fma {
  static float at(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double at(double a, double b, double c) { return __builtin_fma(a, b, c); }
  static bool tiny(float a, float b, float c) {
    const auto [sum, rest] = exact_sum(static_cast<double>(a) * static_cast<double>(b), c);
    const double size = __builtin_fabs(sum);
    return size < kTiny || (size == kTiny && rest * sum < 0);
  }
};
// What becomes of a mul and a sub (contract.hpp).
struct FmaMinus {
  template <class T>
  static T at(T a, T b, T c) {
    return Fma::at(a, b, -c);
  }
  static bool tiny(float a, float b, float c) { return Fma::tiny(a, b, -c); }
};
struct MinusFma {
  template <class T>
  static T at(T a, T b, T c) {
    return Fma::at(-a, b, c);
  }
  static bool tiny(float a, float b, float c) { return Fma::tiny(-a, b, c); }
};
struct MinusFmaMinus {
  template <class T>
  static T at(T a, T b, T c) {
    return Fma::at(-a, b, -c);
  }
  static bool tiny(float a, float b, float c) { return Fma::tiny(-a, b, -c); }
};
struct Sqrt {
  static float at(float a) { return __builtin_sqrtf(a); }
  static double at(double a) { return __builtin_sqrt(a); }
};
struct Rcp {
  template <class T>
  static T at(T a) {
    return T{1} / a;
  }
};

}  // namespace
}  // namespace lanescope::emulator::LANESCOPE_HOST
