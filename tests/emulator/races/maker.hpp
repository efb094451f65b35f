// SPDX-License-Identifier: MIT
// Who makes a program by chance: which steps it draws (draw.cpp), and which of them it takes
// (generate.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/emulator/races/idioms.hpp"
#include "tests/emulator/races/oracle.hpp"
#include "tests/golden/random/random.hpp"

namespace lanescope::emulator::races {

/// How many arrivals an mbarrier may wait for.
const std::vector<int>& counts_of_arrivals();

class Maker {
 public:
  explicit Maker(std::uint64_t seed);
  Program make();

 private:
  int cell() {
    const int any = first_cell_ + random_.below(cells_);
    return own_ != nullptr ? roles_[0].offset / kCellBytes : any;
  }
  unsigned one_lane() {
    const unsigned any = 1u << random_.below(4);
    return own_ != nullptr && own_->lanes != kAllAgents ? own_->lanes : any;
  }
  unsigned lanes() {
    if (own_ != nullptr) return own_->lanes;
    const int kind = random_.below(8);
    return kind < 4 ? one_lane() : kind < 5 ? 15u : kind < 6 ? 3u : kAllAgents;
  }
  bool is_cluster() const { return program_.is_cluster; }
  Scope scope() {
    if (own_ != nullptr && is_cluster()) return static_cast<Scope>(random_.below(3));
    return static_cast<Scope>(program_.ctas == 1 || random_.one_in(3) ? random_.below(3)
                              : is_cluster()                          ? 1 + random_.below(2)
                                                                      : 2);
  }
  void access(Step& step);
  void bulk(Step& step);
  void barrier(Step& step);
  void flag(Step& step);
  void lock(Step& step);
  void unlock(Step& step);
  int proxy_fence();
  Step draw(Op op);
  Step next();
  bool add(const Step& step);
  void section(const Step& lock);
  void settle();
  void end_kernel();

  golden::random::Random random_;
  Races races_;
  int allowed_ = 0;
  Program program_;
  std::optional<Oracle> oracle_, blind_;
  std::vector<Op> ops_;
  bool is_plain_ = false;
  bool is_of_global_ = false;  // more of it is about global memory, copies and fences, too
  const std::vector<Part>* idiom_ = nullptr;
  std::size_t at_ = 0;
  std::array<Step, 2> roles_;
  const Step* own_ = nullptr;  // who is to do the next step
  int cells_ = 1, first_cell_ = 0, mbarriers_ = 1, flags_ = 1;
};

}  // namespace lanescope::emulator::races
