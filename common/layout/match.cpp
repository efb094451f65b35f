// SPDX-License-Identifier: MIT
#include "layout/match.hpp"

#include <algorithm>

namespace lanescope::layout {
namespace {

constexpr std::size_t npos = std::string_view::npos;

struct Term {
  std::vector<std::string_view> either;
  bool whole = false;
};

struct Entry {
  const Instruction* instruction;
  const Mover* mover;
  std::string name;  // and a dot, so that a type that ends it ends as others do
  std::string_view target;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether a name goes on in the middle of what the word has at this end: `inside` and `outside` are
// the characters of the word and behind it, `part` is what the word has there up to a dot.
bool torn(char inside, char outside, std::string_view part) {
  if (outside == '.') return false;
  return element_type(part).has_value() || (is_digit(inside) && is_digit(outside));
}

bool whole_at(std::string_view name, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  const std::string_view first = word.substr(0, word.find('.'));
  const std::size_t dot = word.rfind('.');
  const std::string_view last = dot == npos ? word : word.substr(dot + 1);
  return (at == 0 || !torn(word.front(), name[at - 1], first)) &&
         (end == name.size() || !torn(word.back(), name[end], last));
}

std::size_t find_whole(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != npos; at = name.find(word, at + 1))
    if (whole_at(name, at, word)) return at;
  return npos;
}

bool has_target(std::string_view targets, std::string_view wanted) {
  const std::vector<std::string_view> all = split(targets, " ");
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

bool has(const Entry& entry, std::string_view word, bool whole) {
  const std::string_view rest = word.substr(1);
  const std::string_view name = entry.name;
  if (word.front() == '!') return name.find(rest) == npos;
  if (word.front() == '^') return name.substr(0, rest.size()) == rest;
  if (word.front() == '@') return has_target(entry.target, rest);
  return (whole ? find_whole(name, word) : name.find(word)) != npos;
}

bool has(const Entry& entry, const Term& term) {
  return std::any_of(term.either.begin(), term.either.end(),
                     [&](std::string_view word) { return has(entry, word, term.whole); });
}

std::vector<Entry> all_entries() {
  std::vector<Entry> all;
  for (const Instruction& i : instructions())
    all.push_back({&i, nullptr, i.mnemonic + ".", i.target});
  for (const Mover& m : movers()) all.push_back({nullptr, &m, m.mnemonic + ".", m.target});
  return all;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = all_entries();
  return all;
}

Found found_of(const std::vector<const Entry*>& entries) {
  Found found;
  for (const Entry* entry : entries) {
    if (entry->instruction != nullptr) found.instructions.push_back(entry->instruction);
    if (entry->mover != nullptr) found.movers.push_back(entry->mover);
  }
  return found;
}

Found with(std::vector<Term> terms) {
  std::vector<const Entry*> left;
  for (const Entry& entry : entries())
    if (std::all_of(terms.begin(), terms.end(), [&](const Term& t) { return has(entry, t); }))
      left.push_back(&entry);
  for (Term& term : terms) {
    term.whole = true;
    std::vector<const Entry*> meant;
    std::copy_if(left.begin(), left.end(), std::back_inserter(meant),
                 [&](const Entry* entry) { return has(*entry, term); });
    if (!meant.empty()) left = meant;
  }
  return found_of(left);
}

bool same_moves(const Moves& a, const Moves& b) { return a.count == b.count && a.bits == b.bits; }
// All but the names of operand and type.
bool same_map(const Fragment& a, const Fragment& b) {
  return a.rows == b.rows && a.cols == b.cols && a.matrices == b.matrices &&
         a.element_bits == b.element_bits && a.register_bits == b.register_bits &&
         a.values == b.values && same_moves(a.thread, b.thread) && same_moves(a.value, b.value) &&
         a.thread_mask == b.thread_mask && a.thread_match == b.thread_match &&
         a.low_padding == b.low_padding;
}

// "mma.m16n8k32.s8" of "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32".
bool has_pieces(const Entry& entry, std::string_view word) {
  const std::vector<std::string_view> wanted = split(word, "."), there = split(entry.name, ".");
  const bool from_the_start = !wanted.empty() && wanted.front() == there.front();
  std::size_t next = 0;
  for (const std::string_view piece : there)
    if (next < wanted.size() && piece == wanted[next])
      ++next;
    else if (from_the_start && piece.substr(0, 2) == "sp")
      return false;
  return next == wanted.size();
}

}  // namespace

bool same_maps(const Instruction& one, const Instruction& other, char operand) {
  const bool metadata = operand == 0 || operand == 'E';
  if (metadata && one.E.size() != other.E.size()) return false;
  for (const char letter : {'A', 'B', 'C', 'D', 'S', 'T'}) {
    if (operand != 0 && operand != letter) continue;
    const Fragment *a = one.operand(letter), *b = other.operand(letter);
    if ((a == nullptr) != (b == nullptr) || (a != nullptr && !same_map(*a, *b))) return false;
  }
  for (std::size_t selector = 0; metadata && selector < one.E.size(); ++selector)
    if (!same_map(one.E[selector], other.E[selector])) return false;
  return true;
}

const Mover* plain(const std::vector<const Mover*>& movers) {
  std::vector<const Mover*> left;
  for (const Mover* m : movers) {
    const bool qualified = std::any_of(movers.begin(), movers.end(), [&](const Mover* other) {
      for (const std::string_view qualifier : {".trans", ".pack::16b", ".unpack::16b"})
        if (const std::size_t at = m->mnemonic.find(qualifier); at != npos)
          if (std::string(m->mnemonic).erase(at, qualifier.size()) == other->mnemonic) return true;
      return false;
    });
    if (!qualified) left.push_back(m);
  }
  if (left.size() < 2) return left.empty() ? nullptr : left.front();
  const auto older = [](const Mover* a, const Mover* b) { return a->ptx < b->ptx; };
  const Mover* oldest = *std::min_element(left.begin(), left.end(), older);
  const bool alone = std::all_of(left.begin(), left.end(),
                                 [&](const Mover* m) { return m == oldest || older(oldest, m); });
  return alone ? oldest : nullptr;
}

const Instruction* only_dense(const std::vector<const Instruction*>& instructions) {
  const Instruction* dense = nullptr;
  for (const Instruction* i : instructions) {
    if (!i->E.empty()) continue;
    if (dense != nullptr) return nullptr;
    dense = i;
  }
  return dense;
}

std::vector<std::string_view> split(std::string_view text, std::string_view at_any) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(at_any, from), text.size());
    if (end > from) parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

Found with_words(std::string_view words) {
  std::vector<Term> terms;
  for (const std::string_view word : split(words, " ")) {
    if (word.find_first_of("!^@|") != npos) return {};  // no name has one
    terms.push_back({{word}});
  }
  return with(std::move(terms));
}

Found with_pieces(std::string_view words) {
  const std::vector<std::string_view> all = split(words, " ");
  std::vector<const Entry*> left;
  for (const Entry& entry : entries())
    if (std::all_of(all.begin(), all.end(),
                    [&](std::string_view word) { return has_pieces(entry, word); }))
      left.push_back(&entry);
  return found_of(left);
}

Found with_terms(std::string_view text) {
  std::vector<Term> terms;
  for (const std::string_view term : split(text, " ")) terms.push_back({split(term, "|")});
  return with(std::move(terms));
}

std::size_t place_of(std::string_view name, std::string_view word) {
  if (word.empty()) return npos;
  const std::size_t whole = find_whole(name, word);
  return whole != npos ? whole : name.find(word);
}

}  // namespace lanescope::layout
