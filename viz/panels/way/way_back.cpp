// SPDX-License-Identifier: MIT
// See way_back.hpp.
#include "panels/way/way_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "layout/mover.hpp"
#include "panels/memory/shared_history.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/conversions.hpp"
#include "panels/way/exchanges.hpp"
#include "panels/way/unpacking.hpp"
#include "panels/way/way_begin.hpp"
#include "panels/way/wmma_moves.hpp"

namespace lanescope::viz {
namespace {

constexpr int kMostHops = 24;

class Teller {
 public:
  // Without `bits`, what the element is worth is not known: nothing is compared.
  Teller(const trace::Trace& trace, RegisterHistory& history, int width,
         std::optional<std::uint64_t> bits)
      : trace_(trace), history_(history), width_(width), bits_(bits) {}

  // Backwards from a register, as it is when the item comes to run: who wrote it, and so on.
  void from_register(int warp, int item, Spot at) {
    if (++hops_ > kMostHops) return end("it was moved about more often than is followed");
    const int writer = history_.writer(warp, item, at.name, at.lane);
    const trace::Write* write = writer < 0 ? nullptr : history_.written(warp, writer, at.name);
    if (write == nullptr) return end("what wrote " + std::string(at.name) + " is not recorded");
    if (!holds(*write, at)) return end("the bits of " + std::string(at.name) + " differ there");
    written_by_item(warp, writer, *write, at);
  }

  // Backwards from what an instruction wrote.
  void written_by_item(int warp, int item, const trace::Write& write, Spot at) {
    const StepItem& it = history_.item(warp, item);
    const trace::Step& step = *it.step;
    const std::string_view name = mnemonic_of(step.ptx);
    const std::vector<std::string_view> operands = operands_of(step.ptx);
    if (name.starts_with("ldmatrix") && it.access != nullptr)
      return by_ldmatrix(warp, item, write, at);
    if (name.starts_with("ld.") && !name.starts_with("ld.param") && operands.size() == 2)
      return by_load(warp, item, operands[1], at, offset_of_load(step, at));
    if (name.starts_with("wmma.load") && operands.size() >= 2)
      return by_load(warp, item, operands[1], at,
                     offset_of_fragment(history_, {warp, item, {}}, at));
    if (name.starts_with("mov.") && operands.size() == 2 &&
        place_among(registers_in(operands[0]), at.name) < 0)
      return stop(warp, item, at.lane, "takes the sum over: " + register_text(step, at));
    if (name.starts_with("mov.") && operands.size() == 2 && is_zero(operands[1]))
      return fill(warp, item, at);
    if (name.starts_with("mov.") && operands.size() == 2)
      if (const std::size_t parts = registers_in(operands[1]).size(); parts > 0)
        return by_move(warp, item, write, parts > 1, at);
    if (exchanges(name)) return by_exchange(warp, item, at);
    if (const auto before = before_joining(history_, warp, item, at))
      return from_register(warp, item, *before);
    if (const auto before = before_conversion(step, at, width_))
      return by_conversion(warp, item, *before, at);
    if (const auto before = before_unpacking(history_, warp, item, at, width_))
      return by_unpacking(warp, item, *before, at);
    if (places_bits(step))
      if (const auto before = before_placing(step, at)) return from_register(warp, item, *before);
    const bool product = name.starts_with("mma.") || name.starts_with("wmma.mma") ||
                         name.starts_with("wgmma.wait_group");
    stop(warp, item, at.lane,
         fmt::format("{}: {}", product ? "makes it" : "works it out", register_text(step, at)));
  }

  // Backwards from shared memory, as the reading step found it: whoever wrote there last.
  void from_shared(const SharedRead& at) {
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

  Way told() {
    std::reverse(way_.stops.begin(), way_.stops.end());
    return std::move(way_);
  }

 private:
  bool holds(const trace::Write& write, const Spot& at) const {
    const std::uint64_t mask = width_ >= 64 ? ~0ull : (1ull << width_) - 1;
    return at.bit + width_ <= write.bits && at.lane < static_cast<int>(write.lanes.size()) &&
           (!bits_ || (write.lanes[static_cast<std::size_t>(at.lane)] >> at.bit & mask) == *bits_);
  }

  void end(std::string why) { way_.before = std::move(why); }
  void end_in_zero(std::string why) {
    way_.zero = true;
    end(std::move(why));
  }
  void stop(int warp, int item, int lane, const std::string& text) {
    way_.stops.push_back(
        {{warp, item, {}}, lane, way_opcode(*history_.item(warp, item).step) + ": " + text});
  }
  std::string register_text(const trace::Step& step, const Spot& at) const {
    std::string name(at.name);
    int bits = 32;
    for (const trace::Write& write : step.writes)
      if (write.name == at.name) {
        if (!write.watch.empty()) name += " (" + write.watch + ")";
        bits = write.bits;
      }
    if (width_ < bits) name += fmt::format(", bits {} to {}", at.bit, at.bit + width_ - 1);
    return fmt::format("lane {}, {}", at.lane, name);
  }

  // ", bits 4 to 7" of a byte, of a number that was unpacked.
  std::string place_text() const {
    return way_.place + (is_unpacked_
                             ? fmt::format(", bits {} to {}", way_.bit, way_.bit + width_ - 1)
                             : std::string());
  }
  // `bit`: of the first of them in the byte.
  void begin_at(Beginning begin, int bit) {
    way_.address = begin.address;
    way_.bits = width_;
    way_.bit = bit;
    way_.place = std::move(begin.place);
    way_.base = begin.base;
  }

  void by_ldmatrix(int warp, int item, const trace::Write& write, Spot at) {
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
  std::string elsewhere(int warp, int item, std::string_view operand, int lane) {
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
  void stop_short(int warp, int item, const Spot& at, const std::string& memory) {
    stop(warp, item, at.lane,
         fmt::format("reads it from {}, to {}", memory,
                     register_text(*history_.item(warp, item).step, at)));
    end(fmt::format("what lies in {} is not followed", memory));
  }

  // `offset`: of what comes to the spot, behind the address that its lane gives.
  void by_load(int warp, int item, std::string_view memory, Spot at, std::optional<int> offset) {
    const StepItem& it = history_.item(warp, item);
    const std::optional<std::uint64_t> address = before_load(it, at);
    if (!address) {
      if (const std::string other = elsewhere(warp, item, memory, at.lane); !other.empty())
        return stop_short(warp, item, at, other);
      if (!offset) end("how far apart the lines of the matrix are is not recorded");
      if (offset)
        begin_at(begin_of_access(history_, {warp, item, {}}, memory, at.lane, *offset), at.bit % 8);
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

  // One register into another, or several packed into one: those alone are told.
  void by_move(int warp, int item, const trace::Write& write, bool packs, Spot at) {
    const trace::Step& step = *history_.item(warp, item).step;
    const std::optional<Spot> from = before_move(step, write, at);
    if (!from) return end("what it was made of is not recorded");
    if (!packs &&
        history_.writer(warp, item, from->name, at.lane) < 0)  // %tid, or another special one
      return stop(warp, item, at.lane, fmt::format("works it out: {}", register_text(step, at)));
    if (packs) stop(warp, item, at.lane, fmt::format("packs it: {}", register_text(step, at)));
    from_register(warp, item, *from);
  }

  // Which of two a lane has chosen is told by the register before it alone.
  void by_exchange(int warp, int item, Spot at) {
    const trace::Step& step = *history_.item(warp, item).step;
    const std::optional<Spot> from = before_exchange(history_, warp, item, at);
    if (!from && chooses_zero(history_, warp, item, at.lane)) return fill(warp, item, at);
    if (!from)
      return stop(warp, item, at.lane, fmt::format("works it out: {}", register_text(step, at)));
    if (mnemonic_of(step.ptx).starts_with("shfl"))
      stop(warp, item, at.lane,
           fmt::format("from lane {}, {}, to {}", from->lane, from->name, register_text(step, at)));
    from_register(warp, item, *from);
  }

  // As a guard does at the edge of a matrix.
  void fill(int warp, int item, Spot at) {
    way_.zero = true;
    stop(warp, item, at.lane,
         fmt::format("fills in a zero: {}", register_text(*history_.item(warp, item).step, at)));
  }

  // Its place stays what it was, its bits do not.
  void by_conversion(int warp, int item, const Converted& before, Spot at) {
    stop(warp, item, at.lane,
         fmt::format("from {}, {}, to {}", before.from.name, before.type,
                     register_text(*history_.item(warp, item).step, at)));
    bits_.reset();
    width_ = before.width;
    from_register(warp, item, before.from);
  }

  // A part of a word that becomes a number of its own.
  void by_unpacking(int warp, int item, const Unpacked& before, Spot at) {
    if (before.width < width_)
      stop(warp, item, at.lane,
           fmt::format("from bits {} to {} of {} to {}", before.from.bit,
                       before.from.bit + before.width - 1, before.from.name,
                       register_text(*history_.item(warp, item).step, at)));
    bits_.reset();
    is_unpacked_ = true;
    width_ = before.width;
    from_register(warp, item, before.from);
  }

  // cp.async [to], [from], 16, %r5: behind as many bytes as that says come zeros, and the address
  // may be any.
  bool is_filled(const Arrival& touch, const std::vector<std::string_view>& operands, int offset) {
    if (operands.size() < 4) return false;
    const std::vector<std::string_view> names = registers_in(operands[3]);
    if (names.empty()) return operands[3] == "0";
    const trace::Write* size = history_.written(
        touch.warp, history_.writer(touch.warp, touch.item, names[0], touch.lane), names[0]);
    return size != nullptr && size->bits == 32 &&
           size->lanes[static_cast<std::size_t>(touch.lane)] <= static_cast<std::uint64_t>(offset);
  }

  void by_store(const Arrival& touch, std::uint64_t address, int bit) {
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
          bit);
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
             : fmt::format("lane {} writes it to byte 0x{:x} of shared memory", touch.lane,
                           address));
    if (from) return from_register(touch.warp, touch.item, *from);
    if (operands.size() == 2 && mnemonic_of(it.step->ptx).starts_with("st."))
      end("its source is no register");
  }

  // A bulk copy: from where, where the trace says it.
  void by_copy(const SharedHistory& block, const Arrival& arrival, std::uint64_t address, int bit) {
    const trace::Sync& copy = *arrival.copy;
    const std::optional<BulkSource> source = bulk_source(copy, address);
    std::string whence;
    if (source && !source->inside)
      end_in_zero("it lies outside of the tensor: the copy filled it up");
    else if (source) {
      begin_at(begin_of_copy(history_, block, arrival, *source), bit);
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

  const trace::Trace& trace_;
  RegisterHistory& history_;
  int width_ = 32;
  std::optional<std::uint64_t> bits_;
  bool is_unpacked_ = false;
  int hops_ = 0;
  Way way_;
};

}  // namespace

std::string way_opcode(const trace::Step& step) {
  const std::string_view whole = mnemonic_of(step.ptx);
  std::size_t end = std::min(whole.find('.'), whole.size());
  for (const std::string_view two :
       {"ld.global", "ld.shared", "st.shared", "st.global", "cp.async", "wmma.load", "wmma.store"})
    if (whole.starts_with(two)) end = two.size();
  return std::string(whole.substr(0, end));
}

Way way_back(const trace::Trace& trace, RegisterHistory& history, const StepPlace& writer,
             const Spot& at, int width, std::uint64_t bits) {
  Teller teller(trace, history, width, bits);
  teller.from_register(writer.warp, writer.item + 1, at);
  return teller.told();
}

Way way_back_to(const trace::Trace& trace, RegisterHistory& history, const Multiplication& in,
                char operand, int row, int col) {
  const layout::Holder held = in.holder(operand, row, col);
  const RegisterStep by = register_step(history, in, operand, held.thread, held.register_index);
  const auto bits = element_bits(in, operand, held);
  if (by.place.item < 0 || !bits) return {};
  Teller teller(trace, history, in.map(operand)->payload_bits(), bits);
  teller.from_register(by.place.warp, by.place.item + 1, {by.name, held.thread % 32, held.bit});
  return teller.told();
}

Way way_back_from_shared(const trace::Trace& trace, RegisterHistory& history,
                         const SharedRead& read) {
  Teller teller(trace, history, read.width, std::nullopt);
  teller.from_shared(read);
  return teller.told();
}

}  // namespace lanescope::viz
