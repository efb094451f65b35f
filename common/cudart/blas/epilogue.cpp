// SPDX-License-Identifier: MIT
#include "cudart/blas/epilogue.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace lanescope::cudart {

namespace {

constexpr float kRoot = 0.7978845608f, kCube = 0.044715f;  // sqrt(2 / pi)

float bent(Activation activation, float x) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return x > 0 ? x : 0;
    case Activation::gelu:
      return 0.5f * x * (1 + std::tanh(kRoot * (x + kCube * x * x * x)));
  }
  return x;
}

float gelu_slope(float x) {
  const float t = std::tanh(kRoot * (x + kCube * x * x * x));
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * kRoot * (1 + 3 * kCube * x * x);
}

void* nth(void* data, Element element, std::int64_t index) {
  return static_cast<std::byte*>(data) + index * bytes_of(element);
}

void keep(const Epilogue& epilogue, std::int64_t place, float value) {
  if (epilogue.form.activation == Activation::gelu)
    return write_element(epilogue.kept_element, nth(epilogue.kept, epilogue.kept_element, place),
                         double{value});
  std::byte& eight = static_cast<std::byte*>(epilogue.kept)[place / 8];
  const std::byte bit{static_cast<unsigned char>(1u << place % 8)};
  eight = value >= 0 ? eight | bit : eight & ~bit;
}

float rounded(Element element, float value) {
  std::array<std::byte, 8> room;
  write_element(element, room.data(), double{value});
  return static_cast<float>(read_element(element, room.data()));
}

float bent_back(const Epilogue& epilogue, std::int64_t place, float value) {
  if (epilogue.form.activation == Activation::gelu)
    return value * gelu_slope(static_cast<float>(read_element(
                       epilogue.kept_element, nth(epilogue.kept, epilogue.kept_element, place))));
  const auto eight = static_cast<unsigned>(static_cast<std::byte*>(epilogue.kept)[place / 8]);
  return (eight >> place % 8 & 1u) != 0 ? value : 0;
}

}  // namespace

float finished(const Epilogue& epilogue, Element of_d, std::int64_t row, std::int64_t col,
               float value) {
  const EpilogueForm& form = epilogue.form;
  const std::int64_t place = col * epilogue.kept_lead + row;
  if (form.adds_bias)
    value += static_cast<float>(
        read_element(epilogue.bias_element, nth(epilogue.bias, epilogue.bias_element, row)));
  if (form.keeps) keep(epilogue, place, value);
  value = form.is_backward ? bent_back(epilogue, place, rounded(of_d, value))
                           : bent(form.activation, value);
  if (epilogue.row_sums != nullptr) epilogue.row_sums[row] += value;
  if (epilogue.largest != nullptr) *epilogue.largest = std::max(*epilogue.largest, std::abs(value));
  return value * epilogue.factor;
}

}  // namespace lanescope::cudart
