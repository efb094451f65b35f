// SPDX-License-Identifier: MIT
// Room that an instruction needs and that is too large for a stack: each thread that runs CTAs has
// its own, from its first use on. Not a thread_local itself, since every thread of the program
// under us would then begin with all of it, and those with small stacks could not begin at all.
#pragma once

#include <memory>

namespace lanescope::emulator {

template <class Room>
Room& per_thread() {
  static thread_local std::unique_ptr<Room> room;
  if (!room) room = std::make_unique<Room>();
  return *room;
}

}  // namespace lanescope::emulator
