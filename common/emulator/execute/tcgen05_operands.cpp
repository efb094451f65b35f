// SPDX-License-Identifier: MIT
// See tcgen05_operands.hpp.
#include "emulator/execute/tcgen05_operands.hpp"

#include <fmt/format.h>

#include "emulator/execute/handlers.hpp"
#include "emulator/execute/tcgen05_form.hpp"
#include "emulator/execute/wgmma_fetch.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

bool tcgen05_misuse(Warp& w, int lane, const char* kind, std::string what, const char* hint) {
  fail(w, ErrorCode::illegal_instruction, kind, lane, std::move(what), hint);
  return false;
}

bool check_operand(Warp& w, int lane, const TensorCtas& ctas, std::uint64_t bits,
                   const SharedMatrix& matrix, const Actor* reader) {
  const layout::Tcgen05Descriptor d = layout::decode_tcgen05(bits);
  const bool is_wide = d.mode == layout::kWideMode;
  std::string why = layout::problem(d);
  if (why.empty() && (bits & layout::kReservedTcgen05Bits) != 0) why = "a reserved bit is set";
  if (why.empty() && d.lbo_absolute) why = "bit 52, an absolute LBO, is sm_103a's";
  if (why.empty() && is_wide && (!matrix.mn_major || matrix.bits != 32))
    why = "atoms of 32 bytes are for MN-major matrices of 32-bit elements";
  if (why.empty() && is_wide && d.base_offset != 0) why = "a base offset with atoms of 32 bytes";
  if (why.empty() && matrix.mn_major && matrix.bits == 32 && !is_wide)
    why = "an MN-major matrix of 32-bit elements must have atoms of 32 bytes (mode 1)";
  if (!why.empty())
    return tcgen05_misuse(
        w, lane, "descriptor",
        fmt::format("the matrix descriptor of {} is not valid: {}", matrix.name, why),
        "lanescope descriptor --tcgen05 --decode shows what its bits mean");
  for (Cta* cta : ctas)
    if (!Fetcher(w, *cta, d, matrix.bits, matrix.mn_major, reader)
             .is_inside(matrix.rows, matrix.K, lane, matrix.unit_bytes))
      return false;
  return true;
}

bool check_tensor(Warp& w, int lane, const TensorAddress& at, int lanes, int columns,
                  const char* name) {
  if (at.lane + lanes > kTensorLanes)
    return tcgen05_misuse(
        w, lane, "tensor-memory",
        fmt::format("{} takes lanes {} to {} of tensor memory", name, at.lane, at.lane + lanes - 1),
        "it has 128: bits 16 and up of the address are a lane");
  if (tensor_memory(*w.cta).is_allocated(at.column, columns)) return true;
  return tcgen05_misuse(
      w, lane, "tensor-memory",
      fmt::format("{} takes columns {} to {} of tensor memory, which are not allocated", name,
                  at.column, at.column + columns - 1),
      "tcgen05.alloc writes the first of its columns into shared memory");
}

unsigned chunks_from(const TensorAddress& at, unsigned chunks) { return chunks << at.lane / 16; }

void touch_tensor(const Actor* actor, const TensorCtas& ctas, const TensorRange& range,
                  TensorUse use) {
  if (actor == nullptr) return;
  for (Cta* cta : ctas) cta->check->tensor().touched(*actor, *cta, range, use);
}

bool starts_well(Warp& w, int lane, const TensorAddress& at, const Tcgen05Form& form,
                 const char* name) {
  if (at.lane == 0 || (form.is_halved && at.lane == 16)) return true;
  return tcgen05_misuse(w, lane, "tensor-memory",
                        fmt::format("{} begins at lane {}", name, at.lane),
                        "lane 0; with M 64 lane 16, too");
}

}  // namespace lanescope::emulator
