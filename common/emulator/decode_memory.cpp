// SPDX-License-Identifier: MIT
// Decoding moves, loads and stores, address conversions, atomics and cp.async.
//
// Source: PTX ISA 9.2, 9.7.9 (data movement), 9.7.13 (atomics), 9.7.9.25 (asynchronous copies).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/atomic.hpp"
#include "emulator/decode.hpp"
#include "emulator/memory.hpp"
#include "emulator/rare.hpp"

namespace lanescope::emulator {

namespace {

// How many registers .v2, .v4, .v8 stand for.
int take_vector(bool v2, bool v4, bool v8) { return v2 ? 2 : v4 ? 4 : v8 ? 8 : 1; }

bool is_packed(const PtxStatement& statement) {
  return statement.operands.size() == 2 && (statement.operands[0].kind == OperandKind::list ||
                                            statement.operands[1].kind == OperandKind::list);
}

}  // namespace

void Decoder::move() {
  const Type type = take_type();
  if (type == Type::b128) return wide_move();
  operands(2, 2);
  const bool v2 = take("v2");
  if (v2 || take("v4")) return vector_move(type, v2 ? 2 : 4);
  const PtxOperand& from = operand(1);
  if (is_packed(*statement_)) return pack(type);
  if (type == Type::pred) {
    std::uint32_t flip = 0;
    made_.d = predicate_destination(operand(0));
    made_.a = predicate_source(from, flip);
    made_.detail = flip != 0 ? 1 : 0;
    return set(&run_predicate_move);
  }
  made_.d = destination(operand(0), type);
  if (from.kind == OperandKind::special &&
      (from.name.substr(0, 6) == "%clock" || from.name.substr(0, 12) == "%globaltimer")) {
    made_.detail = from.name == "%clock_hi" || from.name == "%globaltimer_hi" ? 32 : 0;
    made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
    return set(&run_clock);
  }
  if (from.kind == OperandKind::variable && variable_of(from).space == Space::parameter) {
    // The address of a kernel parameter, for cvta.param.
    const auto offset = static_cast<std::uint64_t>(
        program_.variable_addresses[static_cast<std::size_t>(from.variable)] + from.value);
    made_.a = constant(offset, info(type).bits == 64 ? 8 : 4);
  } else {
    made_.a = source(from, type);
  }
  set(handlers().integer(Operation::move, type));
}

const PtxVariable& Decoder::variable_of(const PtxOperand& operand) const {
  return program_.module.variables[static_cast<std::size_t>(operand.variable)];
}

// mov.b32 %r, {%rs1, %rs2} and mov.b64 {%r1, %r2}, %rd.
void Decoder::pack(Type type) {
  const bool packs = operand(1).kind == OperandKind::list;
  const auto parts = items(operand(packs ? 1 : 0));
  const int part_bits = info(type).bits / static_cast<int>(parts.empty() ? 1 : parts.size());
  const Type part = part_bits == 8 ? Type::b8 : part_bits == 16 ? Type::b16 : Type::b32;
  if (parts.size() < 2 || parts.size() > 4 || info(type).bits > 64 || info(part).bits != part_bits)
    refuse_form();
  std::vector<std::uint32_t> rows;
  for (const PtxOperand* item : parts)
    rows.push_back(item->kind == OperandKind::sink ? kNoRow
                   : packs                         ? source(*item, part)
                                                   : destination(*item, part));
  made_.list = list(rows);
  made_.count = static_cast<std::uint16_t>(parts.size());
  made_.detail = static_cast<std::uint16_t>(part_bits);
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  if (packs)
    made_.d = destination(operand(0), type);
  else
    made_.a = source(operand(1), type);
  set(packs ? &run_pack : &run_unpack);
}

void Decoder::load() { load_or_store(false); }

void Decoder::store() { load_or_store(true); }

void Decoder::load_or_store(bool stores) {
  if (take("async")) return stores ? async_store() : refuse_form();
  // What a loop that waits for another thread reads with; a compiler keeps no other load in a loop.
  const bool polls = !take_any({"volatile", "relaxed", "acquire", "mmio", "cv", "cg"}).empty();
  take_cache_hints();
  const bool hinted = take("L2::cache_hint");
  const Space named = take_space(Space::generic);
  const bool v2 = take("v2");
  const bool v4 = take("v4");
  const int count = take_vector(v2, v4, take("v8"));
  const Type type = take_type();
  operands(2, hinted ? 3 : 2);
  if (!stores) take("unified");
  transfer(operand(stores ? 1 : 0), operand(stores ? 0 : 1), named, type, count, stores);
  const bool seen_by_others = named != Space::local && named != Space::parameter;
  if (!polls || !seen_by_others) return;
  if (named != Space::shared) program_.has_global_atomics = true;
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
  if (space == Space::parameter && !where.items.empty())
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
    int this_bits = 0;
    rows.push_back(
        !is_store && part->kind == OperandKind::sink ? kNoRow : any_source(*part, type, this_bits));
    if (!is_store && part->kind != OperandKind::reg && part->kind != OperandKind::sink)
      refuse("the destination is not a register", ErrorCode::invalid_ptx);
    if (part->kind == OperandKind::sink) continue;
    if (bits != 0 && bits != this_bits) refuse("the registers differ in size");
    bits = this_bits;
  }
  if (bits == 0) bits = std::max(32, info(type).bits);
  made_.list = list(rows);
  set(is_store ? handlers().store(type, bits, count) : handlers().load(type, bits, count));
}

// 2: the parameters of the kernel, one block for all lanes; 0: those of a function or a call.
// An address in a register can only be of the kernel's.
std::uint16_t Decoder::parameter_block(const PtxOperand& base) const {
  if (base.kind != OperandKind::variable) return parsed_.is_entry ? 2 : 0;
  for (const int parameter : parsed_.parameters)
    if (parameter == base.variable) return parsed_.is_entry ? 2 : 0;
  return 0;
}

// cvta.SPACE adds the space's window to an offset, cvta.to.SPACE takes it away.
void Decoder::cvta() {
  const bool to = take("to");
  const Space space = take_space(Space::none);
  const Type type = take_type();
  operands(2, 2);
  if (space == Space::none || info(type).bits != 64) refuse_form();
  made_.d = destination(operand(0), type);
  const PtxOperand& from = operand(1);
  made_.a = source(from, type);
  const std::uint64_t window = space == Space::shared      ? kSharedWindow
                               : space == Space::local     ? kLocalWindow
                               : space == Space::parameter ? kParameterWindow
                                                           : 0;
  made_.b = constant(to ? 0 - window : window, 8);
  set(handlers().integer(Operation::add, Type::u64));
}

void Decoder::isspacep() {
  const bool whole =
      std::find(modifiers_.begin(), modifiers_.end(), "shared::cluster") != modifiers_.end();
  const Space space = take_space(Space::none);
  operands(2, 2);
  made_.d = predicate_destination(operand(0));
  made_.a = source(operand(1), Type::u64);
  made_.space = space;
  made_.detail = whole ? 1 : 0;
  if (space == Space::none) refuse_form();
  set(&run_isspacep);
}

// applypriority, discard, pmevent: of caches and counters that are not modelled.
void Decoder::hint() {
  take_space(Space::none);
  take_cache_hints();
  take_any({"L2", "mask"});
  operands(1, 2);
  set(&run_nothing);
}

void Decoder::prefetch() {
  take_space(Space::none);
  take_cache_hints();
  take_any({"L1", "L2", "tensormap"});
  operands(1, 2);
  address(operand(0));
  set(&run_nothing);
}

// atom and red: d, [a], b, (c).
void Decoder::atomic() {
  const bool returns = statement_->opcode == "atom";
  if (take("async")) return returns ? refuse_form() : async_reduction();
  take_cache_hints();
  take("noftz");
  const bool hinted = take("L2::cache_hint");
  const Space named = take_space(Space::generic);
  AtomicOperation operation = AtomicOperation::add;
  bool found = false;
  for (const AtomicName& entry : kAtomics) {
    if (!take(entry.name)) continue;
    operation = entry.operation;
    found = true;
  }
  if (!found) refuse_form();
  const bool v2 = take("v2"), v4 = take("v4");
  const int vector = take_vector(v2, v4, take("v8"));
  const Type type = take_type();
  const bool swaps = operation == AtomicOperation::cas;
  const std::size_t count = (returns ? 1u : 0u) + 2u + (swaps ? 1u : 0u);
  operands(count, count + (hinted ? 1 : 0));
  if (type == Type::b128) {
    if (!returns || (!swaps && operation != AtomicOperation::exch)) refuse_form();
    return wide_atomic(swaps, named);
  }
  if (vector > 1) {
    if (named != Space::global) refuse_form();
    return vector_atomic(operation, type, static_cast<std::size_t>(vector), returns);
  }
  std::size_t at = 0;
  made_.d = returns ? destination(operand(at++), type) : kNoRow;
  address(operand(at++));
  made_.b = source(operand(at++), type);
  if (swaps) made_.c = source(operand(at++), type);
  made_.space = named;
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  made_.detail = 1;
  made_.count = static_cast<std::uint16_t>(operation);
  made_.target = static_cast<std::uint32_t>(type);
  const bool by_size = operation == AtomicOperation::min || operation == AtomicOperation::max;
  if (!atomic_exists(operation, type) || (by_size && is_real(type))) refuse_form();
  if (named != Space::shared) program_.has_global_atomics = true;
  set(&run_atomic);
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
  operands(3, hinted ? 5 : 4);
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
      made_.c = source(size, Type::u32);
    }
  }
  set(&run_async_copy);
}

}  // namespace lanescope::emulator
