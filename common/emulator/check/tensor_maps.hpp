// SPDX-License-Identifier: MIT
// Tensor maps in global memory. Copies read them through a proxy of their own, so that neither a
// barrier nor the end of a kernel says what has become of one:
//
//     tensormap.replace, st --fence.proxy.tensormap::generic.release--> map (cp_fenceproxy is both)
//     map --fence.proxy.tensormap::generic.acquire, by a thread of the CTA--> cp.async.bulk.tensor
//
// Parameters and constant memory are not written while anybody may read them. An H200 keeps a map
// that it has used until the kernel ends or somebody acquires (docs/experiments/map_fences.md);
// what another kernel has changed PTX wants acquired, too, and --strict asks for it. Source: PTX
// ISA 9.2, 8.2 and 9.7.13.4; CUDA C++ Programming Guide, "Encoding a Tensor Map on Device".
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/check/watched.hpp"

namespace lanescope::emulator {

class Checker;

class TensorMapWatch {
 public:
  TensorMapWatch(Checker& check, MapChanges& changes) : check_(check), changes_(changes) {}

  /// A cluster starts.
  void start() { acquired_.clear(); }
  void changed(const Actor& actor, std::uint64_t address, bool is_released);
  /// fence.proxy.tensormap::generic.
  void released(const Warp& warp, std::uint32_t lanes);
  void acquired(const Actor& actor, std::uint64_t address);
  /// A lane's copy goes by the map at this address.
  void used(const Warp& warp, int lane, std::uint64_t address);

 private:
  struct Acquire {
    Touch touch;
    int rank = 0;               // a CTA's own
    std::uint64_t changes = 0;  // that the launch had seen
  };
  bool knows(const Actor& actor, const Touch& acquire) const;
  GlobalTouch stored_since(std::uint64_t address, const Acquire* acquire) const;
  void look(const Actor& actor, std::uint64_t address);

  Checker& check_;
  MapChanges& changes_;
  std::unordered_map<std::uint64_t, std::vector<Acquire>> acquired_;  // by address
};

}  // namespace lanescope::emulator
