// SPDX-License-Identifier: MIT
// The way of an element that wgmma reads from shared memory: no lane holds it, so it is followed
// from the byte to which its descriptor leads. See way_back.hpp. Which operand of the instruction
// is what: PTX ISA 9.2, 9.7.15.5.2 (wgmma.mma_async).
//
//   wgmma.mma_async...  {D}, {A} or a descriptor, a descriptor, scale-d, imm-scale-a, imm-scale-b,
//                       imm-trans-a where A is behind a descriptor, imm-trans-b    (16 bits alone)
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "layout/descriptor.hpp"
#include "layout/tables.hpp"
#include "panels/ptx_operands.hpp"
#include "panels/step_products.hpp"
#include "panels/way_back.hpp"

namespace lanescope::viz {
namespace {

// The wgmma whose sums a product has, and how many add to these before they arrive: it is the last.
struct Reader {
  StepPlace place{0, -1, {}};
  int adding = 0;
};

// Backwards from `place`, the wgmmas that have `name` among their sums; `visit` gets each.
template <class Visit>
void wgmmas_before(const RegisterHistory& history, const StepPlace& place, std::string_view name,
                   Visit visit) {
  for (int at = place.item - 1; at >= 0 && history.written(place.warp, at, name) == nullptr; --at) {
    const trace::Step& step = *history.item(place.warp, at).step;
    const std::vector<std::string_view> operands = operands_of(step.ptx);
    if (mnemonic_of(step.ptx).starts_with("wgmma.mma_async") && !operands.empty() &&
        place_among(registers_in(operands[0]), name) >= 0)
      visit(StepPlace{place.warp, at, {}});
  }
}

Reader reader_of(RegisterHistory& history, const Multiplication& in) {
  Reader reader{product_step(history.list(), in, 0), 0};
  const auto [arrived, name] = register_step(history, in, 'D', 0, 0);
  if (arrived.item < 0) return {};
  wgmmas_before(history, arrived, name, [&reader](const StepPlace& place) {
    if (reader.place.item < 0) reader.place = place;
    ++reader.adding;
  });
  return reader;
}

// Elements of 16 bits alone may lie with M or N side by side.
layout::Major major_of(const std::vector<std::string_view>& operands, char operand, int bits) {
  if (bits != 16 || operands.size() < 7) return layout::Major::K;
  const bool both = !operands[1].starts_with('{');
  const std::size_t from_end = operand == 'A' && both ? 2 : 1;
  return operands[operands.size() - from_end] == "1" ? layout::Major::MN : layout::Major::K;
}

}  // namespace

Way way_through_descriptor(const trace::Trace& trace, const StepList& steps,
                           const Multiplication& in, const Selection& selection,
                           const std::string& made) {
  const bool A = selection.operand == 'A';
  const layout::Instruction& i = *in.instruction;
  // What is left of a sparse A's row is not asked for here.
  if (!i.family.starts_with("wgmma") || (!A && selection.operand != 'B') ||
      (A && i.family == "wgmma.sp"))
    return {};
  RegisterHistory history(steps);
  const Reader reader = reader_of(history, in);
  if (reader.place.item < 0) return {};
  const trace::Step& step = *history.item(reader.place.warp, reader.place.item).step;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  if (operands.size() < 3 || operands[A ? 1 : 2].starts_with('{')) return {};
  const std::string name(operands[A ? 1 : 2]);
  const int lane = step.active == 0 ? 0 : __builtin_ctz(step.active);
  const int writer = history.writer(reader.place.warp, reader.place.item, name, lane);
  const trace::Write* write = history.written(reader.place.warp, writer, name);
  std::string for_what = made;
  if (reader.adding > 1)
    for_what += fmt::format(", the last of {} that add to these sums", reader.adding);
  if (write == nullptr) {
    Way way;
    way.before = "what is in the descriptor " + name + " is not recorded";
    way.stops.push_back({reader.place, -1, "wgmma: reads it through " + name + ": " + for_what});
    return way;
  }
  const std::uint64_t bits = write->lanes[static_cast<std::size_t>(lane)];
  const int width = layout::container_bits(i.A.type);
  const int mn = A ? selection.element.row : selection.element.col;
  const int k = A ? selection.element.col : selection.element.row;
  const std::uint32_t byte = layout::fetched_byte(
      layout::decode(bits), major_of(operands, selection.operand, width), width, mn, k);
  Way way = way_back_from_shared(trace, history, reader.place, byte, width);
  way.stops.push_back(
      {reader.place, -1,
       fmt::format(
           "wgmma: reads it at byte 0x{:x} of shared memory, where descriptor {}, 0x{:016x}, "
           "leads: {}",
           byte, name, bits, for_what)});
  return way;
}

}  // namespace lanescope::viz
