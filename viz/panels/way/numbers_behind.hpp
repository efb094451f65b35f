// SPDX-License-Identifier: MIT
// The numbers in memory that an address was reckoned from: the index of a row that is gathered, the
// page that a key lies in, where a sequence begins. Backwards through whatever was worked out,
// lanes and shared memory to the loads that brought them; what these loads' own addresses were
// reckoned from is not asked. Pure model, no Dear ImGui; steps alone that are recorded.
//
//   ld.global.u32 %r7, [%rd5]        rows[r]     <- a number, at its address
//   mad.lo.s32 %r8, %r7, 64, %r3     rows[r] * 64 + k
//   cp.async.cg.shared.global [%r9], [%rd8], 16  <- asked of this operand, lane by lane
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "panels/steps/register_history.hpp"
#include "panels/way/moves.hpp"
#include "panels/way/tile_at.hpp"
#include "panels/way/way.hpp"

namespace lanescope::viz {

class NumbersBehind {
 public:
  NumbersBehind(const trace::Trace& trace, RegisterHistory& history)
      : trace_(trace), history_(history) {}

  /// Of the address that an access names.
  const Numbers& of(const GlobalAccess& access);
  /// "byte 20 behind parameter 3": where a number lies; an address where that is not known.
  std::string place_of(std::uint64_t number) const;
  /// Of numbers that another one has looked for.
  void take_over(const std::map<std::uint64_t, std::string>& places);

 private:
  struct Open {  // a register, as an item finds it
    int warp = 0, before = 0;
    Spot at;
  };
  struct Search {
    std::vector<Open> open;
    Numbers found;
  };
  Numbers search(const GlobalAccess& access);
  void go_back(const Open& from, int writer, Search& search);
  void out_of_memory(const Open& from, int item, Search& search);
  void out_of_shared(const Open& from, int item, std::uint64_t address, Search& search);
  void note(const GlobalAccess& access, int offset, Search& search);

  const trace::Trace& trace_;
  RegisterHistory& history_;
  std::map<std::tuple<const trace::Step*, const char*, int>, Numbers> known_;
  std::map<std::uint64_t, std::string> places_;
};

}  // namespace lanescope::viz
