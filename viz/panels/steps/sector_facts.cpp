// SPDX-License-Identifier: MIT
#include "panels/steps/sector_facts.hpp"

#include <fmt/format.h>

#include <array>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/register_history.hpp"

namespace lanescope::viz {
namespace {

using layout::SectorAccess;

struct Global {
  std::size_t operand;  // that has the address
  int bytes;            // a lane
  SectorAccess access;
};

// "v4" of a vector, 4.
int elements_of(std::string_view mnemonic) {
  for (const int count : {2, 4, 8})
    if (mnemonic.find(fmt::format(".v{}.", count)) != mnemonic.npos) return count;
  return 1;
}

std::optional<Global> global_of(std::string_view ptx, const std::vector<std::string_view>& names) {
  const std::string_view mnemonic = mnemonic_of(ptx);
  if (mnemonic.starts_with("cp.async.c")) {
    const auto bytes = names.size() > 2 ? whole_number(names[2]) : std::nullopt;
    if (!bytes) return std::nullopt;
    return Global{
        1, static_cast<int>(*bytes),
        mnemonic.starts_with("cp.async.cg") ? SectorAccess::copy_past_l1 : SectorAccess::ordinary};
  }
  for (const char* elsewhere : {".shared", ".param", ".const", ".local", ".async"})
    if (mnemonic.find(elsewhere) != mnemonic.npos) return std::nullopt;
  const int bytes = element_bytes(ptx) * elements_of(mnemonic);
  const auto is = [mnemonic](std::string_view name) { return mnemonic.starts_with(name); };
  if (bytes == 0) return std::nullopt;
  if (is("ld.") || is("ldu.")) return Global{1, bytes, SectorAccess::ordinary};
  if (is("st.")) return Global{0, bytes, SectorAccess::ordinary};
  if (is("atom.")) return Global{1, bytes, SectorAccess::atomic};
  if (is("red.")) return Global{0, bytes, SectorAccess::atomic};
  return std::nullopt;
}

const Read* read_of(const std::vector<Read>& all, std::string_view name) {
  for (const Read& read : all)
    if (read.write->name == name) return &read;
  return nullptr;
}

// Of a cp.async the lanes that fetch something: its fourth operand is a size, or a predicate to
// ignore the source by. Nothing where that is not recorded.
std::optional<std::uint32_t> fetching(const std::vector<std::string_view>& names,
                                      const std::vector<Read>& read, std::uint32_t active) {
  if (names.size() < 4) return active;
  if (const auto size = whole_number(names[3])) return *size == 0 ? 0 : active;
  const bool negated = names[3].starts_with('!');
  const Read* last = read_of(read, negated ? names[3].substr(1) : names[3]);
  if (last == nullptr) return std::nullopt;
  std::uint32_t lanes = 0;
  for (std::size_t lane = 0; lane < last->write->lanes.size(); ++lane) {
    const bool set = last->write->lanes[lane] != 0;
    const bool fetches = last->write->bits == 1 ? set == negated : set;
    lanes |= (fetches ? 1u : 0u) << lane;
  }
  return active & lanes;
}

}  // namespace

std::optional<SectorFacts> sector_facts(const StepWarp& warp, const Writers& writers, int item) {
  const trace::Step& step = *warp.items[static_cast<std::size_t>(item)].step;
  const std::vector<std::string_view> names = operands_of(step.ptx);
  const std::optional<Global> global = global_of(step.ptx, names);
  if (!global || global->operand >= names.size()) return std::nullopt;
  const std::optional<MemoryOperand> address = memory_operand(names[global->operand]);
  if (!address) return std::nullopt;
  const std::vector<Read> read = reads(warp, writers, item);
  const Read* base = read_of(read, address->base);
  if (base == nullptr || base->write->bits != 64 || base->write->lanes.size() != 32)
    return std::nullopt;
  const bool copies = mnemonic_of(step.ptx).starts_with("cp.async");
  const std::optional<std::uint32_t> lanes =
      copies ? fetching(names, read, step.active) : step.active;
  if (!lanes) return std::nullopt;
  std::array<std::uint64_t, 32> at{};
  std::uint32_t active = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    at[lane] = base->write->lanes[lane] + static_cast<std::uint64_t>(address->offset);
    if (may_be_global(at[lane])) active |= *lanes & 1u << lane;
  }
  if (active == 0) return std::nullopt;
  SectorFacts facts;
  facts.sectors = layout::sectors(at, active, global->bytes, global->access);
  const auto [taken, least, bytes] = facts.sectors;
  facts.title = fmt::format(
      "{} byte{} a lane: {} sector{}, {}", global->bytes, global->bytes == 1 ? "" : "s", taken,
      taken == 1 ? "" : "s",
      facts.loses() ? fmt::format("{} would do", least) : std::string("as few as can be"));
  return facts;
}

bool loses_sectors(const StepWarp& warp, const Writers& writers, int item) {
  const std::optional<SectorFacts> facts = sector_facts(warp, writers, item);
  return facts && facts->loses();
}

}  // namespace lanescope::viz
