// SPDX-License-Identifier: MIT
// See diagnose.hpp. A mistake is a map of its own: for every slot (lane, register, part) the place
// in the matrix that its element came from. The first map that explains every slot is the answer.
#include "trace/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <optional>

#include "layout/instruction.hpp"
#include "layout/swizzle.hpp"
#include "numeric/format.hpp"
#include "trace/compared.hpp"

namespace lanescope::trace {
namespace {

using layout::Element;
using layout::Held;

/// Whether `places` explains every slot.
bool explains(const Case& c, const Places& places, const Matrix& matrix) {
  for (const Held& slot : c.slots) {
    const Element e = places(c, slot);
    if (matrix.at(e.row, e.col) != c.found(slot)) return false;
  }
  return true;
}

bool shaped(const Case& c) {
  const auto& registers = c.fragment->registers;
  if (static_cast<int>(registers.size()) != c.map->registers()) return false;
  for (const auto& reg : registers)
    if (static_cast<int>(reg.size()) != c.map->threads()) return false;
  return c.map->register_bits == c.fragment->register_bits;
}

// ---- The mistakes -------------------------------------------------------------------------------

struct Mistake {
  const char* kind;
  std::string words, advice;
  Places places;
};

int value_of(const Case& c, int reg, int part) { return reg * c.parts() + part; }
int part_of(const Case& c, const Held& slot) { return slot.holder.value % c.parts(); }

Mistake transposed_blocks() {
  return {"transposed", "every 8 x 8 matrix is transposed",
          "an ldmatrix has a .trans too many, or too few", [](const Case& c, const Held& slot) {
            const Element e = slot.element;
            return c.home({e.row / 8 * 8 + e.col % 8, e.col / 8 * 8 + e.row % 8});
          }};
}

Mistake rows_and_columns() {
  return {"row-and-column", "rows and columns are exchanged: this is the transposed matrix",
          "the row is where the column should be in an index; or the matrix lies transposed in "
          "memory",
          [](const Case& c, const Held& slot) {
            const Element home = c.home(slot.element);
            return Element{home.col, home.row};
          }};
}

Mistake registers_exchanged(const Case& c, int one, int other) {
  const char letter = static_cast<char>(std::tolower(c.fragment->operand[0]));
  return {"registers-exchanged",
          fmt::format("registers {0}{1} and {0}{2} are exchanged", letter, one, other),
          "which block of the matrix is in which register? `lanescope layout` says it",
          [one, other](const Case& now, const Held& slot) {
            const int reg = slot.holder.register_index;
            const int from = reg == one ? other : reg == other ? one : reg;
            return now.home_of(slot.holder.thread, value_of(now, from, part_of(now, slot)));
          }};
}

Mistake neighbours_exchanged(const Case& c) {
  const bool registers = c.parts() == 1;
  return {registers ? "registers-exchanged" : "wrong-half",
          fmt::format("the two {} of every pair are exchanged",
                      registers ? "registers" : "neighbouring parts"),
          "the element with the smaller index comes first: the lower register, the lower bits",
          [registers](const Case& now, const Held& slot) {
            const int reg = slot.holder.register_index, part = part_of(now, slot);
            return now.home_of(slot.holder.thread, registers ? value_of(now, reg ^ 1, 0)
                                                             : value_of(now, reg, part ^ 1));
          }};
}

Mistake halves_exchanged() {
  return {"wrong-half", "the parts of every register are in the opposite order",
          "the element with the smaller index belongs into the low bits",
          [](const Case& c, const Held& slot) {
            return c.home_of(slot.holder.thread, value_of(c, slot.holder.register_index,
                                                          c.parts() - 1 - part_of(c, slot)));
          }};
}

Mistake one_half_twice(int part) {
  return {"wrong-half", fmt::format("all parts of a register hold what belongs into part {}", part),
          "a register takes different elements in its parts: which are the neighbours?",
          [part](const Case& c, const Held& slot) {
            return c.home_of(slot.holder.thread, value_of(c, slot.holder.register_index, part));
          }};
}

Mistake groups_exchanged() {
  return {"row-and-column", "groupID and threadID_in_group are exchanged",
          "groupID is lane >> 2, threadID_in_group is lane % 4",
          [](const Case& c, const Held& slot) {
            const int lane = slot.holder.thread;
            const int other = lane / 32 * 32 + lane % 8 * 4 + lane % 32 / 8;
            return c.home_of(other, slot.holder.value);
          }};
}

Mistake shifted(const Case& c, int rows, int cols) {
  const bool is_a = c.fragment->operand == "A";
  const int along_k = is_a ? cols : rows;
  const int step = is_a ? c.map->cols : c.map->rows;
  const std::string direction = along_k > 0 ? "ahead" : "behind";
  return {"k-step",
          std::abs(along_k) == step ? fmt::format("it is one step of k {}", direction)
          : along_k % step == 0
              ? fmt::format("it is {} steps of k {}", std::abs(along_k) / step, direction)
              : fmt::format("it is {} elements of k {}", std::abs(along_k), direction),
          "the tile of another step: is the address advanced by k at the right time, and is it the "
          "right stage?",
          [rows, cols](const Case& now, const Held& slot) {
            const Element home = now.home(slot.element);
            return Element{home.row + rows, home.col + cols};
          }};
}

Mistake swizzled(layout::Swizzle mode) {
  return {"swizzle-one-side",
          fmt::format("the 16-byte units are where the {} swizzle puts them: swizzled on one side "
                      "only",
                      layout::name(mode)),
          "who stores the tile and who loads it must use the same swizzle",
          [mode](const Case& c, const Held& slot) {
            Element home = c.home(slot.element);
            if (c.matrix->transposed()) std::swap(home.row, home.col);
            const int bits = c.matrix->element_bits(), row_bytes = c.matrix->row_bytes();
            if (bits < 8 || row_bytes == 0 ||
                !c.matrix->at(c.home(slot.element).row, c.home(slot.element).col))
              return Element{-1, -1};
            const auto offset =
                static_cast<std::uint32_t>(home.row * row_bytes + home.col * bits / 8);
            const auto moved = static_cast<int>(layout::swizzled(offset, mode));
            Element e{moved / row_bytes, moved % row_bytes * 8 / bits};
            if (c.matrix->transposed()) std::swap(e.row, e.col);
            return e;
          }};
}

std::vector<Mistake> mistakes_for(const Case& c) {
  std::vector<Mistake> all{transposed_blocks(), rows_and_columns(), halves_exchanged(),
                           groups_exchanged()};
  for (int other = 1; other < c.map->registers() && other < 8; ++other)
    for (int one = 0; one < other; ++one) all.push_back(registers_exchanged(c, one, other));
  for (int part = 0; c.parts() > 1 && part < c.parts(); ++part) all.push_back(one_half_twice(part));
  if (c.parts() > 2 || (c.parts() == 1 && c.map->registers() % 2 == 0))
    all.push_back(neighbours_exchanged(c));
  for (layout::Swizzle mode : {layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128})
    all.push_back(swizzled(mode));
  const bool is_a = c.fragment->operand == "A", is_b = c.fragment->operand == "B";
  if (is_a || is_b) {
    const int step = is_a ? c.map->cols : c.map->rows;
    // As many steps as a ring usually has stages.
    for (const int by : {step, -step, step / 2, -step / 2, 2 * step, -2 * step, 3 * step, -3 * step,
                         4 * step, -4 * step})
      all.push_back(shifted(c, is_a ? 0 : by, is_a ? by : 0));
  }
  return all;
}

// ---- Wrong addresses of single lanes ------------------------------------------------------------

/// Eight elements that one lane's address fetches: 16 bytes, a row of an 8 x 8 matrix as it lies in
/// memory.
struct Fetch {
  int lane = 0;               // that names it to ldmatrix
  Element home;               // where it should begin in the matrix
  std::optional<Element> is;  // where it does begin
  bool right = true;
};

/// `across`: the eight are the row's four lanes with two parts each; else, as .trans has it, one
/// part of every group.
Fetch fetch_of(const Case& c, int reg, int row, bool across) {
  Fetch fetch;
  fetch.lane = reg * 8 + row;
  std::vector<std::uint64_t> words;
  for (int i = 0; i < 8; ++i) {
    const int lane = across ? row * 4 + i / 2 : i * 4 + row / 2;
    const int value = reg * 2 + (across ? i % 2 : row % 2);
    const Element home = c.home_of(lane, value);
    if (i == 0) fetch.home = home;
    words.push_back(c.found({c.map->holder(lane, value), {}}));
    fetch.right = fetch.right && c.matrix->at(home.row, home.col) == words.back();
  }
  const bool down = c.matrix->transposed();  // which way 16 bytes of memory run in the matrix
  for (int r = 0; !fetch.right && r < c.matrix->rows(); r += down ? 8 : 1)
    for (int col = 0; !fetch.is && col < c.matrix->cols(); col += down ? 1 : 8) {
      bool same = true;
      for (int i = 0; same && i < 8; ++i)
        same = c.matrix->at(r + (down ? i : 0), col + (down ? 0 : i)) ==
               words[static_cast<std::size_t>(i)];
      if (same) fetch.is = Element{r, col};
    }
  return fetch;
}

/// Every wrong element came from an address that some lane got wrong, or nothing.
std::optional<Mistake> wrong_addresses(const Case& c) {
  const bool is_b = c.fragment->operand == "B";
  if (c.map->element_bits != 16 || c.map->threads() != 32 || c.map->registers() > 4 ||
      (c.fragment->operand != "A" && !is_b))
    return {};
  const bool across = is_b == c.matrix->transposed();  // else .trans is needed
  std::optional<Fetch> first;
  int wrong = 0;
  for (int reg = 0; reg < c.map->registers(); ++reg)
    for (int row = 0; row < 8; ++row) {
      const Fetch fetch = fetch_of(c, reg, row, across);
      if (fetch.right) continue;
      if (!fetch.is) return {};
      if (!first) first = fetch;
      ++wrong;
    }
  if (!first) return {};
  return Mistake{
      "lane-address",
      fmt::format("lane {} names a wrong row to ldmatrix: it begins at {},{} instead of "
                  "{},{}{}",
                  first->lane, first->is->row, first->is->col, first->home.row, first->home.col,
                  wrong > 1 ? fmt::format("; {} others do so too", wrong - 1) : ""),
      "look at the address expression for that lane", nullptr};
}

// ---- Stale memory -------------------------------------------------------------------------------

/// Every wrong element is the same pattern: memory that nobody has written.
std::optional<Mistake> never_written(const Case& c, const std::vector<const Held*>& wrong) {
  const std::uint64_t pattern = c.found(*wrong.front());
  for (const Held* slot : wrong)
    if (c.found(*slot) != pattern) return {};
  const bool poison = low_bits(~pattern, c.map->element_bits) == 0;
  if (wrong.size() < 8 || (!poison && pattern != 0)) return {};
  return Mistake{"stale",
                 fmt::format("{} of {} elements are {}: nothing was loaded, or it was read before "
                             "anybody had written it",
                             wrong.size(), c.slots.size(), poison ? "NaNs, all bits 1" : "0"),
                 "are these registers loaded at all? From shared memory: is there a wait "
                 "(cp.async.wait_group) and a barrier before the read?",
                 nullptr};
}

// ---- Finding the matrix of a fragment -----------------------------------------------------------

bool names(const std::string& name, char operand) {
  if (name.empty() || std::toupper(static_cast<unsigned char>(name[0])) != operand) return false;
  return name.size() == 1 || std::isalpha(static_cast<unsigned char>(name[1])) == 0;
}

bool stored_transposed(const std::string& name) {
  const std::string first = name.substr(0, name.find(' '));
  return first.size() > 2 && first.compare(first.size() - 2, 2, "_t") == 0;
}

/// The number behind "k=" in "A m=8 k=16", or 0.
int number_behind(const std::string& name, const char* key) {
  const std::size_t at = name.find(key);
  if (at == std::string::npos) return 0;
  return static_cast<int>(
      std::clamp(std::strtol(name.c_str() + at + 2, nullptr, 10), 0l, 1000000l));
}

bool types_agree(const Memory& memory, const layout::Fragment& map) {
  if (memory.type == layout::name(map.type)) return true;
  const auto type = layout::element_type(memory.type);
  const bool f32_as_tf32 = memory.type == "f32" && map.type == layout::ElementType::tf32;
  return f32_as_tf32 ||
         (type && layout::info(*type).bits == map.element_bits && map.element_bits == 16);
}

struct Source {
  int event = -1;
  Matrix matrix;
};

/// Every recorded matrix that the fragment's elements could be from, the likeliest first: of this
/// launch and block, in global memory before shared.
std::vector<Source> sources_for(const Trace& trace, const Fragment& fragment,
                                const layout::Fragment& map) {
  std::vector<Source> all;
  for (const char* space : {"global", "shared"})
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
      const auto* memory = std::get_if<Memory>(&trace.events[i]);
      if (memory == nullptr || memory->space != space || memory->rows <= 0) continue;
      if (memory->place.launch != fragment.place.launch) continue;
      if (memory->space == "shared" && memory->place.block != fragment.place.block) continue;
      if (!names(memory->name, map.operand) || !types_agree(*memory, map)) continue;
      bool transposed = stored_transposed(memory->name);
      const bool fits = memory->rows >= map.rows && memory->cols >= map.cols;
      if (!fits && memory->cols >= map.rows && memory->rows >= map.cols) transposed = true;
      Matrix matrix(*memory, map.element_bits, transposed);
      if (matrix.rows() >= map.rows && matrix.cols() >= map.cols)
        all.push_back({static_cast<int>(i), matrix});
    }
  return all;
}

// ---- One fragment -------------------------------------------------------------------------------

std::string place_of(const Case& c, const Held& slot) {
  const layout::Holder& h = slot.holder;
  std::string part;
  if (c.parts() == 2) part = part_of(c, slot) == 0 ? ", low half" : ", high half";
  if (c.parts() > 2) part = fmt::format(", part {}", part_of(c, slot));
  return fmt::format("lane {}, {}.r{}{}", h.thread, c.fragment->operand, h.register_index, part);
}

std::string text_of(const Case& c, std::uint64_t bits) {
  return numeric::to_text(layout::name(c.map->type), bits).value_or(fmt::format("0x{:x}", bits));
}

std::vector<const Held*> wrong_slots(const Case& c) {
  std::vector<const Held*> wrong;
  for (const Held& slot : c.slots) {
    const Element home = c.home(slot.element);
    if (c.matrix->at(home.row, home.col) != c.found(slot)) wrong.push_back(&slot);
  }
  return wrong;
}

void set(Diagnosis& d, const Mistake& mistake) {
  d.verdict = Verdict::mistake;
  d.kind = mistake.kind;
  d.mistake = mistake.words;
  d.advice = mistake.advice;
}

/// A matrix in global memory is larger than a block's share: where does this block's begin?
void find_beginning(Case& c) {
  const std::string& name = c.fragment->name;
  const char operand = c.map->operand;
  c.first_row = number_behind(name, operand == 'B' ? "k=" : "m=");
  c.first_col = number_behind(name, operand == 'A' ? "k=" : "n=");
  if (c.matrix->memory().space != "global" || explains(c, right_place, *c.matrix)) return;
  // Along k only the name can tell; along the other way the block's own tile is looked for.
  const Case named = c;
  if (operand != 'B')
    for (int row = 0; row + c.map->rows <= c.matrix->rows(); row += c.map->rows) {
      c.first_row = row;
      if (explains(c, right_place, *c.matrix)) return;
    }
  c = named;
  if (operand != 'A')
    for (int col = 0; col + c.map->cols <= c.matrix->cols(); col += c.map->cols) {
      c.first_col = col;
      if (explains(c, right_place, *c.matrix)) return;
    }
  c = named;
}

/// What else would explain a fragment that is right: then the matrix cannot tell the two apart.
std::string cannot_tell(const Case& c) {
  std::vector<Mistake> alike{transposed_blocks(), rows_and_columns()};
  if (c.parts() > 1) alike.push_back(halves_exchanged());
  for (const Mistake& mistake : alike)
    if (explains(c, mistake.places, *c.matrix))
      return fmt::format("this matrix cannot tell: it would look the same if {}", mistake.words);
  return {};
}

void judge(Diagnosis& d, Case& c, const std::vector<Source>& sources) {
  d.elements = static_cast<int>(c.slots.size());
  const std::vector<const Held*> wrong = wrong_slots(c);
  d.wrong = static_cast<int>(wrong.size());
  if (wrong.empty()) {
    d.verdict = Verdict::right;
    d.note = cannot_tell(c);
    return;
  }
  const Held& first = *wrong.front();
  const Element home = c.home(first.element);
  d.lane = first.holder.thread;
  d.register_index = first.holder.register_index;
  d.first = fmt::format(
      "{}: expected {}[{}][{}] = {}, found {}", place_of(c, first), c.fragment->operand, home.row,
      home.col,
      c.matrix->at(home.row, home.col) ? text_of(c, *c.matrix->at(home.row, home.col)) : "nothing",
      text_of(c, c.found(first)));
  if (const auto poison = never_written(c, wrong)) return set(d, *poison);
  for (const Mistake& mistake : mistakes_for(c))
    if (explains(c, mistake.places, *c.matrix)) return set(d, mistake);
  for (const Source& other : sources) {
    if (other.event == d.matrix || !explains(c, right_place, other.matrix)) continue;
    return set(
        d, {"stale",
            fmt::format("it is another tile: \"{}\", not \"{}\"", other.matrix.memory().name,
                        c.matrix->memory().name),
            "shared memory still holds the tile before: is there a wait and a barrier?", nullptr});
  }
  if (const auto address = wrong_addresses(c)) return set(d, *address);
  d.verdict = Verdict::unknown;
  d.mistake = "not one of the known mistakes";
  d.advice = "begin with the element above: which lane had it, and where did that lane get it?";
}

Diagnosis diagnose_one(const Trace& trace, int index) {
  Diagnosis d;
  d.fragment = index;
  const Fragment& fragment = std::get<Fragment>(trace.events[static_cast<std::size_t>(index)]);
  const layout::Instruction* instruction = layout::find(fragment.instruction);
  Case c;
  c.fragment = &fragment;
  if (instruction != nullptr && fragment.operand.size() == 1)
    c.map = instruction->operand(fragment.operand[0]);
  if (c.map == nullptr || !shaped(c)) {
    d.mistake = "the atlas has no map of it";
    return d;
  }
  c.slots = layout::register_layout(*c.map);
  const std::vector<Source> sources = sources_for(trace, fragment, *c.map);
  if (sources.empty()) {
    d.mistake = fmt::format("the trace has no matrix {} of type {} to compare it with",
                            fragment.operand, layout::name(c.map->type));
    return d;
  }
  // Right by any of them is right, but a matrix in global memory says what was meant.
  for (const Source& source : sources) {
    c.matrix = &source.matrix;
    d.matrix = source.event;
    find_beginning(c);
    if (explains(c, right_place, source.matrix)) break;
    if (source.matrix.memory().space == "global") break;
  }
  if (!explains(c, right_place, *c.matrix)) {
    c.matrix = &sources.front().matrix;
    d.matrix = sources.front().event;
    find_beginning(c);
  }
  judge(d, c, sources);
  return d;
}

}  // namespace

std::vector<Diagnosis> diagnose(const Trace& trace) {
  std::vector<Diagnosis> all;
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    if (std::holds_alternative<Fragment>(trace.events[i]))
      all.push_back(diagnose_one(trace, static_cast<int>(i)));
  return all;
}

const std::vector<KnownMistake>& known_mistakes() {
  static const std::vector<KnownMistake> all{
      {"transposed", "every 8 x 8 matrix transposed: a .trans too many or too few"},
      {"row-and-column", "rows and columns exchanged, or groupID and threadID_in_group"},
      {"registers-exchanged", "two registers exchanged, such as a1 and a2"},
      {"wrong-half", "the parts of a register exchanged, or one of them in all"},
      {"k-step", "off by a step of k, or by half a step"},
      {"swizzle-one-side", "a tile stored with a swizzle and loaded without, or the other way"},
      {"stale", "shared memory read before it was written, or the tile before"},
      {"lane-address", "a lane that names a wrong row to ldmatrix"},
  };
  return all;
}

}  // namespace lanescope::trace
