// SPDX-License-Identifier: MIT
#include "panels/steps/access_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "layout/banks.hpp"

namespace lanescope::viz {
namespace {

constexpr std::uint32_t kAllLanes = 0xffffffffu;

// A bank gives one word a pass: what is most wanted decides. The same as layout::passes, which a
// test holds it to, but cheap enough for every line of the list in every frame.
AccessPhase phase_of(const trace::Access& access, std::uint32_t lanes) {
  AccessPhase phase;
  phase.lanes = lanes & access.active;
  std::array<std::uint32_t, 128> words{};  // 32 lanes of up to 16 bytes
  std::size_t count = 0;
  for (std::uint32_t rest = phase.lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t first = access.addresses[static_cast<std::size_t>(__builtin_ctz(rest))];
    for (int at = 0; at < access.bytes_per_lane; at += layout::kBankBytes)
      words[count++] = (first + static_cast<std::uint32_t>(at)) / layout::kBankBytes;
  }
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(words.begin(), end);
  for (auto at = words.begin(); at != end; ++at)
    if (at == words.begin() || *at != *(at - 1)) ++phase.words[*at % layout::kBanks];
  for (const std::uint8_t wanted : phase.words)
    phase.passes = std::max(phase.passes, static_cast<int>(wanted));
  return phase;
}

// How far all of them lie apart; 0 where they do not lie evenly.
std::uint32_t spacing(const std::vector<BankWord>& words) {
  const std::uint32_t apart = words[1].address - words[0].address;
  for (std::size_t k = 2; k < words.size(); ++k)
    if (words[k].address - words[k - 1].address != apart) return 0;
  return apart;
}

}  // namespace

AccessFacts access_facts(const trace::Access& access) {
  AccessFacts facts;
  if (access.instruction.starts_with("wmma.")) {  // ldmatrix, or loads of several sizes
    facts.title = fmt::format("{} pieces a lane; ptxas chooses what brings them: no banks are told",
                              access.addresses.size() / 32);
    return facts;
  }
  const bool load = access.instruction.starts_with("ld.") && access.addresses.size() == 32;
  const int lanes =
      layout::lanes_together(access.addresses, access.active, access.bytes_per_lane, load);
  for (int first = 0; first < 32; first += lanes) {
    const std::uint32_t mask = (lanes == 32 ? kAllLanes : ((1u << lanes) - 1) << first);
    if ((access.active & mask) == 0) continue;
    facts.phases.push_back(phase_of(access, mask));
    facts.passes += facts.phases.back().passes;
  }
  facts.conflicts = facts.passes - static_cast<int>(facts.phases.size());
  int worst = 1;
  for (const AccessPhase& phase : facts.phases) worst = std::max(worst, phase.passes);
  facts.title =
      fmt::format("{} phase{}, {} pass{}: {}", facts.phases.size(),
                  facts.phases.size() == 1 ? "" : "s", facts.passes, facts.passes == 1 ? "" : "es",
                  worst == 1 ? "no bank conflict" : fmt::format("{}-way bank conflict", worst));
  return facts;
}

bool has_conflict(const trace::Access* access) {
  return access != nullptr && access_facts(*access).conflicts > 0;
}

std::vector<BankWord> words_of_bank(const trace::Access& access, const AccessPhase& phase,
                                    int bank) {
  std::map<std::uint32_t, std::uint32_t> lanes;  // of the byte address of a word
  for (std::uint32_t rest = phase.lanes; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint32_t first = access.addresses[static_cast<std::size_t>(lane)];
    for (int at = 0; at < access.bytes_per_lane; at += layout::kBankBytes) {
      const std::uint32_t word = (first + static_cast<std::uint32_t>(at)) & ~3u;
      if (layout::bank(word) == bank) lanes[word] |= 1u << lane;
    }
  }
  std::vector<BankWord> words;
  for (const auto& [address, mask] : lanes) words.push_back({address, mask});
  return words;
}

BankPlace worst_bank(const AccessFacts& facts) {
  BankPlace worst;
  int most = 1;
  for (std::size_t phase = 0; phase < facts.phases.size(); ++phase)
    for (std::size_t bank = 0; bank < facts.phases[phase].words.size(); ++bank)
      if (facts.phases[phase].words[bank] > most) {
        most = facts.phases[phase].words[bank];
        worst = {static_cast<int>(phase), static_cast<int>(bank)};
      }
  return worst;
}

std::string lanes_text(std::uint32_t mask) {
  const int count = __builtin_popcount(mask);
  if (count == 0) return "no lane";
  const int first = __builtin_ctz(mask);
  const int last = 31 - __builtin_clz(mask);
  if (count == 1) return fmt::format("lane {}", first);
  if (count == last - first + 1) return fmt::format("lanes {} to {}", first, last);
  if (count > 4) return fmt::format("{} lanes", count);
  std::string text = "lanes";
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    text += fmt::format("{} {}", text.size() > 5 ? "," : "", __builtin_ctz(rest));
  return text;
}

std::string bank_text(const trace::Access& access, const AccessFacts& facts, BankPlace place) {
  if (place.phase < 0 || place.phase >= static_cast<int>(facts.phases.size())) return {};
  const AccessPhase& phase = facts.phases[static_cast<std::size_t>(place.phase)];
  const std::vector<BankWord> words = words_of_bank(access, phase, place.bank);
  std::string text = fmt::format("bank {}, {}: ", place.bank, lanes_text(phase.lanes));
  if (words.empty()) return text + "nothing wanted";
  if (words.size() == 1) {
    const bool shared = __builtin_popcount(words[0].lanes) > 1;
    return text + fmt::format("one word, 0x{:x} for {}{}", words[0].address,
                              lanes_text(words[0].lanes), shared ? ", who share it" : "");
  }
  text += fmt::format("{} words, one a pass", words.size());
  if (const std::uint32_t apart = spacing(words); apart != 0 && words.size() > 2)
    text += fmt::format(", {} bytes apart", apart);
  constexpr std::size_t kMost = 8;
  for (std::size_t k = 0; k < std::min(words.size(), kMost); ++k)
    text += fmt::format("{} 0x{:x} {}", k == 0 ? ":" : ",", words[k].address,
                        lanes_text(words[k].lanes));
  return words.size() > kMost ? text + fmt::format(" and {} more", words.size() - kMost) : text;
}

}  // namespace lanescope::viz
