// SPDX-License-Identifier: MIT
// The state of a running CTA: its warps, the groups of lanes that walk together, their frames.
//
//     Cta --- shared memory, barriers
//      +-- Warp --- local memory, copies in flight
//           +-- Group {pc, mask} --- Frame: rows of 32 lanes (see program.hpp)
//
// Nothing here executes; scheduler.cpp does.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulator/decode/program.hpp"
#include "emulator/memory.hpp"

namespace lanescope::emulator {

struct FreeAligned {
  void operator()(std::byte* bytes) const;
};
using AlignedBytes = std::unique_ptr<std::byte, FreeAligned>;
AlignedBytes aligned_bytes(std::size_t count);

/// The registers of one function call, for the lanes that made it together.
struct Frame {
  AlignedBytes rows;
  std::vector<std::byte> parameters;  // .param variables, lane after lane
  const Function* function = nullptr;
  Frame* caller = nullptr;
  std::uint32_t call_pc = 0;  // of the call in the caller
  int call = -1;              // Program::calls
  int depth = 0;
  std::int64_t local_base = 0;                   // where the function's local variables begin
  int users = 0;                                 // groups and callees
  std::array<std::int64_t, kLanes> stack_top{};  // of its lanes when they came, with alloca
};

enum class Waiting : std::uint8_t { no, converge, barrier, event, warpgroup };

/// Lanes of a warp that are at the same instruction of the same call.
struct Group {
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;
  Frame* frame = nullptr;
  Waiting waiting = Waiting::no;
  std::uint32_t required = 0;  // lanes waited for, while converging
  int barrier = -1;            // waited at
  std::uint64_t seen = 0;      // Cluster::events when it began to wait for one
  bool timed_out = false;      // its try_wait is to give up
};

/// Why a kernel stops. `hint` says what to do.
struct Fault {
  ErrorCode code = ErrorCode::none;
  const char* kind = "";
  int lane = -1;
  std::string what;
  std::string hint;
};

/// Bytes of one lane that cp.async has fetched and no wait has landed yet.
struct AsyncCopy {
  std::uint32_t group = 0;   // counts the lane's commits
  std::uint32_t offset = 0;  // in shared memory
  std::uint8_t lane = 0;
  std::uint8_t bytes = 0;
  bool is_there = false;    // zeros, written when it was issued (execute_async.cpp)
  std::uint32_t issue = 0;  // counts the warp's copies
  std::array<std::byte, 16> data{};
};

/// What a load that a loop may poll with saw the last time (polling.hpp).
struct Poll {
  std::uint32_t pc = 0;
  std::uint64_t seen = 0;  // a hash of addresses and values
};

struct Cta;
struct Cluster;
struct CtaAsync;
struct TensorMemory;

struct Warp {
  // What handlers need most, first.
  std::byte* rows = nullptr;  // of the running group's frame
  Range hit;                  // the allocation the last access fell into
  std::uint32_t pc = 0;       // of the running instruction
  Cta* cta = nullptr;
  Frame* frame = nullptr;

  int index = 0;
  std::uint32_t alive = 0;     // lanes that have not exited
  std::uint32_t required = 0;  // with Flow::converge
  std::uint32_t part = 0;      // with Flow::part
  int barrier = -1;            // with Flow::barrier
  bool timed_out = false;      // of the running group
  std::vector<Group> groups;
  std::uint64_t turn = 0;  // rotates among groups that spin
  std::uint64_t rotations = 0;
  std::array<Poll, 4> polls{};
  std::uint32_t quiet_polls = 0;   // in a row that saw nothing new
  std::uint32_t polled_at = 0;     // pc of the last one
  std::uint64_t polled_where = 0;  // its address, in the first of its lanes
  Fault fault;

  std::vector<AsyncCopy> copies;
  std::uint32_t issued = 0;
  std::array<std::uint32_t, kLanes> commits{};
  std::array<std::uint32_t, kLanes> carry{};     // CC.CF of add.cc and its kin
  std::vector<std::byte> local;                  // lane after lane
  std::int64_t local_bytes = 0;                  // of one lane
  std::array<std::int64_t, kLanes> stack_top{};  // alloca takes from the end, down

  bool runnable() const;
};

struct Barrier {
  std::int64_t arrived = 0;   // threads; whole warps for .aligned
  std::int64_t expected = 0;  // 0: every thread of the CTA
  std::uint32_t sum = 0;      // barrier.red: predicates seen true
  std::uint32_t voters = 0;
  // By warp, without .aligned and with a number of threads: a warp whose living lanes have all come
  // counts as a whole one, the last of a block too, as on an H200.
  std::array<std::uint32_t, 32> lanes{};
  int parts = 0;  // warps with some lanes in `lanes`, and not all 32
};

class StepRecorder;
class Checker;
class TextureTable;

struct EarlierLaunch;  // check/earlier.hpp

/// What all CTAs of a launch share.
struct LaunchState {
  const Program* program = nullptr;
  const Instruction* code = nullptr;  // the program's, or a copy that the checker hears of
  const Function* function = nullptr;
  const Memory* memory = nullptr;
  const TextureTable* textures = nullptr;
  const LaunchRequest* request = nullptr;
  std::vector<std::byte> parameters;
  std::int64_t shared_bytes = 0;
  std::int64_t local_bytes = 0;  // of a thread, all calls together
  int threads = 0;               // of a CTA
  int warps = 0;
  std::atomic<std::uint64_t>* begun =
      nullptr;  // clusters that have, or that somebody has taken over
  std::uint64_t clusters = 0;
  StepRecorder* steps = nullptr;          // who records a CTA of the launch
  std::uint64_t* counts = nullptr;        // by pc: warp instructions
  const EarlierLaunch* before = nullptr;  // that this one need not wait for
};

struct Cta {
  const LaunchState* launch = nullptr;
  std::array<int, 3> block{0, 0, 0};
  std::uint64_t number = 0;  // linear index in the grid
  AlignedBytes shared;
  std::vector<Warp> warps;
  std::array<Barrier, 16> barriers{};
  std::vector<std::unique_ptr<Frame>> frames;  // all, in use or not
  std::vector<Frame*> free_frames;
  std::string printed;
  std::uint64_t executed = 0;  // warp instructions
  bool multiplied = false;     // by tensor cores
  int live_threads = 0;
  Cluster* cluster = nullptr;
  Checker* check = nullptr;              // of the cluster, where the launch is checked
  int rank = 0;                          // in the cluster
  std::uint32_t window = 0;              // rank << 24: where its shared addresses begin
  std::shared_ptr<CtaAsync> async;       // mbarriers, bulk copies, warpgroups (cluster.hpp)
  std::shared_ptr<TensorMemory> tensor;  // where it is used (tensor_memory.hpp)
};

/// The rows of registers that an instruction lists.
inline const std::uint32_t* rows_at(const Warp& warp, std::uint32_t list) {
  return warp.cta->launch->program->rows.data() + list;
}

/// Whether cp.async.wait_group with `pending` groups left (-1: wait_all) lands a copy of the warp.
inline bool lands(const Warp& warp, const AsyncCopy& copy, std::uint32_t active,
                  std::int64_t pending) {
  if (((active >> copy.lane) & 1) == 0) return false;
  return pending < 0 || std::int64_t{copy.group} < std::int64_t{warp.commits[copy.lane]} - pending;
}

// Rows. A predicate is a row of one word.
template <class T>
T* row(const Warp& warp, std::uint32_t offset) {
  return reinterpret_cast<T*>(warp.rows + offset);
}
inline std::uint32_t& predicate(const Warp& warp, std::uint32_t offset) {
  return *reinterpret_cast<std::uint32_t*>(warp.rows + offset);
}

/// `.aligned`: all 32 lanes, those as well that have exited or were never there.
inline bool whole_warp(Warp& warp, std::uint32_t active) {
  warp.required = kAllLanes;
  return active == kAllLanes;
}

Flow fail(Warp& warp, ErrorCode code, const char* kind, int lane, std::string what,
          std::string hint);

/// The allocation check that `Warp::hit` did not answer. Records the fault and returns false when
/// [address, address + bytes) is not inside one allocation.
bool check_global(Warp& warp, int lane, std::uint64_t address, int bytes, bool is_store);
bool refuse_access(Warp& warp, int lane, Space space, std::uint64_t address, int bytes);
bool refuse_alignment(Warp& warp, int lane, Space space, std::uint64_t address, int bytes);
/// "shared address 0x400", "shared address 0x400 of CTA rank 2": for messages.
std::string shown_address(const Warp& warp, Space space, std::uint64_t address);

}  // namespace lanescope::emulator
