// SPDX-License-Identifier: MIT
// The mistakes that the check of exercise 02 knows: each predicts every word of an answer.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "02_data_types/answer.hpp"

namespace exercise_02 {

inline const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"a lane begins at column 4 * (lane % 4), as with 8-bit types",
       "a register has eight elements of four bits: lane % 4 * 8",
       packed([](int lane, int reg, int part) {
         return Element{lane / 4 + reg % 2 * 8, lane % 4 * 4 + part + reg / 2 * 32};
       })},
      {"a lane has sixteen neighbours of each of its two rows",
       "it has eight in columns 0 to 31 and eight in 32 to 63: a[2] is 32 columns right of a[0]",
       packed([](int lane, int reg, int part) {
         return Element{lane / 4 + reg % 2 * 8, lane % 4 * 16 + part + reg / 2 * 8};
       })},
      {"a lane has sixteen neighbours of each of its two rows, and a[1] is right of a[0]",
       "a[1] is 8 rows below a[0], and a[2] 32 columns right of it",
       packed([](int lane, int reg, int part) {
         return Element{lane / 4 + reg / 2 * 8, lane % 4 * 16 + part + reg % 2 * 8};
       })},
      {"lane % 8 is taken for the row, and lane / 8 for the columns",
       "four neighbouring lanes share a row: lane >> 2, and the columns come from lane % 4",
       packed([](int lane, int reg, int part) {
         return Element{lane % 8 + reg % 2 * 8, lane / 8 * 8 + part + reg / 2 * 32};
       })},
      {"the numbers have lost their sign: -3 has become 3",
       "two's complement: the low four bits of the byte are the number already, `& 0xf`",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           word |= static_cast<std::uint32_t>(std::abs(answer.at(e.row, e.col, answer.tile.stride)))
                   << (4 * part);
         }
         return word;
       }},
      {"negative numbers are not cut to four bits: their sign runs over the neighbours",
       "`& 0xf` before the shift: -1 is 0xffffffff as an int, and 0xf in four bits",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           word |= static_cast<std::uint32_t>(answer.at(e.row, e.col, answer.tile.stride))
                   << (4 * part);
         }
         return word;
       }},
      {"a number takes eight bits, not four",
       "part p of a register is its bits 4p to 4p + 3: shift by 4 * p",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < 4; ++part) {
           const Element e = place(lane, reg, part);
           word |= (static_cast<std::uint32_t>(answer.at(e.row, e.col, answer.tile.stride)) & 0xf)
                   << (8 * part);
         }
         return word;
       }},
      {"four bytes are copied as they are",
       "a register takes eight numbers of four bits: part p is bits 4p to 4p + 3",
       copied([](int lane, int reg) { return lane % 4 * 4 + reg / 2 * 16; })},
      {"four bytes are copied as they are",
       "a register takes eight numbers of four bits: part p is bits 4p to 4p + 3",
       copied([](int lane, int reg) { return lane % 4 * 8 + reg / 2 * 32; })},
      {"negative numbers are not cut to four bits: they borrow from their neighbours",
       "`& 0xf` before the shift: -1 is 0xffffffff as an int, and 0xf in four bits", sum_of_uncut},
      {"the upper four bits of a byte are taken: they are all sign",
       "two's complement: the low four bits of the byte are the number already, `& 0xf`",
       [](const Answer& answer, int lane, int reg) {
         return (packed(place)(answer, lane, reg) >> 3 & 0x11111111u) * 0xf;
       }},
      {"the mask is shifted, the number is not",
       "`<<` comes before `&`: (number & 0xf) << 4 * p, in brackets",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           word |= static_cast<std::uint32_t>(answer.at(e.row, e.col, answer.tile.stride)) &
                   0xfu << (4 * part);
         }
         return word;
       }},
      {"the parts lie one bit apart, not four",
       "part p of a register is its bits 4p to 4p + 3: shift by 4 * p", apart(1)},
      {"the parts lie two bits apart, not four",
       "part p of a register is its bits 4p to 4p + 3: shift by 4 * p", apart(2)},
      {"the parts lie three bits apart, not four",
       "part p of a register is its bits 4p to 4p + 3: shift by 4 * p", apart(3)},
      {"rows and columns are exchanged: this is A transposed",
       "the next element of a row is the next byte: row * stride + col",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg, part);
         return Element{e.col, e.row};
       })},
      {"the parts of a register lie four columns apart",
       "a register has eight neighbours of a row: columns 8 * (lane % 4) to 8 * (lane % 4) + 7",
       packed([](int lane, int reg, int part) {
         return Element{lane / 4 + reg % 2 * 8, lane % 4 + 4 * part + reg / 2 * 32};
       })},
      {"every number overwrites the one before: of a register, only the last is left",
       "a[reg] begins as 0, and |= keeps what is there",
       [](const Answer& answer, int lane, int reg) {
         return packed(place)(answer, lane, reg) & 0xf0000000u;
       }},
      {"the sign is a bit of its own, and the other three are the magnitude",
       "two's complement: -1 is 0xf, -8 is 0x8; the low four bits of the byte are right as they "
       "are",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           const int number = answer.at(e.row, e.col, answer.tile.stride);
           const int magnitude = number < 0 ? -number : number;
           word |= static_cast<std::uint32_t>((number < 0 ? 8 : 0) | (magnitude & 7)) << (4 * part);
         }
         return word;
       }},
      {"the sign is cut off: only three bits are left of a number",
       "four bits, the sign is the highest of them: `& 0xf`",
       [](const Answer& answer, int lane, int reg) {
         return packed([](int l, int r, int p) { return place(l, r, p); })(answer, lane, reg) &
                0x77777777u;
       }},
      {"the numbers are counted from -8: 8 was added to each",
       "two's complement, not an offset: the low four bits of the byte are right as they are",
       [](const Answer& answer, int lane, int reg) {
         return packed([](int l, int r, int p) { return place(l, r, p); })(answer, lane, reg) ^
                0x88888888u;
       }},
      {"the parts of every register are in reverse order",
       "the element with the lowest column belongs into the lowest four bits",
       packed([](int lane, int reg, int part) { return place(lane, reg, 7 - part); })},
      {"the two numbers of every byte have changed places",
       "part p is bits 4p to 4p + 3, so the element with the even column comes first",
       packed([](int lane, int reg, int part) { return place(lane, reg, part ^ 1); })},
      {"registers a[1] and a[2] are exchanged",
       "a[1] is 8 rows further down, a[2] is 32 columns further right",
       packed([](int lane, int reg, int part) {
         constexpr int kExchanged[] = {0, 2, 1, 3};
         return place(lane, kExchanged[reg], part);
       })},
      {"a[1] and a[3] are 16 rows further down, not 8", "a[1] and a[3] hold row (lane >> 2) + 8",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg & 2, part);
         return Element{e.row + reg % 2 * 16, e.col};
       })},
      {"eight lanes share a row, and each register is four rows further down",
       "four lanes share a row, each with eight columns of its left half and eight of its right",
       packed([](int lane, int reg, int part) {
         return Element{lane / 8 + reg * 4, lane % 8 * 8 + part};
       })},
      {"two lanes share a row, each with 32 neighbours",
       "four lanes share a row, each with eight columns of its left half and eight of its right",
       packed([](int lane, int reg, int part) {
         return Element{lane / 2, lane % 2 * 32 + reg * 8 + part};
       })},
      {"two numbers share a byte of the tile",
       "in memory each has a byte of its own, tile[row * stride + col]: four bits is what it has "
       "in the register",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           const int byte = (e.row * answer.tile.stride + e.col) / 2;
           word |= (static_cast<std::uint32_t>(answer.at(0, byte, 0)) & 0xf) << (4 * part);
         }
         return word;
       }},
      {"the + 8 of the rows is missing", "a[1] and a[3] hold row (lane >> 2) + 8",
       packed([](int lane, int reg, int part) { return place(lane, reg & 2, part); })},
      {"the + 32 of the columns is missing", "a[2] and a[3] begin at column 8 * (lane % 4) + 32",
       packed([](int lane, int reg, int part) { return place(lane, reg & 1, part); })},
      {"a[2] and a[3] are 8 columns further right, as in lesson 01",
       "the step is four times the parts of a register: 8 for 16-bit types, 32 for 4-bit types",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg & 1, part);
         return Element{e.row, e.col + (reg & 2 ? 8 : 0)};
       })},
      {"a[2] and a[3] are 16 columns further right, as for 8-bit types",
       "the step is four times the parts of a register: 16 for 8-bit types, 32 for 4-bit types",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg & 1, part);
         return Element{e.row, e.col + (reg & 2 ? 16 : 0)};
       })},
      {"a lane begins at column 2 * (lane % 4), as in lesson 01",
       "a register holds eight columns, so the next lane begins eight columns further right",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg, part);
         return Element{e.row, e.col - 6 * (lane % 4)};
       })},
      {"the columns are lesson 01's: 2 * (lane % 4), and + 8 in a[2] and a[3]",
       "a register holds eight columns, not two: write 8 where the 2 stood, and 32 for the 8",
       packed([](int lane, int reg, int part) {
         return Element{lane / 4 + reg % 2 * 8, lane % 4 * 2 + part + reg / 2 * 8};
       })},
      {"every lane has packed what lane 0 should pack",
       "the row and the column depend on the lane: lane >> 2 and lane % 4",
       packed([](int, int reg, int part) { return place(0, reg, part); })},
      {"lane >> 2 and lane % 4 have changed places",
       "four neighbouring lanes share a row: the row is lane >> 2, the column comes from lane % 4",
       packed([](int lane, int reg, int part) {
         return Element{lane % 4 + reg % 2 * 8, (lane >> 2) * 8 + part + reg / 2 * 32};
       })},
      {"everything is one column too far right",
       "columns are counted from 0: lane 0 begins with A[0][0]",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg, part);
         return Element{e.row, e.col + 1};
       })},
      {"everything is one row too far down", "rows are counted from 0: lane 0 begins with A[0][0]",
       packed([](int lane, int reg, int part) {
         const Element e = place(lane, reg, part);
         return Element{e.row + 1, e.col};
       })},
      {"all eight parts of a register hold its first element",
       "part p is the element p columns further right",
       packed([](int lane, int reg, int) { return place(lane, reg, 0); })},
      {"rows are taken to be 64 bytes apart",
       "the tile lies in a wider matrix: the next row begins `stride` bytes further on",
       [](const Answer& answer, int lane, int reg) {
         std::uint32_t word = 0;
         for (int part = 0; part < kParts; ++part) {
           const Element e = place(lane, reg, part);
           word |= (static_cast<std::uint32_t>(answer.at(e.row, e.col, 64)) & 0xf) << (4 * part);
         }
         return word;
       }},
      {"only lane 0 has packed its registers",
       "all 32 lanes run the kernel, and each packs its own: look for an `if (lane == 0)`",
       [](const Answer& answer, int lane, int reg) {
         return lane == 0 ? packed(place)(answer, lane, reg) : 0;
       }},
  };
  return all;
}

}  // namespace exercise_02
