// SPDX-License-Identifier: MIT
// The sm_120 kinds of mma: which types they take, how their scale factors are chosen. Pure data.
//
// D = (A * scale_A) * (B * scale_B) + C. scale_A is M x v, scale_B v x N, v = 1, 2 or 4 chunks of
// K. Each lane hands in one 32-bit word a side; thread-id says which lanes of a quad are read,
// byte-id which bytes. The maps are those of thread-id 0 and byte-id 0; others move as follows:
//   thread-id-a s: lanes 4g+2s (row g) and 4g+2s+1 (row g+8)      byte-id b: bits move up by 8b
//   thread-id-b s: lane 4g+s (column g)
//
// Source: PTX ISA 9.2, 9.7.14.3 (block scaling, tables 35 to 37, figures 43 to 45), 9.7.14.5.14.
// Which of the two lanes has row g is in figure 43 only.
#pragma once

#include <array>

#include "layout/mma_table.hpp"

namespace lanescope::layout {

inline constexpr TypeList kF8F6F4{ElementType::e4m3, ElementType::e5m2, ElementType::e3m2,
                                  ElementType::e2m3, ElementType::e2m1};

inline constexpr Moves kScaleAThread{row(8), stay(), row(1), row(2), row(4)};
inline constexpr Moves kScaleBThread{stay(), stay(), col(1), col(2), col(4)};
inline constexpr int kScaleAMask = 2, kScaleBMask = 3;  // lanes with these bits 0 are read

struct Scaling {
  std::string_view kind;  // ".kind::mxf4.block_scale.scale_vec::2X"
  int container_bits;     // of A and B
  int vectors;            // 1X, 2X, 4X
  ElementType scale;
};

// Table 36. mxf4nvf4 with 4X and ue8m0 came with PTX 9.1; ptxas 13.0 does not know it, so it is not
// here (docs/errata.md, 16).
inline constexpr std::array kScalings{
    Scaling{".kind::mxf8f6f4.block_scale.scale_vec::1X", 8, 1, ElementType::ue8m0},
    Scaling{".kind::mxf4.block_scale.scale_vec::2X", 4, 2, ElementType::ue8m0},
    Scaling{".kind::mxf4nvf4.block_scale.scale_vec::2X", 4, 2, ElementType::ue8m0},
    Scaling{".kind::mxf4nvf4.block_scale.scale_vec::4X", 4, 4, ElementType::ue4m3},
};

inline constexpr std::string_view kKindsPtx = "8.7";
inline constexpr std::string_view kKindsTarget = "sm_120a sm_121a";

}  // namespace lanescope::layout
