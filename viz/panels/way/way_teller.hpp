// SPDX-License-Identifier: MIT
// Who tells the way of an element backwards (way_back.hpp): out of registers (way_back.cpp), out of
// memory (way_memory.cpp), each hop in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "panels/steps/register_history.hpp"
#include "panels/way/conversions.hpp"
#include "panels/way/moves.hpp"
#include "panels/way/unpacking.hpp"
#include "panels/way/way.hpp"
#include "panels/way/way_begin.hpp"

namespace lanescope::viz {

class Teller {
 public:
  /// Without `bits`, what the element is worth is not known: nothing is compared.
  Teller(const trace::Trace& trace, RegisterHistory& history, int width,
         std::optional<std::uint64_t> bits)
      : trace_(trace), history_(history), width_(width), bits_(bits) {}

  /// Backwards from a register, as it is when the item comes to run: who wrote it, and so on.
  void from_register(int warp, int item, Spot at);
  /// Backwards from shared memory, as the reading step found it: whoever wrote there last.
  void from_shared(const SharedRead& at);
  /// Earliest first.
  Way told();

 private:
  // Out of registers: way_back.cpp.
  void written_by_item(int warp, int item, const trace::Write& write, Spot at);
  void by_move(int warp, int item, const trace::Write& write, bool packs, Spot at);
  void by_exchange(int warp, int item, Spot at);
  void by_conversion(int warp, int item, const Converted& before, Spot at);
  void by_unpacking(int warp, int item, const Unpacked& before, Spot at);
  void fill(int warp, int item, Spot at);
  bool holds(const trace::Write& write, const Spot& at) const;
  std::string register_text(const trace::Step& step, const Spot& at) const;
  // Out of memory: way_memory.cpp.
  void by_ldmatrix(int warp, int item, const trace::Write& write, Spot at);
  void by_load(int warp, int item, std::string_view memory, Spot at, std::optional<int> offset);
  void by_store(const Arrival& touch, std::uint64_t address, int bit);
  void by_copy(const SharedHistory& block, const Arrival& arrival, std::uint64_t address, int bit);
  bool is_filled(const Arrival& touch, const std::vector<std::string_view>& operands, int offset);
  std::string elsewhere(int warp, int item, std::string_view operand, int lane);
  void stop_short(int warp, int item, const Spot& at, const std::string& memory);
  std::string place_text() const;
  void begin_at(Beginning begin, int bit, GlobalAccess access);

  void stop(int warp, int item, int lane, const std::string& text);
  void end(std::string why) { way_.before = std::move(why); }
  void end_in_zero(std::string why) {
    way_.zero = true;
    end(std::move(why));
  }

  const trace::Trace& trace_;
  RegisterHistory& history_;
  int width_ = 32;
  std::optional<std::uint64_t> bits_;
  bool is_unpacked_ = false;
  int hops_ = 0;
  Way way_;
};

}  // namespace lanescope::viz
