// SPDX-License-Identifier: MIT
#include "cudart/blas/element.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "numeric/format.hpp"

namespace lanescope::cudart {

namespace {

/// What lies beyond the largest number of 8 bits is that number, as cublasLt has it.
std::uint8_t encode_8(const numeric::Format& format, double value) {
  return static_cast<std::uint8_t>(
      encode(format, value, numeric::Rounding::rn, numeric::Overflow::satfinite));
}

}  // namespace

int bytes_of(Element element) {
  switch (element) {
    case Element::f16:
    case Element::bf16:
      return 2;
    case Element::f32:
    case Element::s32:
      return 4;
    case Element::f64:
    case Element::c32:
      return 8;
    case Element::c64:
      return 16;
    case Element::s8:
    case Element::e4m3:
    case Element::e5m2:
      return 1;
  }
  return 0;
}

double read_element(Element element, const void* at) {
  switch (element) {
    case Element::f16:
      return numeric::decode(numeric::kF16, load<std::uint16_t>(at));
    case Element::bf16:
      return numeric::decode(numeric::kBf16, load<std::uint16_t>(at));
    case Element::f32:
    case Element::c32:
      return load<float>(at);
    case Element::f64:
    case Element::c64:
      return load<double>(at);
    case Element::s8:
      return load<std::int8_t>(at);
    case Element::s32:
      return load<std::int32_t>(at);
    case Element::e4m3:
      return numeric::decode(numeric::kE4m3, load<std::uint8_t>(at));
    case Element::e5m2:
      return numeric::decode(numeric::kE5m2, load<std::uint8_t>(at));
  }
  return 0;
}

void write_element(Element element, void* at, double value) {
  const auto put = [&](auto result) { std::memcpy(at, &result, sizeof result); };
  switch (element) {
    case Element::f16:
      return put(static_cast<std::uint16_t>(encode(numeric::kF16, value)));
    case Element::bf16:
      return put(static_cast<std::uint16_t>(encode(numeric::kBf16, value)));
    case Element::f32:
      return put(static_cast<float>(value));
    case Element::f64:
      return put(value);
    case Element::s8:
      return put(static_cast<std::int8_t>(std::nearbyint(std::clamp(value, -128.0, 127.0))));
    case Element::s32:
      return put(static_cast<std::int32_t>(static_cast<std::int64_t>(value)));
    case Element::e4m3:
      return put(encode_8(numeric::kE4m3, value));
    case Element::e5m2:
      return put(encode_8(numeric::kE5m2, value));
    case Element::c32:
    case Element::c64:
      return write_complex(element, at, value);
  }
}

std::complex<double> read_complex(Element element, const void* at) {
  if (element == Element::c32) return std::complex<double>(load<std::complex<float>>(at));
  if (element == Element::c64) return load<std::complex<double>>(at);
  return read_element(element, at);
}

void write_complex(Element element, void* at, std::complex<double> value) {
  if (element == Element::c64) std::memcpy(at, &value, sizeof value);
  const std::complex<float> rounded(value);
  if (element == Element::c32) std::memcpy(at, &rounded, sizeof rounded);
  if (!is_complex(element)) write_element(element, at, value.real());
}

}  // namespace lanescope::cudart
