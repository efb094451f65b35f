// SPDX-License-Identifier: MIT
// See progress.hpp.
#include "cudart/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "cudart/context.hpp"
#include "cudart/environment.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::cudart {
namespace {

constexpr double kFirstSeconds = 20;

std::string duration(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  return fmt::format("{:.0f} days", seconds / kDay);
}

}  // namespace

double seconds_until_progress(const std::string& asked, bool is_terminal) {
  if (asked.empty()) return is_terminal ? kFirstSeconds : 0;
  return std::strtod(asked.c_str(), nullptr);
}

std::string progress_line(const std::string& kernel, double seconds,
                          const emulator::Progress& progress) {
  std::string line = fmt::format("kernel {}: {} of {} CTAs done in {}", kernel, progress.ctas_done,
                                 progress.ctas, duration(seconds));
  if (progress.ctas_done == 0)
    return line + fmt::format(
                      ", {} million warp instructions; a smaller size or fewer turns of its "
                      "loop show the same",
                      progress.warp_instructions / 1'000'000);
  const auto done = static_cast<double>(progress.ctas_done);
  const double rest = seconds * (static_cast<double>(progress.ctas) - done) / done;
  return line +
         fmt::format(", the others take about {}; a smaller grid shows the same", duration(rest));
}

ProgressLines::ProgressLines()
    : first_(seconds_until_progress(setting(kProgressVariable), isatty(STDERR_FILENO) != 0)),
      listener_{this, &tell} {}

void ProgressLines::begin(emulator::LaunchRequest& request) {
  if (!(first_ > 0)) return;
  begin_ = Clock::now();
  next_ = first_;
  kernel_ = request.kernel->name;
  request.progress = &listener_;
}

void ProgressLines::tell(void* context, const emulator::Progress& progress) {
  auto& lines = *static_cast<ProgressLines*>(context);
  const double seconds = std::chrono::duration<double>(Clock::now() - lines.begin_).count();
  if (seconds < lines.next_) return;
  while (lines.next_ <= seconds) lines.next_ *= 2;
  say(progress_line(trace::as_written(lines.kernel_), seconds, progress));
}

}  // namespace lanescope::cudart
