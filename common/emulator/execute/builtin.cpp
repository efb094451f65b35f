// SPDX-License-Identifier: MIT
// vprintf, __assertfail, malloc and free, cudaGraphSetConditional, as nvcc calls them. What vprintf
// makes of its arguments is in print.cpp.
//
// Source: CUDA C++ Programming Guide, "Assertion".
#include "emulator/execute/builtin.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "emulator/check/checker.hpp"
#include "emulator/device_heap.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/execute/print.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

std::uint64_t argument(const Warp& w, const Instruction& i, int lane, int index, int bytes) {
  const std::uint32_t offset = w.cta->launch->program->rows[i.list + static_cast<unsigned>(index)];
  std::uint64_t value = 0;
  std::memcpy(&value,
              w.frame->parameters.data() + lane * w.frame->function->parameter_bytes + offset,
              static_cast<std::size_t>(bytes));
  return value;
}

Flow assert_failed(Warp& w, const Instruction& i, int lane) {
  std::string message;
  std::string file;
  std::string function;
  if (!read_string(w, lane, argument(w, i, lane, 0, 8), message) ||
      !read_string(w, lane, argument(w, i, lane, 1, 8), file) ||
      !read_string(w, lane, argument(w, i, lane, 3, 8), function))
    return Flow::fault;
  return fail(w, ErrorCode::assertion, "assert", lane,
              fmt::format("assertion `{}` failed in {} ({}:{})", message, function, file,
                          argument(w, i, lane, 2, 4)),
              "the program's own condition does not hold");
}

bool free_lane(Warp& w, const Instruction& i, int lane) {
  const std::uint64_t address = argument(w, i, lane, 0, 8);
  if (address == 0 || w.cta->launch->program->heap->free(address)) return true;
  fail(w, ErrorCode::illegal_address, "bad-free", lane,
       fmt::format("free of 0x{:x}, where malloc gave nothing", address),
       "free once, in device code, what malloc or new of device code gave");
  return false;
}

void give_back(const Warp& w, const Instruction& i, int lane, std::uint64_t value, int bytes) {
  if (i.immediate < 0) return;
  std::memcpy(w.frame->parameters.data() + lane * w.frame->function->parameter_bytes + i.immediate,
              &value, static_cast<std::size_t>(bytes));
}

}  // namespace

Flow run_builtin(Warp& w, const Instruction& i, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    switch (static_cast<Builtin>(i.detail)) {
      case Builtin::assert_fail:
        return assert_failed(w, i, lane);
      case Builtin::allocate:
      case Builtin::allocate_aligned: {
        const bool is_aligned = static_cast<Builtin>(i.detail) == Builtin::allocate_aligned;
        const std::uint64_t bytes = argument(w, i, lane, 0, 8);
        const std::uint64_t address = w.cta->launch->program->heap->allocate(
            bytes, is_aligned ? argument(w, i, lane, 1, 8) : 1);
        if (w.cta->check != nullptr && address != 0) w.cta->check->allocated(address, bytes);
        give_back(w, i, lane, address, 8);
        break;
      }
      case Builtin::set_condition: {  // the handle is where the number lies
        const std::uint64_t handle = argument(w, i, lane, 0, 8);
        if (!check_global(w, lane, handle, 4, true)) return Flow::fault;
        const auto value = static_cast<std::uint32_t>(argument(w, i, lane, 1, 4));
        std::memcpy(reinterpret_cast<void*>(handle), &value, 4);
        break;
      }
      case Builtin::free:
        if (!free_lane(w, i, lane)) return Flow::fault;
        break;
      default: {
        int count = 0;
        if (!print(w, lane, argument(w, i, lane, 0, 8), argument(w, i, lane, 1, 8), count))
          return Flow::fault;
        give_back(w, i, lane, static_cast<std::uint64_t>(count), 4);
        break;
      }
    }
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
