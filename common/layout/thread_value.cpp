// SPDX-License-Identifier: MIT
#include "layout/thread_value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout/match.hpp"

namespace lanescope::layout {
namespace {

bool by_columns(const Fragment& f) { return f.operand != 'B'; }  // B is transposed: n, then k

std::int64_t step_of(const Fragment& f, const Move& move) {
  return by_columns(f) ? move.row + std::int64_t{move.col} * f.rows
                       : move.col + std::int64_t{move.row} * f.cols;
}

// One mode of a layout, bit of an index after bit: neighbours whose steps double are one number.
class Mode {
 public:
  void add_bit(std::int64_t step) {
    if (!stride_.parts.empty() && step == stride_.parts.back().number * shape_.parts.back().number)
      shape_.parts.back().number *= 2;
    else
      shape_.parts.push_back({2, {}}), stride_.parts.push_back({step, {}});
  }
  // `count` values in all. n of wgmma is any multiple of 8, so the last of a thread's numbers may
  // be no power of two.
  void end(std::int64_t count, CuteLayout& layout) {
    if (!shape_.parts.empty())
      shape_.parts.back().number = count * shape_.parts.back().number / size(shape_);
    if (shape_.parts.empty()) shape_.number = 1;
    layout.shape.parts.push_back(alone(shape_));
    layout.stride.parts.push_back(alone(stride_));
  }

 private:
  static IntTuple alone(const IntTuple& tuple) {
    return tuple.parts.size() == 1 ? tuple.parts[0] : tuple;
  }
  IntTuple shape_, stride_;
};

std::span<const Move> bits_of(const Moves& moves) {
  return {moves.bits.data(), static_cast<std::size_t>(moves.count)};
}

std::string cxx(const IntTuple& tuple, std::string_view name) {
  if (tuple.is_number()) return fmt::format("_{}", tuple.number);
  std::string all;
  for (const IntTuple& part : tuple.parts) all += (all.empty() ? "" : ",") + cxx(part, name);
  return fmt::format("{}<{}>", name, all);
}

// C and D of one type are the same map.
bool c_is_d(const Instruction& i) {
  return i.C.operand == 'C' && i.D.operand == 'D' && i.C.type == i.D.type;
}

// How many (thread, value) have another index than in the layout, and the first of them; nothing
// where there are not as many threads and values.
struct Apart {
  int places = 0, thread = 0, value = 0;
};
std::optional<Apart> apart(const CuteLayout& layout, const Fragment& f, int most) {
  if (f.matrices != 1 || f.thread_mask != 0 || rank(layout) != 2) return std::nullopt;
  const CuteLayout threads = mode(layout, 0), values = mode(layout, 1);
  if (size(threads) != f.threads() || size(values) != f.values) return std::nullopt;
  Apart all;
  for (int thread = 0; thread < f.threads(); ++thread)
    for (int value = 0; value < f.values; ++value) {
      if (linear_index(threads, thread) + linear_index(values, value) ==
          index_of(f, f.element(thread, value)))
        continue;
      if (all.places++ == 0) all.thread = thread, all.value = value;
      if (all.places > most) return std::nullopt;
    }
  return all;
}

template <typename Use>
void each_operand(const Use& use) {
  for (const Instruction& each : instructions())
    for (const char operand : {'A', 'B', 'C', 'D'})
      if (const Fragment* f = each.operand(operand);
          f != nullptr && (operand != 'C' || !c_is_d(each)))
        use(each, *f);
}

}  // namespace

std::optional<CuteLayout> thread_value_layout(const Fragment& fragment) {
  if (fragment.thread_mask != 0 || fragment.values == 0) return std::nullopt;
  CuteLayout layout;
  Mode threads, values;
  int of_one = 1;
  for (const Move& move : bits_of(fragment.thread))
    if (move.matrix == 0) threads.add_bit(step_of(fragment, move)), of_one *= 2;
  for (const Move& move : bits_of(fragment.value)) values.add_bit(step_of(fragment, move));
  threads.end(of_one, layout);
  values.end(fragment.values, layout);
  return layout;
}

std::optional<CuteLayout> thread_ids(const Fragment& fragment) {
  if (fragment.matrices == 1) return std::nullopt;
  CuteLayout layout;
  Mode threads;
  int of_one = 1, lane = 1;
  for (const Move& move : bits_of(fragment.thread)) {
    if (move.matrix == 0) threads.add_bit(lane), of_one *= 2;
    lane *= 2;
  }
  threads.end(of_one, layout);
  return mode(layout, 0);
}

std::optional<CuteLayout> thread_bit_layout(const Mover& mover) {
  if (mover.memory != MoverMemory::shared) return std::nullopt;
  const Fragment& f = mover.registers;
  const auto step = [&f](const Move& move) {
    return ((std::int64_t{move.matrix} * f.rows + move.row) * f.cols + move.col) * f.element_bits;
  };
  CuteLayout layout;
  Mode threads, bits;
  for (const Move& move : bits_of(f.thread)) threads.add_bit(step(move));
  for (int bit = 1; bit < f.element_bits; bit *= 2) bits.add_bit(bit);
  for (const Move& move : bits_of(f.value)) bits.add_bit(step(move));
  threads.end(f.threads(), layout);
  bits.end(std::int64_t{f.values} * f.element_bits, layout);
  return layout;
}

std::string index_means(const Fragment& f) {
  switch (f.operand) {
    case 'A':
      return fmt::format("m + {} k", f.rows);
    case 'B':
      return fmt::format("n + {} k", f.cols);
    default:
      return fmt::format("m + {} n", f.rows);
  }
}

std::int64_t index_of(const Fragment& fragment, const Element& element) {
  return step_of(fragment, element);
}

Element element_of(const Fragment& f, std::int64_t index) {
  const std::int64_t first = by_columns(f) ? f.rows : f.cols;
  const int low = static_cast<int>(index % first), high = static_cast<int>(index / first);
  return by_columns(f) ? Element{low, high, 0} : Element{high, low, 0};
}

std::vector<std::string> cute_reasons(const Fragment& f, int thread, int value) {
  const std::optional<CuteLayout> layout = thread_value_layout(f);
  if (!layout || f.matrices > 1) return {};
  const CuteLayout threads = mode(*layout, 0), values = mode(*layout, 1);
  const std::int64_t index = linear_index(threads, thread) + linear_index(values, value);
  const std::int64_t first = by_columns(f) ? f.rows : f.cols;
  return {text(*layout),
          fmt::format("{} {} is {}; value {} is {}", f.threads() > 32 ? "thread" : "lane", thread,
                      digits(threads.shape, thread), value, digits(values.shape, value)),
          fmt::format("{} + {} = {} = {} + {}*{}", worth(threads, thread), worth(values, value),
                      index, index % first, first, index / first)};
}

std::string cute_cxx(const CuteLayout& layout) {
  return fmt::format("Layout<{},{}>", cxx(layout.shape, "Shape"), cxx(layout.stride, "Stride"));
}

std::vector<OperandOf> with_layout(const CuteLayout& layout) {
  std::vector<OperandOf> found;
  if (layout.swizzle != CuteSwizzle{} || layout.offset != 0) return found;
  each_operand([&](const Instruction& instruction, const Fragment& f) {
    if (apart(layout, f, 0)) found.push_back({&instruction, f.operand});
  });
  return found;
}

std::string why_none_has(const CuteLayout& layout) {
  if (!is_plain(layout))
    return "a layout with a swizzle is of shared memory: lanescope swizzle shows it";
  if (rank(layout) != 2)
    return fmt::format("a fragment's layout has two modes, threads and values; this one has {}",
                       rank(layout));
  const CuteLayout threads = mode(layout, 0), values = mode(layout, 1);
  const int places = static_cast<int>(size(layout));
  Apart least{places, 0, 0};
  OperandOf nearest;
  each_operand([&](const Instruction& instruction, const Fragment& f) {
    const auto found = apart(layout, f, least.places - 1);
    if (found) least = *found, nearest = {&instruction, f.operand};
  });
  if (nearest.instruction == nullptr)
    return fmt::format("no fragment of {} threads with {} values each has anything of it",
                       size(threads), size(values));
  const Fragment& f = *nearest.instruction->operand(nearest.operand);
  return fmt::format(
      "no fragment has this map; nearest is {} of {}, {} of {} places differ, the first: thread "
      "{}, value {} has the index {}, there it is {}",
      operand_name(nearest.operand), nearest.instruction->mnemonic, least.places, places,
      least.thread, least.value,
      linear_index(threads, least.thread) + linear_index(values, least.value),
      index_of(f, f.element(least.thread, least.value)));
}

std::vector<NamedLayout> named_layouts(const Instruction& instruction, char operand) {
  std::vector<NamedLayout> all;
  const bool as_one = operand == 0 && c_is_d(instruction);
  for (const char letter : {'A', 'B', 'C', 'D'}) {
    const Fragment* f = instruction.operand(letter);
    if (f == nullptr || (operand != 0 && operand != letter) || (as_one && letter == 'C')) continue;
    const auto layout = thread_value_layout(*f);
    if (!layout) continue;
    std::string means = "index = " + index_means(*f);
    if (const auto ids = thread_ids(*f))
      means += fmt::format("; of a quad-pair's threads, lanes {}", text(*ids));
    all.push_back({as_one && letter == 'D' ? "C, D" : std::string(1, letter), *layout, means});
  }
  return all;
}

std::vector<NamedLayout> named_layouts(const Mover& mover) {
  const auto layout = thread_bit_layout(mover);
  if (!layout) return {};
  return {{"registers", *layout, "index: a bit of the stored matrices, row after row"}};
}

std::string text(const std::vector<NamedLayout>& layouts) {
  std::string out;
  for (const auto& [name, layout, means] : layouts)
    out += fmt::format("{:<6} {}    {}\n       {}\n", name, text(layout), means, cute_cxx(layout));
  return out;
}

}  // namespace lanescope::layout
