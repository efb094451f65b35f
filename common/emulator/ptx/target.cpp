// SPDX-License-Identifier: MIT
#include "emulator/ptx/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <vector>

namespace lanescope::emulator {
namespace {

/// `needs` are modifiers in any order, each another one of the statement's: "bf16 s32|u32" is bf16
/// and one of the two, "!noComplete" must not be there.
struct TargetRule {
  Target target;
  std::string_view opcodes;  // "*": any
  std::string_view needs = "";
  std::size_t operands = 0;  // at least
};

constexpr TargetRule kRules[] = {
    {{80}, "*", "bf16|bf16x2|tf32"},
    {{80}, "*", "relu|NaN"},
    {{80}, "*", "L2::cache_hint|L2::256B"},
    {{80}, "cp", "async"},
    {{80}, "mbarrier redux createpolicy discard applypriority"},
    {{80}, "prefetch", "L2::evict_last|L2::evict_normal"},
    {{80}, "cvt", "f16x2 f32"},
    {{80}, "min max", "f16|f16x2"},
    {{80}, "wmma", "f64|and"},
    {{86}, "min max", "xorsign"},
    {{89}, "cvt", "e4m3x2|e5m2x2"},
    {{90}, "*", "cluster|shared::cluster|oob"},
    {{90}, "set setp add sub mul ex2 tanh atom red", "bf16|bf16x2"},
    {{90}, "add min max", "u16x2|s16x2"},
    {{90}, "min max", "relu s32"},
    {{90}, "atom red", "v2|v4|v8"},
    {{90}, "atom", "b128"},
    {{90}, "cvt", "bf16 bf16|f16|f64|s8|u8|s16|u16|s32|u32|s64|u64"},
    {{90}, "cvt", "f32.bf16 ftz"},
    {{90}, "cvt", "tf32 rn|rz"},
    {{100}, "cvt", "tf32 satfinite rn|rz"},
    {{90}, "cp", "bulk"},
    {{90}, "mbarrier", "expect_tx|complete_tx|try_wait|relaxed"},
    {{90}, "mbarrier", "arrive|arrive_drop !noComplete", 3},  // with a count
    {{90}, "st red", "async"},
    {{90}, "mapa getctarank elect stmatrix griddepcontrol multimem tensormap"},
    {{90}, "prefetch", "tensormap"},
    {{90}, "fence", "mbarrier_init"},
    {{90}, "fence", "sync_restrict::shared::cta|sync_restrict::shared::cluster"},
    {{90}, "fence", "tensormap::generic"},
    {{90}, "fence", "async|async::generic|async::global|async::shared::cta|async::shared::cluster"},
    {{90, 'a'}, "tensormap", "replace"},
    {{90, 'a'}, "setmaxnreg wgmma"},
    {{100}, "add sub mul fma", "f32x2"},
    {{100}, "add sub fma", "f32 f16|bf16"},
    {{100}, "min max", "f32", 4},
    {{100}, "cp", "tile::gather4"},
    {{100, 'a'}, "cp", "tile::scatter4"},
    {{100}, "ld st", "v8"},
    {{100}, "ld st", "v4 b64|u64|s64|f64"},
    {{100, 'a'}, "tcgen05"},
    {{100, 'a'}, "cvt", "e3m2x2|e2m3x2|e2m1x2|ue8m0x2|rs"},
    {{100, 'a'}, "ldmatrix stmatrix", "m8n16|m16n16|m16n8"},
    {{100, 'a'}, "redux", "f32"},
    {{100}, "st", "bulk"},
    {{100}, "st red", "async mmio"},
    {{100}, "cp", "cp_mask"},
    {{100}, "clusterlaunchcontrol"},
    {{100, 'a'}, "clusterlaunchcontrol", "multicast::cluster::all"},
    {{100, 'a'}, "cp", "cta_group::1|cta_group::2"},
};

struct RegisterRule {
  Target target;
  std::string_view begins;
};
constexpr RegisterRule kRegisters[] = {
    {{80}, "%reserved_smem_offset_"}, {{90}, "%cluster"},        {{90}, "%ncluster"},
    {{90}, "%is_explicit_cluster"},   {{90}, "%aggr_smem_size"},
};

/// Whether `word` stands in `list`, between separators.
bool stands_in(std::string_view list, std::string_view word, char separator) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// Whether modifier k is one of `choices`, or begins a pair of them.
bool matches(std::string_view choices, const std::vector<std::string_view>& modifiers,
             std::size_t k) {
  if (choices.find('.') == std::string_view::npos) return stands_in(choices, modifiers[k], '|');
  const std::size_t dot = choices.find('.');
  return modifiers[k] == choices.substr(0, dot) && k + 1 < modifiers.size() &&
         modifiers[k + 1] == choices.substr(dot + 1);
}

/// Of an opcode that some rule names what rules there are for it, those for any opcode among them,
/// in the order of the list; "*": of all other opcodes. Every statement is asked, each time a
/// module is loaded.
using TargetsOf = std::unordered_map<std::string_view, std::vector<const TargetRule*>>;

TargetsOf targets_by_opcode() {
  TargetsOf sorted{{"*", {}}};
  for (const TargetRule& rule : kRules) {
    if (rule.opcodes == "*") {
      for (auto& [opcode, rules] : sorted) rules.push_back(&rule);
      continue;
    }
    for (std::string_view rest = rule.opcodes; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      const auto& any = sorted.at("*");
      sorted.try_emplace(rest.substr(0, end), any).first->second.push_back(&rule);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return sorted;
}

bool applies(const TargetRule& rule, const PtxStatement& statement) {
  if (statement.operands.size() < rule.operands) return false;
  const auto& modifiers = statement.modifiers;
  std::uint64_t used = 0;  // bit k: modifiers[k]
  std::string_view needs = rule.needs;
  while (!needs.empty()) {
    const std::size_t end = std::min(needs.find(' '), needs.size());
    std::string_view choices = needs.substr(0, end);
    needs.remove_prefix(std::min(end + 1, needs.size()));
    const bool unwanted = choices.front() == '!';
    if (unwanted) choices.remove_prefix(1);
    const std::size_t count = std::min<std::size_t>(modifiers.size(), 64);
    std::size_t k = 0;
    while (k < count && ((used >> k & 1) != 0 || !matches(choices, modifiers, k))) ++k;
    const bool found = k < count;
    if (found == unwanted) return false;
    if (found) used |= std::uint64_t{1} << k;
  }
  return true;
}

bool is_less(Target here, Target wanted) {
  return here.number < wanted.number || (wanted.suffix != 0 && here.suffix == 0);
}

// What `operands` name, lists of them too.
void look_at(const std::vector<PtxOperand>& operands, Target& wanted) {
  for (const PtxOperand& operand : operands) {
    if (operand.name.substr(0, 1) == "%")
      for (const RegisterRule& rule : kRegisters)
        if (operand.name.substr(0, rule.begins.size()) == rule.begins)
          wanted.number = std::max(wanted.number, rule.target.number);
    look_at(operand.items, wanted);
  }
}

}  // namespace

Target parse_target(std::string_view name) {
  Target target;
  if (name.substr(0, 3) == "sm_") name.remove_prefix(3);
  while (!name.empty() && name.front() >= '0' && name.front() <= '9' && target.number < 10000) {
    target.number = target.number * 10 + (name.front() - '0');
    name.remove_prefix(1);
  }
  if (name.size() == 1) target.suffix = name.front();
  return target;
}

// Source: PTX ISA 9.2, 13 (release notes); what ptxas 13.0 says of each.
int first_version(Target target) {
  struct First {
    int number, version;
  };
  constexpr First kFirst[] = {{50, 40},  {52, 41},  {53, 42},  {60, 50},  {61, 50},
                              {62, 50},  {70, 51},  {72, 61},  {75, 63},  {80, 70},
                              {86, 71},  {87, 74},  {88, 73},  {89, 78},  {90, 78},
                              {100, 86}, {103, 88}, {110, 90}, {120, 87}, {121, 88}};
  for (const First& first : kFirst)
    if (first.number == target.number)
      return target.suffix == 'f'                          ? std::max(first.version, 88)
             : target.suffix == 'a' && target.number == 90 ? 80
                                                           : first.version;
  return 0;
}

std::string missing_target(const PtxStatement& statement, Target target) {
  static const TargetsOf kTargetsOf = targets_by_opcode();
  const auto found = kTargetsOf.find(statement.opcode);
  Target wanted;
  for (const TargetRule* rule : found == kTargetsOf.end() ? kTargetsOf.at("*") : found->second)
    if (is_less(target, rule->target) && !is_less(rule->target, wanted) &&
        applies(*rule, statement))
      wanted = rule->target;
  look_at(statement.operands, wanted);
  if (!is_less(target, wanted)) return "";
  return wanted.suffix == 0 ? fmt::format("sm_{}", wanted.number)
                            : fmt::format("sm_{}{}", wanted.number, wanted.suffix);
}

}  // namespace lanescope::emulator
