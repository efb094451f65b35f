// SPDX-License-Identifier: MIT
// The way of an element that wgmma or tcgen05.mma reads from shared memory: no lane holds it, so it
// is followed from the byte to which its descriptor leads. See way_back.hpp, descriptor_reads.hpp.
#include <fmt/format.h>

#include <string>

#include "panels/way/descriptor_reads.hpp"
#include "panels/way/tensor_products.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

Way behind_descriptor(const trace::Trace& trace, RegisterHistory& history,
                      const DescriptorRead& read, const Selection& selection,
                      const std::string& for_what) {
  const std::string one = read.one();
  if (!read.bits) {
    Way way;
    way.before = "what is in the descriptor " + read.name + " is not recorded";
    way.stops.push_back(
        {read.place, -1, one + ": reads it through " + read.name + ": " + for_what});
    return way;
  }
  const bool A = read.operand == 'A';
  const layout::Element& e = selection.element;
  const std::uint32_t byte = read.byte(A ? e.row : e.col, (A ? e.col : e.row) / read.packed);
  Way way = way_back_from_shared(trace, history, {read.reader, byte, 0, read.width});
  way.stops.push_back(
      {read.place, -1,
       fmt::format("{}: reads it at byte 0x{:x} of shared memory, where descriptor {}, 0x{:016x}, "
                   "leads: {}",
                   one, byte, read.name, *read.bits, for_what)});
  return way;
}

std::string among(const std::string& made, std::size_t adding) {
  return adding < 2 ? made : fmt::format("{}, the last of {} that add to these sums", made, adding);
}

// Of the last of those that add to the sums.
Way of_tensor(const trace::Trace& trace, const StepList& steps, const TensorProduct& product,
              const Selection& selection, const std::string& made) {
  RegisterHistory history(steps);
  const StepPlace place = last_of(steps, product);
  TensorRead read = tensor_read(history, place, selection.operand);
  if (is_with_peer(product, selection.operand, selection.element))
    read.why = "it lies in the shared memory of the peer CTA, whose steps are not recorded";
  if (read.why.empty())
    return behind_descriptor(trace, history, read.read, selection,
                             among(made, product.adding.size()));
  Way way;
  way.before = read.why;
  way.stops.push_back({place, -1, "tcgen05.mma: reads it: " + made});
  return way;
}

}  // namespace

Way way_through_descriptor(const trace::Trace& trace, const StepList& steps,
                           const Multiplication& in, const Selection& selection,
                           const std::string& made) {
  constexpr std::size_t kMostAdding = 4096;
  const bool A = selection.operand == 'A';
  if (in.tensor != nullptr && shared_shape(in, selection.operand).rows > 0)
    return of_tensor(trace, steps, *in.tensor, selection, made);
  if (!in.instruction->family.starts_with("wgmma") || (!A && selection.operand != 'B')) return {};
  RegisterHistory history(steps);
  const std::vector<Adding> adding = wgmmas_of(history, in, kMostAdding);
  if (adding.empty()) return {};
  const StepPlace& place = adding.back().place;
  const std::optional<DescriptorRead> read = descriptor_read(history, place, selection.operand);
  if (!read) return {};
  return behind_descriptor(trace, history, *read, selection,
                           among(made, static_cast<std::size_t>(adding.back().nth) + 1));
}

}  // namespace lanescope::viz
