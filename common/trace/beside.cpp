// SPDX-License-Identifier: MIT
// See beside.hpp.
#include "trace/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
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

// What the lanes of a warp held, by the values: "A.r0". "" where two registers held the same.
using Words = std::vector<std::uint64_t>;
using WarpKey = std::tuple<int, std::array<int, 3>, int>;
using Names = std::map<WarpKey, std::map<Words, std::string>>;

WarpKey key_of(const Place& place, int warp) { return {place.launch, place.block, warp}; }

Names names_of(const Trace& trace) {
  constexpr std::size_t kLanes = 32;
  Names names;
  for (const Event& event : trace.events) {
    const auto* fragment = std::get_if<Fragment>(&event);
    if (fragment == nullptr) continue;
    for (std::size_t r = 0; r < fragment->registers.size(); ++r) {
      const Words& all = fragment->registers[r];
      for (std::size_t first = 0; first + kLanes <= all.size(); first += kLanes) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        Words words(begin, begin + kLanes);
        // One value in all lanes, a 0 above all, is anybody's.
        if (std::equal(words.begin() + 1, words.end(), words.begin())) continue;
        const int warp = fragment->place.warp + static_cast<int>(first / kLanes);
        const std::string name = fmt::format("{}.r{}", fragment->name, r);
        const auto [found, is_new] =
            names[key_of(fragment->place, warp)].emplace(std::move(words), name);
        if (!is_new && found->second != name) found->second.clear();
      }
    }
  }
  return names;
}

// A register of a step that holds what RECORD found in A.r0 is called so. (RECORD writes the name
// into the PTX, too, but nvcc drops all comments of PTX that it puts into a program.)
void name_registers(const Names& names, Event& event) {
  auto* step = std::get_if<Step>(&event);
  if (step == nullptr) return;
  const auto of_warp = names.find(key_of(step->place, step->place.warp));
  if (of_warp == names.end()) return;
  for (Write& write : step->writes) {
    if (!write.watch.empty()) continue;
    const auto found = of_warp->second.find(write.lanes);
    if (found != of_warp->second.end()) write.watch = found->second;
  }
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
  const Names names = names_of(trace);
  for (Event& event : read.trace.events) {
    name_registers(names, event);
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
