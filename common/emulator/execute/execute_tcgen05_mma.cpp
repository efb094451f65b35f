// SPDX-License-Identifier: MIT
// tcgen05.mma, cp and commit: one thread issues them, and nobody waits. They are checked here and
// put into a row; what stands before a commit is done when somebody waits at its mbarrier
// (land_tcgen05.cpp).
//
//     issue:  mma, mma, commit -> full[0], mma, commit -> full[1]
//     who polls full[0]: the first two are done, and full[0] hears of it; D has not changed before
//
// A commit stands for what its own thread has issued before it, and for nothing of others'.
//
// With .cta_group::2 one thread of either CTA of a pair issues for both:
//
//     even CTA    rows 0 .. M/2 of A and of D,   rows 0 .. N/2 of B (columns of D)
//     odd CTA     the other half of each         by the same descriptors, in its own shared memory
//
// Source: PTX ISA 9.2, 9.7.16.9 (cp), 9.7.16.10 (mma), 9.7.16.12 (commit), 9.7.16.6 (what is in
// order), 9.7.16.5 (pairs).
#include <fmt/format.h>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/tcgen05_columns.hpp"
#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/execute/tcgen05_operands.hpp"
#include "emulator/execute/tcgen05_pair.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {
namespace {

std::uint64_t wide(const Warp& w, std::uint32_t row_offset, int lane) {
  return row<std::uint64_t>(w, row_offset)[lane];
}

const Tcgen05Form& form_of(Warp& w, const Tcgen05Plan& plan, std::uint32_t bits) {
  const int key = static_cast<int>(plan.kind) + (plan.is_stationary ? 256 : 0) +
                  (plan.ctas == 2 ? 512 : 0) + 1024 * plan.scale_vectors +
                  (plan.is_sparse ? 8192 : 0);
  auto& form = tensor_memory(*w.cta).forms[{key, bits}];
  if (form == nullptr)
    form = std::make_unique<Tcgen05Form>(
        tcgen05_form({plan.kind, plan.is_stationary, plan.ctas, plan.scale_vectors, plan.is_sparse},
                     bits, w.cta->launch->program->arch));
  return *form;
}

TensorAddress address_at(const Warp& w, const RowAddress& address, int lane) {
  return tensor_address(static_cast<std::uint32_t>(address_of(w, address, lane)));
}

TensorWork work_of(const Warp& w, const Tcgen05Plan& plan, int lane) {
  TensorWork work;
  work.plan = &plan;
  work.thread = static_cast<std::uint32_t>(w.index * kLanes + lane);
  work.pc = w.pc;
  work.d = address_at(w, plan.tensor, lane);
  return work;
}

// Elements of a row of A in shared memory, two of mxf4 and mxf4nvf4 as one.
int k_of(const Tcgen05Form& form) { return form.shape.K / (form.two_a_byte ? 2 : 1); }

// Sixteen elements of so many bits, without their padding.
int unit_bytes(const Tcgen05Form& form, int bits) {
  return bits < 8 && !form.two_a_byte ? 2 * bits : 16;
}

bool find_a(Warp& w, const Tcgen05Plan& plan, int lane, const TensorCtas& ctas, TensorWork& work,
            const Actor* reader) {
  const Tcgen05Form& form = *work.form;
  if (!plan.a_in_tensor) {
    work.a_descriptor = wide(w, plan.a_descriptor, lane);
    return check_operand(w, lane, ctas, work.a_descriptor,
                         {"A", element_bits(form.shape.a), form.M / form.ctas, k_of(form),
                          form.a_is_mn_major, unit_bytes(form, form.a_bits)},
                         reader);
  }
  work.a = address_at(w, plan.a_tensor, lane);
  if (form.a_is_mn_major)
    return tcgen05_misuse(w, lane, "descriptor", "A in tensor memory, M-major by the descriptor",
                          "there it is K-major: bit 15 must be 0");
  if (!check_tensor(w, lane, work.a, form.lanes, 8, "A") ||
      !starts_well(w, lane, work.a, form, "A"))
    return false;
  touch_tensor(reader, ctas, {work.a.column, 8, chunks_from(work.a, form.chunks)},
               TensorUse::reads);
  return true;
}

// Columns that count as zeros are read, too; with a shift others than the first N.
bool find_b(Warp& w, const Tcgen05Plan& plan, int lane, const TensorCtas& ctas, TensorWork& work,
            const Actor* reader) {
  const Tcgen05Form& form = *work.form;
  if (plan.zero_columns != Tcgen05Plan::kAbsent)
    work.zero_columns = wide(w, plan.zero_columns, lane);
  if (std::string why = layout::zero_columns_problem(work.zero_columns, form.M); !why.empty())
    return tcgen05_misuse(w, lane, "descriptor",
                          fmt::format("the zero-column mask descriptor {:#x} is not valid: {}",
                                      work.zero_columns, why),
                          "0 where all columns of B count, from the first one on");
  work.b_descriptor = wide(w, plan.b_descriptor, lane);
  return check_operand(
      w, lane, ctas, work.b_descriptor,
      {"B", element_bits(form.shape.b), columns_fetched(work),
       k_of(form) * (form.is_sparse ? 2 : 1), form.b_is_mn_major, unit_bytes(form, form.b_bits)},
      reader);
}

// Of a sparse A.
bool find_metadata(Warp& w, const Tcgen05Plan& plan, int lane, const TensorCtas& ctas,
                   TensorWork& work, const Actor* reader) {
  if (!plan.is_sparse) return true;
  const Tcgen05Form& form = *work.form;
  work.metadata = address_at(w, plan.metadata, lane);
  if (!starts_well(w, lane, work.metadata, form, "the metadata")) return false;
  const int a_lane = plan.a_in_tensor ? work.a.lane : work.d.lane;
  if (work.metadata.lane != work.d.lane || a_lane != work.d.lane)
    return tcgen05_misuse(
        w, lane, "tensor-memory",
        fmt::format("D begins at lane {}, {} at lane {}", work.d.lane,
                    a_lane != work.d.lane ? "A" : "the metadata",
                    a_lane != work.d.lane ? a_lane : work.metadata.lane),
        "where they have 16 lanes of each warp, A, D and metadata must have the same");
  work.metadata.column += form.selector;
  if (!check_tensor(w, lane, work.metadata, form.lanes, form.metadata_columns, "the metadata"))
    return false;
  touch_tensor(
      reader, ctas,
      {work.metadata.column, form.metadata_columns, chunks_from(work.metadata, form.chunks)},
      TensorUse::reads);
  return true;
}

// Bits 30 and 31 of their addresses are not read: there CUTLASS keeps the byte that it puts into
// the instruction descriptor.
bool find_scales(Warp& w, const Tcgen05Plan& plan, int lane, const TensorCtas& ctas,
                 TensorWork& work, const Actor* reader) {
  if (plan.scale_vectors == 0) return true;
  const auto find = [&](const RowAddress& address, int columns, const char* name,
                        TensorAddress& at) {
    at = tensor_address(static_cast<std::uint32_t>(address_of(w, address, lane)) & 0x3fffffffu);
    if (at.lane != 0)
      return tcgen05_misuse(w, lane, "tensor-memory",
                            fmt::format("{} begins at lane {}", name, at.lane),
                            "lane 0: scale factors lie in all 128 lanes, the same in each 32");
    if (!check_tensor(w, lane, at, kTensorLanes, columns, name)) return false;
    touch_tensor(reader, ctas, {at.column, columns, 0xff}, TensorUse::reads);
    return true;
  };
  return find(plan.a_scales, work.form->a_scale_columns, "SFA", work.a_scales) &&
         find(plan.b_scales, work.form->b_scale_columns, "SFB", work.b_scales);
}

bool issue(Warp& w, const Tcgen05Plan& plan, int lane) {
  TensorCtas ctas;
  if (!find_ctas(w, lane, plan.ctas, ctas) || !all_live(w, lane, ctas)) return false;
  const std::uint32_t bits = row<std::uint32_t>(w, plan.instruction)[lane];
  TensorWork work = work_of(w, plan, lane);
  work.form = &form_of(w, plan, bits);
  const Tcgen05Form& form = *work.form;
  if (!form.refusal.empty())
    return tcgen05_misuse(
        w, lane, "descriptor",
        fmt::format("the instruction descriptor 0x{:x} of .kind::{} is not valid: {}", bits,
                    layout::kTcgen05Kinds[static_cast<std::size_t>(plan.kind)], form.refusal),
        "lanescope descriptor --tcgen05 --instruction shows what its bits mean");
  work.adds = (((predicate(w, plan.adds) ^ plan.adds_flip) >> lane) & 1) != 0;
  if (!check_tensor(w, lane, work.d, form.lanes, form.columns, "D") ||
      !starts_well(w, lane, work.d, form, "D"))
    return false;
  Checker* check = w.cta->check;
  const Actor* reader = check == nullptr ? nullptr : &check->tensor().thread(w, lane);
  if (!find_a(w, plan, lane, ctas, work, reader) || !find_b(w, plan, lane, ctas, work, reader))
    return false;
  if (!find_metadata(w, plan, lane, ctas, work, reader)) return false;
  if (!find_scales(w, plan, lane, ctas, work, reader)) return false;
  touch_tensor(reader, ctas, {work.d.column, form.columns, chunks_from(work.d, form.chunks)},
               TensorUse::writes);
  if (check != nullptr) check->tick();
  for (std::size_t k = 0; k < plan.disabled_lanes.size(); ++k)
    work.disabled_lanes[k] = row<std::uint32_t>(w, plan.disabled_lanes[k])[lane];
  tensor_memory(*w.cta).work.push_back(work);
  return true;
}

bool issue_copy(Warp& w, const Tcgen05Plan& plan, int lane) {
  TensorCtas ctas;
  if (!find_ctas(w, lane, plan.ctas, ctas) || !all_live(w, lane, ctas)) return false;
  TensorWork work = work_of(w, plan, lane);
  work.a_descriptor = wide(w, plan.a_descriptor, lane);
  Checker* check = w.cta->check;
  const Actor* reader = check == nullptr ? nullptr : &check->tensor().thread(w, lane);
  if (!check_tensor(w, lane, work.d, 1 + plan.copy_lanes.back().back(), plan.columns,
                    "tcgen05.cp") ||
      !check_operand(
          w, lane, ctas, work.a_descriptor,
          {"tcgen05.cp", 8, plan.copy_rows, plan.copy_bytes, false, 2 * plan.element_bits}, reader))
    return false;
  unsigned chunks = 0;
  for (const std::vector<int>& lanes : plan.copy_lanes)
    for (const int to : lanes) chunks |= 1u << (work.d.lane + to) / 16;
  touch_tensor(reader, ctas, {work.d.column, plan.columns, chunks}, TensorUse::writes);
  if (check != nullptr) check->tick();
  tensor_memory(*w.cta).work.push_back(work);
  return true;
}

// A commit without a state space has a generic address, says the ISA. The instruction that ptxas
// makes of it takes 32 bits, and Triton gives it a shared address, widened: that works, too.
Space space_of_barrier(Space named, std::uint64_t address) {
  return named == Space::generic && address >> 32 == 0 ? Space::shared : named;
}

}  // namespace

Flow run_tensor_multiply(Warp& w, const Instruction& i, std::uint32_t active) {
  w.cta->multiplied = true;
  const Tcgen05Plan& plan = w.cta->launch->program->tcgen05s[static_cast<std::size_t>(i.immediate)];
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (!issue(w, plan, __builtin_ctz(rest))) return Flow::fault;
  return Flow::next;
}

Flow run_tensor_copy(Warp& w, const Instruction& i, std::uint32_t active) {
  const Tcgen05Plan& plan = w.cta->launch->program->tcgen05s[static_cast<std::size_t>(i.immediate)];
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    if (!issue_copy(w, plan, __builtin_ctz(rest))) return Flow::fault;
  return Flow::next;
}

Flow run_tensor_commit(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    TensorCtas ctas;
    if (!find_ctas(w, lane, i.detail, ctas) || !all_live(w, lane, ctas)) return Flow::fault;
    const std::uint64_t address = address_of(w, {i.a, i.immediate, i.wide_address}, lane);
    SharedPlace place;
    if (!find_shared(w, lane, space_of_barrier(i.space, address), address, 8, 8, place,
                     Reach::cluster))
      return Flow::fault;
    TensorWork commit;
    commit.thread = static_cast<std::uint32_t>(w.index * kLanes + lane);
    commit.pc = w.pc;
    commit.barrier = place.offset;
    commit.targets = 1u << place.cta->rank;
    if (i.c != kNoRow) commit.targets = row<std::uint32_t>(w, i.c)[lane] & 0xffff;
    const auto& all = w.cta->cluster->ctas;
    if (commit.targets >> all.size() != 0)
      return tcgen05_misuse(
                 w, lane, "cluster-rank",
                 fmt::format("ctaMask 0x{:x} in a cluster of {}", commit.targets, all.size()),
                 "one bit for each CTA of the cluster"),
             Flow::fault;
    for (std::uint32_t targets = commit.targets; targets != 0; targets &= targets - 1) {
      place.cta = all[static_cast<std::size_t>(__builtin_ctz(targets))].get();
      if (find_barrier(w, lane, place) == nullptr) return Flow::fault;
      if (w.cta->check != nullptr)
        commit.time = w.cta->check->tensor().commit_issued(w, lane, *place.cta, place.offset);
    }
    TensorMemory& memory = tensor_memory(*w.cta);
    commit.number = ++memory.commits;
    memory.work.push_back(commit);
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
