// SPDX-License-Identifier: MIT
// Decoding loads and stores, and cp.async. Bulk copies are in decode_bulk.cpp, prefetches and hints
// about caches in decode_hints.cpp.
//
// Source: PTX ISA 9.2, 9.7.9 (data movement), 9.7.9.25 (asynchronous copies).
#include <fmt/format.h>

#include <algorithm>

#include "emulator/decode/decode.hpp"
#include "emulator/decode/rare.hpp"
#include "emulator/ptx/target.hpp"

namespace lanescope::emulator {

// How many registers .v2, .v4, .v8 stand for.
int Decoder::take_vector() { return take("v2") ? 2 : take("v4") ? 4 : take("v8") ? 8 : 1; }

void Decoder::load() { load_or_store(false); }

void Decoder::store() { load_or_store(true); }

void Decoder::load_or_store(bool stores) {
  if (take("async")) return stores ? async_store() : refuse_form();
  if (stores && take("bulk")) return bulk_store();
  // What a loop that waits for another thread reads with; a compiler keeps no other load in a loop.
  const bool polls = !take_any({"volatile", "relaxed", "acquire", "mmio", "cv", "cg"}).empty();
  const bool evicts = has(*statement_, "L2::evict_first") || has(*statement_, "L2::evict_last") ||
                      has(*statement_, "L2::evict_normal");
  take_cache_hints();
  const bool hinted = take("L2::cache_hint");
  const Space named = take_space(Space::generic);
  const int count = take_vector();
  const Type type = take_type();
  if (evicts && bytes_of(type) * count != 32)
    refuse("L2::evict_... is for 256 bits at once; L2::cache_hint and a policy for any",
           ErrorCode::invalid_ptx);
  if (bytes_of(type) * count > 16 && named != Space::global && named != Space::generic)
    refuse("256 bits at once are for .global", ErrorCode::invalid_ptx);
  operands(hinted ? 3 : 2, hinted ? 3 : 2);
  if (!stores) take("unified");
  transfer(operand(stores ? 1 : 0), operand(stores ? 0 : 1), named, type, count, stores);
  const bool seen_by_others = named != Space::local && named != Space::parameter;
  if (!polls || !seen_by_others) return;
  if (named != Space::shared) function_.is_ordered = true;
  if (stores) return;
  int bits = 64;
  if (type != Type::b128) any_source(*items(operand(0)).front(), type, bits);
  made_.target = static_cast<std::uint32_t>(program_.polls.size());
  program_.polls.push_back({made_.handler, type == Type::b128 ? 2 : count, bits == 64});
  set(&run_poll);
}

void Decoder::transfer(const PtxOperand& registers, const PtxOperand& where, Space space, Type type,
                       int count, bool is_store) {
  address(where);
  made_.space = space;
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type) * count);
  made_.detail = is_store ? 1 : 0;
  if (space == Space::parameter && has(*statement_, "param::entry"))
    made_.detail |= 2;
  else if (space == Space::parameter && !where.items.empty())
    made_.detail |= parameter_block(where.items.front());
  if (type == Type::b128) {  // two words of 64 bits, which lie in two rows
    if (count != 1) refuse_form();
    const std::uint32_t low = wide_row(registers);
    made_.list = list({low, low + kWideRow});
    return set(is_store ? handlers().store(Type::b64, 64, 2) : handlers().load(Type::b64, 64, 2));
  }
  const auto parts = items(registers);
  if (static_cast<int>(parts.size()) != count)
    refuse(fmt::format("{} registers where {} should be", parts.size(), count),
           ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> rows;
  int bits = 0;
  for (const PtxOperand* part : parts) {
    const bool is_register = part->kind == OperandKind::reg;
    if (!is_store && !is_register && part->kind != OperandKind::sink)
      refuse("the destination is not a register", ErrorCode::invalid_ptx);
    if (!is_register) continue;
    const int here = register_bits(part->reg);
    if (bits != 0 && bits != here) refuse("the registers differ in size");
    bits = here;
  }
  for (const PtxOperand* part : parts) {
    int here = 0;
    const bool is_number = part->kind != OperandKind::reg && part->kind != OperandKind::sink;
    if (!is_store && part->kind == OperandKind::sink)
      rows.push_back(kNoRow);
    else  // a number is as wide as the registers beside it
      rows.push_back(any_source(*part, is_number && bits == 64 ? Type::b64 : type, here));
    if (bits == 0 && is_number) bits = here;
  }
  if (bits == 0) bits = std::max(32, info(type).bits);
  made_.list = list(rows);
  set(is_store ? handlers().store(type, bits, count) : handlers().load(type, bits, count));
}

// 2: the parameters of the kernel, one block for all lanes; 0: those of a function or a call.
// An address in a register, in a kernel, can only be of the kernel's.
std::uint16_t Decoder::parameter_block(const PtxOperand& base) const {
  if (base.kind != OperandKind::variable) return parsed_.is_entry ? 2 : 0;
  for (const int parameter : parsed_.parameters)
    if (parameter == base.variable) return parsed_.is_entry ? 2 : 0;
  return 0;
}

// docs/experiments/ptxas_mistakes.md: from sm_90 on, and not with -O0.
void Decoder::note_hinted_copy() {
  if (program_.module.ptxas_optimizes() && function_.hinted_copy < 0 &&
      parse_target(arch_).number >= 90)
    function_.hinted_copy = static_cast<int>(statement_ - parsed_.statements.data());
}

// cp.async.{ca,cg}.shared.global [dst], [src], size{, src-size | ignore-src}, and its group rules.
void Decoder::async_copy() {
  const bool reduces = take("reduce");
  if (!take("async")) refuse_form();
  if (take("bulk")) return bulk_copy(reduces);
  if (reduces) refuse_form();
  if (take("mbarrier")) return async_arrive();
  if (take("commit_group")) return operands(0, 0), set(&run_async_commit);
  if (take("wait_all")) {
    made_.immediate = -1;
    return operands(0, 0), set(&run_async_wait);
  }
  if (take("wait_group")) {
    operands(1, 1);
    made_.immediate = integer(operand(0));
    if (made_.immediate < 0) refuse("the number of groups is negative", ErrorCode::invalid_ptx);
    return set(&run_async_wait);
  }
  const bool bypass = take("cg");
  if (!bypass && !take("ca")) refuse_form();
  if (!(take("shared") || take("shared::cta")) || !take("global")) refuse_form();
  take_any({"L2::64B", "L2::128B", "L2::256B"});
  const bool hinted = take("L2::cache_hint");
  operands(hinted ? 4 : 3, hinted ? 5 : 4);
  if (hinted) {
    source(statement_->operands.back(), Type::u64);
    note_hinted_copy();
  }
  const std::int64_t bytes = integer(operand(2));
  if (bytes != 16 && (bypass || (bytes != 4 && bytes != 8)))
    refuse(bypass ? "cp.async.cg copies 16 bytes" : "cp.async.ca copies 4, 8 or 16 bytes",
           ErrorCode::invalid_ptx);
  address(operand(0));
  const Instruction to = made_;
  address(operand(1));
  made_.bytes = static_cast<std::uint8_t>(bytes);
  made_.space = Space::global;
  // The destination's address: row b, displacement in `target`, its width in detail bit 2.
  made_.b = to.a;
  made_.target = static_cast<std::uint32_t>(to.immediate);
  made_.detail = static_cast<std::uint16_t>(to.wide_address ? 4 : 0);
  if (statement_->operands.size() > (hinted ? 4u : 3u)) {
    const PtxOperand& size = operand(3);
    if (size.kind == OperandKind::reg && register_bits(size.reg) == 1) {
      std::uint32_t flip = 0;
      made_.c = predicate_source(size, flip);  // ignore-src
      made_.detail |= static_cast<std::uint16_t>(8 | (flip != 0 ? 16 : 0));
    } else {
      number_within(size, 0, bytes, "what is copied of the source");
      made_.c = source(size, Type::u32);
    }
  }
  set(&run_async_copy);
}

}  // namespace lanescope::emulator
