// SPDX-License-Identifier: MIT
// What the calls of an answer to exercise 17 ask for, and the first rule that they break, by its
// name. Nothing was computed yet. Who calls, and when: calls.hpp.
//
// Source: PTX ISA 9.2, 9.7.16.4.2 (table 42), 9.7.16.2.3 (addresses).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "17_tensor_memory/waits.hpp"

namespace exercise_17 {

// ---- What is multiplied -------------------------------------------------------------------------

struct WrongBits {
  const char* name;
  std::uint32_t bits;
};
/// The first field that is not as it should be: "in the instruction descriptor bits 4 to 5 (D's
/// type) are 3, not 1"; "": they all are, and the rest is not.
inline std::string wrong_field(std::uint32_t instruction) {
  struct Field {
    std::uint32_t first, last;
    const char* name;
  };
  for (const Field& field :
       {Field{4, 5, "D's type"}, Field{7, 9, "A's type"}, Field{10, 12, "B's type"},
        Field{17, 22, "N / 8"}, Field{24, 28, "M / 16"}}) {
    const std::uint32_t mask = (2u << (field.last - field.first)) - 1;
    const std::uint32_t is = instruction >> field.first & mask;
    const std::uint32_t should = kInstruction >> field.first & mask;
    if (is != should)
      return "in the instruction descriptor bits " + std::to_string(field.first) + " to " +
             std::to_string(field.last) + " (" + field.name + ") are " + std::to_string(is) +
             ", not " + std::to_string(should);
  }
  return "";
}

inline Verdict wrong_instruction(const Calls& own) {
  constexpr std::uint32_t kD = 1u << 4, kRightN = kN / 8 << 17, kRightM = kM / 16 << 24;
  static const std::vector<WrongBits> known{
      {"D is to be f16: bits 4 and 5 are 0", kRightN | kRightM},
      {"N stands undivided in bits 17 to 22: the product is 256 wide", kD | kN << 17 | kRightM},
      {"N is 16: half of N / 8 from bit 17 on", kD | kN / 16 << 17 | kRightM},
      {"N is 64: twice N / 8 from bit 17 on", kD | kN / 8 << 18 | kRightM},
      {"N is missing: bits 17 to 22 are 0", kD | kRightM},
      {"M and N stand undivided: M / 16 and N / 8 are what fits their bits",
       kD | kN << 17 | 128u << 24},
      {"M stands undivided: 128 reaches beyond bits 24 to 28", kD | kRightN | 128u << 24},
      {"M is 256, for two CTAs: twice M / 16 from bit 24 on", kD | kRightN | kM / 8 << 24},
      {"M is 64: D's lower half is not computed", kD | kRightN | kM / 16 << 23},
      {"M is missing: bits 24 to 28 are 0", kD | kRightN},
      {"M and N have changed places", kD | kM / 16 << 17 | kN / 8 << 24},
      {"M and N have changed places", kD | kM / 8 << 17 | kN / 16 << 24},
      {"A is to be bf16: bits 7 to 9 are 1", kInstruction | 1u << 7},
      {"B is to be bf16: bits 10 to 12 are 1", kInstruction | 1u << 10},
      {"A and B are to be bf16: bits 7 to 9 and 10 to 12 are 1", kInstruction | 1u << 7 | 1u << 10},
  };
  for (const Call& call : own) {
    if (call.what != Call::kMultiply || call.instruction == kInstruction) continue;
    const std::string advice = "`./learn descriptor --instruction " + hex(call.instruction) +
                               " --kind f16` says what yours means";
    std::string words = wrong_field(call.instruction);
    if (words.empty())
      words = "the instruction descriptor has bits set that this product needs not: " +
              hex(call.instruction & ~kInstruction);
    for (const WrongBits& wrong : known)
      if (call.instruction == wrong.bits)
        words = std::string("in the instruction descriptor ") + wrong.name;
    return {words, advice, "instruction " + hex(kInstruction),
            "instruction " + hex(call.instruction)};
  }
  return {};
}

inline Verdict wrong_target(const Calls& own) {
  for (const Call& call : own) {
    if (call.what != Call::kMultiply || call.address == kTmem) continue;
    return {call.address >> 16 == 0 && (call.address & 0xffff) < kTmem
                ? "D is not written where alloc answered, but from column " +
                      std::to_string(call.address & 0xffff) + " on"
                : "D is written at " + hex(call.address) + ", not at tmem",
            "core.multiply(tmem, ...) in every step: all 128 lanes, from tmem's column on",
            "core.multiply(" + hex(kTmem) + ", ...)",
            "core.multiply(" + hex(call.address) + ", ...)"};
  }
  return {};
}

// ---- Which lanes --------------------------------------------------------------------------------

struct WrongPlace {
  const char* name;
  const char* advice;
  std::function<std::uint32_t(std::uint32_t thread, std::uint32_t part)> address;
};
inline std::uint32_t right_place(std::uint32_t thread, std::uint32_t part) {
  return kTmem + (thread / 32 * 32 << 16) + part * 16;
}
inline const std::vector<WrongPlace>& wrong_places() {
  using U = std::uint32_t;
  static const char* const lanes = "the lane is the high half: tmem + (warp * 32 << 16)";
  static const char* const column = "the second load begins 16 columns further on: + 16";
  static const std::vector<WrongPlace> all{
      {"every warp asks for lanes 0 to 31, which warp 0 alone reaches", lanes,
       [](U, U part) { return kTmem + part * 16; }},
      {"the lane is the warp's number, not 32 times that", lanes,
       [](U t, U part) { return kTmem + (t / 32 << 16) + part * 16; }},
      {"every thread gives an address of its own: the warp has one, of its first lane", lanes,
       [](U t, U part) { return kTmem + (t << 16) + part * 16; }},
      {"every lane gives an address of its own: the warp has one, of its first lane", lanes,
       [](U t, U part) { return kTmem + (t % 32 << 16) + part * 16; }},
      {"a warp's lanes begin at 16 times its number, as wgmma's rows do: here it is 32", lanes,
       [](U t, U part) { return kTmem + (t / 32 * 16 << 16) + part * 16; }},
      {"the warp's 32 lanes are added to the column: the lane is the high half", lanes,
       [](U t, U part) { return kTmem + t / 32 * 32 + part * 16; }},
      {"lane and column are moved to the high half together: << comes after +", lanes,
       [](U t, U part) { return ((kTmem + t / 32 * 32) << 16) + part * 16; }},
      {"lane and column have changed halves", lanes,
       [](U t, U part) { return (kTmem << 16) + t / 32 * 32 + part * 16; }},
      {"lane and column have changed halves, for the second load as well", lanes,
       [](U t, U part) { return (kTmem << 16) + t / 32 * 32 + (part * 16 << 16); }},
      {"tmem is not in the address: these are somebody else's columns", lanes,
       [](U t, U part) { return (t / 32 * 32 << 16) + part * 16; }},
      {"the warps have changed places: warp 0 asks for lanes 96 to 127", lanes,
       [](U t, U part) { return kTmem + ((3 - t / 32) * 32 << 16) + part * 16; }},
      {"a column offset is forgotten: both loads begin at D's first column", column,
       [](U t, U) { return right_place(t, 0); }},
      {"the second load begins one column further on", column,
       [](U t, U part) { return right_place(t, 0) + part; }},
      {"the second load begins 32 columns further on, behind D", column,
       [](U t, U part) { return right_place(t, 0) + part * 32; }},
      {"columns are counted in bytes: the second load begins 64 further on", column,
       [](U t, U part) { return right_place(t, 0) + part * 64; }},
      {"the second load begins 16 lanes further down", column,
       [](U t, U part) { return right_place(t, 0) + (part * 16 << 16); }},
      {"d[0] and d[1] have changed places", "d[0] is columns 0 to 15, d[1] 16 to 31",
       [](U t, U part) { return right_place(t, 1 - part); }},
  };
  return all;
}

/// The loads of one thread: "thread 32: d[0] from 0x00200020, d[1] from 0x00200030".
template <class Address>
std::string places_of(const Calls& calls, int thread, const Address& address) {
  std::string text = "thread " + std::to_string(thread) + ":", comma = " ";
  for (const Call& call : calls_of(calls, thread))
    if (call.what == Call::kLoad) {
      text += comma + "d[" + std::to_string(call.which) + "] from " + hex(address(call));
      comma = ", ";
    }
  return text;
}

inline Verdict wrong_places_of(const Calls& calls) {
  const auto right = [](const Call& call) {
    return right_place(static_cast<std::uint32_t>(call.thread),
                       static_cast<std::uint32_t>(call.which));
  };
  const auto wrong = std::find_if(calls.begin(), calls.end(), [&right](const Call& call) {
    return call.what == Call::kLoad && call.address != right(call);
  });
  if (wrong == calls.end()) return {};
  const std::string expected = places_of(calls, wrong->thread, right);
  const std::string found =
      places_of(calls, wrong->thread, [](const Call& call) { return call.address; });
  for (const WrongPlace& place : wrong_places())
    if (std::all_of(calls.begin(), calls.end(), [&place](const Call& call) {
          return call.what != Call::kLoad ||
                 call.address == place.address(static_cast<std::uint32_t>(call.thread),
                                               static_cast<std::uint32_t>(call.which));
        }))
      return {place.name, place.advice, expected, found};
  const auto place = [](std::uint32_t address) {
    return "lane " + std::to_string(address >> 16) + ", column " + std::to_string(address & 0xffff);
  };
  for (const Call& call : calls)  // the first of that warp
    if (call.what == Call::kLoad && call.which == wrong->which &&
        call.thread == wrong->thread / 32 * 32 && call.address != wrong->address)
      return {"thread " + std::to_string(wrong->thread) + " asks for " + place(wrong->address) +
                  ", and thread " + std::to_string(call.thread) + " of its warp for " +
                  place(call.address),
              "a load is the whole warp's, and brings each thread its lane: all 32 give the same "
              "address",
              expected, found};
  return {"thread " + std::to_string(wrong->thread) + " loads part " +
              std::to_string(wrong->which) + " from " + hex(wrong->address) + ": " +
              place(wrong->address) + ", not " + place(right(*wrong)),
          "the lane belongs into the high half of the address, the column into the low half",
          expected, found};
}

inline Verdict wrong_loads(const Calls& calls) {
  std::set<int> who[2];
  for (const Call& call : calls) {
    if (call.what != Call::kLoad) continue;
    if (call.which != 0 && call.which != 1)
      return {"core.load is asked for part " + std::to_string(call.which),
              "part 0 is d[0], 16 columns; part 1 is d[1], 16 more", "parts 0 and 1",
              "part " + std::to_string(call.which)};
    who[call.which].insert(call.thread);
  }
  const auto by = [&who](int part) {
    return "d[" + std::to_string(part) + "] by " + std::to_string(who[part].size()) + " threads";
  };
  if (who[0].size() + who[1].size() == 128 && !who[0].empty() && !who[1].empty())
    return {"each thread loads one half of its row, some d[0] and the others d[1]",
            "every thread has both: core.load(d, 0, ...) and core.load(d, 1, ...)",
            "d[0] by 128 threads, d[1] by 128 threads", by(0) + ", " + by(1)};
  if (const Verdict verdict = wrong_places_of(calls); !verdict.good()) return verdict;
  for (int part = 0; part < 2; ++part)
    if (who[part].size() != 128)
      return {"d[" + std::to_string(part) + "] is not loaded by all",
              "two loads of 16 columns make the 32: core.load(d, 0, ...) and core.load(d, 1, ...)",
              "d[0] by 128 threads, d[1] by 128 threads", by(0) + ", " + by(1)};
  return {};
}

// ---- All of it ----------------------------------------------------------------------------------

/// The first rule that the calls break; nothing where they are right.
inline Verdict judge(const Calls& calls, int steps) {
  if (const Verdict verdict = wrong_starter(calls); !verdict.good()) return verdict;
  const Calls own = calls_of(calls, *threads_of(calls, Call::kMultiply).begin());
  const Verdict verdicts[] = {
      wrong_steps(own, steps),  wrong_adds(own),    wrong_instruction(own), wrong_target(own),
      wrong_commit(calls, own), wrong_waits(calls), wrong_loads(calls),     wrong_dealloc(calls)};
  for (const Verdict& verdict : verdicts)
    if (!verdict.good()) return verdict;
  return {};
}

}  // namespace exercise_17
