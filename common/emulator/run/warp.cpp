// SPDX-License-Identifier: MIT
#include "emulator/run/warp.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <new>

#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {

void FreeAligned::operator()(std::byte* bytes) const { std::free(bytes); }

AlignedBytes aligned_bytes(std::size_t count) {
  constexpr std::size_t kAlignment = 1024;  // swizzles look at shared address bits up to 9
  const std::size_t rounded = (count + kAlignment) / kAlignment * kAlignment;
  auto* bytes = static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded));
  if (bytes == nullptr) throw std::bad_alloc();
  return AlignedBytes(bytes);
}

bool Warp::runnable() const {
  for (const Group& group : groups)
    if (group.waiting == Waiting::no) return true;
  return false;
}

Flow fail(Warp& warp, ErrorCode code, const char* kind, int lane, std::string what,
          std::string hint) {
  warp.fault = {code, kind, lane, std::move(what), std::move(hint)};
  return Flow::fault;
}

namespace {

const char* space_name(Space space) {
  switch (space) {
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::parameter:
      return "parameter";
    case Space::constant:
      return "constant";
    default:
      return "global";
  }
}

std::int64_t space_bytes(const Warp& warp, Space space) {
  switch (space) {
    case Space::shared:
      return warp.cta->launch->shared_bytes;
    case Space::local:
      return warp.local_bytes;
    default:
      return static_cast<std::int64_t>(warp.cta->launch->parameters.size());
  }
}

}  // namespace

namespace {

// Whether a generic address that is no global one is where shared memory lies: what
// __cvta_generic_to_shared gave, in an instruction that does not say .shared.
bool is_shared_offset(const Warp& warp, std::uint64_t address) {
  const Cta& cta = *warp.cta;
  constexpr std::uint64_t kFirst = 1024;  // below it more are null pointers
  const std::uint64_t offset = address & kOffsetMask;
  return (address >> kRankBit) < cta.cluster->ctas.size() && offset >= kFirst &&
         offset < static_cast<std::uint64_t>(cta.launch->shared_bytes);
}

}  // namespace

bool check_global(Warp& warp, int lane, std::uint64_t address, int bytes, bool is_store) {
  const Memory& memory = *warp.cta->launch->memory;
  const Range found = memory.find(address);
  if (found.contains(address, static_cast<std::uint64_t>(bytes))) {
    warp.hit = found;
    return true;
  }
  std::string where = memory.describe(address);
  if (found.end != 0)
    where = fmt::format("it crosses the end of the allocation of {} bytes at 0x{:x}",
                        found.end - found.begin, found.begin);
  fail(warp, ErrorCode::illegal_address, "out-of-bounds", lane,
       fmt::format("{} of {} bytes at global address 0x{:x} is out of bounds, {}",
                   is_store ? "write" : "read", bytes, address, where),
       is_shared_offset(warp, address)
           ? "shared memory lies there: the instruction needs .shared, or the pointer itself "
             "instead of what __cvta_generic_to_shared made of it"
           : memory.advise(address));
  return false;
}

std::string shown_address(const Warp& warp, Space space, std::uint64_t address) {
  const Cta& cta = *warp.cta;
  const std::uint64_t rank = address >> kRankBit;
  if (space != Space::shared || rank >= cta.cluster->ctas.size())
    return fmt::format("{} address 0x{:x}", space_name(space), address);
  const bool is_own = rank == static_cast<std::uint64_t>(cta.rank);
  return fmt::format("shared address 0x{:x}{}", address & kOffsetMask,
                     is_own ? "" : fmt::format(" of CTA rank {}", rank));
}

bool refuse_access(Warp& warp, int lane, Space space, std::uint64_t address, int bytes) {
  // The bits above name a CTA of the cluster. An H200 calls a rank below 32 a launch failure
  // (cudart's to_cuda), any other an illegal instruction.
  const std::uint64_t rank = space == Space::shared ? address >> kRankBit : 0;
  const std::size_t ctas = warp.cta->cluster->ctas.size();
  constexpr std::uint64_t kRanks = 32;
  if (rank >= ctas && rank < kRanks && ctas > 1) {
    fail(warp, ErrorCode::illegal_instruction, "cluster-rank", lane,
         fmt::format("access of {} bytes in the shared memory of the CTA of rank {} in a cluster "
                     "of {}",
                     bytes, rank, ctas),
         "launch with a larger cluster, or compare with %cluster_nctarank");
    return false;
  }
  fail(warp, rank < ctas ? ErrorCode::illegal_address : ErrorCode::illegal_instruction,
       "out-of-bounds", lane,
       fmt::format("access of {} bytes at {} is out of bounds, {} bytes are there", bytes,
                   shown_address(warp, space, address), space_bytes(warp, space)),
       space == Space::shared ? "check the index, and the dynamic shared memory of the launch"
                              : "check the index");
  return false;
}

bool refuse_alignment(Warp& warp, int lane, Space space, std::uint64_t address, int bytes) {
  fail(warp, ErrorCode::misaligned_address, "misaligned-address", lane,
       fmt::format("access of {} bytes at {} is not a multiple of {}", bytes,
                   shown_address(warp, space, address), bytes),
       fmt::format("align it to {} bytes, or move less at once", bytes));
  return false;
}

}  // namespace lanescope::emulator
