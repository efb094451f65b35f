// SPDX-License-Identifier: MIT
// Special registers: those whose value stays the same for a thread are rows, filled once per frame.
//
// Source: PTX ISA 9.2, section 10.
#include <array>

#include "emulator/decode/decode.hpp"
#include "emulator/execute/handlers.hpp"

namespace lanescope::emulator {

namespace {

struct SpecialName {
  std::string_view name;
  Special special;
};

constexpr std::array kSpecials{
    SpecialName{"%tid.x", Special::tid_x},
    SpecialName{"%tid.y", Special::tid_y},
    SpecialName{"%tid.z", Special::tid_z},
    SpecialName{"%ntid.x", Special::ntid_x},
    SpecialName{"%ntid.y", Special::ntid_y},
    SpecialName{"%ntid.z", Special::ntid_z},
    SpecialName{"%ctaid.x", Special::ctaid_x},
    SpecialName{"%ctaid.y", Special::ctaid_y},
    SpecialName{"%ctaid.z", Special::ctaid_z},
    SpecialName{"%nctaid.x", Special::nctaid_x},
    SpecialName{"%nctaid.y", Special::nctaid_y},
    SpecialName{"%nctaid.z", Special::nctaid_z},
    SpecialName{"%laneid", Special::laneid},
    SpecialName{"%warpid", Special::warpid},
    SpecialName{"%nwarpid", Special::nwarpid},
    SpecialName{"%lanemask_eq", Special::lanemask_eq},
    SpecialName{"%lanemask_le", Special::lanemask_le},
    SpecialName{"%lanemask_lt", Special::lanemask_lt},
    SpecialName{"%lanemask_ge", Special::lanemask_ge},
    SpecialName{"%lanemask_gt", Special::lanemask_gt},
    SpecialName{"%smid", Special::smid},
    SpecialName{"%nsmid", Special::nsmid},
    SpecialName{"%gridid", Special::gridid},
    SpecialName{"%envreg1", Special::envreg1},
    SpecialName{"%envreg2", Special::envreg2},
    SpecialName{"%cluster_ctaid.x", Special::cluster_ctaid_x},
    SpecialName{"%cluster_ctaid.y", Special::cluster_ctaid_y},
    SpecialName{"%cluster_ctaid.z", Special::cluster_ctaid_z},
    SpecialName{"%cluster_nctaid.x", Special::cluster_nctaid_x},
    SpecialName{"%cluster_nctaid.y", Special::cluster_nctaid_y},
    SpecialName{"%cluster_nctaid.z", Special::cluster_nctaid_z},
    SpecialName{"%clusterid.x", Special::clusterid_x},
    SpecialName{"%clusterid.y", Special::clusterid_y},
    SpecialName{"%clusterid.z", Special::clusterid_z},
    SpecialName{"%nclusterid.x", Special::nclusterid_x},
    SpecialName{"%nclusterid.y", Special::nclusterid_y},
    SpecialName{"%nclusterid.z", Special::nclusterid_z},
    SpecialName{"%cluster_ctarank", Special::cluster_ctarank},
    SpecialName{"%cluster_nctarank", Special::cluster_nctarank},
    SpecialName{"%dynamic_smem_size", Special::dynamic_smem_size},
    SpecialName{"%total_smem_size", Special::total_smem_size},
    SpecialName{"%aggr_smem_size", Special::aggr_smem_size},
};

}  // namespace

namespace {

bool starts(std::string_view name, std::string_view with) {
  return name.substr(0, with.size()) == with;
}

// Counters and environments that nobody fills here.
bool is_zero(std::string_view name) {
  return starts(name, "%pm") || starts(name, "%envreg") || name == "%current_graph_exec" ||
         name == "%reserved_smem_offset_begin" || name == "%reserved_smem_offset_0" ||
         name == "%reserved_smem_offset_1";
}

}  // namespace

// %clock and its kin change: a move of its own in front of the instruction.
std::uint32_t Decoder::clock(std::string_view name, bool wide) {
  Instruction read;
  read.guard = made_.guard;
  read.guard_flip = made_.guard_flip;
  read.d = new_row(wide ? 8 * kLanes : 4 * kLanes);
  read.bytes = wide ? 8 : 4;
  read.detail = name == "%clock_hi" || name == "%globaltimer_hi" ? 32 : 0;
  read.handler = &run_clock;
  before_.push_back(read);
  return read.d;
}

// %is_explicit_cluster is a predicate, and rows of special registers have a word a lane.
std::uint32_t Decoder::explicit_cluster() {
  Instruction compare;
  compare.guard = made_.guard;
  compare.guard_flip = made_.guard_flip;
  compare.d = new_row(4);
  compare.list = kNoRow;
  compare.a = special_row(Special::is_explicit_cluster, false);
  compare.b = constant(0, 4);
  compare.handler = handlers().compare(Comparison::ne, Type::u32, false);
  before_.push_back(compare);
  return compare.d;
}

std::uint32_t Decoder::special_row(Special special, bool wide) {
  const std::uint32_t row = new_row(wide ? 8 * kLanes : 4 * kLanes);
  function_.specials.push_back({row, special, wide});
  return row;
}

std::uint32_t Decoder::special(std::string_view name, Type type) {
  const bool wide = info(type).bits == 64;
  if (starts(name, "%clock") || starts(name, "%globaltimer")) return clock(name, wide);
  if (name == "%reserved_smem_offset_cap") return constant(1024, wide ? 8 : 4);
  if (name == "%reserved_smem_offset_end") return constant(288, wide ? 8 : 4);
  const std::pair key{std::string(name), wide};
  if (const auto known = specials_.find(key); known != specials_.end()) return known->second;
  for (const SpecialName& entry : kSpecials) {
    if (entry.name != name) continue;
    return specials_[key] = special_row(entry.special, wide);
  }
  if (is_zero(name)) return constant(0, wide ? 8 : 4);
  refuse("the register is neither declared nor a special register that is modelled: " +
         std::string(name));
}

}  // namespace lanescope::emulator
