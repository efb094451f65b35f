// SPDX-License-Identifier: MIT
#include "cudart/checking.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "cudart/context.hpp"
#include "cudart/environment.hpp"
#include "cudart/shown.hpp"

namespace lanescope::cudart {

namespace {

/// Of a diagnostic, or of what an instruction loses.
template <class Report>
std::string place_of(const Report& found) {
  return found.source.line != 0 ? fmt::format("{}:{}", found.source.file, found.source.line)
                                : fmt::format("PTX:{}", found.ptx_line);
}

/// One launch's to those of the launches before.
template <class Report>
void add(Losses<Report>& losses, const std::vector<Report>& reports) {
  for (const Report& found : reports) {
    const std::string kind = found.instruction.substr(0, found.instruction.find(' '));
    const auto [at, is_new] = losses.try_emplace(place_of(found) + " " + kind);
    Loss<Report>& loss = at->second;
    loss.ptx_lines.insert(found.ptx_line);
    if (is_new) {
      loss.sum = found;
      continue;
    }
    loss.sum.add(found);
    if (found.ptx_line < loss.sum.ptx_line)
      loss.sum.ptx_line = found.ptx_line, loss.sum.instruction = found.instruction;
  }
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Two lines for each place, those first that lose most: what `words` says of it, and which
/// instructions it has.
template <class Report, class Words>
std::string worst_first(std::string_view subject, const Losses<Report>& losses,
                        const Words& words) {
  constexpr std::size_t kMost = 40;
  std::vector<const Loss<Report>*> all;
  for (const auto& [key, loss] : losses) all.push_back(&loss);
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto* a, const auto* b) { return a->sum.lost() > b->sum.lost(); });
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), kMost); ++k) {
    const auto& [use, ptx_lines] = *all[k];
    const std::string which =
        ptx_lines.size() > 1 ? fmt::format(" in {} instructions, the first", ptx_lines.size()) : "";
    const std::string times = use.accesses == 1 ? "once" : fmt::format("{} times", use.accesses);
    text += fmt::format("lanescope: {}: {}: {}\n  {}{} PTX line {} `{}`\n", subject, place_of(use),
                        words(use), times, which, use.ptx_line, use.instruction);
  }
  if (all.size() > kMost)
    text += fmt::format("lanescope: {}: and {} more places\n", subject, all.size() - kMost);
  return text;
}

void print(const std::string& text) {
  const std::string shown = from_here(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

}  // namespace

Checking::Checking() {
  options_.races = !setting(kCheckVariable).empty();
  ends_at_first_ = setting(kCheckVariable) == "first";
  options_.strict = !setting(kStrictVariable).empty();
  options_.banks = !setting(kBanksVariable).empty();
  options_.sectors = !setting(kSectorsVariable).empty();
}

// Beside the PTX (edited_ptx.hpp) stands which kernels were launched.
void Checking::begin(emulator::LaunchRequest& request) {
  request.checks = options_;
  const std::string folder = setting(kPtxVariable);
  if (!is_on() || folder.empty() || !kernels_.insert(request.kernel->name).second) return;
  std::ofstream(folder + "/launched.txt", std::ios::app) << request.kernel->name << '\n';
}

void Checking::end(const emulator::LaunchReport& report) {
  if (!is_on()) return;
  const bool was_refused = report.error && report.reports.empty();  // there was nothing to check
  ++(was_refused ? refused_ : launches_);
  add(banks_, report.banks);
  add(sectors_, report.sectors);
  std::string text;
  for (const emulator::CheckReport& found : report.reports) {
    const trace::Diagnostic& said = found.diagnostic;
    const std::string key = said.kind + ": " + place_of(said);
    if (!told_.insert(key).second) continue;
    text += fmt::format("lanescope: check: {}: {}\n", key, said.message);
    for (const std::string& detail : said.details) text += fmt::format("  {}\n", detail);
    if (found.count > 1) text += fmt::format("  {} times in this launch\n", found.count);
  }
  print(text);
  if (!ends_at_first_ || told_.empty()) return;
  std::fflush(nullptr);
  _exit(1);
}

void Checking::list_banks() const {
  std::string text = worst_first("banks", banks_, [](const emulator::BankReport& use) {
    return fmt::format("{:.1f}-way, at worst {}-way: {} phases took {} passes",
                       ratio(use.passes, use.phases), use.worst, use.phases, use.passes);
  });
  if (banks_.empty() && launches_ > 0) text = "lanescope: banks: no conflicts\n";
  print(text);
}

void Checking::list_sectors() const {
  constexpr std::uint64_t kSector = 32;
  std::string text = worst_first("sectors", sectors_, [](const emulator::SectorReport& use) {
    return fmt::format("{:.1f} sectors each, {:.1f} would do: {:.1f} % of {} bytes are wanted",
                       ratio(use.sectors, use.accesses), ratio(use.least, use.accesses),
                       100 * ratio(use.bytes, use.sectors * kSector), use.sectors * kSector);
  });
  if (sectors_.empty() && launches_ > 0)
    text = "lanescope: sectors: as few as can be, everywhere\n";
  print(text);
}

void Checking::finish() const {
  if (options_.banks) list_banks();
  if (options_.sectors) list_sectors();
  if (!options_.races) return;
  if (launches_ > 0)
    say(fmt::format(
        "{} checked, {}", launches_ == 1 ? "1 launch" : fmt::format("{} launches", launches_),
        told_.empty() ? "nothing to report" : fmt::format("{} to look at", told_.size())));
  else if (refused_ == 0)  // else the reason has been said
    say("nothing was checked: no kernel ran");
}

}  // namespace lanescope::cudart
