// SPDX-License-Identifier: MIT
// The mistakes in packing that the check of exercise 19 knows: each predicts the words of every
// lane.
#pragma once

#include <string>
#include <vector>

#include "19_packed_weights/answer.hpp"

namespace exercise_19 {

struct PackingMistake {
  const char *name, *advice;  // "It looks as if ..."
  std::function<void(Packing&)> make;
};

inline const std::vector<PackingMistake>& packing_mistakes() {
  static const char* const kBits =
      "the mask 0x000f000f takes bits 0 to 3 and 16 to 19: the low half of b[2 * w][0] and the "
      "high "
      "one; four bits further up is b[2 * w][1]";
  static const char* const kLanes =
      "lane / 4 is the column, lane % 4 * 2 the first k of a register (lesson 01's B)";
  static const char* const kSteps16 = "step s begins at k = 16 * s, its second register at 8 more";
  const auto place = [](auto rule) { return [rule](Packing& p) { p.place = rule; }; };
  const auto bit = [](auto rule) { return [rule](Packing& p) { p.bit = rule; }; };
  static const std::vector<PackingMistake> all{
      {"a word has its nibbles in the order of k, the two of a register side by side", kBits,
       bit([](Half h) { return (h.step % 2 * 4 + h.reg * 2 + h.half) * 4; })},
      {"halves and registers have changed places: the next k is 4 bits further up, 8 of k are 16 "
       "bits",
       kBits, bit([](Half h) { return h.step % 2 * 8 + h.reg * 16 + h.half * 4; })},
      {"the two weights of a register are 8 bits apart, not 16", kBits,
       bit([](Half h) { return h.step % 2 * 16 + h.reg * 4 + h.half * 8; })},
      {"the high and the low halves are exchanged", "the smaller k of two is the low half",
       bit([](Half h) { return (1 - h.half) * 16 + h.step % 2 * 8 + h.reg * 4; })},
      {"the two registers of a step are exchanged",
       "b[.][0], the lower k, is under the mask 0x000f000f, bits 0 to 3; b[.][1] four bits further",
       bit([](Half h) { return h.half * 16 + h.step % 2 * 8 + (1 - h.reg) * 4; })},
      {"the two steps of a word are exchanged",
       "step 2 * w is in bits 0 to 7 and 16 to 23, step 2 * w + 1 eight bits further up",
       bit([](Half h) { return h.half * 16 + (1 - h.step % 2) * 8 + h.reg * 4; })},
      {"the registers are 8 bits apart, and the steps 4", kBits,
       bit([](Half h) { return h.half * 16 + h.step % 2 * 4 + h.reg * 8; })},
      {"the nibbles of a word begin in its highest bits", "nibble i is at bit 4 * i, from bit 0 on",
       bit([](Half h) { return 28 - (h.half * 16 + h.step % 2 * 8 + h.reg * 4); })},
      {"a number is shifted by its nibble's number, in bits", "nibble i is at bit 4 * i",
       bit([](Half h) { return h.half * 4 + h.step % 2 * 2 + h.reg; })},
      {"a number takes 8 bits, so that a word has room for four",
       "4 bits each: nibble i is at bit "
       "4 * i",
       bit([](Half h) { return h.half * 32 + h.step % 2 * 16 + h.reg * 8; })},
      {"all numbers of a word are in its lowest bits", "nibble i is shifted to bit 4 * i",
       bit([](Half) { return 0; })},
      {"word w has steps w and w + 4", "word w has steps 2 * w and 2 * w + 1",
       [](Packing& p) {
         p.word = [](Half h) { return h.step % 4; };
         p.bit = [](Half h) { return h.half * 16 + h.step / 4 * 8 + h.reg * 4; };
       }},
      {"the words are in reverse order", "word 0 has steps 0 and 1",
       [](Packing& p) { p.word = [](Half h) { return 3 - h.step / 2; }; }},
      {"only the first four steps are packed", "word w has steps 2 * w and 2 * w + 1, eight in all",
       [](Packing& p) { p.word = [](Half h) { return h.step < 4 ? h.step / 2 : -1; }; }},
      {"only the even steps are packed", "word w has steps 2 * w and 2 * w + 1",
       [](Packing& p) { p.word = [](Half h) { return h.step % 2 == 0 ? h.step / 2 : -1; }; }},
      {"a word has its last number alone",
       "each is added to those before: |=, not =", [](Packing& p) { p.last_alone = true; }},
      {"8 is taken off before packing", "q is stored as it is, 0 to 15; the 8 goes as b is made",
       [](Packing& p) { p.number = [](int q) { return static_cast<std::uint32_t>(q - 8) & 15; }; }},
      {"8 is taken off before packing, and what is below 0 fills the bits above it",
       "q is stored as it is, 0 to 15; the 8 goes as b is made",
       [](Packing& p) { p.number = [](int q) { return static_cast<std::uint32_t>(q - 8); }; }},
      {"W is read column after column", "W[k * kN + col]: the eight columns of a k are neighbours",
       [](Packing& p) { p.in_memory = [](Place at) { return at.col * kK + at.k; }; }},
      {"W is read in rows of 128", "W[k * kN + col]: the eight columns of a k are neighbours",
       [](Packing& p) { p.in_memory = [](Place at) { return at.k * kK + at.col; }; }},
      {"lane / 4 and lane % 4 have changed places", kLanes, place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + lane / 4 * 2 + h.half, lane % 4};
       })},
      {"lane % 8 is the column, lane / 8 chooses the k", kLanes, place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + lane / 8 * 2 + h.half, lane % 8};
       })},
      {"the two weights of a register are four k apart", "they are neighbours along k",
       place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + lane % 4 + h.half * 4, lane / 4};
       })},
      {"a lane's four weights of a step are neighbours along k",
       "two of them are, and the other two are 8 further on: they lie in the other register",
       place([](int lane, Half h) {
         return Place{h.step * 16 + lane % 4 * 4 + h.reg * 2 + h.half, lane / 4};
       })},
      {"a lane has eight neighbours along k in a word",
       "of a step it has k 2t, 2t + 1, 2t + 8 and 2t + 9, with t = lane % 4; a word has two steps",
       place([](int lane, Half h) {
         return Place{h.step / 2 * 32 + lane % 4 * 8 + h.step % 2 * 4 + h.reg * 2 + h.half,
                      lane / 4};
       })},
      {"a lane has 32 neighbours along k",
       "of a step it has k 2t, 2t + 1, 2t + 8 and 2t + 9, with t = lane % 4",
       place([](int lane, Half h) {
         return Place{lane % 4 * 32 + h.step * 4 + h.reg * 2 + h.half, lane / 4};
       })},
      {"the factor 2 is missing: a lane's first k is lane % 4", kLanes, place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + lane % 4 + h.half, lane / 4};
       })},
      {"both halves of a register have the same k", "the high half is one k further on",
       place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + lane % 4 * 2, lane / 4};
       })},
      {"both registers of a step have the same k", "the second one is 8 further on",
       place([](int lane, Half h) {
         return Place{h.step * 16 + lane % 4 * 2 + h.half, lane / 4};
       })},
      {"both steps of a word have the same k", kSteps16, place([](int lane, Half h) {
         return Place{h.step / 2 * 32 + h.reg * 8 + lane % 4 * 2 + h.half, lane / 4};
       })},
      {"all words have the k of the first", kSteps16, place([](int lane, Half h) {
         return Place{h.step % 2 * 16 + h.reg * 8 + lane % 4 * 2 + h.half, lane / 4};
       })},
      {"all lanes have the same k", kLanes, place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + h.half, lane / 4};
       })},
      {"all lanes have column 0", kLanes, place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + lane % 4 * 2 + h.half, 0};
       })},
      {"the lane itself is the column", kLanes, place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + lane % 4 * 2 + h.half, lane};
       })},
      {"the columns are those of D: lane % 4 * 2", kLanes, place([](int lane, Half h) {
         return Place{h.step * 16 + h.reg * 8 + lane / 4, lane % 4 * 2 + h.half};
       })},
  };
  return all;
}

}  // namespace exercise_19
