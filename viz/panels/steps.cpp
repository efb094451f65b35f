// SPDX-License-Identifier: MIT
#include "panels/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "layout/descriptor.hpp"
#include "layout/element_type.hpp"
#include "numeric/format.hpp"
#include "panels/facts.hpp"
#include "panels/mbarrier_names.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::viz {
namespace {

using WarpKey = std::tuple<int, std::array<int, 3>, int>;
WarpKey key_of(const trace::Place& place) { return {place.launch, place.block, place.warp}; }

// "ld.global.f32" of "@%p1 ld.global.f32 %f1, [%rd1];"
std::string_view mnemonic_of(std::string_view ptx) {
  if (!ptx.empty() && ptx[0] == '@') {
    const std::size_t blank = ptx.find(' ');
    ptx.remove_prefix(blank == std::string_view::npos ? ptx.size() : blank + 1);
  }
  return ptx.substr(0, ptx.find_first_of(" ;"));
}

// The first type behind the opcode: of cvt.f32.f16 that of the result, of mma and wgmma D's.
std::string_view type_of(std::string_view mnemonic) {
  for (std::size_t at = mnemonic.find('.'); at != std::string_view::npos;) {
    const std::size_t next = mnemonic.find('.', at + 1);
    const std::string_view part = mnemonic.substr(at + 1, next - at - 1);
    for (const std::string_view known :
         {"f16", "bf16", "f32", "f64", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"})
      if (part == known) return known;
    if (part == "f16x2" || part == "bf16x2") return part;
    at = next;
  }
  return {};
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool read_number(std::string_view text, std::int64_t& number) {
  if (text.empty() || text.size() > 15) return false;
  number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + (c - '0');
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// As the reader gives them: 32 lanes; others cannot be drawn.
bool is_whole(const trace::Step& step) {
  return std::all_of(step.writes.begin(), step.writes.end(),
                     [](const trace::Write& write) { return write.lanes.size() == 32; });
}

bool writes(const trace::Step& step, std::string_view name) {
  for (const trace::Write& write : step.writes)
    if (write.name == name || write.watch == name ||
        starts_with(write.watch, std::string(name) + "."))
      return true;
  return false;
}

bool is_tensor_opcode(std::string_view mnemonic) {
  for (const std::string_view opcode :
       {"ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "wgmma", "cp.async"})
    if (starts_with(mnemonic, opcode)) return true;
  return false;
}

constexpr const char* kHow = "write step 17, warp 2, line 38, %r9, A.r0, conflict, or next tensor";

// Whether a step is what the words ask for; false for words that ask for nothing known.
template <class Visit>
bool ask(std::string_view words, Visit visit) {
  std::int64_t number = 0;
  if (starts_with(words, "line ") && read_number(trimmed(words.substr(5)), number))
    return visit([number](const StepItem& i) { return i.step->source.line == number; }), true;
  if (words == "conflict")
    return visit([](const StepItem& i) {
             return i.access != nullptr && access_facts(*i.access).conflicts > 0;
           }),
           true;
  if (words == "next tensor")
    return visit([](const StepItem& i) { return is_tensor(*i.step); }), true;
  if (starts_with(words, "next ")) {
    const std::string opcode(trimmed(words.substr(5)));
    return visit([&opcode](const StepItem& i) {
             return starts_with(mnemonic_of(i.step->ptx), opcode);
           }),
           true;
  }
  return visit([words](const StepItem& i) { return writes(*i.step, words); }), true;
}

}  // namespace

namespace {

// Steps are of one CTA; where its mbarriers lie, the trace says in words.
void name_mbarriers(StepList& list, const trace::Trace& trace) {
  if (list.empty()) return;
  trace::Place cta;
  cta.launch = list.warps.front().launch;
  cta.block = list.warps.front().block;
  for (const auto& [object, name] : mbarrier_names(trace, cta))
    list.mbarriers.emplace(std::strtoull(object.c_str() + 9, nullptr, 16), name);
}

}  // namespace

StepList make_steps(const trace::Trace& trace) {
  StepList list;
  std::map<WarpKey, std::size_t> index;
  std::vector<std::unordered_map<std::string, int>> last;  // by warp: who wrote a register
  std::size_t at = 0;                                      // of the warp of the step before
  for (const trace::Event& event : trace.events) {
    if (const auto* step = std::get_if<trace::Step>(&event)) {
      if (!is_whole(*step)) continue;
      const auto [found, is_new] = index.emplace(key_of(step->place), list.warps.size());
      at = found->second;
      if (is_new) {
        list.warps.push_back({step->place.launch, step->place.block, step->place.warp, {}});
        last.emplace_back();
      }
      std::vector<StepItem>& items = list.warps[at].items;
      items.push_back({step, nullptr, list.previous.size()});
      for (const trace::Write& write : step->writes) {
        const auto known = last[at].emplace(write.name, -1).first;
        list.previous.push_back(known->second);
        known->second = static_cast<int>(items.size()) - 1;
      }
    } else if (const auto* access = std::get_if<trace::Access>(&event)) {
      const auto found = index.find(key_of(access->place));
      if (found == index.end() || access->addresses.size() != 32) continue;
      StepItem& item = list.warps[found->second].items.back();
      if (item.step->step == access->step) item.access = access;
    }
  }
  name_mbarriers(list, trace);
  return list;
}

std::string mbarrier_read(const StepList& list, const StepItem& item, const Read& read) {
  if (item.step->ptx.find("mbarrier") == std::string::npos) return {};
  if (read.lanes == 0 || !is_uniform(read)) return {};
  const auto lane = static_cast<std::size_t>(__builtin_ctz(read.lanes));
  if (lane >= read.write->lanes.size()) return {};
  const std::uint64_t address = read.write->lanes[lane];
  const std::uint64_t rank = address >> 32 == 0 ? address >> 24 : 0;  // of the CTA in a cluster
  const auto found = list.mbarriers.find(address - (rank << 24));
  if (found == list.mbarriers.end()) return {};
  return rank == 0 ? found->second : fmt::format("{} of rank {}", found->second, rank);
}

const trace::Write* before(const StepList& steps, const StepWarp& warp, int item,
                           std::size_t write) {
  const StepItem& now = warp.items[static_cast<std::size_t>(item)];
  const int previous = steps.previous[now.first_previous + write];
  if (previous < 0) return nullptr;
  for (const trace::Write& old : warp.items[static_cast<std::size_t>(previous)].step->writes)
    if (old.name == now.step->writes[write].name) return &old;
  return nullptr;
}

std::uint32_t changed_lanes(const StepList& steps, const StepWarp& warp, int item,
                            std::size_t write) {
  const trace::Step& step = *warp.items[static_cast<std::size_t>(item)].step;
  const trace::Write* old = before(steps, warp, item, write);
  if (old == nullptr) return step.active;
  std::uint32_t changed = 0;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (step.writes[write].lanes[lane] != old->lanes[lane]) changed |= 1u << lane;
  return changed;
}

namespace {

// The types in an mma's name, in the order of its operands: D, A, B, C.
std::vector<std::string_view> types_of(std::string_view mnemonic) {
  std::vector<std::string_view> types;
  while (!mnemonic.empty()) {
    const std::size_t end = std::min(mnemonic.find('.'), mnemonic.size());
    const std::string_view part = mnemonic.substr(0, end);
    if (layout::element_type(part)) types.push_back(part);
    mnemonic.remove_prefix(std::min(end + 1, mnemonic.size()));
  }
  return types;
}

// As the instruction takes what stands `at` its text: A and B of an mma in f16 are two to a
// register. "" where nothing is known of it.
std::string_view read_type(std::string_view ptx, std::size_t at, const trace::Write& write) {
  const std::string_view mnemonic = mnemonic_of(ptx);
  if (starts_with(mnemonic, "mma.") || starts_with(mnemonic, "wgmma.")) {
    const auto here = ptx.begin() + static_cast<std::ptrdiff_t>(at);
    const auto opened = std::count(ptx.begin(), here, '{');
    if (opened == std::count(ptx.begin(), here, '}')) return {};  // a descriptor, a predicate
    const std::vector<std::string_view> types = types_of(mnemonic);
    if (opened > static_cast<std::ptrdiff_t>(types.size())) return {};
    const std::string_view type = types[static_cast<std::size_t>(opened - 1)];
    if (write.bits == 32 && type == "f16") return "f16x2";
    if (write.bits == 32 && type == "bf16") return "bf16x2";
    const bool whole =
        type == "f32" || type == "s32" ? write.bits == 32 : type == "f64" && write.bits == 64;
    return whole ? type : std::string_view();
  }
  if (write.bits == 64 && starts_with(write.name, "%fd")) return "f64";
  if (write.bits == 32 && starts_with(write.name, "%f")) return "f32";
  return {};
}

}  // namespace

Writers writers_of(const StepWarp& warp) {
  Writers writers;
  for (std::size_t item = 0; item < warp.items.size(); ++item)
    for (const trace::Write& write : warp.items[item].step->writes)
      writers[write.name].push_back(static_cast<int>(item));
  return writers;
}

std::vector<Read> reads(const StepWarp& warp, const Writers& writers, int item) {
  const trace::Step& step = *warp.items[static_cast<std::size_t>(item)].step;
  // What it writes stands first: that is read, too, where it stands there once more.
  std::set<std::string, std::less<>> written, seen;
  for (const trace::Write& write : step.writes) written.insert(write.name);
  std::vector<std::string_view> names;
  std::vector<std::size_t> places;
  const std::string_view ptx = step.ptx;
  for (std::size_t at = 0; (at = ptx.find('%', at)) != std::string_view::npos;) {
    std::size_t end = at + 1;
    while (end < ptx.size() && (std::isalnum(static_cast<unsigned char>(ptx[end])) != 0)) ++end;
    const std::string_view name = ptx.substr(at, end - at);
    const std::size_t place = at;
    at = end;
    if (const auto found = written.find(name); found != written.end())
      written.erase(found);
    else if (seen.insert(std::string(name)).second)
      names.push_back(name), places.push_back(place);
  }
  std::vector<Read> found;
  for (std::size_t n = 0; n < names.size(); ++n) {
    const auto known = writers.find(names[n]);
    if (known == writers.end()) continue;
    const auto next = std::lower_bound(known->second.begin(), known->second.end(), item);
    if (next == known->second.begin()) continue;  // written later alone
    const trace::Step& other = *warp.items[static_cast<std::size_t>(*(next - 1))].step;
    for (std::size_t w = 0; w < other.writes.size(); ++w) {
      if (other.writes[w].name != names[n]) continue;
      const std::string_view type = read_type(ptx, places[n], other.writes[w]);
      const bool descriptor = other.writes[w].bits == 64 && type.empty() &&
                              starts_with(mnemonic_of(ptx), "wgmma.mma_async");
      found.push_back(
          {&other.writes[w], type.empty() ? value_type(other, w) : type, step.active, descriptor});
      break;
    }
  }
  return found;
}

int arrives_at(const StepWarp& warp, const Writers& writers, int item) {
  const std::string_view ptx = warp.items[static_cast<std::size_t>(item)].step->ptx;
  if (!starts_with(mnemonic_of(ptx), "wgmma.mma_async")) return -1;
  const std::size_t first = ptx.find('%', std::min(ptx.find('{'), ptx.size()));
  if (first == std::string_view::npos) return -1;
  const auto known = writers.find(ptx.substr(first, ptx.find_first_of(",} ", first) - first));
  if (known == writers.end()) return -1;
  const auto next = std::upper_bound(known->second.begin(), known->second.end(), item);
  if (next == known->second.end()) return -1;
  const trace::Step& there = *warp.items[static_cast<std::size_t>(*next)].step;
  return starts_with(mnemonic_of(there.ptx), "wgmma.wait_group") ? *next : -1;
}

bool is_uniform(const Read& read) {
  if (read.lanes == 0) return true;
  const std::uint64_t first =
      read.write->lanes[static_cast<std::size_t>(__builtin_ctz(read.lanes))];
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (((read.lanes >> lane) & 1) != 0 && read.write->lanes[lane] != first) return false;
  return true;
}

std::string_view value_type(const trace::Step& step, std::size_t write) {
  const int bits = step.writes[write].bits;
  if (bits == 1) return "pred";
  const std::string_view type = type_of(mnemonic_of(step.ptx));
  const std::string_view opcode = mnemonic_of(step.ptx).substr(0, mnemonic_of(step.ptx).find('.'));
  // D of an mma in f16 has two in a register.
  const bool packs = opcode == "mma" || opcode == "wmma" || opcode == "wgmma";
  if (packs && type == "f16") return "f16x2";
  if (type == "f16" || type == "bf16") return bits == 16 ? type : std::string_view();
  if (type == "f32" || type == "s32" || type == "u32")
    return bits == 32 ? type : std::string_view();
  if (type == "f64" || type == "s64" || type == "u64")
    return bits == 64 ? type : std::string_view();
  if (type == "f16x2" || type == "bf16x2") return bits == 32 ? type : std::string_view();
  // Sums of a wgmma that arrive: the wait says no type, their registers' names do.
  if (opcode == "wgmma" && type.empty() && starts_with(step.writes[write].name, "%f"))
    return bits == 32 ? "f32" : std::string_view();
  if (type.empty()) return {};
  return bits <= 32 ? std::string_view(type[0] == 's' ? "s32" : "u32") : std::string_view();
}

std::string value_text(std::string_view type, int bits, std::uint64_t pattern) {
  if (type == "pred") return pattern != 0 ? "true" : "false";
  if (type == "f16x2" || type == "bf16x2") {
    const std::string_view half = type.substr(0, type.size() - 2);
    return fmt::format("{}, {}", numeric::to_text(half, pattern & 0xffff).value_or("?"),
                       numeric::to_text(half, pattern >> 16 & 0xffff).value_or("?"));
  }
  if (type == "s32") return fmt::format("{}", static_cast<std::int32_t>(pattern));
  if (type == "s64") return fmt::format("{}", static_cast<std::int64_t>(pattern));
  // So large a number is an address, or it is none that anybody reads in decimal.
  if (type == "u64" && pattern >> 32 != 0) return fmt::format("0x{:x}", pattern);
  if (type == "u32" || type == "u64") return fmt::format("{}", pattern);
  if (!type.empty())
    if (const auto words = numeric::to_text(type, pattern)) return *words;
  return hex(pattern, bits);
}

std::string uniform_text(const Read& read, std::string_view type) {
  const int lanes = __builtin_popcount(read.lanes);
  if (lanes == 0) return "in no lane";
  const int first = __builtin_ctz(read.lanes);
  const std::uint64_t pattern = read.write->lanes[static_cast<std::size_t>(first)];
  std::string text = value_text(type, read.write->bits, pattern) +
                     (lanes == 32  ? std::string(" in every lane")
                      : lanes == 1 ? fmt::format(" in lane {}", first)
                                   : fmt::format(" in {} lanes", lanes));
  if (!read.descriptor) return text;
  constexpr std::array<const char*, 4> kModes{"no swizzle", "32B", "64B", "128B"};
  const layout::Descriptor d = layout::decode(pattern);
  return text + fmt::format(": from byte {}, LBO {}, SBO {}, {}", d.start_bytes, d.lbo_bytes,
                            d.sbo_bytes, kModes[static_cast<std::size_t>(d.mode)]);
}

bool is_tensor(const trace::Step& step) { return is_tensor_opcode(mnemonic_of(step.ptx)); }

StepPlace first_tensor(const StepList& steps) {
  StepPlace place;
  const trace::Step* first = nullptr;  // of the trace: its events lie in the order they happened
  for (std::size_t warp = 0; warp < steps.warps.size(); ++warp) {
    const std::vector<StepItem>& items = steps.warps[warp].items;
    // Not at a wgmma.fence: what it is for comes a dozen steps later.
    const auto found = std::find_if(items.begin(), items.end(), [](const StepItem& item) {
      return is_tensor(*item.step) && !starts_with(mnemonic_of(item.step->ptx), "wgmma.fence");
    });
    if (found == items.end() || (first != nullptr && !std::less<>()(found->step, first))) continue;
    first = found->step;
    place = {static_cast<int>(warp), static_cast<int>(found - items.begin()), {}};
  }
  // Of warps that come to the same line, the one that is written first: the last to arrive at a
  // wgmma is the first to go on.
  for (std::size_t warp = 0; first != nullptr && warp < steps.warps.size(); ++warp)
    for (std::size_t item = 0; item < steps.warps[warp].items.size(); ++item) {
      const trace::Step& step = *steps.warps[warp].items[item].step;
      if (is_tensor(step) && step.ptx_line == first->ptx_line && step.ptx == first->ptx)
        return {static_cast<int>(warp), static_cast<int>(item), {}};
    }
  return place;
}

StepPlace find_step(const StepList& steps, StepPlace from, std::string_view words) {
  from.error.clear();
  words = trimmed(words);
  if (steps.empty()) return from.error = "the trace has no steps", from;
  std::int64_t number = 0;
  if (starts_with(words, "warp ")) {
    std::string_view rest = trimmed(words.substr(5));
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (!read_number(rest.substr(0, end), number)) return from.error = kHow, from;
    for (std::size_t at = 0; at < steps.warps.size(); ++at)
      if (steps.warps[at].warp == number) {
        const StepPlace there{static_cast<int>(at), 0, {}};
        rest = trimmed(rest.substr(end));
        return rest.empty() ? there : find_step(steps, there, rest);
      }
    return from.error = fmt::format("no steps of warp {} are recorded", number), from;
  }
  const std::vector<StepItem>& items = steps.warps[static_cast<std::size_t>(from.warp)].items;
  if (starts_with(words, "step ") && read_number(trimmed(words.substr(5)), number)) {
    const auto found = std::lower_bound(
        items.begin(), items.end(), number,
        [](const StepItem& item, std::int64_t wanted) { return item.step->step < wanted; });
    if (found == items.end() || found->step->step != number)
      return from.error = fmt::format("no step {}: steps {} to {} of {} are recorded", number,
                                      items.front().step->step, items.back().step->step,
                                      name_of(steps.warps[static_cast<std::size_t>(from.warp)])),
             from;
    from.item = static_cast<int>(found - items.begin());
    return from;
  }
  if (words.empty()) return from.error = kHow, from;
  bool found = false;
  ask(words, [&](auto wanted) {
    const int count = static_cast<int>(items.size());
    for (int offset = 1; offset <= count && !found; ++offset) {
      const int at = (from.item + offset) % count;
      if (!wanted(items[static_cast<std::size_t>(at)])) continue;
      found = true;
      from.item = at;
    }
    // Not in this warp: the first that has it.
    for (std::size_t warp = 0; warp < steps.warps.size() && !found; ++warp) {
      const std::vector<StepItem>& others = steps.warps[warp].items;
      const auto first = std::find_if(others.begin(), others.end(), wanted);
      if (first == others.end()) continue;
      found = true;
      from = {static_cast<int>(warp), static_cast<int>(first - others.begin()), {}};
    }
  });
  if (!found) from.error = fmt::format("no step is '{}'; {}", words, kHow);
  return from;
}

StepPlace written_by(const StepList& steps, const trace::Place& of, int warp,
                     std::string_view watch) {
  StepPlace found{0, -1, {}};
  for (std::size_t at = 0; at < steps.warps.size(); ++at) {
    const StepWarp& one = steps.warps[at];
    if (one.launch != of.launch || one.block != of.block || one.warp != warp) continue;
    for (std::size_t item = 0; item < one.items.size(); ++item)
      for (const trace::Write& write : one.items[item].step->writes)
        if (write.watch == watch) found = {static_cast<int>(at), static_cast<int>(item), {}};
  }
  return found;
}

std::string step_name(const StepList& steps, const StepPlace& place) {
  const trace::Step& step = *steps.warps[static_cast<std::size_t>(place.warp)]
                                 .items[static_cast<std::size_t>(place.item)]
                                 .step;
  const std::string_view name = mnemonic_of(step.ptx);
  std::size_t end = std::min(name.find('.'), name.size());
  if (starts_with(name, "wgmma.")) end = std::min(name.find('.', end + 1), name.size());
  return fmt::format("step {}: {}", step.step, name.substr(0, end));
}

std::string words_of(const StepList& steps, const StepPlace& place) {
  if (steps.empty()) return {};
  const StepWarp& warp = steps.warps[static_cast<std::size_t>(place.warp)];
  return fmt::format("warp {} step {}", warp.warp,
                     warp.items[static_cast<std::size_t>(place.item)].step->step);
}

std::string name_of(const StepWarp& warp) {
  std::string text = fmt::format("warp {}", warp.warp);
  if (warp.block != std::array<int, 3>{0, 0, 0})
    text += fmt::format(" of block {},{},{}", warp.block[0], warp.block[1], warp.block[2]);
  if (warp.launch != 0) text += fmt::format(", launch {}", warp.launch);
  return text;
}

std::string kernel_of(const trace::Trace& trace, int launch) {
  for (const trace::Event& event : trace.events)
    if (const auto* one = std::get_if<trace::Launch>(&event); one && one->launch == launch)
      return trace::as_written(one->kernel);
  return {};
}

std::string where_text(const trace::Step& step) {
  std::string text;
  const std::size_t slash = step.source.file.find_last_of("/\\");
  if (step.source.line > 0)
    text = fmt::format(
        "{}:{}, ",
        slash == std::string::npos ? step.source.file : step.source.file.substr(slash + 1),
        step.source.line);
  if (step.ptx_line > 0) text += fmt::format("PTX line {}, ", step.ptx_line);
  const int lanes = __builtin_popcount(step.active);
  return text + (lanes == 32 ? "all 32 lanes" : fmt::format("{} of 32 lanes", lanes));
}

}  // namespace lanescope::viz
