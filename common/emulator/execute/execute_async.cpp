// SPDX-License-Identifier: MIT
// cp.async: bytes are fetched when the copy is issued and land in shared memory at the wait that
// covers them. Reading them earlier finds what was there before, as on a card it may. A copy of
// src-size 0 fetches nothing, and its zeros are there at once: CUTLASS has such copies under way
// behind its last wait, and on a card nothing comes of it (docs/experiments/zero_copies.md).
//
// Source: PTX ISA 9.2, 9.7.9.25.3.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/warp.hpp"

namespace lanescope::emulator {
namespace {

// The shared address of a lane's destination, generic addresses included.
std::uint64_t destination(const Warp& w, const Instruction& i, int lane) {
  if ((i.detail & 4) == 0) return row<std::uint32_t>(w, i.b)[lane] + i.target;
  return row<std::uint64_t>(w, i.b)[lane] +
         static_cast<std::uint64_t>(static_cast<std::int32_t>(i.target));
}

// What each lane reads, and which lanes read anything: what a lane does not read it need not be
// allowed to read. False: the fault is recorded.
bool source_sizes(Warp& w, const Instruction& i, std::uint32_t active, std::uint32_t* sizes,
                  std::uint32_t& readers) {
  std::fill_n(sizes, kLanes, std::uint32_t{i.bytes});
  readers = active;
  if (i.c == kNoRow) return true;
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((i.detail & 8) != 0) {
      const std::uint32_t ignore = predicate(w, i.c) ^ ((i.detail & 16) != 0 ? kAllLanes : 0);
      if (((ignore >> lane) & 1) != 0) sizes[lane] = 0;
    } else {
      sizes[lane] = row<std::uint32_t>(w, i.c)[lane];
    }
    if (sizes[lane] == 0) readers &= ~(1u << lane);
    if (sizes[lane] <= i.bytes || ((active >> lane) & 1) == 0) continue;
    fail(w, ErrorCode::illegal_instruction, "cp.async", lane,
         fmt::format("src-size {} is larger than cp-size {}", sizes[lane], i.bytes),
         "src-size may be 0 to cp-size");
    return false;
  }
  return true;
}

// Nearly all copies are of 16 bytes, and those need no call.
void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 16)
    std::memcpy(to, from, 16);
  else
    std::memcpy(to, from, bytes);
}

}  // namespace

Flow run_async_copy(Warp& w, const Instruction& i, std::uint32_t active) {
  std::uint32_t sizes[kLanes];
  std::uint32_t readers = 0;
  if (!source_sizes(w, i, active, sizes, readers)) return Flow::fault;
  std::uint64_t hosts[kLanes] = {};
  if (!handlers(w).resolve(w, i, readers, hosts)) return Flow::fault;
  const auto shared_bytes = static_cast<std::uint64_t>(w.cta->launch->shared_bytes);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint64_t address = destination(w, i, lane);
    const std::uint64_t offset = address - w.cta->window;
    if (offset % i.bytes != 0) {
      refuse_alignment(w, lane, Space::shared, address, i.bytes);
      return Flow::fault;
    }
    if (offset > shared_bytes || i.bytes > shared_bytes - offset) {
      SharedPlace place;  // says why
      find_shared(w, lane, Space::shared, address, i.bytes, i.bytes, place);
      return Flow::fault;
    }
    AsyncCopy& copy = w.copies.emplace_back();
    copy.issue = w.issued++;
    copy.group = w.commits[static_cast<std::size_t>(lane)];
    copy.offset = static_cast<std::uint32_t>(offset);
    copy.lane = static_cast<std::uint8_t>(lane);
    copy.bytes = i.bytes;
    copy.is_there = sizes[lane] == 0;
    if (copy.is_there)
      std::memset(w.cta->shared.get() + offset, 0, i.bytes);
    else
      copy_bytes(copy.data.data(), reinterpret_cast<const void*>(hosts[lane]), sizes[lane]);
  }
  return Flow::next;
}

Flow run_async_commit(Warp& w, const Instruction&, std::uint32_t active) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1)
    ++w.commits[static_cast<std::size_t>(__builtin_ctz(rest))];
  return Flow::next;
}

// wait_group N: all but the lane's N latest groups have landed. wait_all: whatever it has issued.
Flow run_async_wait(Warp& w, const Instruction& i, std::uint32_t active) {
  std::byte* shared = w.cta->shared.get();
  auto kept = w.copies.begin();
  for (auto copy = kept; copy != w.copies.end(); ++copy) {
    if (!lands(w, *copy, active, i.immediate)) {
      if (kept++ != copy) *(kept - 1) = *copy;
    } else if (!copy->is_there) {
      copy_bytes(shared + copy->offset, copy->data.data(), copy->bytes);
    }
  }
  w.copies.erase(kept, w.copies.end());
  return Flow::next;
}

}  // namespace lanescope::emulator
