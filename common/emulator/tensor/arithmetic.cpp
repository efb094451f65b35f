// SPDX-License-Identifier: MIT
// Which numbers hold for which generation: one table, one row a unit and element type.
//
// Sources: MMA-Sim (arXiv 2511.10909), tables of the NVIDIA generations; Khattak & Mikaitis (arXiv
// 2512.07004) for V100, A100, H100, L40S; PTX ISA 9.2, 9.7.14.5 and 9.7.15.5 for what exists where.
// sm_86 and sm_87 are taken to sum like sm_80, sm_75 like its neighbours: docs/arithmetic.md.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "emulator/tensor/tensor.hpp"

namespace lanescope::emulator {
namespace {

/// Element types that the hardware treats alike.
enum class Family : std::uint8_t {
  half,
  quad_pair,
  tf32,
  fp8,
  scaled_fp4,
  f64,
  integer,
  nibble,
  bit
};

Family family(TensorType type) {
  switch (type) {
    case TensorType::f16:
    case TensorType::bf16:
      return Family::half;
    case TensorType::e4m3:
    case TensorType::e5m2:
    case TensorType::e3m2:
    case TensorType::e2m3:
    case TensorType::e2m1:
      return Family::fp8;
    case TensorType::f64:
      return Family::f64;
    case TensorType::s8:
    case TensorType::u8:
      return Family::integer;
    case TensorType::s4:
    case TensorType::u4:
      return Family::nibble;
    case TensorType::b1:
      return Family::bit;
    default:
      return Family::tf32;  // f32 and s32 are no operands: see types_fit
  }
}

/// m8n8k4 is Volta's own instruction; two scale factors a row or more are mxf4's and mxf4nvf4's.
Family family(const TensorShape& shape) {
  const Family of_type = family(shape.a);
  if (shape.scale_vectors > 1) return Family::scaled_fp4;
  return of_type == Family::half && shape.K == 4 ? Family::quad_pair : of_type;
}

/// L, F, then e_zero for an f32 and for an f16 accumulator, then the two peculiarities of fp8.
struct Row {
  int first_sm, last_sm;
  TensorUnit unit;
  Family family;
  MmaArithmetic f32, f16;
};

constexpr TensorUnit mma = TensorUnit::mma;
constexpr TensorUnit wmma = TensorUnit::wmma;
constexpr TensorUnit wgmma = TensorUnit::wgmma;
constexpr TensorUnit tcgen05 = TensorUnit::tcgen05;
constexpr MmaArithmetic kExact{1, 0, 0};  // nothing is rounded, or (f64) every step is
constexpr MmaArithmetic kScalar{4, 0, 0, false, false, true};
constexpr MmaArithmetic kScaledFp4{64, 35, -143, false, false, false, 16};

constexpr std::array kRows{
    // Volta, Turing, Ampere, Ada: F grows by one bit with the adder, L with the number of lanes
    // that feed it.
    Row{70, 72, mma, Family::quad_pair, {4, 23, -131}, {4, 23, -19}},
    Row{75, 75, mma, Family::quad_pair, {8, 24, -132}, {8, 24, -20}},
    Row{70, 72, mma, Family::half, {4, 23, -131}, {4, 23, -19}},
    Row{75, 75, mma, Family::half, {8, 24, -132}, {8, 24, -20}},
    Row{80, 89, mma, Family::half, {8, 24, -132}, {8, 24, -20}},
    Row{80, 90, mma, Family::quad_pair, kScalar, kScalar},  // in SASS: FFMA and FADD
    Row{80, 89, mma, Family::tf32, {4, 24, -132}, {}},
    Row{89, 89, mma, Family::fp8, {16, 13, -132, true}, {16, 13, -20}},
    // Hopper. Its fp8 mma.sync runs on the f16 unit, in two passes over half of K each.
    Row{90, 90, mma, Family::half, {16, 25, -133}, {16, 25, -21}},
    Row{90, 90, wmma, Family::tf32, {4, 25, -133}, {}},  // in SASS: HMMA.1684, twice
    Row{90, 90, mma, Family::tf32, {8, 25, -133}, {}},
    Row{90, 90, mma, Family::fp8, {16, 25, -133, false, true}, {16, 25, -21, false, true}},
    Row{90, 90, wgmma, Family::half, {16, 25, -133}, {16, 25, -21}},
    Row{90, 90, wgmma, Family::tf32, {8, 25, -133}, {}},
    Row{90, 90, wgmma, Family::fp8, {32, 13, -133, true}, {32, 13, -21}},
    // Blackwell's tensor memory: published, not measured by us; e_zero as F has it everywhere else.
    Row{100, 110, tcgen05, Family::half, {16, 25, -133}, {16, 25, -21}},
    Row{100, 110, tcgen05, Family::tf32, {8, 25, -133}, {}},
    Row{100, 110, tcgen05, Family::fp8, {32, 25, -133}, {32, 25, -21}},
    Row{100, 110, tcgen05, Family::scaled_fp4, kScaledFp4, {}},
    // Blackwell of sm_120: published likewise (MMA-Sim's "RTX Blackwell").
    Row{120, 121, mma, Family::half, {16, 25, -133}, {16, 25, -21}},
    Row{120, 121, mma, Family::tf32, {8, 25, -133}, {}},
    Row{120, 121, mma, Family::fp8, {32, 25, -133}, {32, 25, -21}},
    Row{120, 121, mma, Family::scaled_fp4, kScaledFp4, {}},
    Row{120, 121, mma, Family::quad_pair, kScalar, kScalar},
    // Exact, or IEEE.
    Row{80, 90, mma, Family::f64, kExact, {}},
    Row{120, 121, mma, Family::f64, kExact, {}},
    Row{120, 121, mma, Family::integer, kExact, {}},
    Row{120, 121, mma, Family::nibble, kExact, {}},
    Row{120, 121, mma, Family::bit, kExact, {}},
    Row{75, 110, mma, Family::integer, kExact, {}},
    Row{75, 110, mma, Family::nibble, kExact, {}},
    Row{75, 110, mma, Family::bit, kExact, {}},
    Row{90, 90, wgmma, Family::integer, kExact, {}},
    Row{90, 90, wgmma, Family::bit, kExact, {}},
    Row{100, 110, tcgen05, Family::integer, kExact, {}},
};

/// 90 for "sm_90a"; 0 when it is not the name of an architecture.
struct Architecture {
  int sm = 0;
  bool specific = false;  // the trailing a
};

Architecture parse(std::string_view arch) {
  constexpr std::string_view prefix = "sm_";
  if (arch.substr(0, prefix.size()) != prefix) return {};
  const char* first = arch.data() + prefix.size();
  const char* last = arch.data() + arch.size();
  Architecture result;
  const auto [end, error] = std::from_chars(first, last, result.sm);
  const std::string_view suffix(end, static_cast<std::size_t>(last - end));
  if (error != std::errc{} || (!suffix.empty() && suffix != "a")) return {};
  result.specific = suffix == "a";
  return result;
}

/// Whether PTX has any instruction with these element types.
bool types_fit(const TensorShape& shape) {
  using enum TensorType;
  const Family a = family(shape.a);
  if (a != family(shape.b)) return false;
  switch (a) {
    case Family::half:
      if (shape.a != shape.b) return false;
      return shape.accumulator == f32 || (shape.a == f16 && shape.accumulator == f16);
    case Family::tf32:
      return shape.a == tf32 && shape.b == tf32 && shape.accumulator == f32;
    case Family::fp8:
      return shape.accumulator == f32 || shape.accumulator == f16;
    case Family::f64:
      return shape.accumulator == f64;
    default:
      return shape.accumulator == s32;
  }
}

}  // namespace

const MmaArithmetic* arithmetic(std::string_view arch, TensorUnit unit, const TensorShape& shape) {
  const Architecture wanted = parse(arch);
  if (!types_fit(shape) || shape.K <= 0) return nullptr;
  if (unit == TensorUnit::wgmma && !wanted.specific) return nullptr;
  const bool narrow = shape.a >= TensorType::e3m2 || shape.b >= TensorType::e3m2;
  if (unit != TensorUnit::tcgen05 && wanted.sm < 120 && narrow) return nullptr;
  const bool is_and = shape.bit_operation == BitOperation::conjunction;
  // .and.popc came with sm_80, bf16 with sm_80 (Volta and Turing know f16 only); wgmma has .and
  // only.
  if (wanted.sm < 80 && (shape.a == TensorType::bf16 || (shape.a == TensorType::b1 && is_and)))
    return nullptr;
  if (unit == TensorUnit::wgmma && shape.a == TensorType::b1 && !is_and) return nullptr;
  const auto runs = [unit](const Row& row) {
    return row.unit == unit || (unit == TensorUnit::wmma && row.unit == TensorUnit::mma);
  };
  for (const Row& row : kRows)
    if (row.first_sm <= wanted.sm && wanted.sm <= row.last_sm && runs(row) &&
        row.family == family(shape))
      return shape.accumulator == TensorType::f16 ? &row.f16 : &row.f32;
  return nullptr;
}

std::string why_no_arithmetic(std::string_view arch) {
  if (parse(arch).sm <= 90) return fmt::format("{} has no such instruction", arch);
  return fmt::format(
      "how {} sums floats is not known, so its mma and wmma of them are not modelled; where the "
      "PTX allows it, "
      "--arch sm_90a runs it",
      arch);
}

}  // namespace lanescope::emulator
