// SPDX-License-Identifier: MIT
// From an operation and its types to the function that runs it. The decoder asks; nullptr means
// that the combination is not modelled, and the decoder says so with the instruction's line.
#pragma once

#include <cstdint>

#include "emulator/decode/program.hpp"
#include "emulator/ptx/type.hpp"

namespace lanescope::emulator {

enum class Operation : std::uint8_t {
  move,
  add,
  sub,
  mul_lo,
  mul_hi,
  mul_wide,
  mad_lo,
  mad_hi,
  mad_wide,
  mul24_lo,
  mad24_lo,
  sad,
  div,
  rem,
  min,
  max,
  abs,
  neg,
  add_sat,
  sub_sat,
  add_cc,
  addc,
  addc_cc,
  sub_cc,
  subc,
  subc_cc,
  mad_lo_cc,
  madc_lo,
  madc_lo_cc,
  mad_hi_cc,
  madc_hi,
  madc_hi_cc,
  bit_and,
  bit_or,
  bit_xor,
  bit_not,
  cnot,
  lop3,
  shl,
  shr,
  shf_l_clamp,
  shf_l_wrap,
  shf_r_clamp,
  shf_r_wrap,
  bfe,
  bfi,
  bfind,
  bfind_shiftamt,
  brev,
  popc,
  clz,
  prmt,
  bmsk_clamp,
  bmsk_wrap,
  szext_clamp,
  szext_wrap,
  dp4a,
  selp,
  fma,
  fma_minus,        // a * b - c
  minus_fma,        // c - a * b
  minus_fma_minus,  // -(a * b) - c
  dividend,         // div.approx is dividend * divisor
  divisor,
  mul,
  sqrt,
  rcp,
  rsqrt,
  sin,
  cos,
  lg2,
  ex2,
  tanh,
  copysign,
};

/// How a floating-point instruction rounds and what it flushes: the bits of Instruction::detail.
struct FloatMode {
  static constexpr std::uint16_t kRoundMask = 7;  // 0 rn, 1 rz, 2 rm, 3 rp, 4 rna
  static constexpr std::uint16_t kFtz = 8;
  static constexpr std::uint16_t kSaturate = 16;  // .sat: [0, 1]
  static constexpr std::uint16_t kSaturateFinite = 32;
  static constexpr std::uint16_t kRelu = 64;
  static constexpr std::uint16_t kNan = 128;  // min/max.NaN
  static constexpr std::uint16_t kXorsign = 256;
  static constexpr std::uint16_t kInteger = 512;  // cvt.rni and its kin: to an integral value
  static constexpr std::uint16_t kAbs = 1024;
  static constexpr std::uint16_t kApprox = 2048;  // .approx, .full: as MUFU computes it
  static constexpr std::uint16_t kFull = 4096;
  static constexpr std::uint16_t kReciprocal = 8192;  // of dividend and divisor: 1 is divided
};

enum class Comparison : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
/// What testp asks.
enum class FloatProperty : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };
enum class Boolean : std::uint8_t { none, bool_and, bool_or, bool_xor };

/// One per host instruction set.
struct HandlerSet {
  Handler (*integer)(Operation, Type);
  Handler (*real)(Operation, Type, std::uint16_t mode);
  Handler (*compare)(Comparison, Type, bool flushes);        // setp; Instruction::detail: Boolean
  Handler (*compare_value)(Comparison, Type, bool flushes);  // set: `immediate` into row `target`
  Handler (*convert)(Type to, Type from, int to_register_bits, std::uint16_t mode);
  Handler (*load)(Type, int register_bits, int count);
  Handler (*store)(Type, int register_bits, int count);
  bool (*resolve)(Warp&, const Instruction&, std::uint32_t active, std::uint64_t* hosts);
};

const HandlerSet& handlers(Host host);
/// Those that the code of the warp's program has.
const HandlerSet& handlers(const Warp& warp);

namespace baseline {
const HandlerSet& handler_set();
}
namespace avx2 {
const HandlerSet& handler_set();
}
namespace avx512 {
const HandlerSet& handler_set();
}

// Operations on whole warps, the same for every host (execute_*.cpp without rows.hpp).
Flow run_branch(Warp&, const Instruction&, std::uint32_t);
Flow run_exit(Warp&, const Instruction&, std::uint32_t);
Flow run_ret(Warp&, const Instruction&, std::uint32_t);
Flow run_call(Warp&, const Instruction&, std::uint32_t);
Flow run_pointer_call(Warp&, const Instruction&, std::uint32_t);
Flow run_indexed_branch(Warp&, const Instruction&, std::uint32_t);
/// With Flow::jump, and Flow::call through a pointer: the instruction, or the function, of a lane.
std::uint32_t lane_target(const Warp&, const Instruction&, int lane);
Flow run_alloca(Warp&, const Instruction&, std::uint32_t);
Flow run_stack_save(Warp&, const Instruction&, std::uint32_t);
Flow run_stack_restore(Warp&, const Instruction&, std::uint32_t);
Flow run_nothing(Warp&, const Instruction&, std::uint32_t);
Flow run_refused(Warp&, const Instruction&, std::uint32_t);  // of a function that is not modelled
Flow run_trap(Warp&, const Instruction&, std::uint32_t);
Flow run_breakpoint(Warp&, const Instruction&, std::uint32_t);
/// Arithmetic with .rz, .rm, .rp.
Handler rounded_handler(Operation, Type);
/// cvt through common/numeric; needs the types in Instruction::count (to) and ::target (from).
Handler format_handler(Type to, Type from, bool two_sources, std::uint16_t mode);

Flow run_predicate_and(Warp&, const Instruction&, std::uint32_t);
Flow run_predicate_or(Warp&, const Instruction&, std::uint32_t);
Flow run_predicate_xor(Warp&, const Instruction&, std::uint32_t);
Flow run_predicate_not(Warp&, const Instruction&, std::uint32_t);
Flow run_predicate_move(Warp&, const Instruction&, std::uint32_t);
Flow run_slct32(Warp&, const Instruction&, std::uint32_t);
Flow run_slct64(Warp&, const Instruction&, std::uint32_t);
Flow run_clock(Warp&, const Instruction&, std::uint32_t);
Flow run_unpack(Warp&, const Instruction&, std::uint32_t);
Flow run_pack(Warp&, const Instruction&, std::uint32_t);
Flow run_isspacep(Warp&, const Instruction&, std::uint32_t);
Flow run_builtin(Warp&, const Instruction&, std::uint32_t);
Flow run_runtime_call(Warp&, const Instruction&, std::uint32_t);
Flow run_barrier(Warp&, const Instruction&, std::uint32_t);
Flow run_warp_barrier(Warp&, const Instruction&, std::uint32_t);
Flow run_shuffle(Warp&, const Instruction&, std::uint32_t);
Flow run_vote(Warp&, const Instruction&, std::uint32_t);
Flow run_match(Warp&, const Instruction&, std::uint32_t);
Flow run_activemask(Warp&, const Instruction&, std::uint32_t);
Flow run_reduce_warp(Warp&, const Instruction&, std::uint32_t);
Flow run_elect(Warp&, const Instruction&, std::uint32_t);
Flow run_atomic(Warp&, const Instruction&, std::uint32_t);
Flow run_poll(Warp&, const Instruction&, std::uint32_t);
Flow run_yield(Warp&, const Instruction&, std::uint32_t);
Flow run_matrix_load(Warp&, const Instruction&, std::uint32_t);
Flow run_matrix_store(Warp&, const Instruction&, std::uint32_t);
Flow run_matrix_move(Warp&, const Instruction&, std::uint32_t);
Flow run_async_copy(Warp&, const Instruction&, std::uint32_t);
Flow run_async_commit(Warp&, const Instruction&, std::uint32_t);
Flow run_async_wait(Warp&, const Instruction&, std::uint32_t);
Flow run_mma(Warp&, const Instruction&, std::uint32_t);
Flow run_wmma_transfer(Warp&, const Instruction&, std::uint32_t);
/// From one line of the matrix in memory to the next.
std::uint64_t wmma_line_bytes(const Warp&, const WmmaPlan&);
Flow run_composite(Warp&, const Instruction&, std::uint32_t);
Flow run_narrow(Warp&, const Instruction&, std::uint32_t);
Flow run_on_both_halves(Warp&, const Instruction&, std::uint32_t);
Flow run_element(Warp&, const Instruction&, std::uint32_t);
Flow run_keep(Warp&, const Instruction&, std::uint32_t);
Flow run_testp(Warp&, const Instruction&, std::uint32_t);
Flow run_video(Warp&, const Instruction&, std::uint32_t);
Flow run_wmma_multiply(Warp&, const Instruction&, std::uint32_t);

}  // namespace lanescope::emulator
