// SPDX-License-Identifier: MIT
#include "tests/golden/arithmetic/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "numeric/format.hpp"

namespace lanescope::golden {
namespace {

using emulator::MmaArithmetic;
using emulator::TensorShape;
using emulator::TensorType;

TensorType tensor_type(const Element& element) {
  static constexpr std::string_view kNames[] = {"f16", "bf16", "tf32", "e4m3", "e5m2", "f32", "f64",
                                                "s8",  "u8",   "s4",   "u4",   "b1",   "s32"};
  const auto* found = std::find(std::begin(kNames), std::end(kNames), element.name);
  return static_cast<TensorType>(found - std::begin(kNames));  // the order of TensorType
}

using Words = std::vector<std::uint32_t>;

Words words(const std::vector<std::uint64_t>& from, std::uint32_t flipped = 0) {
  Words result(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    result[i] = static_cast<std::uint32_t>(from[i]) ^ flipped;
  return result;
}

/// C as the arithmetic takes it: in D's format.
Words accumulators(const Case& what, const Tile& tile) {
  Words c = words(tile.c);
  if (what.zero_d) std::fill(c.begin(), c.end(), 0);
  if (what.c->bits == 16 && what.d->bits == 32)
    for (std::uint32_t& one : c)
      one = numeric::encode(numeric::kF32, numeric::decode(numeric::kF16, one));
  return c;
}

void multiply_with(Way way, const MmaArithmetic& how, const TensorShape& shape, const Words& a,
                   const Words& b, const Words& c, std::uint32_t* d) {
  const std::span<std::uint32_t> out(d, c.size());
  if (way.model)
    emulator::multiply_reference(how, shape, a, b, c, out);
  else
    emulator::multiply(how, shape, a, b, c, out, way.host);
}

/// Row by row: each has its own elements of B.
void multiply_sparse(Way way, const MmaArithmetic& how, TensorShape shape, const Case& what,
                     const Tile& tile, const Words& a, const Words& b, const Words& c,
                     std::uint32_t* d) {
  const auto kept = static_cast<std::size_t>(what.kept()), N = static_cast<std::size_t>(what.N);
  shape.M = 1;
  for (std::size_t row = 0; row < static_cast<std::size_t>(what.M); ++row) {
    Words b_row(kept * N);
    for (std::size_t s = 0; s < kept; ++s)
      for (std::size_t col = 0; col < N; ++col)
        b_row[s * N + col] = b[tile.place[row * kept + s] * N + col];
    const Words a_row(a.begin() + static_cast<std::ptrdiff_t>(row * kept),
                      a.begin() + static_cast<std::ptrdiff_t>((row + 1) * kept));
    const Words c_row(c.begin() + static_cast<std::ptrdiff_t>(row * N),
                      c.begin() + static_cast<std::ptrdiff_t>((row + 1) * N));
    multiply_with(way, how, shape, a_row, b_row, c_row, d + row * N);
  }
}

/// B of a tile is drawn column by column; the arithmetic wants rows.
template <class T>
std::vector<T> rows_of_b(const Case& what, const std::vector<T>& columns) {
  std::vector<T> rows(columns.size());
  const auto K = static_cast<std::size_t>(what.K), N = static_cast<std::size_t>(what.N);
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t col = 0; col < N; ++col) rows[k * N + col] = columns[col * K + k];
  return rows;
}

std::string describe(const Case& what, const Tile& tile, int number, std::size_t index,
                     std::uint64_t card, std::uint64_t ours) {
  const std::size_t row = index / static_cast<std::size_t>(what.N);
  const std::size_t col = index % static_cast<std::size_t>(what.N);
  const auto kept = static_cast<std::size_t>(what.kept()), K = static_cast<std::size_t>(what.K);
  std::string text = fmt::format("tile {} row {} col {}: the card has {:x}, not {:x}; c {:x}, a*b",
                                 number, row, col, card, ours, tile.c[index]);
  for (std::size_t s = 0; s < kept; ++s) {
    const std::size_t k = what.sparse ? tile.place[row * kept + s] : s;
    text += fmt::format(" {:x}*{:x}", tile.a[row * kept + s], tile.b[col * K + k]);
  }
  return text;
}

std::string first_difference(const Case& what, const Tile& tile, int number,
                             const unsigned char* card, const unsigned char* ours) {
  const auto bytes = static_cast<std::size_t>(what.d_bytes());
  for (std::size_t i = 0; i < tile.c.size(); ++i) {
    if (std::memcmp(card + i * bytes, ours + i * bytes, bytes) == 0) continue;
    std::uint64_t theirs = 0, mine = 0;
    std::memcpy(&theirs, card + i * bytes, bytes);
    std::memcpy(&mine, ours + i * bytes, bytes);
    return describe(what, tile, number, i, theirs, mine);
  }
  return {};
}

}  // namespace

TensorShape tensor_shape(const Case& what) {
  TensorShape shape{what.M,
                    what.N,
                    what.kept(),
                    tensor_type(*what.a),
                    tensor_type(*what.b),
                    tensor_type(*what.d),
                    what.satfinite};
  if (what.conjunction) shape.bit_operation = emulator::BitOperation::conjunction;
  return shape;
}

const MmaArithmetic* recorded_arithmetic(const Case& what) {
  using emulator::TensorUnit;
  const TensorUnit unit = what.wgmma ? TensorUnit::wgmma : TensorUnit::mma;
  return emulator::arithmetic("sm_90a", unit, tensor_shape(what));
}

std::vector<unsigned char> compute(const Case& what, const Tile& tile, const MmaArithmetic& how,
                                   Way way) {
  const TensorShape shape = tensor_shape(what);
  const auto bytes = static_cast<std::size_t>(what.d_bytes());
  std::vector<unsigned char> d(tile.c.size() * bytes);
  if (what.a->bits == 64) {  // there is one way only
    const auto b = rows_of_b(what, tile.b);
    emulator::multiply_packed(how, shape, tile.a.data(), b.data(), tile.c.data(), d.data());
    return d;
  }
  const Words a = words(tile.a, what.minus_a ? 1u << (what.a->bits - 1) : 0);
  const Words b = rows_of_b(what, words(tile.b, what.minus_b ? 1u << (what.b->bits - 1) : 0));
  const Words c = accumulators(what, tile);
  Words out(c.size());
  if (what.sparse)
    multiply_sparse(way, how, shape, what, tile, a, b, c, out.data());
  else
    multiply_with(way, how, shape, a, b, c, out.data());
  for (std::size_t i = 0; i < out.size(); ++i) std::memcpy(&d[i * bytes], &out[i], bytes);
  return d;
}

Comparison compare(const Recording& recording, const RecordedCase& one, const MmaArithmetic& how,
                   Way way, int every) {
  Comparison result;
  const auto* bytes = reinterpret_cast<const unsigned char*>(recording.bytes.data());
  for (int number = 0; number < one.full + one.prints; number += every) {
    const Tile tile = make_tile(one.what, number);
    const std::vector<unsigned char> ours = compute(one.what, tile, how, way);
    result.outputs += static_cast<long>(tile.c.size());
    ++result.tiles;
    if (number < one.full) {
      const unsigned char* card =
          bytes + one.first_tile + static_cast<std::size_t>(number) * one.tile_bytes;
      if (std::memcmp(card, ours.data(), one.tile_bytes) == 0) continue;
      if (result.first.empty())
        result.first = first_difference(one.what, tile, number, card, ours.data());
    } else {
      std::uint32_t print;
      std::memcpy(&print, bytes + one.first_print + 4 * static_cast<std::size_t>(number - one.full),
                  4);
      if (print == fingerprint(ours.data(), ours.size())) continue;
    }
    ++result.wrong_tiles;
  }
  return result;
}

}  // namespace lanescope::golden
