// SPDX-License-Identifier: MIT
#include "emulator/ptx/form.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanescope::emulator {
namespace {

/// Every form of an opcode has one of these: each word is one modifier, whatever their order, "a|b"
/// either of two, "[a]" one that may be left out.
struct FormRule {
  std::string_view opcodes, words;
};

constexpr FormRule kForms[] = {
    {"add sub div rem sad", "u16|s16|u32|s32|u64|s64"},
    {"add sub", "sat s32"},
    {"add sub", "cc u32|s32|u64|s64"},
    {"addc subc", "[cc] u32|s32|u64|s64"},
    {"addc subc", "u16|s16"},
    {"add", "u16x2|s16x2"},
    {"add sub mul", "[rn] [ftz] [sat] f16|f16x2"},
    {"add sub mul", "[rn] bf16|bf16x2"},
    {"add sub mul", "[rn|rz|rm|rp] [ftz] [sat] f32"},
    {"add sub mul", "[rn|rz|rm|rp] f64"},
    {"add sub mul", "[rn|rz|rm|rp] [ftz] f32x2"},
    {"add sub", "[rn|rz|rm|rp] [sat] f32 f16|bf16"},
    {"fma", "rn|rz|rm|rp [sat] f32 f16|bf16"},
    {"fma", "rn [ftz] [sat] f16|f16x2"},
    {"fma", "rn [ftz] relu f16|f16x2"},
    {"fma", "rn oob [relu|sat] f16|f16x2"},
    {"fma", "rn|rz|rm|rp [oob] [relu] bf16|bf16x2"},
    {"fma mad", "rn|rz|rm|rp [ftz] [sat] f32"},
    {"fma mad", "rn|rz|rm|rp f64"},
    {"fma", "rn|rz|rm|rp [ftz] f32x2"},
    {"mul mad madc", "lo|hi u16|s16|u32|s32|u64|s64"},
    {"mul mad", "wide u16|s16|u32|s32"},
    {"mad madc", "lo|hi cc u32|s32|u64|s64"},
    {"mad madc mad24", "hi sat s32"},
    {"mul24 mad24", "lo|hi u32|s32"},
    {"div", "rn|rz|rm|rp|approx|full [ftz] f32"},
    {"div", "rn|rz|rm|rp f64"},
    {"min max", "[relu] s32|s16x2"},
    {"min max", "u16|s16|u32|u64|s64|u16x2"},
    {"min max", "[ftz] [NaN] f16|f16x2|f32"},
    {"min max", "[ftz] [NaN] xorsign abs f16|f16x2|f32"},
    {"min max", "[ftz] [NaN] abs f32"},
    {"min max", "[NaN] bf16|bf16x2"},
    {"min max", "[NaN] xorsign abs bf16|bf16x2"},
    {"min max", "f64"},
    {"and or xor not", "b16|b32|b64|pred"},
    {"cnot", "b16|b32|b64"},
    {"copysign", "f32|f64"},
    {"popc clz brev", "b32|b64"},
    {"bfind", "[shiftamt] u32|s32|u64|s64"},
    {"bfe", "u32|s32|u64|s64"},
    {"bfi", "b32|b64"},
    {"shl", "b16|b32|b64"},
    {"shr", "b16|b32|b64|u16|s16|u32|s32|u64|s64"},
    {"bmsk", "clamp|wrap b32"},
    {"szext", "clamp|wrap u32|s32"},
    {"activemask fns", "b32"},
    {"match", "any|all sync b32|b64"},
    {"redux", "sync add|min|max u32|s32"},
    {"redux", "sync and|or|xor b32"},
    {"redux", "sync min|max [abs] [NaN] f32"},
    {"setp", "eq|ne|lt|le|gt|ge [and|or|xor] u16|s16|u32|s32|u64|s64"},
    {"setp", "eq|ne [and|or|xor] b16|b32|b64"},
    {"setp", "lo|ls|hi|hs [and|or|xor] u16|u32|u64"},
    {"setp", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [and|or|xor] [ftz] f16|f16x2|f32"},
    {"setp", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [and|or|xor] f64|bf16|bf16x2"},
    {"selp", "b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64"},
    {"slct", "b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64 s32"},
    {"slct", "[ftz] b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64 f32"},
    {"abs neg", "s16|s32|s64|bf16|bf16x2|f64"},
    {"abs neg", "[ftz] f16|f16x2|f32"},
    {"sin cos lg2 ex2", "approx [ftz] f32"},
    {"ex2", "approx f16|f16x2"},
    {"ex2", "approx ftz bf16|bf16x2"},
    {"tanh", "approx f16|bf16|f16x2|bf16x2|f32"},
    {"rcp sqrt", "approx|rn|rz|rm|rp [ftz] f32"},
    {"rcp sqrt", "rn|rz|rm|rp f64"},
    {"rcp", "approx|rn|rz|rm|rp ftz f64"},
    {"rsqrt", "approx [ftz] f32|f64"},
};

/// No statement has all of these words ("a|b" either, "!a|b" none): they do not go together.
constexpr FormRule kClashes[] = {
    {"ld ldu st", "f16|bf16|f16x2|bf16x2|u16x2|s16x2|f32x2|tf32"},
    {"ld", "nc !global"},
    {"ld", "nc weak|volatile|relaxed|acquire|mmio"},
    {"ld", "release|wb|wt"},
    {"ld st", "relaxed|acquire|release !cta|cluster|gpu|sys"},
    {"ld st", "weak|volatile cta|cluster|gpu|sys"},
    {"ld st", "relaxed|acquire|release|volatile|mmio local|const|param|param::entry"},
    {"ld st", "relaxed|acquire|release|volatile|mmio ca|cg|cs|lu|cv|wb|wt"},
    {"ld st", "mmio !relaxed !async"},
    {"ld st", "mmio !sys !async"},
    {"ld st", "mmio shared|shared::cta|shared::cluster"},
    {"st", "acquire|nc|ca|lu|cv"},
    {"st", "const|param::entry"},
    {"ldu", "shared|shared::cta|local|const|param"},
    {"ldu st", "L2::64B|L2::128B|L2::256B"},
    {"ld st",
     "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate "
     "shared|shared::cta|shared::cluster|local|const|param|param::entry"},
    {"ld",
     "L2::64B|L2::128B|L2::256B|L2::cache_hint "
     "shared|shared::cta|shared::cluster|local|const|param|param::entry"},
    {"atom red", "and|or|xor u32|s32|u64|s64|u16|s16"},
    {"atom", "exch|cas u16|s16|u32|s32|u64|s64|f32|f64"},
    {"red", "exch|cas"},
    {"atom red", "add|min|max|inc|dec b16|b32|b64|b128"},
    {"atom red", "and|or|xor|exch|cas|inc|dec f16|f16x2|bf16|bf16x2"},
    {"atom red", "add s64 !async"},
    {"atom red", "local|const|param"},
    {"atom red", "f16|f16x2|bf16|bf16x2 !noftz"},
    {"atom red", "u16x2|s16x2"},
    {"atom", "exch b16"},
    {"atom red", "noftz u32|s32|u64|s64|b16|b32|b64|b128|f32|f64"},
    {"red", "acquire|acq_rel"},
    {"red", "async relaxed !cluster"},
    {"red", "async !relaxed !mmio"},
    {"membar", "gpu"},
    {"bar", "warp !sync"},
    {"fence", "!sc|acq_rel|acquire|release|cta|cluster|gpu|sys|proxy|mbarrier_init"},
    {"fence", "sc|acq_rel|acquire|release !cta|cluster|gpu|sys"},
    {"fence", "mbarrier_init !release"},
    {"fence", "mbarrier_init !cluster"},
    {"fence", "sync_restrict::shared::cta !release"},
    {"fence", "sync_restrict::shared::cluster !acquire"},
    {"fence", "sync_restrict::shared::cta|sync_restrict::shared::cluster !cluster"},
    {"fence", "async::generic !sync_restrict::shared::cta|sync_restrict::shared::cluster"},
    {"fence", "tensormap::generic !cta|cluster|gpu|sys"},
    {"barrier", "cluster arrive acquire"},
    {"barrier", "cluster wait release|relaxed"},
    {"bar barrier", "red popc pred"},
    {"bar barrier", "red and|or u32"},
    {"mbarrier", "init|inval|test_wait|try_wait shared::cluster"},
    {"mbarrier", "global|const|local|gpu|sys"},
    {"mbarrier", "release|acquire|relaxed !cta|cluster"},
    {"mbarrier", "cta|cluster !release|acquire|relaxed"},
    {"mbarrier", "arrive|arrive_drop acquire"},
    {"mbarrier", "test_wait|try_wait release"},
    {"mbarrier", "noComplete expect_tx|relaxed|cluster|shared::cluster"},
    {"cvt", "sat satfinite|relu|bf16|bf16x2|f16x2|tf32"},
    {"cvt", "ftz !f32"},
    {"cvt", "ftz satfinite|relu|tf32|f16x2|bf16x2|e4m3x2|e5m2x2"},
    {"cvt", "bf16x2 e4m3x2|e5m2x2"},
    {"cvta", "b32|b64"},
    {"prefetch", "shared|const|param !tensormap"},
    {"prefetch", "local L2::evict_last|L2::evict_normal"},
    {"prefetchu", "global|local|shared|L2|L2::evict_last|L2::evict_normal"},
};

/// A list without its first word, which is given.
std::string_view next_word(std::string_view& list, char separator) {
  const std::size_t end = std::min(list.find(separator), list.size());
  const std::string_view word = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return word;
}

bool is_among(std::string_view choices, std::string_view word) {
  while (!choices.empty())
    if (next_word(choices, '|') == word) return true;
  return false;
}

using RulesOf = std::unordered_map<std::string_view, std::vector<std::string_view>>;

template <std::size_t kCount>
RulesOf by_opcode(const FormRule (&rules)[kCount]) {
  RulesOf sorted;
  for (const FormRule& rule : rules)
    for (std::string_view opcodes = rule.opcodes; !opcodes.empty();)
      sorted[next_word(opcodes, ' ')].push_back(rule.words);
  return sorted;
}

/// Whether some form has this word: who has a newer one is told so by name (decode.cpp).
bool is_known(std::string_view modifier) {
  const auto has_it = [&](const FormRule& rule) {
    for (std::string_view words = rule.words; !words.empty();) {
      std::string_view choices = next_word(words, ' ');
      if (choices.front() == '[') choices = choices.substr(1, choices.size() - 2);
      if (choices.front() == '!') choices.remove_prefix(1);
      if (is_among(choices, modifier)) return true;
    }
    return false;
  };
  return std::any_of(std::begin(kForms), std::end(kForms), has_it) ||
         std::any_of(std::begin(kClashes), std::end(kClashes), has_it);
}

/// Marks in `used` a modifier that is one of `choices`; false where there is none.
bool take_one(const std::vector<std::string_view>& modifiers, std::string_view choices,
              std::uint64_t& used) {
  for (std::size_t k = 0; k < modifiers.size(); ++k) {
    if ((used >> k & 1) != 0 || !is_among(choices, modifiers[k])) continue;
    used |= std::uint64_t{1} << k;
    return true;
  }
  return false;
}

bool is_form(const std::vector<std::string_view>& modifiers, std::string_view words) {
  std::uint64_t used = 0;
  while (!words.empty()) {
    std::string_view choices = next_word(words, ' ');
    const bool is_optional = choices.front() == '[';
    if (is_optional) choices = choices.substr(1, choices.size() - 2);
    if (!take_one(modifiers, choices, used) && !is_optional) return false;
  }
  return used + 1 == std::uint64_t{1} << modifiers.size();
}

bool clashes(const std::vector<std::string_view>& modifiers, std::string_view words) {
  std::uint64_t used = 0;
  while (!words.empty()) {
    std::string_view choices = next_word(words, ' ');
    const bool is_unwanted = choices.front() == '!';
    if (is_unwanted) choices.remove_prefix(1);
    if (take_one(modifiers, choices, used) == is_unwanted) return false;
  }
  return true;
}

}  // namespace

bool is_no_form(const PtxStatement& statement) {
  static const RulesOf kFormsOf = by_opcode(kForms), kClashesOf = by_opcode(kClashes);
  const auto& modifiers = statement.modifiers;
  if (modifiers.size() > 60) return false;
  if (const auto forms = kFormsOf.find(statement.opcode); forms != kFormsOf.end())
    return std::none_of(forms->second.begin(), forms->second.end(),
                        [&](std::string_view words) { return is_form(modifiers, words); }) &&
           std::all_of(modifiers.begin(), modifiers.end(), is_known);
  const auto found = kClashesOf.find(statement.opcode);
  return found != kClashesOf.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](std::string_view words) { return clashes(modifiers, words); });
}

}  // namespace lanescope::emulator
