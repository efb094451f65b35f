// SPDX-License-Identifier: MIT
// Collectives of lanes that stand at different instructions. A lane of a shfl, vote, match, redux,
// elect or bar.warp waits until all lanes of its membermask have executed one "with the same
// qualifiers and the same membermask": where, is not said. nvcc relies on it: of a ballot in a loop
// it makes two where one way round knows what is asked.
//
//     lanes 0 to 9:   vote.sync.ballot.b32 %r1, %p1, -1     one ballot, of all 32
//     lanes 10 to 31: vote.sync.ballot.b32 %r7, %p4, -1
//
// Source: PTX ISA 9.2, 9.7.9.6 (shfl), 9.7.13 (bar.warp, vote, match, redux, elect).
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/run/warp.hpp"

namespace lanescope::emulator {

/// Whether some lanes of the waiting group now meet others; then they have executed their
/// collective. Groups are moved and split.
bool meet_elsewhere(Cta& cta, Warp& warp, std::size_t chosen);

}  // namespace lanescope::emulator
