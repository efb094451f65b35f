// SPDX-License-Identifier: MIT
#include "panels/pipeline/mbarrier_names.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "trace/kernel_name.hpp"

namespace lanescope::viz {
namespace {

using trace::Sync;

constexpr std::string_view kWatch = "watch_";

// "0x1018" of "mbarrier 0x1018"; -1 of anything else.
std::int64_t address_of(const std::string& object) {
  return is_mbarrier(object) ? std::strtoll(object.c_str() + 9, nullptr, 16) : -1;
}

// A shared address has the rank of its CTA in bits 24 to 31, an object's name has not.
std::int64_t without_rank(std::uint64_t address) {
  return static_cast<std::int64_t>(address >> 32 == 0 ? address & 0xffffff : address);
}

// Variables of shared memory whose address an instruction of the CTA takes: "mov.u32 %r82, full;".
// Of what lies in dynamic shared memory the program may say the name, "mov.b32 watch_full, %r9;":
// WATCH_SHARED of common/device/watch.cuh.
std::map<std::int64_t, std::string> variables_of(const trace::Trace& trace,
                                                 const trace::Place& cta) {
  std::map<std::int64_t, std::string> names;
  for (const trace::Event& event : trace.events) {
    const auto* step = std::get_if<trace::Step>(&event);
    if (step == nullptr || !same_cta(step->place, cta) || step->writes.size() != 1) continue;
    if (step->ptx.compare(0, 4, "mov.") != 0 || step->active == 0) continue;
    const auto lane = static_cast<std::size_t>(__builtin_ctz(step->active));
    if (lane >= step->writes[0].lanes.size()) continue;
    const std::string& to = step->writes[0].name;
    if (to.size() > kWatch.size() && to.compare(0, kWatch.size(), kWatch) == 0) {
      names.emplace(without_rank(step->writes[0].lanes[lane]), to.substr(kWatch.size()));
      continue;
    }
    const std::size_t at = step->ptx.find(", ");
    if (at == std::string::npos || at + 2 >= step->ptx.size()) continue;
    const char first = step->ptx[at + 2];
    if (std::isalpha(static_cast<unsigned char>(first)) == 0 && first != '_') continue;
    const std::string symbol = step->ptx.substr(at + 2, step->ptx.find(';') - at - 2);
    names.emplace(without_rank(step->writes[0].lanes[lane]), trace::plain_ptx(symbol));
  }
  return names;
}

}  // namespace

bool is_mbarrier(const std::string& object) { return object.substr(0, 8) == "mbarrier"; }

bool same_cta(const trace::Place& a, const trace::Place& b) {
  return a.launch == b.launch && a.block == b.block;
}

// "full[1]" for "mbarrier 0x1008": a variable that begins with an mbarrier is an array of as many
// as lie there without a gap, up to the next variable.
std::map<std::string, std::string> mbarrier_names(const trace::Trace& trace,
                                                  const trace::Place& cta) {
  constexpr std::int64_t kMbarrierBytes = 8;  // PTX ISA 9.7.13.15.1
  std::map<std::int64_t, std::string> mbarriers;
  for (const trace::Event& event : trace.events)
    if (const auto* sync = std::get_if<Sync>(&event); sync && same_cta(sync->place, cta))
      if (const std::int64_t address = address_of(sync->object); address >= 0)
        mbarriers.emplace(address, sync->object);
  const std::map<std::int64_t, std::string> variables = variables_of(trace, cta);
  std::map<std::string, std::string> names;
  for (const auto& [base, variable] : variables) {
    std::vector<std::string> members;
    for (std::int64_t address = base; mbarriers.count(address) > 0; address += kMbarrierBytes) {
      if (address != base && variables.count(address) > 0) break;
      members.push_back(mbarriers.at(address));
    }
    for (std::size_t k = 0; k < members.size(); ++k)
      names[members[k]] = members.size() == 1 ? variable : fmt::format("{}[{}]", variable, k);
  }
  return names;
}

}  // namespace lanescope::viz
