// SPDX-License-Identifier: MIT
// Matrices that do not end with a tile: see gemm_generator.hpp.
#include <fmt/format.h>

#include "tests/fuzz/gemm/gemm_generator.hpp"

namespace lanescope::tests {

bool Generator::is_cut(Edge edge) const {
  switch (edge) {
    case Edge::a_m:
    case Edge::d_m:
      return cut_m_;
    case Edge::b_n:
    case Edge::d_n:
      return cut_n_;
    case Edge::a_k:
    case Edge::b_k:
      return cut_k_;
  }
  return false;
}

int Generator::bound(Edge edge) {
  const bool of_m = edge == Edge::a_m || edge == Edge::d_m,
             of_k = edge == Edge::a_k || edge == Edge::b_k;
  const int own = of_m ? a_.rows : of_k ? a_.cols : b_.cols;
  if ((edge == Edge::d_m || edge == Edge::d_n) && errs(GemmMistake::edge_off)) return own + 1;
  return own;
}

// What lies behind the end of a line may be there to be multiplied.
bool Generator::is_padded_along_k() const {
  return !a_.columns && b_.columns && (a_.line > a_.cols || b_.line > b_.rows);
}

// A predicate; "": all are.
std::string Generator::inside(Edge one, const Value& at, Edge other, const Value& other_at) {
  std::string found;
  for (const auto& [edge, place] : {std::pair(one, &at), std::pair(other, &other_at)}) {
    const bool is_k = edge == Edge::a_k || edge == Edge::b_k;
    if (!is_cut(edge) || (is_k && !is_padded_along_k() && errs(GemmMistake::edge_none))) continue;
    const std::string now = w_.fresh('p'), index = w_.in_register(*place);
    if (found.empty())
      w_.put("setp.lt.u32 {}, {}, {}", now, index, bound(edge));
    else
      w_.put("setp.lt.and.u32 {}, {}, {}, {}", now, index, bound(edge), found);
    found = now;
  }
  return found;
}

std::string Generator::both(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return one + other;
  const std::string both = w_.fresh('p');
  w_.put("and.pred {}, {}, {}", both, one, other);
  return both;
}

// How many of the 16 bytes that begin there a copy is to bring.
std::string Generator::bytes_inside(Edge along, const Value& at, const std::string& inside) {
  const std::string size = w_.fresh('r');
  const bool is_k = along == Edge::a_k || along == Edge::b_k;
  if (!is_cut(along) || (is_k && is_made_ && mistake_ == GemmMistake::edge_none)) {
    w_.put("selp.u32 {}, 16, 0, {}", size, inside);
    return size;
  }
  const std::string end = w_.in_register(number(bound(along))), left = w_.fresh('r');
  w_.put("sub.u32 {}, {}, {}", left, end, at.text());
  w_.put("shl.b32 {0}, {0}, {1}", left, kind_.bytes == 4 ? 2 : kind_.bytes - 1);
  w_.put("min.s32 {0}, {0}, 16", left);
  w_.put("selp.u32 {}, {}, 0, {}", size, left, inside);
  return size;
}

// What is outside is 0.
void Generator::zeros(const Names& names, const std::string& inside) {
  if (inside.empty()) return;
  for (const std::string& name : names) {
    const bool halves = name[1] == 'h', floats = name[1] == 'f';
    w_.put("mov.{} {}, {}",
           halves   ? "b16"
           : floats ? "f32"
                    : "u32",
           name, floats ? "0f00000000" : "0");
  }
}

}  // namespace lanescope::tests
