// SPDX-License-Identifier: MIT
// Decoding what came with sm_90: mbarriers, clusters, registers that change hands, stores that tell
// an mbarrier. Bulk copies are
// in decode_bulk.cpp, wgmma in decode_wgmma.cpp.
//
// Source: PTX ISA 9.2, 9.7.13.3 (barrier.cluster), 9.7.13.15 (mbarrier), 9.7.19.5 (setmaxnreg),
// 9.7.9.12 (st.async), 9.7.13 (red.async).
#include "emulator/decode/decode.hpp"
#include "emulator/execute/atomic.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/registers.hpp"

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
    if (parity) number_within(operand(2), 0, 1, "the parity");
    made_.c = source(operand(2), parity ? Type::u32 : Type::b64);
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
  const bool stays = take("noComplete");
  if (stays) made_.detail |= kMbarrierStays;
  const bool expects = take("expect_tx");
  if (expects) made_.detail |= kMbarrierExpects;
  operands(expects || stays ? 3 : 2, 3);
  if (operand(0).kind != OperandKind::sink && has(*statement_, "shared::cluster"))
    refuse("an mbarrier of the cluster gives no state: ptxas wants _ in its place",
           ErrorCode::invalid_ptx);
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

// griddepcontrol: the grids of a stream run one after another here.
void Decoder::grid_dependency() {
  if (take_any({"wait", "launch_dependents"}).empty()) refuse_form();
  operands(0, 0);
  set(&run_nothing);
}

// st.async and red.async in the cluster: stored at once; then the mbarrier hears of the bytes.
void Decoder::signal_bytes(const PtxOperand& destination, const PtxOperand& barrier, int bytes) {
  next_part();
  BulkPlan plan;
  plan.destination = row_address(destination);
  address(barrier);
  made_.space = Space::shared;
  made_.b = constant(static_cast<std::uint64_t>(bytes), 4);
  made_.target = static_cast<std::uint32_t>(program_.bulks.size());
  program_.bulks.push_back(plan);
  set(&run_async_signal);
  composite();
}

// .mmio of st.async and red.async: no mbarrier, and a release that others see.
void Decoder::take_global_release() {
  if (!take("release") || take_any({"gpu", "sys"}).empty()) refuse_form();
  take("global");
  function_.is_ordered = true;
}

void Decoder::async_store() {
  if (take("mmio")) {
    take_global_release();
    const Type type = take_type();
    operands(2, 2);
    return transfer(operand(1), operand(0), Space::global, type, 1, true);
  }
  take("weak");
  take("shared::cluster");
  if (!take("mbarrier::complete_tx::bytes")) refuse_form();
  const int count = take("v2") ? 2 : take("v4") ? 4 : 1;
  const Type type = take_type();
  operands(3, 3);
  if (info(type).bits < 32 || info(type).bits > 64) refuse_form();
  transfer(operand(1), operand(0), Space::shared, type, count, true);
  signal_bytes(operand(0), operand(2), bytes_of(type) * count);
}

void Decoder::async_reduction() {
  const bool is_global = take("mmio");
  if (is_global) {
    take_global_release();
  } else {
    take("relaxed");
    take("cluster");
    take("shared::cluster");
    if (!take("mbarrier::complete_tx::bytes")) refuse_form();
  }
  bool found = false;
  for (const AtomicName& entry : kAtomics) {
    if (!take(entry.name)) continue;
    made_.count = static_cast<std::uint16_t>(entry.operation);
    found = true;
  }
  const Type type = take_type();
  const auto operation = static_cast<AtomicOperation>(made_.count);
  operands(is_global ? 2 : 3, is_global ? 2 : 3);
  if (!found || is_real(type) || !atomic_exists(operation, type)) refuse_form();
  if (is_global && (operation != AtomicOperation::add || type == Type::b32)) refuse_form();
  if (is_global) made_.d = kNoRow;
  address(operand(0));
  made_.b = source(operand(1), type);
  made_.space = is_global ? Space::global : Space::shared;
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  made_.detail = 1;
  made_.target = static_cast<std::uint32_t>(type);
  set(&run_atomic);
  if (!is_global) signal_bytes(operand(0), operand(2), bytes_of(type));
}

}  // namespace lanescope::emulator
