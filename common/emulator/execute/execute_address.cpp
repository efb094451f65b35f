// SPDX-License-Identifier: MIT
// Addresses of 32 lanes to host pointers, checked: alignment, and that every byte lies in the block
// or the allocation that its state space says. Generic addresses first become those of a space.
//
// Source: PTX ISA 9.2, 5.1 (state spaces), 6.4.1.1 (generic addressing).
#include "emulator/execute/addresses.hpp"

namespace lanescope::emulator {
// Declared here: cluster.hpp brings containers along (see rows.hpp).
std::uint64_t remote_shared(Warp& warp, int lane, Space space, std::uint64_t address,
                            std::uint64_t bytes, bool writes);
}  // namespace lanescope::emulator

namespace lanescope::emulator::LANESCOPE_HOST {
namespace {

void add_addresses(const Warp& w, const Instruction& i, Addresses& out) {
  const auto displacement = static_cast<std::uint64_t>(i.immediate);
  if (i.wide_address) {
    const auto* a = lanes<std::uint64_t>(w, i.a);
    LANESCOPE_LANES
    for (int lane = 0; lane < kLanes; ++lane) out.lane[lane] = a[lane] + displacement;
  } else {
    const auto* a = lanes<std::uint32_t>(w, i.a);
    LANESCOPE_LANES
    for (int lane = 0; lane < kLanes; ++lane)
      out.lane[lane] =
          static_cast<std::uint32_t>(a[lane] + static_cast<std::uint32_t>(displacement));
  }
}

bool check_alignment(Warp& w, const Instruction& i, std::uint32_t active, const Addresses& at,
                     Space space) {
  const std::uint64_t low = static_cast<std::uint64_t>(i.bytes) - 1;
  if (low == 0) return true;
  const std::uint32_t crooked =
      mask_lanes([&](int lane) { return (at.lane[lane] & low) != 0; }) & active;
  if (crooked == 0) return true;
  const int lane = __builtin_ctz(crooked);
  return refuse_alignment(w, lane, space, at.lane[lane], i.bytes);
}

// Global: the lanes' host addresses are the addresses themselves.
bool resolve_global(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at) {
  const std::uint64_t bytes = i.bytes;
  const std::uint64_t begin = w.hit.begin;
  const std::uint64_t size = w.hit.end - w.hit.begin;
  std::uint32_t outside = active;
  if (size >= bytes)
    outside = mask_lanes([&](int lane) { return at.lane[lane] - begin > size - bytes; }) & active;
  while (outside != 0) {
    const int lane = __builtin_ctz(outside);
    outside &= outside - 1;
    if (!w.hit.contains(at.lane[lane], bytes) &&
        !check_global(w, lane, at.lane[lane], i.bytes, (i.detail & 1) != 0))
      return false;
  }
  return true;
}

// Addresses of other CTAs of the cluster look as if they were out of bounds.
bool resolve_remote(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at, Space space,
                    std::uint32_t outside, std::uint64_t host) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const bool remote = ((outside >> lane) & 1) != 0;
    if (remote && space != Space::shared)
      return refuse_access(w, lane, space, at.lane[lane], i.bytes);
    at.lane[lane] =
        remote ? remote_shared(w, lane, i.space, at.lane[lane], i.bytes, (i.detail & 1) != 0)
               : at.lane[lane] + host;
    if (at.lane[lane] == 0) return false;
  }
  return true;
}

// Shared, parameters of the kernel: one block of `size` bytes at `base`, whose address is `begin`.
bool resolve_block(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at, Space space,
                   const std::byte* base, std::int64_t size, std::uint64_t begin) {
  const std::uint64_t bytes = i.bytes;
  const auto limit = static_cast<std::uint64_t>(size);
  const std::uint32_t outside = mask_lanes([&](int lane) {
                                  const std::uint64_t offset = at.lane[lane] - begin;
                                  return offset + bytes > limit || offset > limit;
                                }) &
                                active;
  const std::uint64_t host = reinterpret_cast<std::uint64_t>(base) - begin;
  if (outside != 0) return resolve_remote(w, i, active, at, space, outside, host);
  LANESCOPE_LANES
  for (int lane = 0; lane < kLanes; ++lane) at.lane[lane] += host;
  return true;
}

bool resolve_kernel_parameters(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at) {
  return resolve_block(w, i, active, at, Space::parameter, w.cta->launch->parameters.data(),
                       static_cast<std::int64_t>(w.cta->launch->parameters.size()), 0);
}

// Local, parameters of a function: every lane has a block of its own.
bool resolve_lanes(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at, Space space,
                   const std::byte* base, std::int64_t size) {
  const auto stride = static_cast<std::uint64_t>(size);
  const std::uint64_t bytes = i.bytes;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if (at.lane[lane] > stride || bytes > stride - at.lane[lane])
      return refuse_access(w, lane, space, at.lane[lane], i.bytes);
    at.lane[lane] +=
        reinterpret_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(lane) * stride;
  }
  return true;
}

bool resolve_space(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at,
                   Space space) {
  switch (space) {
    case Space::shared:
      return resolve_block(w, i, active, at, space, w.cta->shared.get(),
                           w.cta->launch->shared_bytes, w.cta->window);
    case Space::local:
      return resolve_lanes(w, i, active, at, space, w.local.data(), w.local_bytes);
    case Space::parameter:
      if ((i.detail & 2) != 0) return resolve_kernel_parameters(w, i, active, at);
      return resolve_lanes(w, i, active, at, space, w.frame->parameters.data(),
                           w.frame->function->parameter_bytes);
    default:
      return resolve_global(w, i, active, at);
  }
}

// A generic address says by its high bits where it points; lanes may differ.
bool resolve_generic(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at) {
  const auto window = [&](std::uint64_t base) {
    return mask_lanes([&](int lane) { return at.lane[lane] - base < kWindowBytes; }) & active;
  };
  const std::uint32_t shared = window(kSharedWindow);
  const std::uint32_t local = window(kLocalWindow);
  const std::uint32_t parameter = window(kParameterWindow);
  const std::uint32_t global = active & ~shared & ~local & ~parameter;
  if (global == active) return resolve_global(w, i, active, at);
  Addresses part = at;
  const auto in_window = [&](std::uint32_t mask, std::uint64_t base, Space space) {
    if (mask == 0) return true;
    for (int lane = 0; lane < kLanes; ++lane) part.lane[lane] = at.lane[lane] - base;
    Instruction moved = i;
    moved.detail |= 2;
    // cvta.param is for the kernel's own, wherever the address is used.
    if (space == Space::parameter ? !resolve_kernel_parameters(w, moved, mask, part)
                                  : !resolve_space(w, moved, mask, part, space))
      return false;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      at.lane[lane] = part.lane[lane];
    }
    return true;
  };
  if (global != 0 && !resolve_global(w, i, global, at)) return false;
  return in_window(shared, kSharedWindow, Space::shared) &&
         in_window(local, kLocalWindow, Space::local) &&
         in_window(parameter, kParameterWindow, Space::parameter);
}

// The common case, decided by what all lanes have in common instead of lane by lane: nobody, active
// or not, leaves the block (or the allocation that was hit last) or is misaligned. False says
// nothing.
template <class Address>
inline bool all_inside(const Address* a, Address displacement, Address begin, std::uint64_t size,
                       std::uint64_t bytes) {
  if (size < bytes) return false;
  Address crooked = 0, farthest = 0;
  LANESCOPE_LANES
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto address = static_cast<Address>(a[lane] + displacement);
    const auto offset = static_cast<Address>(address - begin);
    crooked |= address;
    farthest = offset > farthest ? offset : farthest;
  }
  return (crooked & (bytes - 1)) == 0 && farthest <= size - bytes;
}

bool resolve_at_once(Warp& w, const Instruction& i, Addresses& at) {
  if (i.space == Space::shared && !i.wide_address) {
    const auto* a = lanes<std::uint32_t>(w, i.a);
    const auto displacement = static_cast<std::uint32_t>(i.immediate);
    const auto size = static_cast<std::uint64_t>(w.cta->launch->shared_bytes);
    const std::uint32_t window = w.cta->window;
    if (!all_inside<std::uint32_t>(a, displacement, window, size, i.bytes)) return false;
    const std::uint64_t host = reinterpret_cast<std::uint64_t>(w.cta->shared.get()) - window;
    LANESCOPE_LANES
    for (int lane = 0; lane < kLanes; ++lane) at.lane[lane] = host + (a[lane] + displacement);
    return true;
  }
  // The windows of a generic address are no allocation's.
  if ((i.space != Space::global && i.space != Space::generic) || !i.wide_address) return false;
  const auto* a = lanes<std::uint64_t>(w, i.a);
  const auto displacement = static_cast<std::uint64_t>(i.immediate);
  if (!all_inside<std::uint64_t>(a, displacement, w.hit.begin, w.hit.end - w.hit.begin, i.bytes))
    return false;
  LANESCOPE_LANES
  for (int lane = 0; lane < kLanes; ++lane) at.lane[lane] = a[lane] + displacement;
  return true;
}

}  // namespace

bool resolve(Warp& w, const Instruction& i, std::uint32_t active, Addresses& at) {
  if (resolve_at_once(w, i, at)) return true;
  add_addresses(w, i, at);
  if (!check_alignment(w, i, active, at, i.space)) return false;
  if (i.space == Space::generic) return resolve_generic(w, i, active, at);
  return resolve_space(w, i, active, at, i.space);
}

bool resolve_addresses(Warp& w, const Instruction& i, std::uint32_t active, std::uint64_t* hosts) {
  Addresses at;
  if (!resolve(w, i, active, at)) return false;
  for (int lane = 0; lane < kLanes; ++lane) hosts[lane] = at.lane[lane];
  return true;
}

}  // namespace lanescope::emulator::LANESCOPE_HOST
