// SPDX-License-Identifier: MIT
// See sources.hpp.
#include "trace/sources.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

#include "trace/mistakes.hpp"

namespace lanescope::trace {
namespace {

bool names(const std::string& name, char operand) {
  if (name.empty() || std::toupper(static_cast<unsigned char>(name[0])) != operand) return false;
  return name.size() == 1 || std::isalpha(static_cast<unsigned char>(name[1])) == 0;
}

bool stored_transposed(const std::string& name) {
  const std::string first = name.substr(0, name.find(' '));
  return first.size() > 2 && first.compare(first.size() - 2, 2, "_t") == 0;
}

/// The number behind "k=" in "A m=8 k=16", or 0. "block=3" is no k.
int number_behind(const std::string& name, const char* key) {
  std::size_t at = name.find(key);
  while (at != std::string::npos && at > 0 && name[at - 1] != ' ') at = name.find(key, at + 1);
  if (at == std::string::npos) return 0;
  return static_cast<int>(
      std::clamp(std::strtol(name.c_str() + at + 2, nullptr, 10), 0l, 1000000l));
}

/// Where a fragment of `size` may begin among `all`: as its name says, or `anywhere` at a multiple.
std::vector<int> beginnings(int named, int size, int all, bool anywhere) {
  std::vector<int> places{named};
  for (int at = 0; anywhere && at + size <= all; at += size) places.push_back(at);
  return places;
}

bool types_agree(const Memory& memory, const layout::Fragment& map) {
  if (memory.type == layout::name(map.type)) return true;
  const auto type = layout::element_type(memory.type);
  const bool f32_as_tf32 = memory.type == "f32" && map.type == layout::ElementType::tf32;
  return f32_as_tf32 ||
         (type && layout::info(*type).bits == map.element_bits && map.element_bits == 16);
}

}  // namespace

std::vector<int> tiles_of(const Trace& trace) {
  std::vector<int> tiles;
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    if (std::holds_alternative<Memory>(trace.events[i])) tiles.push_back(static_cast<int>(i));
  return tiles;
}

std::vector<Source> sources_for(const Trace& trace, const std::vector<int>& tiles,
                                const Fragment& fragment, const layout::Fragment& map) {
  std::vector<Source> all;
  for (const char* space : {"global", "shared"})
    for (const int tile : tiles) {
      const auto* memory = &std::get<Memory>(trace.events[static_cast<std::size_t>(tile)]);
      if (memory->space != space || memory->rows <= 0) continue;
      if (memory->place.launch != fragment.place.launch) continue;
      if (memory->space == "shared" && memory->place.block != fragment.place.block) continue;
      if (!names(memory->name, map.operand) || !types_agree(*memory, map)) continue;
      bool transposed = stored_transposed(memory->name);
      const bool fits = memory->rows >= map.rows && memory->cols >= map.cols;
      if (!fits && memory->cols >= map.rows && memory->rows >= map.cols) transposed = true;
      Matrix matrix(*memory, map.element_bits, transposed);
      if (matrix.rows() >= map.rows && matrix.cols() >= map.cols) all.push_back({tile, matrix});
    }
  return all;
}

void find_beginning(Case& c) {
  const std::string& name = c.fragment->name;
  const char operand = c.map->operand;
  c.first_row = number_behind(name, operand == 'B' ? "k=" : "m=");
  c.first_col = number_behind(name, operand == 'A' ? "k=" : "n=");
  if (c.matrix->memory().space != "global" || explains(c, right_place, *c.matrix)) return;
  // Along k only the name can tell; along M and N the block's own tile is looked for.
  const int named_row = c.first_row, named_col = c.first_col;
  for (const int row : beginnings(named_row, c.map->rows, c.matrix->rows(), operand != 'B'))
    for (const int col : beginnings(named_col, c.map->cols, c.matrix->cols(), operand != 'A')) {
      c.first_row = row, c.first_col = col;
      if (explains(c, right_place, *c.matrix)) return;
    }
  c.first_row = named_row, c.first_col = named_col;
}

}  // namespace lanescope::trace
