// SPDX-License-Identifier: MIT
// Two traces beside each other in words: what both are called and how much they differ, what is
// said of an event where no cells are, and the words that lead to a difference. See compare.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <variant>

#include "panels/compare/compare.hpp"

namespace lanescope::viz {
namespace {

std::string of_three(const std::array<int, 3>& a) {
  return fmt::format("{}x{}x{}", a[0], a[1], a[2]);
}

struct Lines {
  using Words = std::vector<std::string>;
  Words operator()(const trace::View&) const { return {}; }
  Words operator()(const trace::Launch& e) const {
    return {"kernel  " + e.kernel, "grid    " + of_three(e.grid), "block   " + of_three(e.block),
            fmt::format("shared  {} bytes", e.shared_bytes)};
  }
  Words operator()(const trace::Fragment& e) const {
    return {"name         " + e.name, "instruction  " + e.instruction, "operand      " + e.operand,
            fmt::format("registers    {} of {} bits", e.registers.size(), e.register_bits),
            fmt::format("lanes        {}", e.registers.empty() ? 0 : e.registers[0].size())};
  }
  Words operator()(const trace::Memory& e) const {
    return {"name     " + e.name,
            "space    " + e.space,
            "type     " + e.type,
            fmt::format("shape    {} x {}", e.rows, e.cols),
            fmt::format("address  0x{:x}", e.address),
            fmt::format("stride   {} bytes", e.row_stride_bytes)};
  }
  Words operator()(const trace::Step& e) const {
    return {fmt::format("step    {}", e.step), "ptx     " + e.ptx,
            fmt::format("lanes   {:08x}", e.active), fmt::format("writes  {}", e.writes.size())};
  }
  Words operator()(const trace::Access& e) const {
    return {fmt::format("step   {}", e.step), "ptx    " + e.instruction,
            fmt::format("lanes  {:08x}", e.active),
            fmt::format("bytes  {} a lane", e.bytes_per_lane)};
  }
  Words operator()(const trace::Diagnostic& e) const {
    return {"kind  " + e.kind, "says  " + e.message};
  }
  Words operator()(const trace::Sync& e) const { return {e.action + " " + e.object}; }
};

bool wrote_64_bits(const trace::Trace& trace, int event) {
  const auto* step = event < 0
                         ? nullptr
                         : std::get_if<trace::Step>(&trace.events[static_cast<std::size_t>(event)]);
  return step != nullptr && std::any_of(step->writes.begin(), step->writes.end(),
                                        [](const trace::Write& w) { return w.bits == 64; });
}

std::string file_name(const std::string& path, int folders) {
  std::size_t at = path.size();
  for (int k = 0; k <= folders && at != std::string::npos && at > 0; ++k)
    at = path.rfind('/', at - 1);
  return at == std::string::npos || at == 0 ? path : path.substr(at + 1);
}

}  // namespace

std::string Comparison::name(int side) const {
  if (of_maps()) return paths[static_cast<std::size_t>(side)];
  const auto of = [this](int which, int folders) {
    return file_name(paths[static_cast<std::size_t>(which)], folders);
  };
  const int least = of(side, 0) == "recorded.lanes" ? 1 : 0;
  for (int folders = 0; folders < 8; ++folders)
    if (of(0, folders) != of(1, folders)) return of(side, std::max(folders, least));
  return of(side, least);
}

std::string Comparison::device(int side) const {
  if (of_maps()) {
    const layout::MapOf& of = side == 0 ? maps[0].a : maps[0].b;
    return of.mover != nullptr
               ? fmt::format("{}, {}", of.mover->source, layout::name(of.mover->standing))
               : fmt::format("{}, {}", of.instruction->source,
                             layout::name(of.instruction->standing));
  }
  const trace::Header& h = traces[static_cast<std::size_t>(side)].header;
  return h.arch.empty() ? h.device : fmt::format("{}, {}", h.device, h.arch);
}

std::string Comparison::verdict() const {
  if (of_maps()) {
    std::string alike, other;
    for (const layout::Pair& pair : maps) {
      const bool same = pair.whole() && layout::beside(*pair.a.map, *pair.b.map).one_map();
      std::string& names = same ? alike : other;
      names += (names.empty() ? "" : ", ") + std::string(layout::operand_name(pair.operand));
    }
    if (other.empty()) return "The same maps: " + alike;
    return alike.empty() ? "Different maps: " + other
                         : fmt::format("Different maps: {}; the same: {}", other, alike);
  }
  if (all.empty())
    return fmt::format("The same, {}: {}", moved > 0 ? "but for addresses" : "bit for bit",
                       trace::what_is_compared(traces[0], traces[1]));
  const bool one_program = traces[0].header.program == traces[1].header.program;
  return fmt::format("{} difference{}{}{}", all.size(), all.size() == 1 ? "" : "s",
                     more ? " and more" : "", one_program ? "" : ", of different programs");
}

std::string Comparison::left_out() const {
  if (of_maps()) return {};
  if (moved > 0)
    return fmt::format(
        "{} step{} in addresses alone, each of the same byte of the same "
        "allocation: not counted",
        moved, moved == 1 ? " differs" : "s differ");
  const bool of_steps = std::any_of(all.begin(), all.end(), [this](const trace::Difference& d) {
    return wrote_64_bits(traces[0], d.a_event) && wrote_64_bits(traces[1], d.b_event);
  });
  if (addresses.known() || !of_steps) return {};
  return "addresses in registers count, too: not both traces say where memory lay (recorded anew, "
         "they do)";
}

// "step 4 of launch 0, block 0,0,0, warp 0 (shl.b32 %r2, %r1, 2;)".
ListedDifference listed(const trace::Difference& difference) {
  const std::string& event = difference.event;
  const std::size_t of = event.find(" of ");
  ListedDifference words{event.substr(0, of), "", ""};
  if (of == std::string::npos) return words;
  words.place = event.substr(of + 4);
  const std::size_t open = words.place.find(" (");
  if (!words.name.starts_with("step ") || open == std::string::npos || !words.place.ends_with(')'))
    return words;
  words.instruction = words.place.substr(open + 2, words.place.size() - open - 3);
  words.place.resize(open);
  return words;
}

std::size_t Comparison::first_to_show() const {
  if (of_maps()) {
    for (std::size_t k = 0; k < maps.size(); ++k)
      if (maps[k].whole() && !layout::beside(*maps[k].a.map, *maps[k].b.map).one_map()) return k;
    return 0;
  }
  const auto is_launch = [this](const trace::Difference& d) {
    const int side = d.a_event >= 0 ? 0 : 1;
    const auto& events = traces[static_cast<std::size_t>(side)].events;
    const int at = side == 0 ? d.a_event : d.b_event;
    return at >= 0 && std::holds_alternative<trace::Launch>(events[static_cast<std::size_t>(at)]);
  };
  const auto in_both = [](const trace::Difference& d) { return d.a_event >= 0 && d.b_event >= 0; };
  if (all.empty() || !is_launch(all.front())) return 0;
  for (std::size_t k = 1; k < all.size(); ++k)
    if (in_both(all[k]) && !is_launch(all[k])) return k;
  return 0;
}

std::vector<std::string> lines_of(const Comparison& comparison, const Compared& compared,
                                  int side) {
  const auto at = static_cast<std::size_t>(side);
  if (compared.of[at] != nullptr) return std::visit(Lines{}, *compared.of[at]);
  if (!comparison.all.empty()) return {};
  const trace::Header& h = comparison.traces[at].header;
  return {"program  " + h.program, "by       " + h.producer, "command  " + h.command,
          "has      " + trace::what_is_compared(comparison.traces[at], comparison.traces[at])};
}

std::string read_words(const Comparison& comparison, std::string_view words, std::size_t& index,
                       int& row, int& col) {
  const std::string text(words.substr(0, 60));
  const auto whole = [&text](int read) { return read == static_cast<int>(text.size()); };
  int number = 0, r = -1, k = -1, read = 0;
  if (std::sscanf(text.c_str(), " %6d , %6d %n", &r, &k, &read) == 2 && whole(read)) {
    number = static_cast<int>(index) + 1;
  } else if (r = k = -1;
             std::sscanf(text.c_str(), " %6d %6d , %6d %n", &number, &r, &k, &read) != 3 ||
             !whole(read)) {
    r = k = -1;
    if (std::sscanf(text.c_str(), " %6d %n", &number, &read) != 1 || !whole(read))
      return "write 2 for the second difference, 9,5 for a row and a column, or both: 2 9,5";
  }
  if (number < 1 || number > static_cast<int>(comparison.all.size()))
    return fmt::format("no difference {}: there are {}", number, comparison.all.size());
  const auto chosen = static_cast<std::size_t>(number - 1);
  const Compared there = look_at(comparison, chosen);
  if (r >= there.rows || k >= there.cols || (k >= 0 && r < 0))
    return there.rows == 0 ? fmt::format("difference {} has words only", number)
                           : fmt::format("no cell {},{}: rows are 0 to {}, columns 0 to {}", r, k,
                                         there.rows - 1, there.cols - 1);
  index = chosen;
  row = r;
  col = k;
  return {};
}

}  // namespace lanescope::viz
