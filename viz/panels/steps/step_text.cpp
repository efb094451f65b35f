// SPDX-License-Identifier: MIT
#include "panels/steps/step_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "panels/matrix/facts.hpp"
#include "panels/steps/sector_facts.hpp"
#include "panels/steps/step_reads.hpp"
#include "panels/steps/step_reports.hpp"
#include "panels/steps/step_values.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::viz {
namespace {

constexpr std::size_t kMostListed = 120;  // of a warp; the rest by --select
constexpr int kBanks = 32;

std::string registers_of(const trace::Step& step) {
  std::string text;
  for (std::size_t k = 0; k < step.writes.size(); ++k) {
    const trace::Write& write = step.writes[k];
    if (k == 4) return text + fmt::format(" and {} more", step.writes.size() - 4);
    text += (text.empty() ? "" : " ") + write.name;
    if (!write.watch.empty()) text += "=" + write.watch;
  }
  return text;
}

std::string write_text(const StepList& steps, const StepWarp& warp, int item, std::size_t index) {
  const trace::Step& step = *warp.items[static_cast<std::size_t>(item)].step;
  const trace::Write& write = step.writes[index];
  const std::string_view type = value_type(step, index);
  const std::uint32_t changed = changed_lanes(steps, warp, item, index);
  const bool known = before(steps, warp, item, index) != nullptr;
  std::vector<std::string> words;
  std::size_t longest = 0;
  for (const std::uint64_t pattern : write.lanes) {
    words.push_back(value_text(type, write.bits, pattern));
    longest = std::max(longest, words.back().size());
  }
  const std::string its = name_of(step, write);
  std::string text =
      fmt::format("{}{}  {}, {} {} of 32 lanes\n", write.name, its.empty() ? "" : " (" + its + ")",
                  type.empty() ? fmt::format("{} bits", write.bits) : std::string(type),
                  known ? "changed in" : "written in", __builtin_popcount(changed));
  for (int group = 0; group < 8; ++group) {
    text += fmt::format("  {:>2}", 4 * group);
    for (int thread = 0; thread < 4; ++thread) {
      const int lane = 4 * group + thread;
      text += fmt::format("  {:>{}}{}", words[static_cast<std::size_t>(lane)], longest,
                          ((changed >> lane) & 1) != 0 ? "*" : " ");
    }
    text += "\n";
  }
  return text;
}

// One register that is read: a line where all lanes read the same, else its lanes.
std::string read_text(const Read& read, const std::string& mbarrier) {
  const trace::Write& write = *read.write;
  std::string text = "  " + write.name + (read.name.empty() ? "" : " (" + read.name + ")");
  if (is_uniform(read))
    return text + "  " + uniform_text(read, read.type) + (mbarrier.empty() ? "" : ": " + mbarrier) +
           "\n";
  text += "\n";
  std::vector<std::string> words;
  std::size_t longest = 0;
  for (const std::uint64_t pattern : write.lanes) {
    words.push_back(value_text(read.type, write.bits, pattern));
    longest = std::max(longest, words.back().size());
  }
  for (std::size_t lane = 0; lane < 32; ++lane)
    text += fmt::format("{}  {:>{}}{}", lane % 4 == 0 ? fmt::format("  {:>2}", lane) : " ",
                        ((read.lanes >> lane) & 1) != 0 ? words[lane] : "-", longest,
                        lane % 4 == 3 ? "\n" : "");
  return text;
}

}  // namespace

std::string access_text(const trace::Access& access) {
  const AccessFacts facts = access_facts(access);
  std::string text = fmt::format("{}, {} bytes a lane: {}\n", access.instruction,
                                 access.bytes_per_lane, facts.title);
  if (facts.phases.empty()) return text;
  text += "  words wanted of banks 0 to 31, a line a phase\n";
  for (const AccessPhase& phase : facts.phases) {
    text += "  ";
    for (int bank = 0; bank < kBanks; ++bank) {
      const int words = phase.words[static_cast<std::size_t>(bank)];
      text += words == 0 ? '.' : words < 10 ? static_cast<char>('0' + words) : '+';
    }
    text += fmt::format("  {}: {} pass{}\n", lanes_text(phase.lanes), phase.passes,
                        phase.passes == 1 ? "" : "es");
  }
  // Words of one bank lie whole lines of 128 bytes apart: (address / 4) % 32 is the same.
  if (const std::string why = bank_text(access, facts, worst_bank(facts)); !why.empty())
    text += "why: " + why + "\n";
  return text;
}

std::string writes_nothing(const StepWarp& warp, int arrives) {
  if (arrives < 0) return "writes no register";
  const trace::Step& there = *warp.items[static_cast<std::size_t>(arrives)].step;
  const bool sums = mnemonic_of(there.ptx).starts_with("wgmma");
  return fmt::format("writes no register yet: {} at {}, step {}",
                     sums ? "the sums arrive" : "they are written",
                     sums ? "wgmma.wait_group" : "tcgen05.wait::ld", there.step);
}

std::string steps_text(const StepList& steps) {
  if (steps.empty()) return "no steps: record them with lanescope run --steps\n";
  std::string text;
  for (const StepWarp& warp : steps.warps) {
    text +=
        fmt::format("{}{}: {} steps\n", text.empty() ? "" : "\n", name_of(warp), warp.items.size());
    const Writers writers = writers_of(warp);
    int line = 0;
    for (std::size_t k = 0; k < std::min(warp.items.size(), kMostListed); ++k) {
      const StepItem& item = warp.items[k];
      const int at = item.step->source.line;
      const std::string registers = registers_of(*item.step);
      std::string note = registers.empty() ? "" : "  -> " + registers;
      if (has_conflict(item.access)) note += "  [" + access_facts(*item.access).title + "]";
      if (const auto sectors = sector_facts(warp, writers, static_cast<int>(k));
          sectors && sectors->loses())
        note += "  [" + sectors->title + "]";
      if (item.said != nullptr) note += "  [" + item.said->kind + "]";
      if (item.against != nullptr) note += "  [the other access of " + item.against->kind + "]";
      text += fmt::format("{:>7} {:>6}  {}{}\n", item.step->step,
                          at > 0 && at != line ? fmt::format(":{}", at) : "",
                          trace::plain_ptx(item.step->ptx), note);
      line = at;
    }
    if (warp.items.size() > kMostListed)
      text += fmt::format("        and {} more; --select \"warp {} step {}\" shows one of them\n",
                          warp.items.size() - kMostListed, warp.warp,
                          warp.items[kMostListed].step->step);
  }
  return text;
}

std::string step_text(const StepList& steps, const StepPlace& place) {
  const StepWarp& warp = steps.warps[static_cast<std::size_t>(place.warp)];
  const StepItem& item = warp.items[static_cast<std::size_t>(place.item)];
  std::string text = fmt::format("{} step {}: {}\n{}\n", name_of(warp), item.step->step,
                                 trace::plain_ptx(item.step->ptx), where_text(*item.step));
  text += report_text(steps, place);
  for (std::size_t k = 0; k < item.step->writes.size(); ++k)
    text += "\n" + write_text(steps, warp, place.item, k);
  const Writers writers = writers_of(warp);
  if (item.step->writes.empty())
    text += writes_nothing(warp, arrives_at(warp, writers, place.item)) + "\n";
  const std::vector<Read> read = reads(warp, writers, place.item);
  if (!read.empty()) text += "\nreads\n";
  for (const Read& one : read) text += read_text(one, mbarrier_read(steps, item, one));
  if (const auto sectors = sector_facts(warp, writers, place.item))
    text += "\nglobal memory, " + sectors->title + "\n";
  if (item.access != nullptr) text += "\n" + access_text(*item.access);
  return text;
}

}  // namespace lanescope::viz
