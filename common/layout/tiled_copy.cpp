// SPDX-License-Identifier: MIT
#include "layout/tiled_copy.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "layout/cute_layout.hpp"
#include "layout/cute_words.hpp"
#include "layout/element_type.hpp"
#include "layout/spellings.hpp"

namespace lanescope::layout {
namespace {

constexpr std::string_view kBegin = "make_tiled_copy(";
constexpr int kMostThreads = 1024, kMostValues = 256;

/// Of "uint128_t", "half_t", "float": 128, 16, 32; 0: no type that is known.
int bits_of_type(std::string_view name) {
  name = cute::without_namespaces(name);
  name = name.substr(0, name.find_last_not_of(" {}") + 1);
  for (const int bits : {8, 16, 32, 64, 128})
    if (name == fmt::format("uint{}_t", bits)) return bits;
  const auto type = element_type(type_of_cxx(name));
  if (!type) return 0;
  return *type == ElementType::tf32 ? 32 : info(*type).bits;
}

/// "Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{}": an element's bits, and a copy's.
std::string read_atom(std::string_view words, ThreadValues& moved) {
  words = cute::without_namespaces(words);
  constexpr std::string_view kAtom = "Copy_Atom<";
  if (words.substr(0, kAtom.size()) != kAtom)
    return fmt::format("'{}' is no atom, as Copy_Atom<UniversalCopy<uint128_t>, half_t> is",
                       words.substr(0, 40));
  const std::vector<std::string_view> given = cute::arguments(words.substr(kAtom.size()));
  if (given.size() != 2) return "Copy_Atom has an operation and the type of an element";
  moved.bits = bits_of_type(given[1]);
  if (moved.bits == 0) return fmt::format("'{}' is no type of elements", given[1].substr(0, 40));
  const std::string_view operation = cute::without_namespaces(given[0]);
  for (const char* other : {"LDSM", "STSM", "TMA", "TMEM"})
    if (operation.find(other) != operation.npos)
      return fmt::format(
          "{} gives threads what others name; of ldmatrix and stmatrix the passes "
          "are told without it",
          operation.substr(0, 40));
  const std::size_t open = operation.find('<');
  const bool is_auto = operation.substr(0, 4) == "Auto" || operation.substr(0, 7) == "Default";
  if (is_auto || open == operation.npos) return {};
  const std::vector<std::string_view> type = cute::arguments(operation.substr(open + 1));
  moved.copy_bits = type.empty() ? 0 : bits_of_type(type[0]);
  if (moved.copy_bits == 0)
    return fmt::format("'{}' does not say how much it copies at once", operation.substr(0, 60));
  return {};
}

/// A layout of threads or values over rows and columns: where each number stands.
struct Placed {
  int rows = 1, cols = 1;
  std::vector<std::pair<int, int>> at;  // by number: row, column
  std::string text;
};
std::string read_placed(std::string_view words, const char* what, int most, Placed& placed) {
  const CuteReading reading = read_cute_layout(words);
  if (!reading.problem.empty()) return reading.problem;
  const CuteLayout& layout = reading.layout;
  placed.text = text(layout);
  if (rank(layout) > 2 || size(layout) > most)
    return fmt::format("{} lie over rows and columns, {} at most", what, most);
  placed.rows = static_cast<int>(size(mode(layout, 0)));
  placed.cols = rank(layout) == 2 ? static_cast<int>(size(mode(layout, 1))) : 1;
  for (const std::int64_t coordinate : coordinates_by_index(layout))
    placed.at.emplace_back(static_cast<int>(coordinate % placed.rows),
                           static_cast<int>(coordinate / placed.rows));
  if (placed.at.empty())
    return fmt::format("{} is no layout of {} that has each once", placed.text, what);
  return {};
}

std::string make(std::string_view words, TiledCopy& copy) {
  ThreadValues& moved = copy.moved;
  const std::vector<std::string_view> given = cute::arguments(words.substr(kBegin.size()));
  if (given.empty()) return "its last bracket is missing";
  if (given.size() < 2 || given.size() > 3)
    return "it has an atom, a layout of threads and one of values";
  if (std::string why = read_atom(given[0], moved); !why.empty()) return why;
  Placed threads, values;
  if (std::string why = read_placed(given[1], "threads", kMostThreads, threads); !why.empty())
    return why;
  const std::string_view by_each = given.size() == 3 ? given[2] : "1";
  if (std::string why = read_placed(by_each, "values", kMostValues, values); !why.empty())
    return why;
  moved.threads = static_cast<int>(threads.at.size());
  moved.values = static_cast<int>(values.at.size());
  moved.rows = threads.rows * values.rows;
  moved.cols = threads.cols * values.cols;
  copy.name = "TiledCopy " + threads.text + (given.size() == 3 ? ", " + values.text : "");
  // raked_product: a thread's values are neighbours, and threads stand beside each other.
  for (const auto& [thread_row, thread_col] : threads.at)
    for (const auto& [row, col] : values.at)
      moved.elements.push_back({thread_row * values.rows + row, thread_col * values.cols + col});
  return {};
}

}  // namespace

bool is_tiled_copy(std::string_view words) {
  return cute::without_namespaces(words).substr(0, kBegin.size()) == kBegin;
}

TiledCopy tiled_copy(std::string_view words) {
  TiledCopy copy;
  copy.problem = make(cute::without_namespaces(words), copy);
  if (!copy.problem.empty()) copy.problem = "TiledCopy: " + copy.problem;
  return copy;
}

}  // namespace lanescope::layout
