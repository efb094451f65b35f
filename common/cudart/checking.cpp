// SPDX-License-Identifier: MIT
#include "cudart/checking.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cudart/context.hpp"
#include "cudart/environment.hpp"

namespace lanescope::cudart {

namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

std::string place_of(const trace::Diagnostic& said) {
  if (said.source.line != 0) return fmt::format("{}:{}", said.source.file, said.source.line);
  return fmt::format("PTX:{}", said.ptx_line);
}

}  // namespace

Checking::Checking() {
  options_.races = is_set(kCheckVariable);
  options_.strict = is_set(kStrictVariable);
  options_.banks = is_set(kBanksVariable);
}

void Checking::end(const emulator::LaunchReport& report) {
  if (!is_on()) return;
  ++launches_;
  std::string text;
  for (const emulator::CheckReport& found : report.reports) {
    const trace::Diagnostic& said = found.diagnostic;
    const std::string key = said.kind + ": " + place_of(said);
    if (!told_.insert(key).second) continue;
    text += fmt::format("lanescope: check: {}: {}\n", key, said.message);
    for (const std::string& detail : said.details) text += fmt::format("  {}\n", detail);
    if (found.count > 1) text += fmt::format("  {} times in this launch\n", found.count);
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Checking::finish() const {
  if (options_.races && launches_ > 0)
    say(fmt::format(
        "{} checked, {}", launches_ == 1 ? "1 launch" : fmt::format("{} launches", launches_),
        told_.empty() ? "nothing to report" : fmt::format("{} to look at", told_.size())));
}

namespace {

// The very end of the process: the program's own exit handlers and destructors have run.
__attribute__((destructor)) void leave() {
  const Checking* checking = context().checking.get();
  if (checking == nullptr || !checking->is_on()) return;
  checking->finish();
  if (!checking->found_any()) return;
  std::fflush(nullptr);
  _exit(1);
}

}  // namespace

}  // namespace lanescope::cudart
