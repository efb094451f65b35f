// SPDX-License-Identifier: MIT
#include "trace/diff.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <type_traits>

#include "layout/instruction.hpp"
#include "numeric/format.hpp"

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
    return fmt::format("launch {} of {}", e.launch, e.kernel);
  }
  std::string operator()(const Fragment& e) const {
    return fmt::format("fragment \"{}\" of {}", e.name, where(e.place));
  }
  std::string operator()(const Memory& e) const {
    return fmt::format("memory \"{}\" of {}", e.name, where(e.place));
  }
  std::string operator()(const Step& e) const {
    return fmt::format("step {} of {} ({})", e.step, where(e.place), e.ptx);
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

std::string hex(std::uint64_t word, int bits) {
  return fmt::format("{:0{}x}", word, (bits + 3) / 4);
}

std::uint64_t bits_at(std::uint64_t word, int bit, int bits) {
  return bits >= 64 ? word : word >> bit & ((std::uint64_t{1} << bits) - 1);
}

/// Compares two partners; the first thing found goes to `difference`.
class Comparison {
 public:
  explicit Comparison(Difference& difference) : difference_(difference) {}
  bool found() const { return !difference_.text.empty(); }

  void operator()(const View&, const View&) {}
  void operator()(const Launch& a, const Launch& b) {
    value("kernel", a.kernel, b.kernel);
    dimensions("grid", a.grid, b.grid);
    dimensions("block", a.block, b.block);
    value("shared_bytes", a.shared_bytes, b.shared_bytes);
  }
  void operator()(const Fragment& a, const Fragment& b) {
    value("instruction", a.instruction, b.instruction);
    value("operand", a.operand, b.operand);
    value("register_bits", a.register_bits, b.register_bits);
    value("number of registers", a.registers.size(), b.registers.size());
    if (found() || a.registers.empty()) return;
    value("number of lanes", a.registers[0].size(), b.registers[0].size());
    if (!found()) registers(a, b);
  }
  void operator()(const Memory& a, const Memory& b) {
    value("space", a.space, b.space);
    value("type", a.type, b.type);
    value("rows", a.rows, b.rows);
    value("cols", a.cols, b.cols);
    value("row_stride_bytes", a.row_stride_bytes, b.row_stride_bytes);
    if (a.space == "shared") value("address", a.address, b.address);
    value("number of bytes", a.bytes.size(), b.bytes.size());
    if (!found()) bytes(a, b);
  }
  void operator()(const Step& a, const Step& b) {
    value("step", a.step, b.step);
    value("ptx", a.ptx, b.ptx);
    value("active", hex(a.active, 32), hex(b.active, 32));
    value("number of writes", a.writes.size(), b.writes.size());
    for (std::size_t i = 0; !found() && i < a.writes.size(); ++i) {
      const Write& one = a.writes[i];
      const Write& other = b.writes[i];
      value("written register", one.name, other.name);
      value("its bits", one.bits, other.bits);
      for (std::size_t lane = 0; !found() && lane < one.lanes.size(); ++lane)
        at_lane(lane, one.name, hex(one.lanes[lane], one.bits), hex(other.lanes[lane], one.bits));
    }
  }
  void operator()(const Access& a, const Access& b) {
    value("step", a.step, b.step);
    value("instruction", a.instruction, b.instruction);
    value("bytes_per_lane", a.bytes_per_lane, b.bytes_per_lane);
    value("active", hex(a.active, 32), hex(b.active, 32));
    for (std::size_t lane = 0; !found() && lane < a.addresses.size(); ++lane)
      at_lane(lane, "address", hex(a.addresses[lane], 32), hex(b.addresses[lane], 32));
  }
  void operator()(const Diagnostic& a, const Diagnostic& b) { value("kind", a.kind, b.kind); }
  void operator()(const Sync&, const Sync&) {}

  template <class A, class B>
  void operator()(const A&, const B&) {}  // partners are of one kind

 private:
  template <class Value>
  void value(std::string_view what, const Value& a, const Value& b) {
    if (!found() && a != b) difference_.text = fmt::format("{}: {} in a, {} in b", what, a, b);
  }
  void dimensions(std::string_view what, const std::array<int, 3>& a, const std::array<int, 3>& b) {
    value(what, fmt::format("{}x{}x{}", a[0], a[1], a[2]),
          fmt::format("{}x{}x{}", b[0], b[1], b[2]));
  }
  void at_lane(std::size_t lane, std::string_view what, const std::string& a,
               const std::string& b) {
    if (a == b) return;
    difference_.lane = static_cast<int>(lane);
    difference_.text = fmt::format("lane {}, {}: {} in a, {} in b", lane, what, a, b);
  }

  void registers(const Fragment& a, const Fragment& b) {
    const std::size_t lanes = a.registers[0].size();
    std::size_t count = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t r = 0; r < a.registers.size(); ++r) {
        if (a.registers[r][lane] == b.registers[r][lane]) continue;
        if (count++ > 0) continue;
        at_lane(lane, fmt::format("register {}", r), hex(a.registers[r][lane], a.register_bits),
                hex(b.registers[r][lane], b.register_bits));
        difference_.register_index = static_cast<int>(r);
      }
    if (count == 0) return;
    difference_.text += element(a, b);
    difference_.text += fmt::format("\n{} of {} registers of this fragment differ", count,
                                    lanes * a.registers.size());
  }

  // The same in the words of the matrix, where the atlas knows the map.
  std::string element(const Fragment& a, const Fragment& b) const {
    const layout::Instruction* instruction = layout::find(a.instruction);
    if (instruction == nullptr || a.operand.size() != 1) return {};
    const layout::Fragment* map = instruction->operand(a.operand[0]);
    if (map == nullptr || map->register_bits != a.register_bits) return {};
    const auto r = static_cast<std::size_t>(difference_.register_index);
    const auto lane = static_cast<std::size_t>(difference_.lane);
    const std::string_view type = layout::name(map->type);
    for (const layout::Held& held :
         layout::elements(*map, difference_.lane, difference_.register_index)) {
      const auto one = bits_at(a.registers[r][lane], held.holder.bit, map->element_bits);
      const auto other = bits_at(b.registers[r][lane], held.holder.bit, map->element_bits);
      if (one == other) continue;
      return fmt::format("\n{} row {}, col {} ({}): {} in a, {} in b", a.operand, held.element.row,
                         held.element.col, type, numeric::to_text(type, one).value_or("?"),
                         numeric::to_text(type, other).value_or("?"));
    }
    return {};
  }

  void bytes(const Memory& a, const Memory& b) {
    const std::size_t row_bytes =
        a.rows > 0 ? a.bytes.size() / static_cast<std::size_t>(a.rows) : 0;
    if (row_bytes == 0) return;
    std::size_t count = 0;
    for (std::size_t at = 0; at < a.bytes.size(); ++at) {
      if (a.bytes[at] == b.bytes[at] || count++ > 0) continue;
      difference_.text = fmt::format("row {}, byte {}: {} in a, {} in b", at / row_bytes,
                                     at % row_bytes, hex(a.bytes[at], 8), hex(b.bytes[at], 8));
    }
    if (count > 0)
      difference_.text +=
          fmt::format("\n{} of {} bytes of this tile differ", count, a.bytes.size());
  }

  Difference& difference_;
};

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
Difference compare(const Trace& a, int a_event, const Trace& b, int b_event) {
  Difference difference;
  const Event& event = a.events[static_cast<std::size_t>(a_event)];
  std::visit(Comparison(difference), event, b.events[static_cast<std::size_t>(b_event)]);
  if (difference.text.empty()) return difference;
  difference.a_event = a_event;
  difference.b_event = b_event;
  difference.event = describe(event);
  difference.text = difference.event + ": " + difference.text;
  return difference;
}

}  // namespace

std::vector<Difference> differences(const Trace& a, const Trace& b, std::size_t most) {
  const auto counts = kinds_that_count(a, b);
  const std::map<Key, int> a_events = keyed(a, counts);
  const std::map<Key, int> b_events = keyed(b, counts);
  std::vector<Difference> found;
  for (const auto& entry : in_order(a_events)) {
    if (found.size() >= most) return found;
    const auto partner = b_events.find(*entry.second);
    Difference difference = partner == b_events.end() ? only_in(a, entry.first, true)
                                                      : compare(a, entry.first, b, partner->second);
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

std::string what_is_compared(const Trace& trace) {
  int launches = 0, fragments = 0, tiles = 0;
  for (const Event& event : trace.events) {
    launches += std::holds_alternative<Launch>(event);
    fragments += std::holds_alternative<Fragment>(event);
    tiles += std::holds_alternative<Memory>(event);
  }
  return fmt::format("{} launches, {} fragments, {} tiles of memory", launches, fragments, tiles);
}

}  // namespace lanescope::trace
