// SPDX-License-Identifier: MIT
// An access to shared memory: which lanes are served together, how often each bank is wanted, and
// why some of them have to wait. Pure model, no Dear ImGui; what a bank is, is layout/banks.hpp's.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/event.hpp"

namespace lanescope::viz {

/// One phase of a shared-memory access: lanes that are served together.
struct AccessPhase {
  std::uint32_t lanes = 0;
  int passes = 1;
  std::array<std::uint8_t, 32> words{};  // different words wanted of each bank
};
struct AccessFacts {
  std::vector<AccessPhase> phases;
  int passes = 0;     // of all phases
  int conflicts = 0;  // passes beyond one a phase
  std::string title;  // "ldmatrix...: 4 phases, 8 passes: 2-way conflict"
};
AccessFacts access_facts(const trace::Access& access);
/// Whether lanes have to wait for others; of no access, a nullptr: none has.
bool has_conflict(const trace::Access* access);

/// A word of shared memory, and the lanes that want it.
struct BankWord {
  std::uint32_t address = 0;
  std::uint32_t lanes = 0;
};
/// What a phase wants of one bank, by rising address.
std::vector<BankWord> words_of_bank(const trace::Access& access, const AccessPhase& phase,
                                    int bank);

struct BankPlace {
  int phase = -1, bank = -1;
};
/// The first of the banks that are wanted most often in one phase; {-1, -1} without a conflict.
BankPlace worst_bank(const AccessFacts& facts);

/// Why: "bank 0, lanes 0 to 7: 8 words, one a pass, 128 bytes apart: 0x400 lane 0, 0x480 lane 1".
std::string bank_text(const trace::Access& access, const AccessFacts& facts, BankPlace place);

/// "lane 3", "lanes 0 to 7", "lanes 0, 2, 4", "5 lanes".
std::string lanes_text(std::uint32_t mask);

}  // namespace lanescope::viz
