// SPDX-License-Identifier: MIT
// See comparison.hpp.
#include "trace/comparison.hpp"
#include "trace/kernel_name.hpp"

#include <fmt/format.h>

#include "layout/instruction.hpp"
#include "layout/mover.hpp"
#include "layout/scales.hpp"
#include "numeric/format.hpp"

namespace lanescope::trace {
namespace {

std::string hex(std::uint64_t word, int bits) {
  return fmt::format("{:0{}x}", word, (bits + 3) / 4);
}

std::uint64_t bits_at(std::uint64_t word, int bit, int bits) {
  return bits >= 64 ? word : word >> bit & ((std::uint64_t{1} << bits) - 1);
}

/// Compares two partners; the first thing found goes to `difference`.
class Comparison {
 public:
  Comparison(const Addresses& addresses, Difference& difference)
      : addresses_(addresses), difference_(difference) {}
  bool found() const { return !difference_.text.empty(); }
  bool passed_over() const { return passed_over_; }

  void operator()(const View&, const View&) {}
  void operator()(const Launch& a, const Launch& b) {
    names(a.kernel, b.kernel);
    dimensions("grid", a.grid, b.grid);
    dimensions("block", a.block, b.block);
    value("shared_bytes", a.shared_bytes, b.shared_bytes);
  }
  void operator()(const Fragment& a, const Fragment& b) {
    value("instruction", a.instruction, b.instruction);
    value("operand", a.operand, b.operand);
    value("register_bits", a.register_bits, b.register_bits);
    value("number of registers", a.registers.size(), b.registers.size());
    if (found() || a.registers.empty()) return;
    value("number of lanes", a.registers[0].size(), b.registers[0].size());
    if (!found()) registers(a, b);
  }
  void operator()(const Memory& a, const Memory& b) {
    value("space", a.space, b.space);
    value("type", a.type, b.type);
    value("rows", a.rows, b.rows);
    value("cols", a.cols, b.cols);
    value("row_stride_bytes", a.row_stride_bytes, b.row_stride_bytes);
    if (a.space == "shared") value("address", a.address, b.address);
    value("number of bytes", a.bytes.size(), b.bytes.size());
    if (!found()) bytes(a, b);
  }
  void operator()(const Step& a, const Step& b) {
    value("step", a.step, b.step);
    // That two kernels have different names says nothing of each instruction that names its kernel.
    if (a.ptx != b.ptx) value("ptx", plain_ptx(a.ptx), plain_ptx(b.ptx));
    value("active", hex(a.active, 32), hex(b.active, 32));
    value("number of writes", a.writes.size(), b.writes.size());
    for (std::size_t i = 0; !found() && i < a.writes.size(); ++i) {
      const Write& one = a.writes[i];
      const Write& other = b.writes[i];
      value("written register", one.name, other.name);
      value("its bits", one.bits, other.bits);
      for (std::size_t lane = 0; !found() && lane < one.lanes.size(); ++lane) {
        if (one.lanes[lane] == other.lanes[lane]) continue;
        if (addresses_.are_alike(a, i, lane, b))
          passed_over_ = true;
        else
          at_lane(lane, one.name, hex(one.lanes[lane], one.bits), hex(other.lanes[lane], one.bits));
      }
    }
  }
  void operator()(const Access& a, const Access& b) {
    value("step", a.step, b.step);
    value("instruction", a.instruction, b.instruction);
    value("bytes_per_lane", a.bytes_per_lane, b.bytes_per_lane);
    value("active", hex(a.active, 32), hex(b.active, 32));
    value("number of addresses", a.addresses.size(), b.addresses.size());
    for (std::size_t k = 0; !found() && k < a.addresses.size(); ++k)
      at_lane(k % 32, "address", hex(a.addresses[k], 32), hex(b.addresses[k], 32));
  }
  void operator()(const Diagnostic& a, const Diagnostic& b) { value("kind", a.kind, b.kind); }
  void operator()(const Sync&, const Sync&) {}

  template <class A, class B>
  void operator()(const A&, const B&) {}  // partners are of one kind

 private:
  void names(const std::string& a, const std::string& b) {
    if (as_written(a) != as_written(b)) return value("kernel", as_written(a), as_written(b));
    value("kernel", a, b);  // those that differ in their parameters alone
  }
  template <class Value>
  void value(std::string_view what, const Value& a, const Value& b) {
    if (!found() && a != b) difference_.text = fmt::format("{}: {} in a, {} in b", what, a, b);
  }
  void dimensions(std::string_view what, const std::array<int, 3>& a, const std::array<int, 3>& b) {
    value(what, fmt::format("{}x{}x{}", a[0], a[1], a[2]),
          fmt::format("{}x{}x{}", b[0], b[1], b[2]));
  }
  void at_lane(std::size_t lane, std::string_view what, const std::string& a,
               const std::string& b) {
    if (a == b) return;
    difference_.lane = static_cast<int>(lane);
    difference_.text = fmt::format("lane {}, {}: {} in a, {} in b", lane, what, a, b);
  }

  void registers(const Fragment& a, const Fragment& b) {
    const std::size_t lanes = a.registers[0].size();
    std::size_t count = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t r = 0; r < a.registers.size(); ++r) {
        if (a.registers[r][lane] == b.registers[r][lane]) continue;
        if (count++ > 0) continue;
        at_lane(lane, fmt::format("register {}", r), hex(a.registers[r][lane], a.register_bits),
                hex(b.registers[r][lane], b.register_bits));
        difference_.register_index = static_cast<int>(r);
      }
    if (count == 0) return;
    difference_.text += element(a, b);
    difference_.text += fmt::format("\n{} of {} registers of this fragment differ", count,
                                    lanes * a.registers.size());
  }

  // The same in the words of the matrix, where the atlas knows the map.
  std::string element(const Fragment& a, const Fragment& b) const {
    const layout::Instruction* instruction = layout::find_recorded(a.instruction);
    const auto letter = layout::operand_letter(a.operand);
    if (instruction == nullptr || !letter) return {};
    const auto [thread_id, byte_id] = scale_selector_of(a);
    const layout::Instruction with = layout::with_scales(*instruction, {thread_id, byte_id});
    const layout::Fragment* map = with.operand(*letter, selector_of(a));
    if (map == nullptr || map->register_bits != a.register_bits) return {};
    const auto r = static_cast<std::size_t>(difference_.register_index);
    const auto lane = static_cast<std::size_t>(difference_.lane);
    const std::string_view type = layout::name(map->type);
    for (const layout::Held& held :
         layout::elements(*map, difference_.lane, difference_.register_index)) {
      const auto one = bits_at(a.registers[r][lane], held.holder.bit, map->element_bits);
      const auto other = bits_at(b.registers[r][lane], held.holder.bit, map->element_bits);
      if (one == other) continue;
      return fmt::format("\n{} row {}, col {} ({}): {} in a, {} in b", a.operand, held.element.row,
                         held.element.col, type, numeric::to_text(type, one).value_or("?"),
                         numeric::to_text(type, other).value_or("?"));
    }
    return {};
  }

  void bytes(const Memory& a, const Memory& b) {
    const std::size_t row_bytes =
        a.rows > 0 ? a.bytes.size() / static_cast<std::size_t>(a.rows) : 0;
    if (row_bytes == 0) return;
    std::size_t count = 0;
    for (std::size_t at = 0; at < a.bytes.size(); ++at) {
      if (a.bytes[at] == b.bytes[at] || count++ > 0) continue;
      difference_.text = fmt::format("row {}, byte {}: {} in a, {} in b", at / row_bytes,
                                     at % row_bytes, hex(a.bytes[at], 8), hex(b.bytes[at], 8));
    }
    if (count > 0)
      difference_.text +=
          fmt::format("\n{} of {} bytes of this tile differ", count, a.bytes.size());
  }

  const Addresses& addresses_;
  Difference& difference_;
  bool passed_over_ = false;
};

}  // namespace

bool compare_events(const Event& a, const Event& b, const Addresses& addresses,
                    Difference& difference) {
  Comparison comparison(addresses, difference);
  std::visit(comparison, a, b);
  return comparison.passed_over();
}

}  // namespace lanescope::trace
