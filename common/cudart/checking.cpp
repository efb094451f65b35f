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

std::string place_of(const trace::Diagnostic& said) {
  if (said.source.line != 0) return fmt::format("{}:{}", said.source.file, said.source.line);
  return fmt::format("PTX:{}", said.ptx_line);
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
  for (const emulator::BankReport& found : report.banks) {
    const std::string key = fmt::format("{}:{} {} {}", found.source.file, found.source.line,
                                        found.ptx_line, found.instruction);
    const auto [at, is_new] = banks_.emplace(key, found);
    if (is_new) continue;
    at->second.accesses += found.accesses;
    at->second.phases += found.phases;
    at->second.passes += found.passes;
    at->second.worst = std::max(at->second.worst, found.worst);
  }
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
  constexpr std::size_t kMost = 40;
  std::vector<const emulator::BankReport*> all;
  for (const auto& [key, found] : banks_) all.push_back(&found);
  const auto lost = [](const emulator::BankReport* use) { return use->passes - use->phases; };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto* a, const auto* b) { return lost(a) > lost(b); });
  std::string text;
  for (std::size_t k = 0; k < std::min(all.size(), kMost); ++k) {
    const emulator::BankReport& use = *all[k];
    const std::string place = use.source.line != 0
                                  ? fmt::format("{}:{}", use.source.file, use.source.line)
                                  : fmt::format("PTX:{}", use.ptx_line);
    text += fmt::format(
        "lanescope: banks: {}: {:.1f}-way, at worst {}-way: {} phases took {} passes\n"
        "  {} times PTX line {} `{}`\n",
        place, static_cast<double>(use.passes) / static_cast<double>(use.phases), use.worst,
        use.phases, use.passes, use.accesses, use.ptx_line, use.instruction);
  }
  if (all.size() > kMost)
    text += fmt::format("lanescope: banks: and {} more instructions\n", all.size() - kMost);
  if (all.empty() && launches_ > 0) text = "lanescope: banks: no conflicts\n";
  print(text);
}

void Checking::finish() const {
  if (options_.banks) list_banks();
  if (!options_.races) return;
  if (launches_ > 0)
    say(fmt::format(
        "{} checked, {}", launches_ == 1 ? "1 launch" : fmt::format("{} launches", launches_),
        told_.empty() ? "nothing to report" : fmt::format("{} to look at", told_.size())));
  else if (refused_ == 0)  // else the reason has been said
    say("nothing was checked: no kernel ran");
}

}  // namespace lanescope::cudart
