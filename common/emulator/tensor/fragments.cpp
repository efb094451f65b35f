// SPDX-License-Identifier: MIT
// Which kernel multiplies, and what is done where none does: element by element, by the model.
#include "emulator/tensor/fragments.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/tensor/contract.hpp"
#include "emulator/tensor/kernels.hpp"
#include "emulator/tensor/model.hpp"
#include "numeric/format.hpp"

namespace lanescope::emulator {
namespace {

/// The kernels of a host, or nullptr.
const TileKernels* kernels_of([[maybe_unused]] Host host) {
#if defined(__x86_64__)
  if (host == Host::avx512) return &avx512::tile_kernels();
  if (host == Host::avx2) return &avx2::tile_kernels();
#endif
  return nullptr;
}

std::uint32_t load(const std::uint32_t* const* registers, const FragmentPlace& place,
                   TensorType type) {
  const std::uint32_t word = registers[place.reg][place.lane] >> place.bit;
  const int bits = element_bits(type);
  return bits == 32 ? word : word & ((1u << bits) - 1);
}

void store(std::uint32_t* const* registers, const FragmentPlace& place, TensorType type,
           std::uint32_t pattern) {
  std::uint32_t& word = registers[place.reg][place.lane];
  const std::uint32_t mask = element_bits(type) == 32 ? ~0u : 0xffffu << place.bit;
  word = (word & ~mask) | pattern << place.bit;
}

/// The K elements of a row of A, or of a column of B, in order: `place_of(k)` says where the k-th
/// is.
template <class PlaceOf>
std::array<std::uint32_t, kMaxK> gather(const std::uint32_t* const* registers, int K,
                                        TensorType type, PlaceOf place_of) {
  const int bits = element_bits(type), per_word = 32 / bits;
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  std::array<std::uint32_t, kMaxK> elements;
  for (int k = 0; k < K; k += per_word) {
    const FragmentPlace place = place_of(k);
    const std::uint32_t word = registers[place.reg][place.lane];
    for (int i = 0; i < std::min(per_word, K - k); ++i)
      elements[static_cast<std::size_t>(k + i)] = word >> i * bits & mask;
  }
  return elements;
}

/// D of one element, by the model.
void compute(const MmaArithmetic& how, const TensorShape& shape, const Fragments& in, int row,
             int col) {
  const auto a = gather(in.a, shape.K, shape.a, [&](int k) { return place_of_a(shape, row, k); });
  const auto b = gather(in.b, shape.K, shape.b, [&](int k) { return place_of_b(shape, k, col); });
  const FragmentPlace place = place_of_c(shape, row, col);
  const std::uint32_t c = load(in.c, place, shape.accumulator);
  store(in.d, place, shape.accumulator, dot_product(how, shape, a.data(), b.data(), c));
}

/// The same of b1, a word at a time.
void count_bits(const TensorShape& shape, const Fragments& in, int row, int col) {
  const FragmentPlace place = place_of_c(shape, row, col);
  std::int64_t sum = static_cast<std::int32_t>(in.c[place.reg][place.lane]);
  for (int k = 0; k < shape.K; k += 32) {
    const FragmentPlace a_at = place_of_a(shape, row, k), b_at = place_of_b(shape, k, col);
    const std::uint32_t a = in.a[a_at.reg][a_at.lane], b = in.b[b_at.reg][b_at.lane];
    sum += std::popcount(shape.bit_operation == BitOperation::conjunction ? a & b : a ^ b);
  }
  if (shape.satfinite) sum = std::min<std::int64_t>(sum, INT32_MAX);
  in.d[place.reg][place.lane] = static_cast<std::uint32_t>(sum);
}

/// Products a block really has: a short instruction fills only part of the adder.
int block_of(const MmaArithmetic& how, const TensorShape& shape) {
  return std::min(how.block_products, shape.K);
}

/// Whether the kernels know the types (6 and 4 bits they do not), and K falls into blocks of
/// theirs.
bool kernel_applies(const MmaArithmetic& how, const TensorShape& shape) {
  const int block = block_of(how, shape);
  return shape.a < TensorType::e3m2 && shape.b < TensorType::e3m2 &&
         (block == 4 || block == 8 || block == 16 || block == 32) && shape.K % block == 0 &&
         shape.K <= kMaxFloatK && shape.M <= kMaxPanels * kPanelRows;
}

TileJob job_of(const MmaArithmetic& how, const TensorShape& shape) {
  TileJob job;
  job.a = shape.a;
  job.b = shape.b;
  job.accumulator = shape.accumulator;
  job.panels = shape.M / kPanelRows;
  job.tiles = shape.N / kTileCols;
  job.slabs = slabs_of(shape);
  job.K = shape.K;
  job.block = block_of(how, shape);
  job.fraction_bits = how.fraction_bits;
  job.zero_exponent = how.zero_exponent;
  job.drops_ten_bits = how.drops_ten_bits;
  job.satfinite = shape.satfinite;
  return job;
}

void multiply_real(const MmaArithmetic& how, const TensorShape& shape, const Fragments& fragments,
                   const TileKernels& kernels) {
  std::array<std::uint16_t, kMaxPanels * kMaxN> flags;
  const int panels = shape.M / kPanelRows;
  std::fill_n(flags.begin(), panels * shape.N, std::uint16_t{0});
  if (!kernels.real(job_of(how, shape), fragments, flags.data())) return;
  for (int panel = 0; panel < panels; ++panel)
    for (int col = 0; col < shape.N; ++col)
      for (unsigned rows = flags[static_cast<std::size_t>(panel * shape.N + col)]; rows != 0;
           rows &= rows - 1)
        compute(how, shape, fragments, panel * kPanelRows + std::countr_zero(rows), col);
}

/// The f16 patterns of all e4m3 or e5m2.
using Halves = std::array<std::uint16_t, 256>;
const Halves& halves_of(TensorType type) {
  const auto make = [](const numeric::Format& format) {
    Halves halves;
    for (std::uint32_t byte = 0; byte < 256; ++byte)
      halves[byte] =
          static_cast<std::uint16_t>(numeric::encode(numeric::kF16, numeric::decode(format, byte)));
    return halves;
  };
  static const Halves e4m3 = make(numeric::kE4m3), e5m2 = make(numeric::kE5m2);
  return type == TensorType::e4m3 ? e4m3 : e5m2;
}

/// The two low bytes of every word as f16, or the two high ones.
void widen_pairs(TensorType type, const std::uint32_t* from, int shift, std::uint32_t* to) {
  const Halves& halves = halves_of(type);
  for (int lane = 0; lane < kFragmentLanes; ++lane) {
    const std::uint32_t bytes = from[lane] >> shift;
    to[lane] = halves[bytes & 0xff] | std::uint32_t{halves[bytes >> 8 & 0xff]} << 16;
  }
}

/// fp8 in Hopper's mma.sync: the operands, widened to f16, go through the f16 unit as they lie in
/// the registers, first the two low bytes of every four, then the two high ones. The chain starts
/// from zero and c comes last. One panel and one tile at a time.
void multiply_through_f16(const MmaArithmetic& how, const TensorShape& shape, const Fragments& in,
                          const TileKernels& kernels) {
  constexpr int kMostSlabs = 2, kMostRegisters = 4;  // of one chain: k32
  using Register = std::array<std::uint32_t, kFragmentLanes>;
  alignas(64) std::array<Register, 2 * kMostSlabs> a;
  alignas(64) std::array<Register, kMostSlabs> b;
  alignas(64) std::array<Register, kMostRegisters> chain;
  std::array<const std::uint32_t*, 2 * kMostSlabs> a_rows;
  std::array<const std::uint32_t*, kMostSlabs> b_rows;
  std::array<std::uint32_t*, kMostRegisters> chain_rows;
  for (std::size_t k = 0; k < a.size(); ++k) a_rows[k] = a[k].data();
  for (std::size_t k = 0; k < b.size(); ++k) b_rows[k] = b[k].data();
  for (std::size_t k = 0; k < chain.size(); ++k) chain_rows[k] = chain[k].data();
  const int slabs = slabs_of(shape), registers = tile_registers(shape.accumulator);
  const int together = std::min(slabs, kMostSlabs);
  MmaArithmetic half_how = how;
  half_how.through_f16_pairs = false;
  const TensorShape half_shape{kPanelRows,      kTileCols,       8 * together,
                               TensorType::f16, TensorType::f16, shape.accumulator};
  const Fragments half_in{a_rows.data(), b_rows.data(), chain_rows.data(), chain_rows.data()};
  const int tiles = shape.N / kTileCols;
  for (int at = 0; at < shape.M / kPanelRows * tiles; ++at) {
    const std::uint32_t* const* c = in.c + at * registers;
    for (int slab = 0; slab < slabs; slab += together) {
      chain = {};
      for (const int shift : {0, 16}) {
        for (int k = 0; k < 2 * together; ++k)
          widen_pairs(shape.a, in.a[(at / tiles * slabs + slab) * 2 + k], shift,
                      a[static_cast<std::size_t>(k)].data());
        for (int k = 0; k < together; ++k)
          widen_pairs(shape.b, in.b[at % tiles * slabs + slab + k], shift,
                      b[static_cast<std::size_t>(k)].data());
        multiply_real(half_how, half_shape, half_in, kernels);
      }
      kernels.add(shape.accumulator, registers, c, chain_rows.data());
      for (int reg = 0; reg < registers; ++reg)
        std::copy_n(chain_rows[static_cast<std::size_t>(reg)], kFragmentLanes,
                    in.d[at * registers + reg]);
      c = in.d + at * registers;
    }
  }
}

}  // namespace

int element_bits(TensorType type) {
  switch (type) {
    case TensorType::f64:
      return 64;
    case TensorType::f32:
    case TensorType::tf32:
    case TensorType::s32:
      return 32;
    case TensorType::f16:
    case TensorType::bf16:
      return 16;
    case TensorType::s4:
    case TensorType::u4:
      return 4;
    case TensorType::b1:
      return 1;
    default:
      return 8;
  }
}

int slabs_of(const TensorShape& shape) { return (shape.K * element_bits(shape.a) + 127) / 128; }

int tile_registers(TensorType accumulator) { return accumulator == TensorType::f16 ? 2 : 4; }

FragmentPlace place_of_a(const TensorShape& shape, int row, int k) {
  const int at = k * element_bits(shape.a), word = at / 32;
  const int slab = row / kPanelRows * slabs_of(shape) + word / kSlabWords;
  return {2 * slab + row % kPanelRows / 8, kSlabWords * (row % 8) + word % kSlabWords, at % 32};
}

FragmentPlace place_of_b(const TensorShape& shape, int k, int col) {
  const int at = k * element_bits(shape.b), word = at / 32;
  const int slab = col / kTileCols * slabs_of(shape) + word / kSlabWords;
  return {slab, kSlabWords * (col % kTileCols) + word % kSlabWords, at % 32};
}

FragmentPlace place_of_c(const TensorShape& shape, int row, int col) {
  const int tiles = (shape.N + kTileCols - 1) / kTileCols;
  const int tile = row / kPanelRows * tiles + col / kTileCols;
  const int lane = 4 * (row % 8) + col % kTileCols / 2, lower = row % kPanelRows / 8;
  if (shape.accumulator == TensorType::f16) return {2 * tile + lower, lane, col % 2 * 16};
  return {4 * tile + 2 * lower + col % 2, lane, 0};
}

void multiply_fragments(const MmaArithmetic& how, const TensorShape& shape,
                        const Fragments& fragments, Host host) {
  require_shape(how, shape);
  if (shape.M % kPanelRows != 0 || shape.N % kTileCols != 0 || shape.accumulator == TensorType::f64)
    broken_contract(fmt::format("m{}n{} of fragments", shape.M, shape.N),
                    "whole panels and tiles, and no f64");
  const TileKernels* kernels = kernels_of(host);
  const bool integers = shape.accumulator == TensorType::s32;
  if (kernels != nullptr && integers && shape.a != TensorType::b1 && shape.K <= kMaxIntegerK)
    return kernels->integer(job_of(how, shape), fragments);
  if (kernels != nullptr && !integers && !how.scalar) {
    const bool whole = shape.K % 32 == 0 || shape.K == 16;
    if (how.through_f16_pairs && how.block_products == 16 && whole)
      return multiply_through_f16(how, shape, fragments, *kernels);
    if (!how.through_f16_pairs && kernel_applies(how, shape))
      return multiply_real(how, shape, fragments, *kernels);
  }
  for (int row = 0; row < shape.M; ++row)
    for (int col = 0; col < shape.N; ++col)
      shape.a == TensorType::b1 ? count_bits(shape, fragments, row, col)
                                : compute(how, shape, fragments, row, col);
}

}  // namespace lanescope::emulator
