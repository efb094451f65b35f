// SPDX-License-Identifier: MIT
// The types of the matrices that the stand-ins for cuBLAS and cublasLt multiply. c32 and c64 are
// complex numbers of two f32 or f64, the real part first.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>

namespace lanescope::cudart {

enum class Element : std::uint8_t { f16, bf16, f32, f64, s8, s32, e4m3, e5m2, c32, c64 };

int bytes_of(Element element);

inline bool is_complex(Element element) {
  return element == Element::c32 || element == Element::c64;
}

/// What lies there, at any address.
template <class T>
T load(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// One number of that type, at that address; of a complex one the real part.
double read_element(Element element, const void* at);
std::complex<double> read_complex(Element element, const void* at);

/// The number of that type that is nearest; of 8 bits the largest, where it lies beyond.
void write_element(Element element, void* at, double value);
void write_complex(Element element, void* at, std::complex<double> value);

}  // namespace lanescope::cudart
