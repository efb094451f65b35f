// SPDX-License-Identifier: MIT
// What the tensor cores compute, bit for bit, apart from where the operands sit in registers.
//
// A matrix multiplication is described by numbers (how many products are summed at once, how many
// fractional bits are kept, how the sum is rounded), one small row a generation; see MmaArithmetic.
// Two implementations: `multiply_reference`, an integer model written for reading, and `multiply`,
// vectors that must give the same bits (tests/fuzz proves it) on every Host.
//
//     const TensorShape shape{16, 8, 16, TensorType::f16, TensorType::f16, TensorType::f32};
//     const MmaArithmetic* how = arithmetic("sm_90a", TensorUnit::mma, shape);
//     multiply_packed(*how, shape, a, b, c, d);  // uint16_t a[16 * 16], b[16 * 8]; float bits c, d
//
// Sources: MMA-Sim (arXiv 2511.10909), Khattak & Mikaitis (arXiv 2512.07004), and results recorded
// on an H200 (tests/golden/arithmetic). docs/arithmetic.md explains the algorithm and says what
// nobody has confirmed yet.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "emulator/tensor/host.hpp"

namespace lanescope::emulator {

/// Element types the tensor cores multiply and accumulate.
enum class TensorType : std::uint8_t {
  f16,
  bf16,
  tf32,
  e4m3,
  e5m2,
  f32,
  f64,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32,
  e3m2,  // these three with tcgen05 and on sm_120 alone, a byte each
  e2m3,
  e2m1
};

/// Which instruction has it run: they differ on Hopper. wmma is mma's but for tf32.
enum class TensorUnit : std::uint8_t { mma, wmma, wgmma, tcgen05 };

/// What b1 operands do before their bits are counted: .xor.popc, .and.popc.
enum class BitOperation : std::uint8_t { exclusive_or, conjunction };

/// One multiplication D = A*B + C: A is M x K, B is K x N, C and D are M x N. Where the ISA allows
/// an f16 C with an f32 D (mma.m8n8k4), widen C first: it is exact.
struct TensorShape {
  int M = 0, N = 0, K = 0;
  TensorType a = TensorType::f16;
  TensorType b = TensorType::f16;
  TensorType accumulator = TensorType::f32;  // of C and D
  bool satfinite = false;                    // integers: clamp to s32 instead of wrapping
  BitOperation bit_operation = BitOperation::exclusive_or;  // b1 only
  int scale_vectors = 0;  // chunks of K with a scale factor each (scaled.hpp); 0: not scaled
};

/// Nothing larger exists: wgmma.m64n256, mma.m16n8k256 on b1.
inline constexpr int kMaxM = 64, kMaxN = 256, kMaxK = 256;

/// How a generation sums floating point. See docs/arithmetic.md for what each number means; integer
/// and f64 forms need none of them.
struct MmaArithmetic {
  int block_products = 8;          // L: products summed before the result is rounded
  int fraction_bits = 24;          // F: kept when a term is shifted to the largest exponent
  int zero_exponent = -132;        // the exponent of a term that is zero: E is never below it
  bool drops_ten_bits = false;     // the f32 result keeps 13 mantissa bits (fp8: Ada, Hopper wgmma)
  bool through_f16_pairs = false;  // fp8 mma.sync on Hopper: two f16 passes, c added last
  bool scalar = false;             // m8n8k4 from sm_80 on: f32 instructions, no tensor core
  int group_products = 1;          // block-scaled: products that are summed before they are scaled
};

/// The numbers for `arch` ("sm_80", "sm_89", "sm_90a", ...), or nullptr when that generation has no
/// such instruction, or is not modelled. M and N do not matter, K only against 0 and 4 (m8n8k4).
const MmaArithmetic* arithmetic(std::string_view arch, TensorUnit unit, const TensorShape& shape);

/// For a user: why there are no numbers for `arch`.
std::string why_no_arithmetic(std::string_view arch);

/// The readable model: integers only, one product at a time. Row-major patterns, one element a
/// 32-bit word, zero-extended (s8 -1 is 0xff). Everything but f64. C and D may be the same memory.
void multiply_reference(const MmaArithmetic& how, const TensorShape& shape,
                        std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                        std::span<const std::uint32_t> c, std::span<std::uint32_t> d);

/// The same bits, fast: see fragments.hpp, which is the way in for registers. Falls back to the
/// model outside the range in which vectors are exact.
void multiply(const MmaArithmetic& how, const TensorShape& shape, std::span<const std::uint32_t> a,
              std::span<const std::uint32_t> b, std::span<const std::uint32_t> c,
              std::span<std::uint32_t> d, Host host = best_host());

/// The bytes that one element takes for multiply_packed: f64 8; f32, tf32, s32 4; f16, bf16 2;
/// e4m3, e5m2, s8, u8, s4, u4 1 (a nibble in the low half). b1 has 32 elements in 4 bytes.
int storage_bytes(TensorType type);

/// `multiply` on arrays of the elements' own width; the only one for f64. Row-major and dense; b1
/// is packed along K, A as M x K/32 words, B as K/32 x N words. C and D may be the same. Nothing is
/// allocated.
void multiply_packed(const MmaArithmetic& how, const TensorShape& shape, const void* a,
                     const void* b, const void* c, void* d, Host host = best_host());

}  // namespace lanescope::emulator
