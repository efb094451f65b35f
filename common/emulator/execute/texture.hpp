// SPDX-License-Identifier: MIT
// The handlers of textures and surfaces, and how they find the object that a lane names.
#pragma once

#include <cstdint>

#include "emulator/decode/program.hpp"
#include "emulator/run/warp.hpp"
#include "emulator/texture/texture.hpp"

namespace lanescope::emulator {

Flow run_texture(Warp&, const Instruction&, std::uint32_t);
Flow run_texture_query(Warp&, const Instruction&, std::uint32_t);
Flow run_surface_load(Warp&, const Instruction&, std::uint32_t);
Flow run_surface_store(Warp&, const Instruction&, std::uint32_t);
Flow run_surface_texels(Warp&, const Instruction&, std::uint32_t);
Flow run_surface_sum(Warp&, const Instruction&, std::uint32_t);

const TexturePlan& texture_plan(const Warp& w, const Instruction& i);

/// Lanes mostly name one object: it is looked up, and its memory with it, once.
class ObjectFinder {
 public:
  ObjectFinder(Warp& warp, const TexturePlan& plan, bool of_surfaces)
      : warp_(warp), plan_(plan), of_surfaces_(of_surfaces) {}
  /// nullptr with the warp's fault recorded.
  const Texture* find(std::uint64_t handle, int lane);

 private:
  bool is_usable(std::uint64_t handle, const Texture* found, int lane);
  bool refuse(int lane, std::string what, std::string hint);

  Warp& warp_;
  const TexturePlan& plan_;
  bool of_surfaces_;
  std::uint64_t handle_ = 0;
  const Texture* found_ = nullptr;
};

/// visit(object, lane) for each lane of the group, until it is false: with the fault recorded.
template <class Visit>
Flow visit_objects(Warp& w, const Instruction& i, const TexturePlan& plan, bool of_surfaces,
                   std::uint32_t active, Visit visit) {
  ObjectFinder finder(w, plan, of_surfaces);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const Texture* found = finder.find(row<std::uint64_t>(w, i.a)[lane], lane);
    if (found == nullptr || !visit(*found, lane)) return Flow::fault;
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
