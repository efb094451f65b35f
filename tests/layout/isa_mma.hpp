// SPDX-License-Identifier: MIT
// The second witness for dense mma.sync: the formulas of the PTX ISA's text, one function an
// operand, written from the text and not from the table. `lane` is %laneid, `i` the element's
// index.
//
// Source: PTX ISA 9.2, 9.7.14.5.1 to 9.7.14.5.13.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace isa {

struct Place {
  int row, col;
};
using Formula = std::function<Place(int lane, int i)>;

inline int group(int lane) { return lane >> 2; }
inline int in_group(int lane) { return lane % 4; }

struct Operand {
  std::string shape;   // "m16n8k16"
  std::string types;   // of A and B (or of C and D), blank-separated: which it holds for
  char operand;        // 'A', 'B', or 'C' for C and D
  std::string layout;  // "row" or "col" where the text distinguishes them, else ""
  int elements;        // a thread's: the last index of the text, plus one
  Formula place;
};

inline const std::vector<Operand>& mma_operands() {
  static const std::vector<Operand> all{
      // 9.7.14.5.1: four multiplications; row and col are those of the lane's own quad-pair
      {"m8n8k4", "f16", 'A', "row", 4,
       [](int lane, int i) {
         return Place{lane < 16 ? lane % 4 : lane % 4 + 4, i};
       }},
      {"m8n8k4", "f16", 'A', "col", 4,
       [](int lane, int i) {
         return Place{lane < 16 ? i % 4 : i % 4 + 4, lane % 4};
       }},
      {"m8n8k4", "f16", 'B', "row", 4,
       [](int lane, int i) {
         return Place{lane % 4, lane < 16 ? i : i + 4};
       }},
      {"m8n8k4", "f16", 'B', "col", 4,
       [](int lane, int i) {
         return Place{i, lane < 16 ? lane % 4 : lane % 4 + 4};
       }},
      {"m8n8k4", "f16", 'C', "", 8,
       [](int lane, int i) {
         return Place{lane < 16 ? lane % 4 : lane % 4 + 4, i};
       }},
      {"m8n8k4", "f32", 'C', "", 8,
       [](int lane, int i) {
         const int X = (lane & 0b1) + (i & 0b10);
         return Place{lane < 16 ? X : X + 4, (i & 0b100) + (lane & 0b10) + (i & 0b1)};
       }},
      // 9.7.14.5.2
      {"m8n8k4", "f64", 'A', "", 1,
       [](int lane, int) {
         return Place{lane >> 2, lane % 4};
       }},
      {"m8n8k4", "f64", 'B', "", 1,
       [](int lane, int) {
         return Place{lane % 4, lane >> 2};
       }},
      {"m8n8k4", "f64", 'C', "", 2,
       [](int lane, int i) {
         return Place{group(lane), in_group(lane) * 2 + (i & 0x1)};
       }},
      // 9.7.14.5.3
      {"m8n8k16", "s8 u8", 'A', "", 4,
       [](int lane, int i) {
         return Place{group(lane), in_group(lane) * 4 + i};
       }},
      {"m8n8k16", "s8 u8", 'B', "", 4,
       [](int lane, int i) {
         return Place{in_group(lane) * 4 + i, group(lane)};
       }},
      {"m8n8k16", "s32", 'C', "", 2,
       [](int lane, int i) {
         return Place{group(lane), in_group(lane) * 2 + i};
       }},
      // 9.7.14.5.4
      {"m8n8k32", "s4 u4", 'A', "", 8,
       [](int lane, int i) {
         return Place{group(lane), in_group(lane) * 8 + i};
       }},
      {"m8n8k32", "s4 u4", 'B', "", 8,
       [](int lane, int i) {
         return Place{in_group(lane) * 8 + i, group(lane)};
       }},
      {"m8n8k32", "s32", 'C', "", 2,
       [](int lane, int i) {
         return Place{group(lane), in_group(lane) * 2 + i};
       }},
      // 9.7.14.5.5
      {"m8n8k128", "b1", 'A', "", 32,
       [](int lane, int i) {
         return Place{group(lane), in_group(lane) * 32 + i};
       }},
      {"m8n8k128", "b1", 'B', "", 32,
       [](int lane, int i) {
         return Place{in_group(lane) * 32 + i, group(lane)};
       }},
      {"m8n8k128", "s32", 'C', "", 2,
       [](int lane, int i) {
         return Place{group(lane), in_group(lane) * 2 + i};
       }},
      // 9.7.14.5.6
      {"m16n8k4", "tf32 f64", 'A', "", 2,
       [](int lane, int i) {
         return Place{i == 0 ? group(lane) : group(lane) + 8, in_group(lane)};
       }},
      {"m16n8k4", "tf32 f64", 'B', "", 1,
       [](int lane, int) {
         return Place{in_group(lane), group(lane)};
       }},
      // 9.7.14.5.7
      {"m16n8k8", "f16 bf16", 'A', "", 4,
       [](int lane, int i) {
         return Place{i == 0 || i == 1 ? group(lane) : group(lane) + 8,
                      in_group(lane) * 2 + (i & 0x1)};
       }},
      {"m16n8k8", "tf32 f64", 'A', "", 4,
       [](int lane, int i) {
         return Place{i == 0 || i == 2 ? group(lane) : group(lane) + 8,
                      i == 0 || i == 1 ? in_group(lane) : in_group(lane) + 4};
       }},
      {"m16n8k8", "f16 bf16", 'B', "", 2,
       [](int lane, int i) {
         return Place{in_group(lane) * 2 + i, group(lane)};
       }},
      {"m16n8k8", "tf32 f64", 'B', "", 2,
       [](int lane, int i) {
         return Place{i == 0 ? in_group(lane) : in_group(lane) + 4, group(lane)};
       }},
      // 9.7.14.5.8. The text's "(i * 2) - 2 + (threadID_in_group" lacks a parenthesis.
      {"m16n8k16", "f16 bf16", 'A', "", 8,
       [](int lane, int i) {
         const bool upper = (0 <= i && i < 2) || (4 <= i && i < 6);
         return Place{upper ? group(lane) : group(lane) + 8,
                      i < 4 ? in_group(lane) * 2 + (i & 0x1) : in_group(lane) * 2 + (i & 0x1) + 8};
       }},
      {"m16n8k16", "f64", 'A', "", 8,
       [](int lane, int i) {
         return Place{i % 2 == 0 ? group(lane) : group(lane) + 8,
                      i % 2 == 0 ? i * 2 + in_group(lane) : i * 2 - 2 + in_group(lane)};
       }},
      {"m16n8k16", "f16 bf16", 'B', "", 4,
       [](int lane, int i) {
         const int row = in_group(lane) * 2 + (i & 0x1);
         return Place{i < 2 ? row : row + 8, group(lane)};
       }},
      {"m16n8k16", "f64", 'B', "", 4,
       [](int lane, int i) {
         return Place{in_group(lane) + i * 4, group(lane)};
       }},
      // 9.7.14.5.9
      {"m16n8k16", "s8 u8 e4m3 e5m2", 'A', "", 8,
       [](int lane, int i) {
         return Place{i < 4 ? group(lane) : group(lane) + 8, in_group(lane) * 4 + (i & 0x3)};
       }},
      {"m16n8k16", "s8 u8 e4m3 e5m2", 'B', "", 4,
       [](int lane, int i) {
         return Place{in_group(lane) * 4 + i, group(lane)};
       }},
      // 9.7.14.5.10
      {"m16n8k32", "s4 u4", 'A', "", 16,
       [](int lane, int i) {
         return Place{i < 8 ? group(lane) : group(lane) + 8, in_group(lane) * 8 + (i & 0x7)};
       }},
      {"m16n8k32", "s8 u8 e4m3 e5m2 e3m2 e2m3 e2m1", 'A', "", 16,
       [](int lane, int i) {
         const bool upper = (0 <= i && i < 4) || (8 <= i && i < 12);
         const int col = in_group(lane) * 4 + (i & 0x3);
         return Place{upper ? group(lane) : group(lane) + 8, i < 8 ? col : col + 16};
       }},
      {"m16n8k32", "s4 u4", 'B', "", 8,
       [](int lane, int i) {
         return Place{in_group(lane) * 8 + (i & 0x7), group(lane)};
       }},
      {"m16n8k32", "s8 u8 e4m3 e5m2 e3m2 e2m3 e2m1", 'B', "", 8,
       [](int lane, int i) {
         const int row = in_group(lane) * 4 + (i & 0x3);
         return Place{i < 4 ? row : row + 16, group(lane)};
       }},
      // 9.7.14.5.11
      {"m16n8k64", "s4 u4 e2m1", 'A', "", 32,
       [](int lane, int i) {
         const bool upper = (0 <= i && i < 8) || (16 <= i && i < 24);
         const int col = in_group(lane) * 8 + (i & 0x7);
         return Place{upper ? group(lane) : group(lane) + 8, i < 16 ? col : col + 32};
       }},
      {"m16n8k64", "s4 u4 e2m1", 'B', "", 16,
       [](int lane, int i) {
         const int row = in_group(lane) * 8 + (i & 0x7);
         return Place{i < 8 ? row : row + 32, group(lane)};
       }},
      // 9.7.14.5.12
      {"m16n8k128", "b1", 'A', "", 64,
       [](int lane, int i) {
         return Place{i < 32 ? group(lane) : group(lane) + 8, in_group(lane) * 32 + (i & 0x1F)};
       }},
      {"m16n8k128", "b1", 'B', "", 32,
       [](int lane, int i) {
         return Place{in_group(lane) * 32 + i, group(lane)};
       }},
      // 9.7.14.5.13, with the text's "+ i for i < 64" read as "+ (i & 0x1F)" (figure 100)
      {"m16n8k256", "b1", 'A', "", 128,
       [](int lane, int i) {
         const bool upper = (0 <= i && i < 32) || (64 <= i && i < 96);
         const int col = in_group(lane) * 32 + (i & 0x1F);
         return Place{upper ? group(lane) : group(lane) + 8, i < 64 ? col : col + 128};
       }},
      {"m16n8k256", "b1", 'B', "", 64,
       [](int lane, int i) {
         const int row = in_group(lane) * 32 + (i & 0x1F);
         return Place{i < 32 ? row : row + 128, group(lane)};
       }},
      // Accumulators of m16n8k4 to m16n8k256: the same words in each of 9.7.14.5.6 to .13
      {"m16n8", "f16 f32 f64 s32", 'C', "", 4,
       [](int lane, int i) {
         return Place{i < 2 ? group(lane) : group(lane) + 8, in_group(lane) * 2 + (i & 0x1)};
       }},
  };
  return all;
}

}  // namespace isa
