// SPDX-License-Identifier: MIT
// The way of an element out of memory: what a load, ldmatrix or a copy found there, and who had
// written it. See way_back.hpp.
#include <fmt/format.h>

#include <utility>

#include "layout/mover.hpp"
#include "panels/memory/shared_history.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/way/way_back.hpp"
#include "panels/way/way_teller.hpp"

namespace lanescope::viz {

// Backwards from shared memory, as the reading step found it: whoever wrote there last.
void Teller::from_shared(const SharedRead& at) {
  if (!way_.read) {
    way_.read = at;
    way_.read->width = width_;
  }
  const StepWarp& of = history_.warp(at.reader.warp);
  const void* read = at.as_of;
  if (read == nullptr) read = history_.item(at.reader.warp, at.reader.item).step;
  const SharedHistory& shared = history_.shared(trace_, of);
  if (!shared.sees_all_warps())
    end("other warps of the block are not recorded: what they wrote to shared memory is not "
        "seen");
  const Arrival* last = shared.last(at.address, read);
  way_.unwritten = last == nullptr && shared.sees_all(read);
  if (last == nullptr)
    return end(
        way_.unwritten
            ? fmt::format("nothing had written byte 0x{:x} of shared memory by then", at.address)
            : fmt::format("who wrote byte 0x{:x} of shared memory is not recorded", at.address));
  if (last->copy != nullptr) return by_copy(shared, *last, at.address, at.bit);
  by_store(*last, at.address, at.bit);
}

void Teller::by_ldmatrix(int warp, int item, const trace::Write& write, Spot at) {
  const StepItem& it = history_.item(warp, item);
  const std::optional<MatrixByte> from = before_ldmatrix(it, write, at);
  if (!from)
    return end(layout::find_mover(it.access->instruction) == nullptr
                   ? it.access->instruction + " is not in the atlas"
                   : "the address of its row is not recorded");
  stop(warp, item, at.lane,
       fmt::format("from byte 0x{:x} of shared memory, lane {}'s address, to {}", from->address,
                   from->row, register_text(*it.step, at)));
  from_shared({{warp, item, {}}, from->address, from->bit});
}

// "another CTA's shared memory": what is no memory of which steps tell; "": global memory.
std::string Teller::elsewhere(int warp, int item, std::string_view operand, int lane) {
  const std::string_view name = mnemonic_of(history_.item(warp, item).step->ptx);
  const auto has = [name](const char* part) { return name.find(part) != std::string_view::npos; };
  const bool generic = !has(".global") && !has(".const");
  const auto address = history_.global_address(warp, item, operand, lane, 0);
  if (has(".local")) return "local memory";
  if (has(".shared")) return "another CTA's shared memory";
  return generic && address && !may_be_global(*address)
             ? "local memory, or another CTA's shared memory"
             : "";
}

void Teller::stop_short(int warp, int item, const Spot& at, const std::string& memory) {
  stop(warp, item, at.lane,
       fmt::format("reads it from {}, to {}", memory,
                   register_text(*history_.item(warp, item).step, at)));
  end(fmt::format("what lies in {} is not followed", memory));
}

// `offset`: of what comes to the spot, behind the address that its lane gives.
void Teller::by_load(int warp, int item, std::string_view memory, Spot at,
                     std::optional<int> offset) {
  const StepItem& it = history_.item(warp, item);
  const std::optional<std::uint64_t> address = before_load(it, at);
  if (!address) {
    if (const std::string other = elsewhere(warp, item, memory, at.lane); !other.empty())
      return stop_short(warp, item, at, other);
    if (!offset) end("how far apart the lines of the matrix are is not recorded");
    if (offset)
      begin_at(begin_of_access(history_, {warp, item, {}}, memory, at.lane, *offset), at.bit % 8,
               {{warp, item, {}}, memory, at.lane});
    else
      way_.place = "global memory";
    stop(warp, item, at.lane,
         fmt::format("reads it from {}, to {}", place_text(), register_text(*it.step, at)));
    return;
  }
  stop(warp, item, at.lane,
       fmt::format("from byte 0x{:x} of shared memory to {}", *address,
                   register_text(*it.step, at)));
  from_shared({{warp, item, {}}, *address, at.bit % 8});
}

// cp.async [to], [from], 16, %r5: behind as many bytes as that says come zeros, and the address
// may be any.
bool Teller::is_filled(const Arrival& touch, const std::vector<std::string_view>& operands,
                       int offset) {
  if (operands.size() < 4) return false;
  const std::vector<std::string_view> names = registers_in(operands[3]);
  if (names.empty()) return operands[3] == "0";
  const trace::Write* size = history_.written(
      touch.warp, history_.writer(touch.warp, touch.item, names[0], touch.lane), names[0]);
  return size != nullptr && size->bits == 32 &&
         size->lanes[static_cast<std::size_t>(touch.lane)] <= static_cast<std::uint64_t>(offset);
}

void Teller::by_store(const Arrival& touch, std::uint64_t address, int bit) {
  const StepItem& it = history_.item(touch.warp, touch.item);
  const std::vector<std::string_view> operands = operands_of(it.step->ptx);
  const int offset =
      static_cast<int>(address - it.access->addresses[static_cast<std::size_t>(touch.lane)]);
  if (operands.size() >= 2 && mnemonic_of(it.step->ptx).starts_with("cp.async")) {
    if (is_filled(touch, operands, offset))
      return end_in_zero(
          fmt::format("{} fills it up with zeros: it copies fewer bytes", way_opcode(*it.step)));
    begin_at(
        begin_of_access(history_, {touch.warp, touch.item, {}}, operands[1], touch.lane, offset),
        bit, {{touch.warp, touch.item, {}}, operands[1], touch.lane});
    return stop(touch.warp, touch.item, touch.lane,
                fmt::format("lane {} copies it from {}, to byte 0x{:x} of shared memory",
                            touch.lane, place_text(), address));
  }
  const std::optional<Spot> from = before_store(it, touch.lane, address, bit);
  const bool by_row = from && from->lane != touch.lane;  // stmatrix: the address is a row's
  stop(touch.warp, touch.item, touch.lane,
       by_row
           ? fmt::format("lane {} writes it to byte 0x{:x} of shared memory, lane {}'s address",
                         from->lane, address, touch.lane)
           : fmt::format("lane {} writes it to byte 0x{:x} of shared memory", touch.lane, address));
  if (from) return from_register(touch.warp, touch.item, *from);
  if (operands.size() == 2 && mnemonic_of(it.step->ptx).starts_with("st."))
    end("its source is no register");
}

// A bulk copy: from where, where the trace says it.
void Teller::by_copy(const SharedHistory& block, const Arrival& arrival, std::uint64_t address,
                     int bit) {
  const trace::Sync& copy = *arrival.copy;
  const std::optional<BulkSource> source = bulk_source(copy, address);
  std::string whence;
  if (source && !source->inside)
    end_in_zero("it lies outside of the tensor: the copy filled it up");
  else if (source) {
    begin_at(begin_of_copy(history_, block, arrival, *source), bit,
             access_of_copy(history_, arrival));
    whence = " from " + place_text();
  }
  if (!source)
    end(copy.tensor.empty() && copy.global == 0
            ? "copies from another CTA, in im2col mode, of four rows, of interleaved "
              "tensors and of every other element are not followed"
            : "the copy does not bring that byte");
  if (arrival.item >= 0)
    return stop(arrival.warp, arrival.item, -1,
                fmt::format("a bulk copy of {} bytes brings it{} to byte 0x{:x} of shared memory",
                            copy.bytes, whence, address));
  end(copy.action == "land" || copy.action == "written"
          ? fmt::format("another CTA of the cluster sent it to byte 0x{:x} of shared memory{}",
                        address, whence)
          : fmt::format("a bulk copy of warp {} brought it{}, whose steps are not recorded",
                        copy.place.warp, whence));
}

// ", bits 4 to 7" of a byte, of a number that was unpacked.
std::string Teller::place_text() const {
  return way_.place + (is_unpacked_
                           ? fmt::format(", bits {} to {}", way_.bit, way_.bit + width_ - 1)
                           : std::string());
}

// `bit`: of the first of them in the byte.
void Teller::begin_at(Beginning begin, int bit, GlobalAccess access) {
  if (access.place.item >= 0) way_.access = access;
  way_.address = begin.address;
  way_.bits = width_;
  way_.bit = bit;
  way_.place = std::move(begin.place);
  way_.base = begin.base;
}

}  // namespace lanescope::viz
