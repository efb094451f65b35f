// SPDX-License-Identifier: MIT
// A decoded program: a flat array of instructions that the executor runs without looking anything
// up.
//
// Every operand is a row of 32 lanes in the frame of the function that runs:
//
//     frame  | registers of the function | special registers | constants |
//     row      4 bytes a lane for types of up to 32 bits, 8 bytes a lane for 64 bits; a
//              predicate is one 32-bit mask, a bit a lane. 16-bit values sit zero-extended in
//              32-bit lanes.
//
// so that an immediate, %tid.x and a register are read by the same loop. A handler runs one
// instruction for the lanes in `active`; there is one handler per (operation, type).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/decode/bulk.hpp"
#include "emulator/decode/matrix_plan.hpp"
#include "emulator/decode/tcgen05.hpp"
#include "emulator/decode/texture_plan.hpp"
#include "emulator/decode/video.hpp"
#include "emulator/decode/wgmma.hpp"
#include "emulator/decode/wmma.hpp"
#include "emulator/machine.hpp"
#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

inline constexpr int kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xffffffffu;
inline constexpr std::uint32_t kNoRow = 0xffffffffu;

struct Warp;
struct Instruction;

/// What happens after an instruction.
enum class Flow : std::uint8_t {
  next,      // the following instruction
  branch,    // active lanes go to Instruction::target
  exit,      // active lanes are done
  jump,      // active lanes go where each of them wants: lane_target()
  call,      // active lanes enter Instruction::target, a function, or lane_target()
  ret,       // active lanes leave their function
  converge,  // not all lanes of Warp::required have arrived: the group waits for them
  barrier,   // the group waits until the CTA's barrier Warp::barrier completes
  yield,     // the following instruction, after the other warps had a turn
  retry,     // this instruction again, once something has happened in the cluster
  gather,    // this instruction again, once the other warps of the warpgroup are here
  part,      // the lanes of Warp::part are done with it, the others wait as after `converge`
  fault,     // Warp::fault says why
};

using Handler = Flow (*)(Warp&, const Instruction&, std::uint32_t active);

struct alignas(64) Instruction {
  Handler handler = nullptr;
  std::uint32_t guard = 0;       // the row of a predicate
  std::uint32_t guard_flip = 0;  // kAllLanes for @!%p
  std::uint32_t d = kNoRow;      // rows, as byte offsets in the frame
  std::uint32_t a = kNoRow;
  std::uint32_t b = kNoRow;
  std::uint32_t c = kNoRow;
  std::int64_t immediate = 0;  // displacement of an address, table of lop3, ...
  std::uint32_t target = 0;    // where to branch; function to call
  std::uint32_t list = 0;      // first of `count` rows in Program::rows
  std::uint16_t count = 0;
  std::uint16_t detail = 0;  // flags, as the handler understands them
  Space space = Space::none;
  std::uint8_t bytes = 0;    // that one lane of a memory instruction moves
  bool wide_address = true;  // the address register is 64 bits wide
  bool collective = false;
};

/// What a special-register row is filled with.
enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  smid,
  nsmid,
  gridid,
  envreg1,
  envreg2,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  zero,
  one,
  cluster_ctarank,
  cluster_nctarank,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  is_explicit_cluster,
};

struct Function {
  std::string name;
  int index = 0;            // in PtxModule::functions
  std::uint32_t first = 0;  // its first instruction
  std::uint32_t end = 0;
  std::uint32_t register_bytes = 0;  // the first rows of a frame
  std::uint32_t frame_bytes = 0;
  std::vector<std::uint32_t> register_rows;  // by register index
  struct SpecialRow {
    std::uint32_t row;
    Special special;
    bool wide;
  };
  struct ConstantRow {
    std::uint32_t row;
    std::uint64_t value;
    int lane_bytes;  // 4, 8; 0 for a predicate
  };
  std::vector<SpecialRow> specials;
  std::vector<ConstantRow> constants;
  std::vector<ConstantRow> locals;  // addresses of local variables, from the frame's local base
  std::vector<ConstantRow> shared;  // addresses of shared variables, from the CTA's window on
  std::int64_t local_bytes = 0;
  std::int64_t local_alignment_bytes = 16;  // of a frame's local base: the largest of its variables
  std::int64_t parameter_bytes =
      0;                          // of .param variables, the function's own and those of its calls
  std::int64_t shared_bytes = 0;  // of an entry: static shared memory
  std::int64_t dynamic_shared_offset = 0;
  int launch_registers = 0;  // of a thread, for setmaxnreg; 0: that is ignored
  struct Slot {
    std::int64_t offset_bytes = 0, bytes = 0;
  };
  std::vector<Slot> parameters, returns;  // among the .param variables
  /// A parameter of a called function whose address is taken: it is copied among the local
  /// variables, where that address leads (ISA 5.1.6.4).
  struct OnStack {
    std::int64_t parameter_offset = 0, local_offset = 0, bytes = 0;
  };
  std::vector<OnStack> on_stack;
  /// Where the one at `parameter_offset` lies among the local variables; -1: only where it came.
  std::int64_t place_on_stack(std::int64_t parameter_offset) const {
    for (const OnStack& one : on_stack)
      if (one.parameter_offset == parameter_offset) return one.local_offset;
    return -1;
  }
  Error refusal;  // why it cannot run: an instruction is not modelled
  /// What CTAs see of each other depends on who comes first (atomics on global memory, loads that
  /// poll it): they run in order, for the same results every time. Of a function it calls, too.
  bool is_ordered = false;
  std::vector<int> callees;    // in Program::functions; -1: through a pointer
  bool needs_stack = false;    // for those, or for alloca
  bool is_pointed_at = false;  // its address is in an instruction or in a variable's initial value
  int repeated_wgmma = -1;     // statement; ptxas/repeated_wgmma.hpp
  int hinted_copy = -1;        // the same of a cp.async with a policy, where ptxas optimises
};

/// The arguments of one call: what is copied between the frames. Where the function is known at run
/// time only, the callee's offsets are those of its parameters in turn.
struct Call {
  int function = -1;  // in Program::functions; -1: through a pointer
  struct Copy {
    std::int64_t caller_offset = 0;
    std::int64_t callee_offset = 0;
    std::int64_t bytes = 0;
  };
  std::vector<Copy> arguments;
  std::vector<Copy> returns;
};

/// A load that a loop may poll with (polling.hpp): how it runs, and its registers.
struct PollingLoad {
  Handler load = nullptr;
  int count = 1;
  bool wide = false;  // registers of 64 bits
};

struct CheckPlan;
class DeviceHeap;

struct Program {
  PtxModule module;
  Host host = Host::baseline;  // whose handlers the code has
  std::string arch;            // of the card that is emulated
  std::vector<Instruction> code;
  std::vector<std::uint32_t> rows;  // operand lists
  std::vector<Call> calls;
  std::vector<MatrixPlan> matrices;
  std::vector<BulkPlan> bulks;
  std::vector<WgmmaPlan> wgmmas;
  std::vector<Tcgen05Plan> tcgen05s;
  std::vector<WmmaPlan> wmmas;
  std::vector<VideoPlan> videos;
  std::vector<TexturePlan> textures;
  std::vector<PollingLoad> polls;                    // by Instruction::target
  std::vector<std::vector<Instruction>> composites;  // what one statement runs as
  std::vector<Function> functions;                   // those with a body
  std::vector<std::int64_t> variable_addresses;      // by variable: address, or offset in its space
  bool has_alloca = false;
  std::shared_ptr<DeviceHeap> heap;  // of malloc and free
  bool has_heap = false;
  std::vector<int> function_of;  // by index in PtxModule::functions: in `functions`, or -1
  std::vector<int>
      named_kernels;  // in `functions`: whose address is in an instruction or a variable
  mutable std::shared_ptr<const CheckPlan> checks;  // made by the first launch that is checked

  const Function* function_at(std::uint32_t pc) const;
  /// Index in `functions` of what is called so, or -1.
  int find_function(std::string_view name) const;
  /// This function of PtxModule::functions may be called, or a kernel be launched, by its address.
  void point_at(int function);
  /// Index in `functions` of what lies at an address of kFunctionWindow, or -1.
  int function_of_address(std::uint64_t address) const;
  /// The statement an instruction came from; nullptr for a function's implicit return.
  const PtxStatement* statement(std::uint32_t pc) const;
  /// Constant memory is global memory that nobody writes: an address there is in a .const variable.
  bool is_constant(std::uint64_t address) const;
};

}  // namespace lanescope::emulator
