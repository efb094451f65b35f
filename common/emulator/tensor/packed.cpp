// SPDX-License-Identifier: MIT
// The ways in for matrices that are not in fragment order: they are sorted into it. f64, which has
// no fragment order, is computed here.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "emulator/tensor/contract.hpp"
#include "emulator/tensor/fragments.hpp"

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

/// A NaN comes out as it went in, made quiet: b's before the sum's before a's. One that arises is
/// minus. Seen on an H200 (tests/golden/arithmetic).
double f64_nan(double a, double b, double sum) {
  std::uint64_t bits = 0xfff8000000000000;
  for (const double from : {b, sum, a}) {
    if (!std::isnan(from)) continue;
    bits = __builtin_bit_cast(std::uint64_t, from) | 0x0008000000000000;
    break;
  }
  return __builtin_bit_cast(double, bits);
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

/// Matrices given element by element, put into fragments; rows and columns that fill them up are
/// zero. A single row (of mma.sp, each of which has a B of its own) is turned over, D' = B'A', so
/// that its columns become the rows that the kernels have lanes for.
class Sorted {
 public:
  explicit Sorted(const TensorShape& shape) : shape_(shape) {
    shape_.M = (shape.M + kPanelRows - 1) / kPanelRows * kPanelRows;
    shape_.N = (shape.N + kTileCols - 1) / kTileCols * kTileCols;
    const int slabs = slabs_of(shape);
    if (slabs > static_cast<int>(kMostSlabs))
      broken_contract(fmt::format("k{} of {} bits", shape.K, element_bits(shape.a)),
                      "no instruction has more than 128 bytes of K");
    point(a_, a_rows_, shape_.M / 8 * slabs);
    point(b_, b_rows_, shape_.N / kTileCols * slabs);
    point(c_, c_rows_,
          shape_.M / kPanelRows * (shape_.N / kTileCols) * tile_registers(shape.accumulator));
  }

  void put_a(int row, int k, std::uint32_t pattern) {
    put(a_, place_of_a(shape_, row, k), pattern);
  }
  void put_b(int k, int col, std::uint32_t pattern) {
    put(b_, place_of_b(shape_, k, col), pattern);
  }
  void put_c(int row, int col, std::uint32_t pattern) {
    put(c_, place_of_c(shape_, row, col), pattern);
  }
  std::uint32_t d(int row, int col) const {
    const FragmentPlace at = place_of_c(shape_, row, col);
    const std::uint32_t word = c_[static_cast<std::size_t>(at.reg * kFragmentLanes + at.lane)];
    return shape_.accumulator == TensorType::f16 ? word >> at.bit & 0xffff : word;
  }
  void multiply(const MmaArithmetic& how, Host host) {
    multiply_fragments(how, shape_,
                       {a_rows_.data(), b_rows_.data(), c_rows_.data(), c_rows_.data()}, host);
  }

 private:
  template <class Words, class Rows>
  static void point(Words& words, Rows& rows, int count) {
    std::fill_n(words.begin(), count * kFragmentLanes, 0u);
    for (int k = 0; k < count; ++k)
      rows[static_cast<std::size_t>(k)] = words.data() + k * kFragmentLanes;
  }
  template <class Words>
  static void put(Words& words, const FragmentPlace& at, std::uint32_t pattern) {
    words[static_cast<std::size_t>(at.reg * kFragmentLanes + at.lane)] |= pattern << at.bit;
  }

  static constexpr std::size_t kMostSlabs = 8;  // 128 bytes of K
  static constexpr std::size_t kMostA = kMaxM / 8 * kMostSlabs;
  static constexpr std::size_t kMostB = kMaxN / kTileCols * kMostSlabs;
  static constexpr std::size_t kMostC = kMaxM / kPanelRows * kMaxN / kTileCols * 4;
  TensorShape shape_;
  alignas(64) std::array<std::uint32_t, kMostA * kFragmentLanes> a_;
  alignas(64) std::array<std::uint32_t, kMostB * kFragmentLanes> b_;
  alignas(64) std::array<std::uint32_t, kMostC * kFragmentLanes> c_;
  std::array<std::uint32_t*, kMostA> a_rows_;
  std::array<std::uint32_t*, kMostB> b_rows_;
  std::array<std::uint32_t*, kMostC> c_rows_;
};

template <class A, class B, class C, class D>
void multiply_sorted(const MmaArithmetic& how, const TensorShape& shape, Host host, A a, B b, C c,
                     D d) {
  Sorted sorted(shape);
  for (int k = 0; k < shape.K; ++k) {
    for (int row = 0; row < shape.M; ++row) sorted.put_a(row, k, a(row, k));
    for (int col = 0; col < shape.N; ++col) sorted.put_b(k, col, b(k, col));
  }
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col) sorted.put_c(row, col, c(row, col));
  sorted.multiply(how, host);
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col) d(row, col, sorted.d(row, col));
}

template <class A, class B, class C, class D>
void multiply_elements(const MmaArithmetic& how, const TensorShape& shape, Host host, A a, B b, C c,
                       D d) {
  if (shape.M > 1) return multiply_sorted(how, shape, host, a, b, c, d);
  TensorShape turned = shape;
  std::swap(turned.a, turned.b);
  turned.N = 1;
  for (int first = 0; first < shape.N; first += kMaxM) {
    turned.M = std::min(kMaxM, shape.N - first);
    multiply_sorted(
        how, turned, host, [&](int row, int k) { return b(k, first + row); },
        [&](int k, int) { return a(0, k); }, [&](int row, int) { return c(0, first + row); },
        [&](int row, int, std::uint32_t sum) { d(0, first + row, sum); });
  }
}

std::uint32_t load_pattern(TensorType type, const void* array, int index) {
  switch (storage_bytes(type)) {
    case 4:
      return load<std::uint32_t>(array, index);
    case 2:
      return load<std::uint16_t>(array, index);
    default:
      return load<std::uint8_t>(array, index) & ((1u << element_bits(type)) - 1);
  }
}

void store_pattern(TensorType type, void* array, int index, std::uint32_t pattern) {
  if (storage_bytes(type) == 4) return store(array, index, pattern);
  store(array, index, static_cast<std::uint16_t>(pattern));  // of D: f16
}

/// Bit k of a row or column that is packed along K.
std::uint32_t load_bit(const void* array, int word, int k) {
  return load<std::uint32_t>(array, word) >> k % 32 & 1;
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

void multiply_packed(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                     const void* b, const void* c, void* d, Host host) {
  require_shape(how, shape);
  if (shape.accumulator == TensorType::f64) return multiply_f64(shape, a, b, c, d);
  const int K = shape.K, N = shape.N;
  const auto c_at = [&](int row, int col) {
    return load_pattern(shape.accumulator, c, row * N + col);
  };
  const auto d_at = [&](int row, int col, std::uint32_t sum) {
    store_pattern(shape.accumulator, d, row * N + col, sum);
  };
  if (shape.a == TensorType::b1) {
    if (K % 32 != 0) broken_contract(fmt::format("k{} of b1", K), "b1 is packed in words of 32");
    return multiply_elements(
        how, shape, host, [&](int row, int k) { return load_bit(a, row * (K / 32) + k / 32, k); },
        [&](int k, int col) { return load_bit(b, k / 32 * N + col, k); }, c_at, d_at);
  }
  multiply_elements(
      how, shape, host, [&](int row, int k) { return load_pattern(shape.a, a, row * K + k); },
      [&](int k, int col) { return load_pattern(shape.b, b, k * N + col); }, c_at, d_at);
}

void multiply(const MmaArithmetic& how, const TensorShape& shape, std::span<const std::uint32_t> a,
              std::span<const std::uint32_t> b, std::span<const std::uint32_t> c,
              std::span<std::uint32_t> d, Host host) {
  require_words(how, shape, a, b, c, d);
  // What an element's word has beyond its bits does not count.
  const auto in = [](TensorType type, std::span<const std::uint32_t> from, int index) {
    const std::uint32_t word = from[static_cast<std::size_t>(index)];
    const int bits = element_bits(type);
    return bits == 32 ? word : word & ((1u << bits) - 1);
  };
  multiply_elements(
      how, shape, host, [&](int row, int k) { return in(shape.a, a, row * shape.K + k); },
      [&](int k, int col) { return in(shape.b, b, k * shape.N + col); },
      [&](int row, int col) { return in(shape.accumulator, c, row * shape.N + col); },
      [&](int row, int col, std::uint32_t sum) {
        d[static_cast<std::size_t>(row * shape.N + col)] = sum;
      });
}

}  // namespace lanescope::emulator
