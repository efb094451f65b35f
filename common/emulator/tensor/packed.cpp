// SPDX-License-Identifier: MIT
// The ways in: packed operands to whichever path computes them, and words to packed operands.
// Integers and f64 are computed here, with plain loops that a compiler can vectorise.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "emulator/tensor/contract.hpp"
#include "emulator/tensor/model.hpp"
#include "emulator/tensor/vector.hpp"

namespace lanescope::emulator {
namespace {

template <class T>
T load(const void* array, int index) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(array) + index * sizeof(T), sizeof value);
  return value;
}
template <class T>
void store(void* array, int index, T value) {
  std::memcpy(static_cast<std::byte*>(array) + index * sizeof(T), &value, sizeof value);
}

int integer(TensorType type, std::uint8_t pattern) {
  switch (type) {
    case TensorType::s8:
      return static_cast<std::int8_t>(pattern);
    case TensorType::u8:
      return pattern;
    case TensorType::s4:
      return static_cast<std::int8_t>(pattern << 4) >> 4;
    default:
      return pattern & 0xf;
  }
}

void store_s32(const TensorShape& shape, void* d, int index, std::int64_t sum) {
  if (shape.satfinite) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
  store(d, index, static_cast<std::uint32_t>(sum));
}

/// Rows of products added up in 32 bits, which 256 products of 16 bits cannot leave; c comes last,
/// in 64 bits, so that wrapping and .satfinite are the same code.
void multiply_integers(const TensorShape& shape, const void* a, const void* b, const void* c,
                       void* d) {
  if (integer_vector_applies(shape)) return multiply_integer_vector(shape, a, b, c, d);
  std::array<std::int32_t, kMaxN> row_of_b;
  std::array<std::int32_t, kMaxM * kMaxN> sums{};
  for (int k = 0; k < shape.K; ++k) {
    for (int col = 0; col < shape.N; ++col)
      row_of_b[static_cast<std::size_t>(col)] =
          integer(shape.b, load<std::uint8_t>(b, k * shape.N + col));
    for (int row = 0; row < shape.M; ++row) {
      const std::int32_t left = integer(shape.a, load<std::uint8_t>(a, row * shape.K + k));
      std::int32_t* sum = &sums[static_cast<std::size_t>(row * shape.N)];
      for (int col = 0; col < shape.N; ++col)
        sum[col] += left * row_of_b[static_cast<std::size_t>(col)];
    }
  }
  for (int i = 0; i < shape.M * shape.N; ++i)
    store_s32(shape, d, i,
              std::int64_t{load<std::int32_t>(c, i)} + sums[static_cast<std::size_t>(i)]);
}

void multiply_bits(const TensorShape& shape, const void* a, const void* b, const void* c, void* d) {
  const int words = shape.K / 32;
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col) {
      int count = 0;
      for (int word = 0; word < words; ++word) {
        const auto left = load<std::uint32_t>(a, row * words + word);
        const auto right = load<std::uint32_t>(b, word * shape.N + col);
        count += std::popcount(shape.bit_operation == BitOperation::conjunction ? left & right
                                                                                : left ^ right);
      }
      const int i = row * shape.N + col;
      store_s32(shape, d, i, std::int64_t{load<std::int32_t>(c, i)} + count);
    }
}

/// A NaN comes out as it went in, made quiet: b's before the sum's before a's. One that arises is
/// minus. Seen on an H200 (tests/golden/arithmetic).
double f64_nan(double a, double b, double sum) {
  std::uint64_t bits = 0xfff8000000000000;
  for (const double from : {b, sum, a}) {
    if (!std::isnan(from)) continue;
    bits = std::bit_cast<std::uint64_t>(from) | 0x0008000000000000;
    break;
  }
  return std::bit_cast<double>(bits);
}

/// One fused multiply-add after another, in the order of k.
void multiply_f64(const TensorShape& shape, const void* a, const void* b, const void* c, void* d) {
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col) {
      double sum = load<double>(c, row * shape.N + col);
      for (int k = 0; k < shape.K; ++k) {
        const auto left = load<double>(a, row * shape.K + k);
        const auto right = load<double>(b, k * shape.N + col);
        const double next = std::fma(left, right, sum);
        sum = std::isnan(next) ? f64_nan(left, right, sum) : next;
      }
      store(d, row * shape.N + col, sum);
    }
}

void multiply_floats(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                     const void* b, const void* c, void* d) {
  if (vector_applies(how, shape)) return multiply_vector(how, shape, a, b, c, d);
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col) {
      const int i = row * shape.N + col;
      store_pattern(shape.accumulator, d, i,
                    dot_packed(how, shape, a, b, row, col, load_pattern(shape.accumulator, c, i)));
    }
}

/// Room for one operand of `multiply`, packed: the largest are C of wgmma.m64n256 and B of b1.
struct Buffer {
  alignas(32) std::array<std::byte, kMaxM * kMaxN * 4> bytes;
  void* data() { return bytes.data(); }
};

/// b1 is packed along K: `rows` and `cols` are of the unpacked array, `along_rows` says where K
/// lies.
void pack_bits(std::span<const std::uint32_t> from, int rows, int cols, bool along_rows, void* to) {
  const int words = (along_rows ? rows : cols) / 32;
  const int others = along_rows ? cols : rows;
  for (int word = 0; word < words; ++word)
    for (int other = 0; other < others; ++other) {
      std::uint32_t bits = 0;
      for (int bit = 0; bit < 32; ++bit) {
        const int k = word * 32 + bit;
        const int at = along_rows ? k * cols + other : other * cols + k;
        bits |= (from[static_cast<std::size_t>(at)] & 1) << bit;
      }
      store(to, along_rows ? word * others + other : other * words + word, bits);
    }
}

const void* pack(TensorType type, std::span<const std::uint32_t> from, int rows, int cols,
                 bool along_rows, Buffer& buffer) {
  if (type == TensorType::b1) {
    pack_bits(from, rows, cols, along_rows, buffer.data());
    return buffer.data();
  }
  if (storage_bytes(type) == 4) return from.data();
  for (int i = 0; i < rows * cols; ++i)
    store_pattern(type, buffer.data(), i, from[static_cast<std::size_t>(i)]);
  return buffer.data();
}

}  // namespace

int storage_bytes(TensorType type) {
  switch (type) {
    case TensorType::f64:
      return 8;
    case TensorType::f32:
    case TensorType::tf32:
    case TensorType::s32:
    case TensorType::b1:
      return 4;
    case TensorType::f16:
    case TensorType::bf16:
      return 2;
    default:
      return 1;
  }
}

std::uint32_t load_pattern(TensorType type, const void* array, int index) {
  switch (storage_bytes(type)) {
    case 4:
      return load<std::uint32_t>(array, index);
    case 2:
      return load<std::uint16_t>(array, index);
    default:
      return load<std::uint8_t>(array, index);
  }
}

void store_pattern(TensorType type, void* array, int index, std::uint32_t pattern) {
  switch (storage_bytes(type)) {
    case 4:
      return store(array, index, pattern);
    case 2:
      return store(array, index, static_cast<std::uint16_t>(pattern));
    default:
      return store(array, index, static_cast<std::uint8_t>(pattern));
  }
}

std::uint32_t dot_packed(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                         const void* b, int row, int col, std::uint32_t c) {
  std::array<std::uint32_t, kMaxK> a_row, b_column;
  for (int k = 0; k < shape.K; ++k) {
    a_row[static_cast<std::size_t>(k)] = load_pattern(shape.a, a, row * shape.K + k);
    b_column[static_cast<std::size_t>(k)] = load_pattern(shape.b, b, k * shape.N + col);
  }
  return dot_product(how, shape, a_row.data(), b_column.data(), c);
}

void multiply_packed(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                     const void* b, const void* c, void* d) {
  require_shape(how, shape);
  switch (shape.accumulator) {
    case TensorType::f64:
      return multiply_f64(shape, a, b, c, d);
    case TensorType::s32:
      if (shape.a != TensorType::b1) return multiply_integers(shape, a, b, c, d);
      if (shape.K % 32 != 0)
        broken_contract(fmt::format("k{} of b1", shape.K), "b1 is packed in words of 32");
      return multiply_bits(shape, a, b, c, d);
    default:
      return multiply_floats(how, shape, a, b, c, d);
  }
}

void multiply(const MmaArithmetic& how, const TensorShape& shape, std::span<const std::uint32_t> a,
              std::span<const std::uint32_t> b, std::span<const std::uint32_t> c,
              std::span<std::uint32_t> d) {
  require_shape(how, shape);
  require_size("A", a.size(), shape.M, shape.K);
  require_size("B", b.size(), shape.K, shape.N);
  require_size("C", c.size(), shape.M, shape.N);
  require_size("D", d.size(), shape.M, shape.N);
  if (shape.accumulator == TensorType::f64)
    broken_contract("f64 does not fit 32-bit words", "use multiply_packed");
  Buffer a_buffer, b_buffer, c_buffer;
  const void* a_packed = pack(shape.a, a, shape.M, shape.K, false, a_buffer);
  const void* b_packed = pack(shape.b, b, shape.K, shape.N, true, b_buffer);
  const void* c_packed = pack(shape.accumulator, c, shape.M, shape.N, false, c_buffer);
  if (storage_bytes(shape.accumulator) == 4)
    return multiply_packed(how, shape, a_packed, b_packed, c_packed, d.data());
  multiply_packed(how, shape, a_packed, b_packed, c_packed, c_buffer.data());
  for (int i = 0; i < shape.M * shape.N; ++i)
    d[static_cast<std::size_t>(i)] = load_pattern(shape.accumulator, c_buffer.data(), i);
}

}  // namespace lanescope::emulator
