// SPDX-License-Identifier: MIT
// See diff.hpp: which events of two traces are partners, and in which order they are compared.
#include "trace/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <type_traits>

#include "trace/comparison.hpp"
#include "trace/kernel_name.hpp"

namespace lanescope::trace {
namespace {

/// What makes two events of two traces partners. `name` is empty where order alone says who is who.
struct Key {
  std::size_t kind = 0;
  int launch = 0;
  std::array<int, 3> block{0, 0, 0};
  int warp = 0;
  std::string name;
  int repetition = 0;  // of the same key before it in its trace

  auto fields() const { return std::tie(kind, launch, block, warp, name, repetition); }
  friend bool operator<(const Key& a, const Key& b) { return a.fields() < b.fields(); }
};

template <class Kind, class... Kinds>
constexpr std::size_t place_among(const std::variant<Kinds...>*) {
  std::size_t place = 0;
  bool found = false;
  ((found = found || std::is_same_v<Kind, Kinds>, place += found ? 0 : 1), ...);
  return place;
}
template <class Kind>
constexpr std::size_t kKind = place_among<Kind>(static_cast<const Event*>(nullptr));

Key key_at(std::size_t kind, const Place& place, std::string name = {}) {
  return {kind, place.launch, place.block, place.warp, std::move(name), 0};
}

struct MakeKey {
  std::size_t kind;
  Key operator()(const View&) const { return {}; }
  Key operator()(const Launch& e) const { return key_at(kind, {e.launch, {0, 0, 0}, 0}); }
  Key operator()(const Fragment& e) const { return key_at(kind, e.place, e.name); }
  Key operator()(const Memory& e) const { return key_at(kind, e.place, e.name); }
  Key operator()(const Step& e) const { return key_at(kind, e.place); }
  Key operator()(const Access& e) const { return key_at(kind, e.place); }
  Key operator()(const Diagnostic& e) const { return key_at(kind, e.place); }
  Key operator()(const Sync&) const { return {}; }
};

std::string where(const Place& place) {
  return fmt::format("launch {}, block {},{},{}, warp {}", place.launch, place.block[0],
                     place.block[1], place.block[2], place.warp);
}

struct Describe {
  std::string operator()(const View&) const { return "view"; }
  std::string operator()(const Launch& e) const {
    return fmt::format("launch {} of {}", e.launch, as_written(e.kernel));
  }
  std::string operator()(const Fragment& e) const {
    return fmt::format("fragment \"{}\" of {}", e.name, where(e.place));
  }
  std::string operator()(const Memory& e) const {
    return fmt::format("memory \"{}\" of {}", e.name, where(e.place));
  }
  std::string operator()(const Step& e) const {
    return fmt::format("step {} of {} ({})", e.step, where(e.place), plain_ptx(e.ptx));
  }
  std::string operator()(const Access& e) const {
    return fmt::format("access in step {} of {}", e.step, where(e.place));
  }
  std::string operator()(const Diagnostic& e) const {
    return fmt::format("diagnostic {} of {}", e.kind, where(e.place));
  }
  std::string operator()(const Sync& e) const {
    return fmt::format("{} of {} in step {} of {}", e.action, e.object, e.step, where(e.place));
  }
};

std::string describe(const Event& event) { return std::visit(Describe{}, event); }

bool has(const Trace& trace, std::size_t kind) {
  for (const Event& event : trace.events)
    if (event.index() == kind) return true;
  return false;
}

/// Which kinds count for these two traces, by the index of the variant.
std::array<bool, std::variant_size_v<Event>> kinds_that_count(const Trace& a, const Trace& b) {
  std::array<bool, std::variant_size_v<Event>> count{};
  count[kKind<Launch>] = count[kKind<Fragment>] = count[kKind<Memory>] = true;
  for (const std::size_t kind : {kKind<Step>, kKind<Access>})
    count[kind] = has(a, kind) && has(b, kind);
  count[kKind<Diagnostic>] = a.header.producer != "gpu" && b.header.producer != "gpu";
  return count;
}

/// Every event that counts, under its key.
std::map<Key, int> keyed(const Trace& trace,
                         const std::array<bool, std::variant_size_v<Event>>& counts) {
  std::map<Key, int> all;
  std::map<Key, int> seen;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& event = trace.events[i];
    if (!counts[event.index()]) continue;
    Key key = std::visit(MakeKey{event.index()}, event);
    key.repetition = seen[key]++;
    all.emplace(std::move(key), static_cast<int>(i));
  }
  return all;
}

Difference only_in(const Trace& trace, int index, bool in_a) {
  Difference difference;
  (in_a ? difference.a_event : difference.b_event) = index;
  difference.event = describe(trace.events[static_cast<std::size_t>(index)]);
  difference.text = fmt::format("{}: only in {}", difference.event, in_a ? "a" : "b");
  return difference;
}

/// The keys in the order of the events.
std::map<int, const Key*> in_order(const std::map<Key, int>& all) {
  std::map<int, const Key*> order;
  for (const auto& entry : all) order.emplace(entry.second, &entry.first);
  return order;
}

/// What two partners differ in; nothing in its text where they do not.
Difference compare(const Trace& a, int a_event, const Trace& b, int b_event,
                   const Addresses& addresses, std::int64_t& moved) {
  Difference difference;
  const Event& event = a.events[static_cast<std::size_t>(a_event)];
  const bool passed_over =
      compare_events(event, b.events[static_cast<std::size_t>(b_event)], addresses, difference);
  if (difference.text.empty()) {
    moved += passed_over;
    return difference;
  }
  difference.a_event = a_event;
  difference.b_event = b_event;
  difference.event = describe(event);
  difference.text = difference.event + ": " + difference.text;
  return difference;
}

}  // namespace

std::vector<Difference> differences(const Trace& a, const Trace& b, std::size_t most) {
  std::int64_t moved = 0;
  return differences(a, b, most, Addresses(a, b), moved);
}

std::vector<Difference> differences(const Trace& a, const Trace& b, std::size_t most,
                                    const Addresses& addresses, std::int64_t& moved) {
  moved = 0;
  const auto counts = kinds_that_count(a, b);
  const std::map<Key, int> a_events = keyed(a, counts);
  const std::map<Key, int> b_events = keyed(b, counts);
  std::vector<Difference> found;
  for (const auto& entry : in_order(a_events)) {
    if (found.size() >= most) return found;
    const auto partner = b_events.find(*entry.second);
    Difference difference = partner == b_events.end()
                                ? only_in(a, entry.first, true)
                                : compare(a, entry.first, b, partner->second, addresses, moved);
    if (!difference.text.empty()) found.push_back(std::move(difference));
  }
  for (const auto& entry : in_order(b_events)) {
    if (found.size() >= most) return found;
    if (a_events.find(*entry.second) == a_events.end())
      found.push_back(only_in(b, entry.first, false));
  }
  return found;
}

std::optional<Difference> first_difference(const Trace& a, const Trace& b) {
  std::vector<Difference> first = differences(a, b, 1);
  if (first.empty()) return std::nullopt;
  return std::move(first.front());
}

std::string what_is_compared(const Trace& a, const Trace& b) {
  const auto count = [&a](std::size_t kind) {
    return std::count_if(a.events.begin(), a.events.end(),
                         [kind](const Event& event) { return event.index() == kind; });
  };
  const auto counted = [](std::ptrdiff_t number, const char* one, const char* several) {
    return fmt::format("{} {}", number, number == 1 ? one : several);
  };
  std::string words =
      fmt::format("{}, {}, {}", counted(count(kKind<Launch>), "launch", "launches"),
                  counted(count(kKind<Fragment>), "fragment", "fragments"),
                  counted(count(kKind<Memory>), "tile of memory", "tiles of memory"));
  if (has(a, kKind<Step>) && has(b, kKind<Step>))
    words += ", " + counted(count(kKind<Step>), "step", "steps");
  return words;
}

}  // namespace lanescope::trace
