// SPDX-License-Identifier: MIT
// See tensor_fills.hpp.
#include "panels/way/tensor_fills.hpp"

#include <algorithm>
#include <string_view>

#include "layout/mover.hpp"
#include "layout/tcgen05.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/way/tensor_reads.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

// The emulator's, decode_tcgen05.cpp: where rows 0 to 31, and those behind them, begin.
struct CopyShape {
  std::string_view name, multicast;
  int rows, bytes;
  std::vector<int> begins;
};
const std::vector<CopyShape>& copy_shapes() {
  static const std::vector<CopyShape> all{{".128x256b", "", 128, 32, {0}},
                                          {".128x128b", "", 128, 16, {0}},
                                          {".64x128b", ".warpx2::02_13", 64, 16, {0, 64}},
                                          {".32x128b", ".warpx4", 32, 16, {0, 32, 64, 96}}};
  return all;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

TensorFills::TensorFills(const trace::Trace& trace, RegisterHistory& history)
    : trace_(trace), history_(history), origins_(trace, history) {
  for (std::size_t w = 0; w < history.list().warps.size(); ++w)
    for (std::size_t k = 0; k < history.list().warps[w].items.size(); ++k) {
      const StepPlace place{static_cast<int>(w), static_cast<int>(k), {}};
      const std::string_view name = mnemonic_of(history.list().warps[w].items[k].step->ptx);
      std::optional<Fill> fill = name.starts_with("tcgen05.cp.")   ? copied(place)
                                 : name.starts_with("tcgen05.st.") ? stored(place)
                                                                   : std::nullopt;
      if (fill) fills_.push_back(std::move(*fill));
    }
}

std::optional<TensorFills::Fill> TensorFills::copied(const StepPlace& place) {
  const trace::Step* step = history_.item(place.warp, place.item).step;
  const std::string_view name = mnemonic_of(step->ptx);
  const std::vector<std::string_view> operands = operands_of(step->ptx);
  const auto shape = std::find_if(
      copy_shapes().begin(), copy_shapes().end(),
      [&](const CopyShape& one) { return has(name, one.name) && has(name, one.multicast); });
  if (shape == copy_shapes().end() || operands.size() != 2 || has(name, ".b8x16"))
    return std::nullopt;
  const auto to = tensor_memory_address(history_, place, operands[0]);
  const auto bits = uniform_value(history_, place, operands[1]);
  if (!to || !bits) return std::nullopt;
  const auto as_wgmma = layout::wgmma_of(layout::decode_tcgen05(*bits));
  if (!as_wgmma) return std::nullopt;
  Fill fill{place,
            step,
            static_cast<int>(*to >> 16),
            static_cast<int>(*to & 0xffff),
            shape->bytes / 4,
            shape->rows,
            shape->begins,
            DescriptorRead{},
            nullptr};
  DescriptorRead& read = *fill.read;
  read.place = read.reader = place;
  read.name = operands[1];
  read.bits = bits;
  read.descriptor = *as_wgmma;
  read.width = 8;
  read.mn = shape->rows;
  read.k = shape->bytes;
  read.is_tensor = true;
  return fill;
}

std::optional<TensorFills::Fill> TensorFills::stored(const StepPlace& place) {
  const trace::Step* step = history_.item(place.warp, place.item).step;
  const std::vector<std::string_view> operands = operands_of(step->ptx);
  const layout::Mover* mover = layout::find_mover(mnemonic_of(step->ptx));
  if (mover == nullptr || operands.size() != 2 || mover->registers.element_bits != 32)
    return std::nullopt;
  const auto to = tensor_memory_address(history_, place, operands[0]);
  if (!to) return std::nullopt;
  return Fill{place,
              step,
              static_cast<int>(*to >> 16),
              static_cast<int>(*to & 0xffff),
              mover->registers.cols,
              0,
              {},
              std::nullopt,
              mover};
}

std::optional<int> TensorFills::Fill::row_of(int at_lane) const {
  const int each = rows == 64 ? 64 : std::min(rows, 128);
  for (const int begin : begins)
    if (const int row = at_lane - lane - begin; row >= 0 && row < each) return row;
  return std::nullopt;
}

const TensorFills::Fill* TensorFills::last(const StepPlace& reader, const Byte& at) const {
  const StepWarp& of = history_.warp(reader.warp);
  const trace::Step* when = history_.item(reader.warp, reader.item).step;
  const Fill* found = nullptr;
  for (const Fill& one : fills_) {
    const StepWarp& by = history_.warp(one.place.warp);
    if (by.launch != of.launch || by.block != of.block || one.step > when) continue;
    if (at.column < one.column || at.column >= one.column + one.columns) continue;
    const bool reaches = one.rows > 0
                             ? one.row_of(at.lane).has_value()
                             : !layout::holders(one.mover->registers,
                                                {at.lane - one.lane, at.column - one.column, 0})
                                    .empty();
    if (reaches && (found == nullptr || one.step > found->step)) found = &one;
  }
  // Of another warp, or of one that goes on, a later one may not be recorded.
  const bool is_last =
      found != nullptr && history_.shared(trace_, of).sees_between(found->step, when);
  return is_last ? found : nullptr;
}

bool TensorFills::sees_all(const StepPlace& reader) const {
  return history_.shared(trace_, history_.warp(reader.warp))
      .sees_all(history_.item(reader.warp, reader.item).step);
}

const DescriptorRead* TensorFills::copy(const StepPlace& reader, const Byte& at) const {
  const Fill* fill = last(reader, at);
  return fill == nullptr || !fill->read ? nullptr : &*fill->read;
}

Way TensorFills::way(const Fill& fill, const Byte& at) {
  if (fill.read) {
    const int byte = (at.column - fill.column) * 4 + at.byte;
    return way_back_from_shared(trace_, history_,
                                {fill.place, fill.read->byte(*fill.row_of(at.lane), byte), 0, 8});
  }
  const layout::Holder holder =
      layout::holders(fill.mover->registers, {at.lane - fill.lane, at.column - fill.column, 0})
          .front();
  const std::vector<std::string_view> names = registers_in(operands_of(fill.step->ptx)[1]);
  const auto reg = static_cast<std::size_t>(holder.register_index);
  if (reg >= names.size()) return {};
  const int writer = history_.writer(fill.place.warp, fill.place.item, names[reg], holder.thread);
  const trace::Write* write = history_.written(fill.place.warp, writer, names[reg]);
  if (write == nullptr) return {};
  const std::uint64_t bits = write->lanes[static_cast<std::size_t>(holder.thread)];
  return way_back(trace_, history_, {fill.place.warp, writer, {}},
                  {names[reg], holder.thread, 8 * at.byte}, 8, bits >> 8 * at.byte & 0xff);
}

std::string TensorFills::place(const StepPlace& reader, const Byte& at) {
  const Fill* fill = last(reader, at);
  return fill == nullptr ? std::string() : without_space(way(*fill, at).place);
}

Origin TensorFills::origin(const StepPlace& reader, const Byte& at, const Change& cp) {
  const Fill* fill = last(reader, at);
  if (fill == nullptr) return {};
  const int row = fill->rows > 0 ? *fill->row_of(at.lane) : at.lane;
  const int byte = (at.column - fill->column) * 4 + at.byte;
  if (cp.read != nullptr && fill->read) {
    DescriptorRead read = *fill->read;
    cp.read(read, 0);
    return origins_.origin_of(read, read.byte(row, byte));
  }
  const auto [found, is_new] = known_.try_emplace({fill, row, byte});
  if (is_new && fill->read) {
    found->second = origins_.origin_of(*fill->read, fill->read->byte(row, byte));
  } else if (is_new) {
    const Way came = way(*fill, at);
    if (came.address && came.bits == 8) found->second = {true, *came.address, came.base, {}, 1};
  }
  return found->second;
}

}  // namespace lanescope::viz
