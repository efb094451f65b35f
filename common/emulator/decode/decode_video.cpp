// SPDX-License-Identifier: MIT
// Decoding the video instructions. Operands name the parts they mean: %r1.b3, %r1.h10, %r1.b7654.
//
// Source: PTX ISA 9.2, 9.7.17.
#include <array>

#include "emulator/decode/decode.hpp"

namespace lanescope::emulator {
namespace {

struct VideoName {
  std::string_view name;
  VideoOperation operation;
};
constexpr std::array kVideoNames{
    VideoName{"vadd", VideoOperation::add},         VideoName{"vsub", VideoOperation::sub},
    VideoName{"vabsdiff", VideoOperation::absdiff}, VideoName{"vavrg", VideoOperation::average},
    VideoName{"vmin", VideoOperation::min},         VideoName{"vmax", VideoOperation::max},
    VideoName{"vshl", VideoOperation::shl},         VideoName{"vshr", VideoOperation::shr},
    VideoName{"vmad", VideoOperation::mad},         VideoName{"vset", VideoOperation::set},
};
constexpr std::array<std::string_view, 6> kComparisons{"eq", "ne", "lt", "le", "gt", "ge"};

// "b3" or "h1" of a scalar operand; nothing: the whole register.
bool scalar_part(std::string_view selector, int& bit, int& bits) {
  if (selector.empty()) return true;
  bits = selector.front() == 'b' ? 8 : 16;
  if (selector.size() != 2 || (selector.front() != 'b' && selector.front() != 'h')) return false;
  bit = (selector[1] - '0') * bits;
  return bit >= 0 && bit < 32;
}

// "b7654" -> 4, 5, 6, 7: the last digit is the lowest part.
bool vector_parts(std::string_view selector, int parts, int first,
                  std::array<std::uint8_t, 4>& out) {
  for (int k = 0; k < parts; ++k)
    out[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(first + k);
  if (selector.empty()) return true;
  if (selector.front() != (parts == 4 ? 'b' : 'h') ||
      selector.size() != static_cast<std::size_t>(parts) + 1)
    return false;
  for (int k = 0; k < parts; ++k) {
    const int digit = selector[selector.size() - 1 - static_cast<std::size_t>(k)] - '0';
    if (digit < 0 || digit >= 2 * parts) return false;
    out[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(digit);
  }
  return true;
}

// "b31": the parts 3 and 1 are written.
bool part_mask(std::string_view selector, int parts, std::uint32_t& mask) {
  mask = (1u << parts) - 1;
  if (selector.empty()) return true;
  if (selector.front() != (parts == 4 ? 'b' : 'h')) return false;
  mask = 0;
  for (const char digit : selector.substr(1)) {
    if (digit < '0' || digit >= '0' + parts) return false;
    mask |= 1u << (digit - '0');
  }
  return mask != 0;
}

}  // namespace

// vadd{2,4}.dtype.atype.btype{.sat}{.op2} d{.part}, a{.part}, b{.part}{, c} and its kin.
void Decoder::video() {
  std::string_view name = statement_->opcode;
  VideoPlan plan;
  if (name.back() == '2' || name.back() == '4') {
    plan.parts = name.back() - '0';
    name.remove_suffix(1);
  }
  for (const VideoName& entry : kVideoNames)
    if (entry.name == name) plan.operation = entry.operation;
  const bool compares = plan.operation == VideoOperation::set;
  if (!compares) plan.signed_d = video_type();
  plan.signed_a = video_type();
  plan.signed_b = video_type();
  for (std::size_t k = 0; compares && k < kComparisons.size(); ++k)
    if (take(kComparisons[k])) plan.comparison = static_cast<VideoComparison>(k);
  plan.plus_one = take("po");
  plan.saturates = take("sat");
  plan.shift = take("shr7") ? 7 : take("shr15") ? 15 : 0;
  if (plan.operation == VideoOperation::shl || plan.operation == VideoOperation::shr) {
    plan.wraps = take("wrap");
    if (!plan.wraps && !take("clamp")) refuse_form();
  }
  plan.end = take("add")   ? VideoEnd::add
             : take("min") ? VideoEnd::min
             : take("max") ? VideoEnd::max
                           : VideoEnd::plain;
  video_operands(plan);
  made_.immediate = static_cast<std::int64_t>(program_.videos.size());
  program_.videos.push_back(plan);
  set(&run_video);
}

// Whether the next of the types is signed.
bool Decoder::video_type() {
  const Type type = take_type();
  if (type != Type::s32 && type != Type::u32) refuse_form();
  return type == Type::s32;
}

void Decoder::video_operands(VideoPlan& plan) {
  operands(3, 4);
  PtxOperand parts[4];
  for (std::size_t k = 0; k < statement_->operands.size(); ++k) parts[k] = operand(k);
  plan.negates_product = parts[1].negated != parts[2].negated;
  plan.negates_c = parts[3].negated;
  for (PtxOperand& part : parts) part.negated = false;
  const bool merges = !parts[0].selector.empty() && plan.parts == 1;
  if (merges) plan.end = VideoEnd::merge;
  const bool needs_c =
      plan.parts > 1 || plan.end != VideoEnd::plain || plan.operation == VideoOperation::mad;
  if (needs_c != (statement_->operands.size() == 4))
    refuse("the third source is missing, or is too much", ErrorCode::invalid_ptx);
  const bool known =
      plan.parts == 1 ? scalar_part(parts[0].selector, plan.d_bit, plan.d_bits) &&
                            scalar_part(parts[1].selector, plan.a_bit, plan.a_bits) &&
                            scalar_part(parts[2].selector, plan.b_bit, plan.b_bits)
                      : part_mask(parts[0].selector, plan.parts, plan.mask) &&
                            vector_parts(parts[1].selector, plan.parts, 0, plan.a_parts) &&
                            vector_parts(parts[2].selector, plan.parts, plan.parts, plan.b_parts);
  if (!known) refuse("a part of a register that is none", ErrorCode::invalid_ptx);
  made_.d = destination(parts[0], Type::u32);
  made_.a = source(parts[1], Type::u32);
  made_.b = source(parts[2], Type::u32);
  made_.c = needs_c ? source(parts[3], Type::u32) : constant(0, 4);
}

}  // namespace lanescope::emulator
