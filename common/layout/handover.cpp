// SPDX-License-Identifier: MIT
// Elements of both fragments are looked up in the smallest matrix that whole fragments of either
// kind make.
#include "layout/handover.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>

#include "layout/formula.hpp"
#include "layout/rows.hpp"

namespace lanescope::layout {
namespace {

constexpr std::size_t kMostRegisters = 16;  // of them a line each; more are alike

/// A place in one of several fragments.
struct Place {
  int fragment = 0;
  Holder holder;
};

/// Of every element of a matrix, those who hold it.
using Holders = std::vector<std::vector<Place>>;

/// A fragment as often as the matrix has room for it: row after row of them.
struct Tiling {
  const Fragment& f;
  int rows, cols;  // of the matrix

  int across() const { return cols / f.cols; }
  int count() const { return rows / f.rows * across(); }
  Element element(int fragment, const Element& e) const {
    return {e.row + fragment / across() * f.rows, e.col + fragment % across() * f.cols, e.matrix};
  }
  std::size_t index(const Element& e) const {
    return static_cast<std::size_t>((e.matrix * rows + e.row) * cols + e.col);
  }
  Holders holders() const {
    Holders all(static_cast<std::size_t>(f.matrices * rows * cols));
    for (int fragment = 0; fragment < count(); ++fragment)
      for (const Held& held : register_layout(f))
        all[index(element(fragment, held.element))].push_back({fragment, held.holder});
    return all;
  }
};

struct Both {
  Tiling from, to;
};

Both both(const Fragment& from, const Fragment& to) {
  const int rows = std::lcm(from.rows, to.rows), cols = std::lcm(from.cols, to.cols);
  return {{from, rows, cols}, {to, rows, cols}};
}

/// A's columns and B's rows are k.
bool k_is_col(const Fragment& to) { return to.operand == 'A'; }
bool has_k(const Fragment& to) { return to.operand == 'A' || to.operand == 'B'; }

/// Where k of `to` stands for another of `from`.
Element ordered(const Fragment& to, const std::vector<int>& order, Element e) {
  int& k = k_is_col(to) ? e.col : e.row;
  if (!order.empty()) k = order[static_cast<std::size_t>(k)];
  return e;
}

/// The k's that a thread holds of each row of A (column of B), in the order of its registers.
std::map<int, std::vector<int>> ks_of(const Tiling& tiling, int thread, bool col) {
  std::map<int, std::vector<int>> all;
  if (!tiling.f.provided_by(thread)) return all;
  for (int fragment = 0; fragment < tiling.count(); ++fragment)
    for (int value = 0; value < tiling.f.values; ++value) {
      const Element e = tiling.element(fragment, tiling.f.element(thread, value));
      all[col ? e.row : e.col].push_back(col ? e.col : e.row);
    }
  return all;
}

/// An order of k in which every thread keeps what it has: its first k of a row is taken for the
/// first that it is to have, and so on. All threads have to agree.
std::vector<int> keeping_order(const Both& of) {
  if (!has_k(of.to.f) || of.to.f.matrices > 1) return {};
  const bool col = k_is_col(of.to.f);
  std::vector<int> order(static_cast<std::size_t>(col ? of.to.cols : of.to.rows), -1);
  for (int thread = 0; thread < of.to.f.threads(); ++thread) {
    const auto has = ks_of(of.from, thread, col), wants = ks_of(of.to, thread, col);
    for (const auto& [row, ks] : wants) {
      const auto there = has.find(row);
      if (there == has.end() || there->second.size() != ks.size()) return {};
      for (std::size_t at = 0; at < ks.size(); ++at) {
        int& known = order[static_cast<std::size_t>(ks[at])];
        if (known >= 0 && known != there->second[at]) return {};
        known = there->second[at];
      }
    }
  }
  return order;
}

/// Of those who hold an element, this thread, or else the first.
const Place& nearest(const std::vector<Place>& holders, int thread) {
  for (const Place& place : holders)
    if (place.holder.thread == thread) return place;
  return holders.front();
}

std::string name_of(const Party& party, int fragment, int count) {
  const std::string_view operand = operand_name(party.map->operand);
  return count == 1 ? std::string(operand) : fmt::format("{}{}", operand, fragment);
}

/// A line a register of `to`: the parts that it is made of, from the low bits up. Those of other
/// threads say whose they are.
std::vector<std::string> register_lines(const Handover& h, const Both& of, const Holders& holders,
                                        int thread, const std::vector<int>& order) {
  std::vector<std::string> lines;
  for (int fragment = 0; fragment < of.to.count(); ++fragment)
    for (int reg = 0; reg < of.to.f.registers(); ++reg) {
      std::string line = fmt::format(
          "  {:<8}", fmt::format("{}.r{}", name_of(h.to, fragment, of.to.count()), reg));
      for (const Held& held : elements(of.to.f, thread, reg)) {
        const Element e = ordered(of.to.f, order, of.to.element(fragment, held.element));
        const Place& place = nearest(holders[of.from.index(e)], thread);
        const bool own = place.holder.thread == thread;
        line += fmt::format(
            "  {:<8}", fmt::format("{}{}.{}", own ? "" : fmt::format("{}:", place.holder.thread),
                                   name_of(h.from, place.fragment, of.from.count()),
                                   register_name(of.from.f, place.holder)));
      }
      lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
    }
  return lines;
}

std::string table(const Handover& h, const Both& of, int thread, const std::vector<int>& order,
                  bool all_stay) {
  const std::string_view word = thread_word(of.to.f);
  const Holders holders = of.from.holders();
  const std::vector<std::string> lines = register_lines(h, of, holders, thread, order);
  bool alike = all_stay;
  for (int other = 0; alike && other < of.to.f.threads(); ++other)
    alike = register_lines(h, of, holders, other, order) == lines;
  std::string out = fmt::format("{} {}, parts of a register from the low bits up{}\n",
                                alike ? "every" : word, alike ? word : fmt::to_string(thread),
                                all_stay ? "" : fmt::format("; 4:D.r0 is D.r0 of {} 4", word));
  for (std::size_t at = 0; at < lines.size() && at < kMostRegisters; ++at) out += lines[at] + "\n";
  if (lines.size() > kMostRegisters)
    out += fmt::format("  ... and {} more registers\n", lines.size() - kMostRegisters);
  return out;
}

std::string heading(const Party& party, int down, int across) {
  const Fragment& f = *party.map;
  std::string many;
  if (down * across > 1 && down == 1) many = fmt::format(", {} side by side", across);
  if (down * across > 1 && across == 1) many = fmt::format(", {} below each other", down);
  if (down > 1 && across > 1) many = fmt::format(", {} x {}, row after row", down, across);
  return fmt::format("{} of {}\n  {} {} x {}{}\n", operand_name(f.operand),
                     party.instruction->mnemonic, name(f.type), f.rows, f.cols, many);
}

}  // namespace

std::string problem(const Party& from, const Party& to) {
  for (const Party& party : {from, to}) {
    const char operand = party.map->operand;
    if (operand < 'A' || operand > 'D')
      return fmt::format("{} of {} is no matrix that another becomes: A, B, C and D are",
                         operand_name(operand), party.instruction->mnemonic);
    if (operand == 'A' && !party.instruction->E.empty())
      return fmt::format(
          "A of {} is stored without half of its columns, and its metadata say which",
          party.instruction->mnemonic);
  }
  const auto whose = [](const Party& party) {
    return fmt::format("{} of {} {}s", operand_name(party.map->operand), party.map->threads(),
                       thread_word(*party.map));
  };
  if (from.map->threads() != to.map->threads())
    return fmt::format("{} cannot become {}", whose(from), whose(to));
  if (from.map->matrices != to.map->matrices)
    return fmt::format("{} has {} matrices, {} of the other has {}",
                       operand_name(from.map->operand), from.map->matrices,
                       operand_name(to.map->operand), to.map->matrices);
  return {};
}

Handover handover(const Party& from, const Party& to) {
  const Both of = both(*from.map, *to.map);
  Handover h{from, to};
  h.from_across = of.from.across();
  h.from_down = of.from.count() / h.from_across;
  h.to_across = of.to.across();
  h.to_down = of.to.count() / h.to_across;
  const Holders holders = of.from.holders(), wanted = of.to.holders();
  h.elements = static_cast<int>(wanted.size());
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    bool stays = true;
    for (const Place& place : wanted[at])
      stays =
          stays && nearest(holders[at], place.holder.thread).holder.thread == place.holder.thread;
    h.staying += stays ? 1 : 0;
  }
  if (h.staying < h.elements) h.order = keeping_order(of);
  return h;
}

std::string text(const Handover& h, int thread) {
  const Both of = both(*h.from.map, *h.to.map);
  const std::string_view word = thread_word(of.to.f);
  const bool all_stay = h.staying == h.elements;
  std::string out = heading(h.from, h.from_down, h.from_across) + "becomes " +
                    heading(h.to, h.to_down, h.to_across);
  out += fmt::format("\n{} of {} elements are in their {}{}.\n\n", h.staying, h.elements, word,
                     all_stay ? ": none has to change it" : "; the others have to change it");
  out += table(h, of, thread, {}, all_stay);
  if (h.order.empty()) return out;
  const bool a = k_is_col(of.to.f);
  out += fmt::format(
      "\nWith k in another order none has to: {0} 0, 1, ... of {1} are these {0} of {2}, and {3} "
      "likewise.\n ",
      a ? "columns" : "rows", operand_name(of.to.f.operand), operand_name(of.from.f.operand),
      a ? "B's rows" : "A's columns");
  for (const int k : h.order) out += fmt::format(" {}", k);
  return out + "\n\n" + table(h, of, thread, h.order, true);
}

}  // namespace lanescope::layout
