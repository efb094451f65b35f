// SPDX-License-Identifier: MIT
// What meets an element of D between its last mma and memory: the bias and the residual that are
// added, the scales that it is multiplied by. Backwards from the store along the registers that
// hold the sum (sum_sources.hpp); what comes from elsewhere is followed to the byte of global
// memory, or the parameter, that it was loaded from. Pure model, no Dear ImGui; steps alone that
// are recorded.
//
//   D[3][5] -> mul.f32 -> fma.rn.f32 -> st.global
//                ^         ^      ^
//         parameter 5   C[3][5]  parameter 6      scaled by the one, the other two added
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "panels/way/numbers_behind.hpp"
#include "panels/way/sum_sources.hpp"
#include "panels/way/sum_stores.hpp"

namespace lanescope::viz {

struct Ingredient {
  enum class Role { initial, added, factor, other };  // initial: C of the first mma
  Role role = Role::other;
  int term = 0;  // those of one instruction have one: what is multiplied, and added then
  // The kernel's, or the one that its address lies behind: "5", or "0+40", a field of a struct; "":
  // not known.
  std::string parameter;
  std::uint64_t address = 0;  // 0: the parameter itself
  std::uint64_t base = 0;     // of the matrix; 0: not known
  int bytes = 0;
  Numbers numbers{};  // in memory, by which it was found
  friend bool operator==(const Ingredient&, const Ingredient&) = default;
};

class Epilogue {
 public:
  Epilogue(const trace::Trace& trace, RegisterHistory& history, SumSources& sources)
      : trace_(trace), history_(history), sources_(sources), numbers_(trace, history) {}
  /// In the order in which they come; numbers of the program's text are none, nor are other sums.
  std::vector<Ingredient> of(const StoredElement& store);
  /// The same on the way from an element of a sum to a register.
  std::vector<Ingredient> of(Earlier at);
  /// What was made of sums, of the ingredients of the last one that was asked for.
  const std::vector<Earlier>& of_sums() const { return of_sums_; }
  /// Whether its sum was worked on at all.
  bool is_worked_on() const { return next_.term > 0; }

 private:
  Earlier towards_sum(const SumElement& sum, const Earlier& at);
  void collect(int warp, int before, Spot at, int width);
  bool collect_loaded(int warp, int item, const trace::Write& write, const Spot& at, int width);

  const trace::Trace& trace_;
  RegisterHistory& history_;
  SumSources& sources_;
  NumbersBehind numbers_;
  Ingredient next_;  // role and term of what is collected
  std::vector<Ingredient> found_;
  std::vector<Earlier> of_sums_;
  std::set<std::tuple<const trace::Write*, int, int>> seen_;
};

/// What an operand does to the sum that an instruction has as another one: to that of `sum`.
Ingredient::Role role_of(std::string_view mnemonic, std::size_t sum, std::size_t operand);

}  // namespace lanescope::viz
