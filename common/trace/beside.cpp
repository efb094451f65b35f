// SPDX-License-Identifier: MIT
// See beside.hpp.
#include "trace/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "trace/kernel_name.hpp"
#include "trace/reader.hpp"

namespace lanescope::trace {
namespace {

constexpr std::string_view kPlain = ".lanes", kPacked = ".lanes.zst";
constexpr std::string_view kSteps = ".steps.lanes.zst";

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_of_steps(const Event& event) {
  return std::holds_alternative<Step>(event) || std::holds_alternative<Access>(event) ||
         std::holds_alternative<Sync>(event);
}

int launch_of(const Event& event) {
  if (const auto* step = std::get_if<Step>(&event)) return step->place.launch;
  if (const auto* access = std::get_if<Access>(&event)) return access->place.launch;
  return std::get<Sync>(event).place.launch;
}

/// "multiply<3, 2>" is one of "multiply".
bool is_instance(const std::string& mangled, const std::string& name) {
  return as_written(mangled).compare(0, name.size() + 1, name + "<") == 0;
}

}  // namespace

std::string steps_path(const std::string& path) {
  if (ends_with(path, kSteps)) return {};
  for (const std::string_view end : {kPacked, kPlain})
    if (ends_with(path, end)) return path.substr(0, path.size() - end.size()) + std::string(kSteps);
  return {};
}

bool is_beside_another(const std::string& path) {
  if (!ends_with(path, kSteps)) return false;
  const std::string name = path.substr(0, path.size() - kSteps.size());
  std::error_code ignored;
  return std::filesystem::exists(name + std::string(kPlain), ignored) ||
         std::filesystem::exists(name + std::string(kPacked), ignored);
}

std::string add_steps_beside(Trace& trace, const std::string& path) {
  const std::string beside = steps_path(path);
  std::error_code ignored;
  if (beside.empty() || !std::filesystem::exists(beside, ignored)) return {};
  if (std::any_of(trace.events.begin(), trace.events.end(), is_of_steps)) return {};
  ReadResult read = read_file(beside);
  if (!read.ok()) return read.error->message(beside);
  if (read.trace.header.program != trace.header.program)
    return fmt::format("{} is of another program, {}: remove it, or run {} again", beside,
                       read.trace.header.program, trace.header.program);
  // A lesson announces the launches that it records, by name; the emulator counts all of them, and
  // knows a template's arguments.
  std::map<int, Launch*> known;
  std::set<int> added;
  for (Event& event : trace.events)
    if (auto* launch = std::get_if<Launch>(&event)) known[launch->launch] = launch;
  for (const Event& event : read.trace.events)
    if (is_of_steps(event)) added.insert(launch_of(event));
  std::vector<Event> more;
  for (Event& event : read.trace.events) {
    const auto* launch = std::get_if<Launch>(&event);
    const bool shown = launch != nullptr && added.count(launch->launch) != 0;
    const auto found = shown ? known.find(launch->launch) : known.end();
    if (found != known.end() && is_instance(launch->kernel, found->second->kernel))
      found->second->kernel = launch->kernel;
    else if ((shown && found == known.end()) || is_of_steps(event))
      more.push_back(std::move(event));
  }
  std::move(more.begin(), more.end(), std::back_inserter(trace.events));
  return {};
}

}  // namespace lanescope::trace
