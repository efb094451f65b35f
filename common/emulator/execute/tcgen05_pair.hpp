// SPDX-License-Identifier: MIT
// What the tcgen05 instructions have in common: the CTAs that those with .cta_group work in, and
// what all lanes of a warp must agree on.
//
// Source: PTX ISA 9.2, 9.7.16.5 (issue granularity, CTA pairs, peer CTAs).
#pragma once

#include <string>

#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {

/// Flow::fault, with what went wrong recorded under "tensor-memory".
Flow tensor_misuse(Warp& warp, std::string what, const char* hint, int lane = 0);
/// Where an instruction of .cta_group::`ctas` works; false with the fault recorded where the kernel
/// has both groups, or where there is no peer CTA.
bool find_ctas(Warp& warp, int lane, int ctas, TensorCtas& found);
/// False with the fault recorded where one of them has exited.
bool all_live(Warp& warp, int lane, const TensorCtas& ctas);
/// False with the fault recorded where two lanes give something else as `what`.
bool same_in_all_lanes(Warp& warp, const std::uint32_t* values, const char* what);

}  // namespace lanescope::emulator
