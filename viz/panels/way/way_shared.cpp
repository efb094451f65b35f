// SPDX-License-Identifier: MIT
// The way of an element that wgmma reads from shared memory: no lane holds it, so it is followed
// from the byte to which its descriptor leads. See way_back.hpp, descriptor_reads.hpp.
#include <fmt/format.h>

#include <string>

#include "panels/way/descriptor_reads.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {

Way way_through_descriptor(const trace::Trace& trace, const StepList& steps,
                           const Multiplication& in, const Selection& selection,
                           const std::string& made) {
  constexpr std::size_t kMostAdding = 4096;
  const bool A = selection.operand == 'A';
  if (!in.instruction->family.starts_with("wgmma") || (!A && selection.operand != 'B')) return {};
  RegisterHistory history(steps);
  const std::vector<Adding> adding = wgmmas_of(history, in, kMostAdding);
  if (adding.empty()) return {};
  const StepPlace& place = adding.back().place;
  const std::optional<DescriptorRead> read = descriptor_read(history, place, selection.operand);
  if (!read) return {};
  std::string for_what = made;
  if (adding.back().nth > 0)
    for_what += fmt::format(", the last of {} that add to these sums", adding.back().nth + 1);
  if (!read->bits) {
    Way way;
    way.before = "what is in the descriptor " + read->name + " is not recorded";
    way.stops.push_back({place, -1, "wgmma: reads it through " + read->name + ": " + for_what});
    return way;
  }
  const layout::Element& e = selection.element;
  const std::uint32_t byte = read->byte(A ? e.row : e.col, A ? e.col : e.row);
  Way way = way_back_from_shared(trace, history, {read->reader, byte}, read->width);
  way.stops.push_back(
      {place, -1,
       fmt::format(
           "wgmma: reads it at byte 0x{:x} of shared memory, where descriptor {}, 0x{:016x}, "
           "leads: {}",
           byte, read->name, *read->bits, for_what)});
  return way;
}

}  // namespace lanescope::viz
