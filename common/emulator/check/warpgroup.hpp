// SPDX-License-Identifier: MIT
// wgmma as the checker sees it: who reads its operands in shared memory, and whose its registers
// are until the wait.
//
// The four warps of a warpgroup are taken to run together, as programs do: what one of them knows
// when it issues a wgmma all know, and the wait of one tells that all have read, by wgmma and
// before it. With --strict each warp counts for itself. A mov of a register in flight is a
// compiler's copy, ptxas waits there.
//
// Source: PTX ISA 9.2, 9.7.15.7.1 (wgmma.fence), 9.7.15.5 (mma_async), 9.7.15.7.3 (wait_group).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/check/watched.hpp"

namespace lanescope::emulator {

class Checker;
struct Site;

class WarpgroupWatch {
 public:
  explicit WarpgroupWatch(Checker& check) : check_(check) {}

  /// A cluster starts; `warps`: of all its CTAs, 0 where no wgmma can come.
  void start(std::size_t warps);

  /// Who reads A and B of the wgmma that the four warps have come to.
  const Actor& reads(const Warp& warp);
  void operand_read(const Actor& actor, Cta& cta, std::uint32_t offset);
  void issued(const Warp& warp, const WgmmaPlan& plan, std::uint32_t list);
  void fence(const Warp& warp);
  void wait(const Warp& warp, std::int64_t pending_groups);
  void registers_used(const Warp& warp, const Site& site, std::uint32_t active);
  /// Whether it stands for what one warp of the four knows, with --strict.
  bool is_of_one_warp(std::size_t component) const;

 private:
  /// A wgmma that no wait has covered.
  struct Flying {
    std::uint32_t group = 0;
    std::uint32_t pc = 0;
    const std::byte* frame = nullptr;
    std::vector<std::uint32_t> results, operands;  // rows
    std::size_t own = 0;  // of the results: its own, before those that compilers copied them to
  };
  /// What an instruction other than wgmma has done to a register of wgmma's.
  struct Access {
    std::uint32_t row = 0;
    std::uint32_t pc = 0;
    bool is_write = false;
  };
  /// A warp's, as far as wgmma is concerned.
  struct Registers {
    bool fenced = false;       // ever
    bool fenced_anew = false;  // since the last wait
    std::vector<Flying> flying;
    std::vector<std::pair<std::uint32_t, Time>> reads;  // of the groups in flight
    std::vector<Access> accesses;                       // since the fence
  };
  struct Group {
    std::size_t component = 0;  // and four more, of its warps, for --strict
    Time last_read = 0;
    Knowledge together;
    Actor actor;
  };

  static void note(std::vector<Access>& accesses, const Access& one);
  void check_registers_under_way(const Actor& actor, const Flying& issued);
  Group& group_of(const Warp& warp);
  void check_descriptor(const Warp& warp, std::uint32_t row_offset);
  bool is_of_tensor_copy(const Cta& cta, std::uint32_t offset);

  Checker& check_;
  std::unordered_map<std::size_t, Group> groups_;  // by its first warp's component
  std::vector<Registers> registers_;               // by component
};

}  // namespace lanescope::emulator
