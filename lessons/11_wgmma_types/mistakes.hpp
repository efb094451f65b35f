// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 11 knows: each predicts from where in the tile an answer
// takes every byte of every register.
//
// Source of the right places: common/layout (PTX ISA 9.2, 9.7.15.5.1.1.3).
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "layout/instruction.hpp"

namespace exercise_11 {

using lanescope::layout::Element;

inline constexpr const char* kInstruction = "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3";
constexpr int kRows = 64, kCols = 32, kThreads = 128;
constexpr int kGuard = 8192;  // bytes in front of the tile and behind
constexpr int kSign = 0x80;  // of every byte of the tile: who loads them as signed has it too often
constexpr std::uint8_t kOutside = 0xfe;  // around the tile; 0xff is what was never written

inline Element expected(int thread, int reg, int byte) {
  static const lanescope::layout::Instruction* found = lanescope::layout::find(kInstruction);
  REQUIRE(found != nullptr);
  return found->A.element(thread, reg * 4 + byte);
}

/// Where a thread takes a byte of a register from.
struct Mistake {
  const char* name;
  const char* advice;
  std::function<Element(int thread, int reg, int byte)> from;
  bool tight_rows = false;  // takes the rows to be as far apart as the tile is wide
  bool row_words = false;   // takes every row to begin at a word
};

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"this were the fragment of 16-bit elements",
       "a register has four elements now: columns 4*(lane % 4) to + 3, and 16 further right",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, 0);
         return Element{e.row, thread % 4 * 2 + byte + reg / 2 * 8};
       }},
      {"the second half of K began 8 columns further right",
       "a[0] and a[1] cover 16 columns of 8-bit elements: a[2] and a[3] begin at 16",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row, e.col - reg / 2 * 8};
       }},
      {"the second half of K began 32 columns further right",
       "a[0] and a[1] cover 16 columns of 8-bit elements: a[2] and a[3] begin at 16",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row, e.col + reg / 2 * 16};
       }},
      {"a lane's columns began at 2*(lane % 4), as with 16-bit elements",
       "a register has four elements now: columns 4*(lane % 4) to + 3",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row, e.col - thread % 4 * 2};
       }},
      {"the four bytes of a register were 4 columns apart",
       "its four are neighbours: columns 4*(lane % 4) to + 3",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, 0);
         return Element{e.row, thread % 4 + byte * 4 + reg / 2 * 16};
       }},
      {"a register had two elements of each of two rows",
       "its four are neighbours in one row; the row 8 further down is in a[1] and a[3]",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, byte / 2, 0);
         return Element{e.row, thread % 4 * 2 + byte % 2 + reg * 8};
       }},
      {"a[2] and a[3] were the columns of a[0] and a[1]",
       "the step of 16 columns for registers 2 and 3 is missing",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row, e.col - reg / 2 * 16};
       }},
      {"the + 8 of the rows were missing", "a[1] and a[3] are 8 rows below a[0] and a[2]",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row - reg % 2 * 8, e.col};
       }},
      {"registers a[1] and a[2] were exchanged",
       "a[1] is 8 rows further down, a[2] is 16 columns further right",
       [](int thread, int reg, int byte) {
         constexpr int kExchanged[] = {0, 2, 1, 3};
         return expected(thread, kExchanged[reg], byte);
       }},
      {"the bytes of every register were in reverse order",
       "the element with the lowest column goes into the lowest bits: first argument of pack",
       [](int thread, int reg, int byte) { return expected(thread, reg, 3 - byte); }},
      {"the two bytes of every pair were exchanged",
       "pack takes the four in the order of their columns: at[0], at[1], at[2], at[3]",
       [](int thread, int reg, int byte) { return expected(thread, reg, byte ^ 1); }},
      {"the two halves of every register were exchanged",
       "pack takes the four in the order of their columns: at[0], at[1], at[2], at[3]",
       [](int thread, int reg, int byte) { return expected(thread, reg, byte ^ 2); }},
      {"a register had two pairs, 8 columns apart",
       "with 8-bit elements its four are neighbours: columns 4*(lane % 4) to + 3",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, 0);
         return Element{e.row, thread % 4 * 2 + byte % 2 + byte / 2 * 8 + reg / 2 * 16};
       }},
      {"a[1], a[2] and a[3] were 8, 16 and 24 rows below a[0]",
       "only a[1] and a[3] are 8 rows further down; a[2] and a[3] are 16 columns further right",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, 0, byte);
         return Element{e.row + reg * 8, e.col};
       }},
      {"a[1], a[2] and a[3] were 8, 16 and 24 columns right of a[0]",
       "a[1] and a[3] are 8 rows further down: 8 * stride; 16 columns further right are a[2] and "
       "a[3]",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, 0, byte);
         return Element{e.row, e.col + reg * 8};
       }},
      {"a lane had eight neighbours of each of its two rows",
       "four neighbours, columns 4*(lane % 4) to + 3, and four more 16 columns further right",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg % 2, 0);
         return Element{e.row, thread % 4 * 8 + reg / 2 * 4 + byte};
       }},
      {"eight lanes shared a row, four columns each",
       "four lanes share a row, and a lane has a second register of it, 16 columns further right",
       [](int thread, int reg, int byte) {
         const int lane = thread % 32;
         return Element{thread / 32 * 16 + lane / 8 + reg * 4, lane % 8 * 4 + byte};
       }},
      {"eight lanes shared a row, and two registers of it",
       "four lanes share a row: it is lane >> 2, and the columns come from lane % 4",
       [](int thread, int reg, int byte) {
         const int lane = thread % 32;
         return Element{thread / 32 * 16 + lane / 8 + reg % 2 * 8,
                        lane % 8 * 4 + reg / 2 * 16 + byte};
       }},
      {"a lane had 16 neighbours of row lane % 16, the row whose address it gives to ldmatrix",
       "ldmatrix hands them on to other lanes: load what a lane has afterwards, row lane >> 2",
       [](int thread, int reg, int byte) {
         return Element{thread / 32 * 16 + thread % 16, thread % 32 / 16 * 16 + reg * 4 + byte};
       }},
      {"neighbouring lanes had rows below each other: lane % 8 were the row",
       "four neighbouring lanes share a row: the row is lane >> 2, the columns come from lane % 4",
       [](int thread, int reg, int byte) {
         const int lane = thread % 32;
         return Element{thread / 32 * 16 + lane % 8 + reg % 2 * 8,
                        lane / 8 * 4 + reg / 2 * 16 + byte};
       }},
      {"a lane's two rows were neighbours", "a[1] and a[3] are 8 rows below a[0] and a[2]",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg / 2 * 2, byte);
         return Element{e.row + thread % 32 / 4 + reg % 2, e.col};
       }},
      {"every thread had 16 neighbours of a row",
       "a thread has four neighbours in each register: of two rows, and 16 columns further right",
       [](int thread, int reg, int byte) {
         return Element{thread / 2, thread % 2 * 16 + reg * 4 + byte};
       }},
      {"all bytes of a register were the same element", "pack wants four neighbours of a row",
       [](int thread, int reg, int) { return expected(thread, reg, 0); }},
      {"the column were lane % 4, without the factor 4", "four elements a lane: 4*(lane % 4)",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row, e.col - thread % 4 * 3};
       }},
      {"the columns came from lane % 8", "four lanes share a row: columns 4*(lane % 4) to + 3",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row, e.col + thread % 8 / 4 * 16};
       }},
      {"all four warps loaded rows 0 to 15", "warp w has rows 16*w to 16*w + 15: thread / 32",
       [](int thread, int reg, int byte) { return expected(thread % 32, reg, byte); }},
      {"a warp had 8 rows", "64 rows are shared by four warps: 16 for each, not thread / 4",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row - thread / 32 * 8, e.col};
       }},
      {"a warp had 32 rows", "64 rows are shared by four warps: 16 for each, thread / 32 * 16",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row + thread / 32 * 16, e.col};
       }},
      {"the row went with thread / 4 as well as with the warp",
       "within a warp it is its lane that counts: thread % 32 / 4",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row + thread / 32 * 8, e.col};
       }},
      {"rows were taken to be 32 bytes apart",
       "the matrix is wider than the tile: the next row begins `stride` bytes further on", expected,
       true},
      {"lane >> 2 and lane % 4 had changed places",
       "four neighbouring lanes share a row: the row is lane >> 2, the columns come from lane % 4",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         const int lane = thread % 32;
         return Element{e.row - lane / 4 + lane % 4, e.col - lane % 4 * 4 + lane / 4 * 4};
       }},
      {"the four bytes of a register came from four rows",
       "row major: neighbours in a row are neighbours in memory, at[0] to at[3]",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, 0);
         return Element{e.row + byte, e.col};
       }},
      {"bytes were signed and added: each takes 1 from the one behind it",  // kSign is in all of
                                                                            // them
       "std::uint8_t, as tile has them, or & 0xff before the shift",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return byte == 0 ? e : Element{e.row - 1, e.col - 1};
       }},
      {"everything were one row too far down", "rows are counted from 0",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row + 1, e.col};
       }},
      {"everything were one column too far right", "columns are counted from 0",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.row, e.col + 1};
       }},
      {"every row began at a multiple of four bytes",
       "rows lie any number of bytes apart, so words of four bytes may not meet them: load bytes",
       expected, false, true},
      {"rows and columns were exchanged", "element (row, col) is tile[row * stride + col]",
       [](int thread, int reg, int byte) {
         const Element e = expected(thread, reg, byte);
         return Element{e.col, e.row};
       }},
  };
  return all;
}

}  // namespace exercise_11
