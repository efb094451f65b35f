// SPDX-License-Identifier: MIT
// Decoding what came with sm_90: mbarriers, bulk and tensor copies, clusters, wgmma.
//
// Source: PTX ISA 9.2, 9.7.9.25 and 9.7.9.27, 9.7.13.3 (barrier.cluster), 9.7.13.15 (mbarrier),
// 9.7.15 (wgmma).
#include <fmt/format.h>

#include <algorithm>

#include "emulator/cluster.hpp"
#include "emulator/decode.hpp"
#include "emulator/registers.hpp"

namespace lanescope::emulator {

// mbarrier.arrive{.expect_tx}{.sem}{.scope}{.space}.b64 state, [addr]{, count}, and its kin.
void Decoder::mbarrier() {
  const std::string_view what = take_any({"init", "inval", "arrive", "arrive_drop", "test_wait",
                                          "try_wait", "complete_tx", "pending_count", "expect_tx"});
  take_cache_hints();
  made_.space = take_space(Space::generic);
  if (!take("b64") || what.empty()) refuse_form();
  if (what == "init") {
    operands(2, 2);
    address(operand(0));
    made_.b = source(operand(1), Type::b32);
    return set(&run_mbarrier_init);
  }
  if (what == "inval") {
    operands(1, 1);
    address(operand(0));
    return set(&run_mbarrier_invalidate);
  }
  if (what == "pending_count") {
    operands(2, 2);
    made_.d = destination(operand(0), Type::b32);
    made_.a = source(operand(1), Type::b64);
    return set(&run_mbarrier_pending_count);
  }
  if (what == "test_wait" || what == "try_wait") {
    const bool parity = take("parity");
    operands(3, what == "try_wait" ? 4 : 3);
    made_.d = predicate_destination(operand(0));
    address(operand(1));
    made_.c = source(operand(2), parity ? Type::b32 : Type::b64);
    made_.detail = static_cast<std::uint16_t>((parity ? kMbarrierParity : 0) |
                                              (what == "try_wait" ? kMbarrierTries : 0));
    return set(&run_mbarrier_wait);
  }
  mbarrier_arrive(what);
}

void Decoder::mbarrier_arrive(std::string_view what) {
  set(&run_mbarrier_arrive);
  if (what == "expect_tx" || what == "complete_tx") {
    made_.detail = what == "expect_tx" ? kMbarrierExpects : kMbarrierCompletes;
    // take_any finds expect_tx last: arrive.expect_tx was seen as an arrive.
    operands(2, 2);
    address(operand(0));
    made_.b = source(operand(1), Type::b32);
    return;
  }
  made_.detail = kMbarrierArrives;
  if (what == "arrive_drop") made_.detail |= kMbarrierDrops;
  if (take("noComplete")) made_.detail |= kMbarrierStays;
  const bool expects = take("expect_tx");
  if (expects) made_.detail |= kMbarrierExpects;
  operands(expects ? 3 : 2, 3);
  if (operand(0).kind != OperandKind::sink) made_.d = destination(operand(0), Type::b64);
  address(operand(1));
  if (statement_->operands.size() == 3) made_.b = source(operand(2), Type::b32);
}

// cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [addr].
void Decoder::async_arrive() {
  if (!take("arrive")) refuse_form();
  made_.detail = take("noinc") ? 1 : 0;
  made_.space = take_space(Space::generic);
  if (!take("b64")) refuse_form();
  operands(1, 1);
  address(operand(0));
  set(&run_async_arrive);
}

RowAddress Decoder::row_address(const PtxOperand& operand) {
  const Instruction kept = made_;
  address(operand);
  const RowAddress made{made_.a, made_.immediate, made_.wide_address};
  made_ = kept;
  return made;
}

// cp.async.bulk..., cp.reduce.async.bulk...: [destination], [source]{, size}{, [mbarrier]}{, mask}
// {, cache policy}; a tensor's side is [map, {coordinates}].
void Decoder::bulk_copy(bool reduces) {
  if (take("commit_group")) return operands(0, 0), set(&run_bulk_commit);
  if (take("wait_group")) {
    take("read");
    operands(1, 1);
    made_.immediate = integer(operand(0));
    return set(&run_bulk_wait);
  }
  BulkPlan plan;
  plan.reduces = reduces;
  if (take("tensor")) plan.rank = tensor_rank();
  const bool is_im2col = take("im2col"), has_no_offsets = take("im2col_no_offs");
  plan.is_im2col = is_im2col || has_no_offsets;
  if (plan.is_im2col && plan.rank < 3) refuse_form();
  if (take("prefetch")) {
    modifiers_.clear();
    return set(&run_nothing);
  }
  const bool hinted = take("L2::cache_hint");
  const bool multicast = take("multicast::cluster");
  const bool signals = take("mbarrier::complete_tx::bytes");
  if (!signals && !take("bulk_group")) refuse_form();
  bulk_direction(plan, signals);
  if (is_im2col != (plan.is_im2col && plan.way == BulkPlan::Way::to_shared)) refuse_form();
  if (reduces) bulk_reduction(plan);
  bulk_operands(plan, signals, multicast, hinted);
  made_.immediate = static_cast<std::int64_t>(program_.bulks.size());
  program_.bulks.push_back(plan);
  set(&run_bulk_copy);
}

int Decoder::tensor_rank() {
  const std::string_view rank = take_any({"1d", "2d", "3d", "4d", "5d"});
  if (rank.empty()) refuse("the tensor's dimension is missing", ErrorCode::invalid_ptx);
  take("tile");  // im2col::w and the gathers are left over, and refused by name
  return rank.front() - '0';
}

// The first space is the destination's, the second the source's.
void Decoder::bulk_direction(BulkPlan& plan, bool signals) {
  const auto space = [&]() {
    for (auto at = modifiers_.begin(); at != modifiers_.end(); ++at) {
      const Space found = find_space(*at);
      if (found == Space::none) continue;
      modifiers_.erase(at);
      return found;
    }
    refuse_form();
  };
  const Space to = space();
  const Space from = space();
  if (to == Space::shared && from == Space::global)
    plan.way = BulkPlan::Way::to_shared;
  else if (to == Space::global && from == Space::shared)
    plan.way = BulkPlan::Way::to_global;
  else if (to == Space::shared && from == Space::shared)
    plan.way = BulkPlan::Way::shared_to_shared;
  else
    refuse_form();
  if (signals != (plan.way != BulkPlan::Way::to_global)) refuse_form();
}

void Decoder::bulk_reduction(BulkPlan& plan) {
  bool found = false;
  for (const AtomicName& entry : kAtomics) {
    if (entry.operation == AtomicOperation::cas || entry.operation == AtomicOperation::exch ||
        !take(entry.name))
      continue;
    plan.operation = entry.operation;
    found = true;
  }
  if (!found) refuse_form();
  take("noftz");
  if (plan.way == BulkPlan::Way::to_global) program_.has_global_atomics = true;
  if (plan.rank > 0) return;  // the map has the type
  plan.type = take_type();
  if (!atomic_exists(plan.operation, plan.type)) refuse_form();
}

void Decoder::bulk_operands(BulkPlan& plan, bool signals, bool multicast, bool hinted) {
  const bool tensor = plan.rank > 0;
  const bool has_offsets = plan.is_im2col && plan.way == BulkPlan::Way::to_shared;
  const std::size_t count = 2u + (tensor ? 0u : 1u) + (signals ? 1u : 0u) +
                            (has_offsets ? 1u : 0u) + (multicast ? 1u : 0u) + (hinted ? 1u : 0u);
  operands(count, count);
  plan.destination = row_address(operand(0));
  plan.source = row_address(operand(1));
  std::size_t at = 2;
  if (tensor) {
    const PtxOperand& side = operand(plan.way == BulkPlan::Way::to_shared ? 1 : 0);
    if (side.items.size() != 2) refuse("the coordinates are missing", ErrorCode::invalid_ptx);
    const auto parts = items(side.items[1]);
    if (static_cast<int>(parts.size()) != plan.rank)
      refuse(fmt::format("{} coordinates where {} should be", parts.size(), plan.rank),
             ErrorCode::invalid_ptx);
    for (std::size_t k = 0; k < parts.size(); ++k)
      plan.coordinates[k] = source(*parts[k], Type::b32);
  } else {
    plan.size = source(operand(at++), Type::b32);
  }
  if (signals) plan.barrier = row_address(operand(at++));
  if (has_offsets) im2col_offsets(plan, operand(at++));
  if (multicast) plan.mask = mask_row(operand(at++));
}

void Decoder::im2col_offsets(BulkPlan& plan, const PtxOperand& operand) {
  const auto parts = items(operand);
  if (static_cast<int>(parts.size()) != plan.rank - 2)
    refuse(fmt::format("{} im2col offsets where {} should be", parts.size(), plan.rank - 2),
           ErrorCode::invalid_ptx);
  for (std::size_t k = 0; k < parts.size(); ++k) plan.offsets[k] = mask_row(*parts[k]);
}

// A 16-bit register or number, as a 32-bit row.
std::uint32_t Decoder::mask_row(const PtxOperand& operand) { return source(operand, Type::b16); }

void Decoder::map_address() {
  take_space(Space::generic);
  const Type type = take_type();
  operands(3, 3);
  made_.d = destination(operand(0), type);
  made_.a = source(operand(1), type);
  made_.b = source(operand(2), Type::b32);
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  set(&run_map_address);
}

void Decoder::cta_rank() {
  take_space(Space::generic);
  const Type type = take_type();
  operands(2, 2);
  made_.d = destination(operand(0), Type::b32);
  made_.a = source(operand(1), type);
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  set(&run_cta_rank);
}

// barrier.cluster.{arrive,wait}{.sem}{.aligned}.
void Decoder::cluster_barrier() {
  take_cache_hints();
  made_.detail = take("aligned") ? 1 : 0;
  operands(0, 0);
  if (take("arrive")) return set(&run_cluster_arrive);
  if (!take("wait")) refuse_form();
  set(&run_cluster_wait);
}

// setmaxnreg.{inc,dec}.sync.aligned.u32 n.
void Decoder::set_registers() {
  made_.detail = take("inc") ? 1 : 0;
  if ((made_.detail == 0 && !take("dec")) || !take("sync") || !take("aligned") || !take("u32"))
    refuse_form();
  operands(1, 1);
  const std::int64_t count = integer(operand(0));
  if (count < 24 || count > 256 || count % 8 != 0)
    refuse("setmaxnreg takes a multiple of 8 from 24 to 256", ErrorCode::invalid_ptx);
  made_.immediate = count;
  set(&run_set_registers);
}

// createpolicy: a policy is a hint that nobody reads.
void Decoder::create_policy() {
  modifiers_.clear();
  if (statement_->operands.empty()) refuse_form();
  made_.d = destination(operand(0), Type::b64);
  made_.a = constant(0, 8);
  set(handlers().integer(Operation::move, Type::b64));
}

// griddepcontrol: the grids of a stream run one after another here.
void Decoder::grid_dependency() {
  if (take_any({"wait", "launch_dependents"}).empty()) refuse_form();
  operands(0, 0);
  set(&run_nothing);
}

void Decoder::wgmma() {
  if (take("mma_async")) return wgmma_multiply();
  const std::string_view what = take_any({"fence", "commit_group", "wait_group"});
  if (what.empty() || !take("sync") || !take("aligned")) refuse_form();
  if (what == "wait_group") {
    operands(1, 1);
    made_.immediate = integer(operand(0));
    return set(&run_wgmma_wait);
  }
  operands(0, 0);
  set(what == "fence" ? &run_aligned_nothing : &run_wgmma_commit);
}

// d, a | a-desc, b-desc{, metadata, selector}, scale-d{, imm-scale-a, imm-scale-b{, imm-trans-a},
// imm-trans-b}.
void Decoder::wgmma_multiply() {
  std::string mnemonic(statement_->opcode);
  bool satfinite = false;
  for (const std::string_view modifier : statement_->modifiers) {
    mnemonic += fmt::format(".{}", modifier);
    satfinite = satfinite || modifier == "satfinite";
  }
  modifiers_.clear();
  const layout::Instruction* entry = layout::find(mnemonic);
  const bool sparse = entry != nullptr && entry->family == "wgmma.sp";
  if (entry == nullptr || (entry->family != "wgmma" && !sparse))
    refuse(fmt::format("{} is not a wgmma that is modelled", mnemonic));
  WgmmaPlan& planned = wgmma_plans_[{entry, satfinite}];
  if (planned.instruction == nullptr)
    if (const std::string why = plan_wgmma(*entry, arch_, satfinite, planned); !why.empty())
      refuse(fmt::format("{}: {}", mnemonic, why));
  WgmmaPlan plan = planned;
  operands(4, sparse ? 10 : 8);
  made_.list = wgmma_registers(operand(0), plan.D.registers, true);
  plan.a_in_registers = operand(1).kind == OperandKind::list;
  if (plan.a_in_registers)
    plan.a_list = wgmma_registers(operand(1), plan.A.registers, false);
  else
    plan.a_descriptor = source(operand(1), Type::b64);
  plan.b_descriptor = source(operand(2), Type::b64);
  std::size_t next = 3;
  if (sparse) {
    operands(6, 10);
    plan.metadata = source(operand(next++), Type::b32);
    if (const std::string why = plan_sparse(*entry, integer(operand(next++)), plan.sparse);
        !why.empty())
      refuse(why, ErrorCode::invalid_ptx);
  }
  plan.scale_d = predicate_source(operand(next++), plan.scale_d_flip);
  wgmma_immediates(plan, next);
  made_.immediate = static_cast<std::int64_t>(program_.wgmmas.size());
  program_.wgmmas.push_back(std::move(plan));
  set(&run_wgmma);
}

std::uint32_t Decoder::wgmma_registers(const PtxOperand& operand, int count, bool written) {
  const auto parts = items(operand);
  if (static_cast<int>(parts.size()) != count)
    refuse(fmt::format("{} registers where {} should be", parts.size(), count),
           ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> rows;
  for (const PtxOperand* part : parts)
    rows.push_back(written ? destination(*part, Type::b32) : source(*part, Type::b32));
  if (written) accumulators_.insert(rows.begin(), rows.end());
  return list(rows);
}

// From operand `first` on.
void Decoder::wgmma_immediates(WgmmaPlan& plan, std::size_t first) {
  const std::size_t count = statement_->operands.size();
  const bool scales = plan.shape.accumulator != TensorType::s32;
  const bool turns = plan.instruction->A.element_bits == 16;
  const std::size_t expected =
      first + (scales ? 2u : 0u) + (turns ? (plan.a_in_registers ? 1u : 2u) : 0u);
  if (count != expected)
    refuse(fmt::format("{} operands where {} should be", count, expected), ErrorCode::invalid_ptx);
  const auto choice = [&](std::size_t at, std::int64_t no, std::int64_t yes) {
    const std::int64_t value = integer(operand(at));
    if (value != no && value != yes)
      refuse(fmt::format("operand {} must be {} or {}", at, no, yes), ErrorCode::invalid_ptx);
    return value == yes;
  };
  if (scales) {
    plan.negates_a = choice(first, 1, -1);
    plan.negates_b = choice(first + 1, 1, -1);
  }
  if (!turns) return;
  if (!plan.a_in_registers) plan.a_is_mn_major = choice(first + 2, 0, 1);
  plan.b_is_mn_major = choice(count - 1, 0, 1);
}

// Where accumulators lie in local memory, as of arrays that are indexed with variables, in
// functions that are called and after nvcc -G, ptxas (13.0) waits behind each wgmma of the
// function: C7510.
bool Decoder::spills_accumulators() const {
  if (program_.module.is_debug || !parsed_.is_entry) return true;
  for (std::size_t pc = function_.first; pc < program_.code.size(); ++pc) {
    const Instruction& i = program_.code[pc];
    const PtxStatement* statement = program_.statement(static_cast<std::uint32_t>(pc));
    if (statement == nullptr || statement->opcode != "st" || i.space != Space::local) continue;
    for (const PtxOperand* item : items(statement->operands.back()))
      if (item->kind == OperandKind::reg &&
          accumulators_.count(function_.register_rows[static_cast<std::size_t>(item->reg)]) != 0)
        return true;
  }
  return false;
}

// Compilers copy accumulators between two wgmma; see run_accumulator_move.
void Decoder::watch_accumulators() {
  if (accumulators_.empty()) return;
  const bool is_serialised = spills_accumulators();
  for (std::size_t pc = function_.first; is_serialised && pc < program_.code.size(); ++pc)
    if (const Instruction& i = program_.code[pc]; i.handler == &run_wgmma)
      program_.wgmmas[static_cast<std::size_t>(i.immediate)].is_serialised = true;
  for (std::size_t pc = function_.first; pc < program_.code.size(); ++pc) {
    Instruction& i = program_.code[pc];
    const PtxStatement* statement = program_.statement(static_cast<std::uint32_t>(pc));
    if (statement == nullptr || statement->opcode != "mov" || i.bytes != 0 ||
        accumulators_.count(i.a) == 0 ||
        i.handler != handlers().integer(Operation::move, Type::b32))
      continue;
    i.handler = &run_accumulator_move;
  }
}

}  // namespace lanescope::emulator
