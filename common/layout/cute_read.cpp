// SPDX-License-Identifier: MIT
// Reads a layout: what CuTe prints, what its users write. A recursive descent over
//
//   layout   [Sw<B,M,S> o [pointer | number] o] (tuple [: tuple] | Layout<> | make_layout() |
//            logical_divide(layout, tiler) | ...)
//   tiler    layout | tuple | make_tile(layout | number, ...) | <layout | number, ...>
//   tuple    number | (tuple, ...) | Shape<tuple, ...> | make_shape(tuple, ...)
//   number   8 | _8 | Int<8>{}
//
// Namespaces, braces and blanks are passed over. What stands between two things is checked where
// they are put together, so that there is one place for each complaint.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "layout/cute_algebra.hpp"
#include "layout/cute_build.hpp"
#include "layout/cute_words.hpp"
#include "layout/element_type.hpp"
#include "layout/spellings.hpp"

namespace lanescope::layout {
namespace {

using namespace cute;

constexpr int kMostNested = 16;

// What an expression is: exactly one of these.
struct Value {
  enum Kind { tuple, layout, swizzle, pointer, order, tiler } kind = tuple;
  IntTuple numbers{};
  CuteLayout whole{};  // a layout; a swizzle has its swizzle, a pointer its element_bits
  Order compact = Order::left;
  Tiler tiles{};
};

// What CuTe calls by a name, and makes of one layout, of two, of one by a tiler.
template <class... Given>
using Operation = std::pair<std::string_view, CuteLayout (*)(const Given&...)>;
constexpr std::array<Operation<CuteLayout>, 3> kOfOne{
    {{"coalesce", coalesce}, {"right_inverse", right_inverse}, {"left_inverse", left_inverse}}};
constexpr std::array<Operation<CuteLayout, CuteLayout>, 2> kOfTwo{
    {{"blocked_product", blocked_product}, {"raked_product", raked_product}}};
constexpr std::array<Operation<CuteLayout, Tiler>, 5> kByTiler{
    {{"logical_divide", logical_divide},
     {"zipped_divide", zipped_divide},
     {"tiled_divide", tiled_divide},
     {"flat_divide", flat_divide},
     {"logical_product", logical_product}}};

class Reader {
 public:
  explicit Reader(std::string_view text) : words_(text) {}

  CuteLayout layout() { return as_layout(whole()); }
  IntTuple tuple() {
    Value value = whole();
    if (value.kind != Value::tuple) throw Problem("it is no tuple of numbers");
    return std::move(value.numbers);
  }

 private:
  Value whole() {
    Value value = expression();
    while (words_.taken(";")) continue;
    if (!words_.rest().empty()) throw Problem(fmt::format("'{}' behind the layout", words_.rest()));
    return value;
  }

  Value expression() {
    if (++nested_ > kMostNested) throw Problem("tuples within tuples, too many");
    Value value = item();
    if (value.kind == Value::tuple && words_.taken(":")) {
      const Value stride = item();
      if (stride.kind != Value::tuple) throw Problem("behind the ':' stand no strides");
      value.whole = layout_of(std::move(value.numbers), stride.numbers);
      value.kind = Value::layout;
    }
    if (value.kind == Value::swizzle || value.kind == Value::pointer || value.kind == Value::tuple)
      if (words_.rest().substr(0, 2) == "o " && words_.taken("o"))
        value = composed(value, expression());
    --nested_;
    return value;
  }

  Value item() {
    if (words_.taken("(")) return numbers(")");
    if (words_.taken("<")) return tiles(">");
    const std::string_view name = words_.word();
    if (name.empty())
      throw Problem(
          words_.rest().empty()
              ? std::string("it ends where a number or a tuple is missing")
              : fmt::format("'{}' is neither a number nor a tuple", words_.rest().substr(0, 12)));
    if (const auto found = Words::number_in(name)) {
      if (words_.rest().substr(0, 1) == "@")
        throw Problem("a stride as 1@0 is of coordinates, for TMA: they lie nowhere");
      return {.numbers = {*found, {}}};
    }
    return named(name);
  }

  Value numbers(std::string_view end) {
    Value all;
    for (bool more = true; more; more = words_.taken(",")) {
      Value part = expression();
      if (part.kind != Value::tuple) throw Problem("a tuple has something else than numbers");
      all.numbers.parts.push_back(std::move(part.numbers));
    }
    words_.expect(end, "a tuple");
    return all;
  }

  std::vector<Value> arguments(std::string_view name) {
    const bool angles = words_.taken("<");
    if (!angles) words_.expect("(", name);
    std::vector<Value> all;
    for (bool more = true; more; more = words_.taken(",")) all.push_back(expression());
    words_.expect(angles ? ">" : ")", name);
    return all;
  }

  Value named(std::string_view name) {
    constexpr std::array<std::string_view, 11> kTuples{
        "Shape",      "Stride",      "Step",      "Coord",      "Tile",      "tuple",
        "make_shape", "make_stride", "make_step", "make_coord", "make_tuple"};
    if (std::find(kTuples.begin(), kTuples.end(), name) != kTuples.end()) {
      if (words_.taken("<")) return numbers(">");
      words_.expect("(", name);
      return numbers(")");
    }
    if (name == "Int" || name == "C" || name == "constant") return constant(name);
    if (name == "Sw" || name == "Swizzle") return swizzle(name);
    if (name.substr(0, 8) == "smem_ptr") return pointer();
    if (name == "LayoutLeft" || name == "GenColMajor") return ordered(Order::left);
    if (name == "LayoutRight" || name == "GenRowMajor") return ordered(Order::right);
    if (name == "Layout" || name == "make_layout") return plain(arguments(name));
    if (name == "composition" || name == "ComposedLayout" || name == "make_composed_layout")
      return composition(arguments(name));
    if (name == "tile_to_shape") return tile(arguments(name));
    if (name == "make_tile") {
      words_.expect("(", name);
      return tiles(")");
    }
    if (name == "get" || name == "layout") return mode_of(name);
    if (name == "complement") return rest_of(name);
    for (const auto& [called, make] : kOfOne)
      if (name == called) return made(make(as_layout(arguments(name, 1)[0])));
    for (const auto& [called, make] : kOfTwo)
      if (name == called) {
        const std::vector<Value> given = arguments(name, 2);
        return made(make(as_layout(given[0]), as_layout(given[1])));
      }
    for (const auto& [called, make] : kByTiler)
      if (name == called) {
        const std::vector<Value> given = arguments(name, 2);
        return made(make(as_layout(given[0]), as_tiler(given[1])));
      }
    if (name.substr(0, 7) == "Layout_") return atom(name);
    throw Problem(
        fmt::format("'{}' is no number and no layout; numbers are wanted, as in "
                    "(8,64):(64,1)",
                    name));
  }

  static Value made(CuteLayout whole) {
    Value value{.kind = Value::layout};
    value.whole = std::move(whole);
    return value;
  }
  // A number is so many neighbours.
  static CuteLayout as_tile(const Value& value) {
    if (value.kind == Value::tuple && value.numbers.is_number())
      return layout_of(value.numbers, IntTuple{1, {}});
    return as_layout(value);
  }
  Value tiles(std::string_view end) {
    Value all{.kind = Value::tiler};
    all.tiles.by_mode = true;
    for (bool more = true; more; more = words_.taken(","))
      all.tiles.modes.push_back(as_tile(expression()));
    words_.expect(end, "a tiler");
    return all;
  }
  // A tuple of numbers is a tile of so many in each mode.
  static Tiler as_tiler(const Value& value) {
    if (value.kind == Value::tiler) return value.tiles;
    if (value.kind != Value::tuple || value.numbers.is_number()) return {{as_tile(value)}, false};
    Tiler tiler{{}, true};
    for (const IntTuple& part : value.numbers.parts) {
      if (!part.is_number()) throw Problem("a tile's sizes are numbers");
      tiler.modes.push_back(layout_of(part, IntTuple{1, {}}));
    }
    return tiler;
  }
  std::vector<Value> arguments(std::string_view name, std::size_t count) {
    std::vector<Value> given = arguments(name);
    if (given.size() != count)
      throw Problem(fmt::format("{} has {} argument{}", name, count, count == 1 ? "" : "s"));
    return given;
  }
  Value mode_of(std::string_view name) {
    words_.expect("<", name);
    const std::int64_t which = words_.number();
    words_.expect(">", name);
    const CuteLayout whole = as_layout(arguments(name, 1)[0]);
    if (which < 0 || which >= rank(whole))
      throw Problem(fmt::format("mode {} of {}, which has {}", which, text(whole), rank(whole)));
    return made(mode(whole, static_cast<int>(which)));
  }
  Value rest_of(std::string_view name) {
    const std::vector<Value> given = arguments(name, 2);
    if (given[1].kind != Value::tuple) throw Problem("a complement is taken up to a number");
    return made(complement(as_layout(given[0]), checked_size(given[1].numbers)));
  }

  Value constant(std::string_view name) {
    words_.expect("<", name);
    if (const std::string_view begin = words_.rest(); begin.substr(0, 3) == "int") {
      words_.word();
      words_.expect(",", name);
    }
    const std::int64_t value = words_.number();
    words_.expect(">", name);
    return {.numbers = {value, {}}};
  }

  Value swizzle(std::string_view name) {
    words_.expect("<", name);
    CuteSwizzle s;
    s.bits = static_cast<int>(words_.number());
    words_.expect(",", name);
    s.base = static_cast<int>(words_.number());
    s.shift = 3;
    if (words_.taken(",")) s.shift = static_cast<int>(words_.number());
    words_.expect(">", name);
    const int distance = std::abs(s.shift);
    if (s.bits < 0 || s.base < 0 || distance < s.bits || s.bits + s.base + distance > 30)
      throw Problem(
          fmt::format("Sw<{},{},{}> is no swizzle: bits B from M on and from M + S on, "
                      "which must not overlap",
                      s.bits, s.base, s.shift));
    Value value{.kind = Value::swizzle};
    value.whole.swizzle = s;
    return value;
  }

  Value pointer() {
    Value value{.kind = Value::pointer};
    if (words_.taken("[")) {  // smem_ptr[16b](unset), smem_ptr[16b](0x7f0000000000)
      const std::string_view bits = words_.word();
      words_.expect("]", "the pointer's bits");
      value.whole.element_bits = width(bits.substr(0, bits.empty() ? 0 : bits.size() - 1));
      if (words_.taken("(")) {
        words_.word();
        words_.expect(")", "the pointer");
      }
    } else if (words_.taken("<")) {  // smem_ptr_flag_bits<16>
      value.whole.element_bits = width(words_.word());
      words_.expect(">", "the pointer's bits");
    }
    return value;
  }
  static int width(std::string_view digits) {
    constexpr std::array kWidths{1, 2, 4, 6, 8, 16, 32, 64, 128};
    const auto bits = Words::number_in(digits);
    if (!bits || std::find(kWidths.begin(), kWidths.end(), *bits) == kWidths.end())
      throw Problem(fmt::format("no element has '{}' bits", digits));
    return static_cast<int>(*bits);
  }

  static Value ordered(Order order) {
    Value value{.kind = Value::order};
    value.compact = order;
    return value;
  }

  static Value plain(std::vector<Value> given) {
    if (given.size() == 1 && given[0].kind == Value::layout) return std::move(given[0]);
    if (!given.empty() && given[0].kind == Value::layout) {  // one mode each
      std::vector<CuteLayout> modes;
      for (const Value& one : given) {
        if (one.kind != Value::layout) throw Problem("make_layout of layouts has only layouts");
        modes.push_back(one.whole);
      }
      return made(joined(modes));
    }
    const bool alone = given.size() == 1;
    if (given.empty() || given.size() > 2 || given[0].kind != Value::tuple ||
        (!alone && given[1].kind != Value::tuple && given[1].kind != Value::order))
      throw Problem("a layout has a shape and strides, and nothing else");
    Value value{.kind = Value::layout};
    value.whole = !alone && given[1].kind == Value::tuple
                      ? layout_of(given[0].numbers, given[1].numbers)
                      : as_layout(given[0], alone ? Order::left : given[1].compact);
    return value;
  }

  static Value composition(std::vector<Value> given) {
    if (given.size() == 2 && given[0].kind == Value::layout)
      return made(cute::composition(given[0].whole, as_tiler(given[1])));
    if (given.size() < 2 || given.size() > 3)
      throw Problem("a composition has a swizzle, an offset or a pointer, and a layout");
    Value value = std::move(given.back());
    for (std::size_t i = given.size() - 1; i > 0; --i) value = composed(given[i - 1], value);
    return value;
  }

  // swizzle o (pointer | number) o layout, from the right.
  static Value composed(const Value& first, Value second) {
    CuteLayout whole = as_layout(std::move(second));
    if (first.kind == Value::swizzle) {
      if (whole.swizzle != CuteSwizzle{}) throw Problem("two swizzles, one on the other");
      whole.swizzle = first.whole.swizzle;
    } else if (whole.swizzle != CuteSwizzle{}) {
      throw Problem("what stands before a layout with a swizzle is no layout");
    } else if (first.kind == Value::pointer) {
      whole.of_bytes = true;
      whole.element_bits = first.whole.element_bits;
    } else if (first.kind == Value::tuple && first.numbers.is_number()) {
      whole.offset = first.numbers.number;
    } else {
      throw Problem("before a layout may stand a swizzle, an offset or smem_ptr");
    }
    Value value{.kind = Value::layout};
    value.whole = std::move(whole);
    return value;
  }

  static Value tile(const std::vector<Value>& given) {
    if (given.size() < 2 || given.size() > 3 || given[1].kind != Value::tuple ||
        given.back().kind != Value::tuple)
      throw Problem("tile_to_shape has a layout, a shape and, if any, a Step");
    Value value{.kind = Value::layout};
    value.whole = tiled(as_layout(given[0]), given[1].numbers,
                        given.size() == 3 ? given[2].numbers : IntTuple{});
    return value;
  }

  Value atom(std::string_view name) {
    int bits = 0;
    if (words_.taken("<")) {
      const std::string_view type = words_.word();
      words_.expect(">", name);
      const auto known = element_type(type_of_cxx(type));
      if (!known) throw Problem(fmt::format("'{}' is no type of elements", type));
      bits = *known == ElementType::tf32 ? 32 : info(*known).bits;
    }
    const auto found = canonical_atom(name, bits);
    if (!found)
      throw Problem(
          fmt::format("'{}' is no atom of shared memory, as "
                      "GMMA::Layout_K_SW128_Atom<half_t> is",
                      name));
    Value value{.kind = Value::layout};
    value.whole = *found;
    return value;
  }

  static CuteLayout as_layout(Value value, Order order = Order::left) {
    if (value.kind == Value::layout) return std::move(value.whole);
    if (value.kind != Value::tuple) throw Problem("there is no shape");
    checked_size(value.numbers);
    return layout_of(value.numbers, compact(value.numbers, order));
  }

  Words words_;
  int nested_ = 0;
};

}  // namespace

CuteReading read_cute_layout(std::string_view text) {
  try {
    return {Reader(text).layout(), {}};
  } catch (const Problem& problem) {
    return {{}, fmt::format("layout '{}': {}", text.substr(0, 60), problem.what())};
  }
}

CuteTuple read_cute_tuple(std::string_view text) {
  try {
    return {Reader(text).tuple(), {}};
  } catch (const Problem& problem) {
    return {{}, fmt::format("tuple '{}': {}", text.substr(0, 60), problem.what())};
  }
}

bool is_cute_layout(std::string_view words) {
  constexpr std::array<std::string_view, 9> kBegins{"(",
                                                    "Sw<",
                                                    "Swizzle<",
                                                    "Layout<",
                                                    "Layout_",
                                                    "ComposedLayout<",
                                                    "tile_to_shape(",
                                                    "make_layout(",
                                                    "make_composed_layout("};
  for (bool more = true; more;) {  // namespaces
    words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
    const std::size_t colons = words.find("::");
    more = colons != words.npos &&
           std::all_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(colons),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
    if (more) words.remove_prefix(colons + 2);
  }
  // "64:1", "_8:_2"
  const std::string_view number = words.substr(words.substr(0, 1) == "_" ? 1 : 0);
  const std::size_t colon = number.find(':');
  if (colon != number.npos && all_digits(number.substr(0, colon))) return true;
  return is_calculation(words) ||
         std::any_of(kBegins.begin(), kBegins.end(), [&](std::string_view begin) {
           return words.substr(0, begin.size()) == begin;
         });
}

bool is_calculation(std::string_view words) {
  const auto calls = [words](std::string_view name) {
    return words.substr(0, name.size()) == name && words.size() > name.size() &&
           (words[name.size()] == '(' || words[name.size()] == '<');
  };
  const auto calls_one = [&](const auto& table) {
    return std::any_of(table.begin(), table.end(),
                       [&](const auto& line) { return calls(line.first); });
  };
  return calls("composition") || calls("complement") || calls("get") || calls("layout") ||
         calls_one(kOfOne) || calls_one(kOfTwo) || calls_one(kByTiler);
}

}  // namespace lanescope::layout
