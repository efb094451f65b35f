// SPDX-License-Identifier: MIT
#include "panels/matrix/facts.hpp"

#include <fmt/format.h>

#include "layout/formula.hpp"
#include "layout/thread_value.hpp"
#include "panels/matrix/makes.hpp"
#include "panels/matrix/scaled.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {
namespace {

using layout::Axis;

/// D of tcgen05.mma: what the threads hold they have fetched, each its lane of tensor memory.
bool is_tensor_memory(const Multiplication& in) { return in.instruction->family == "tcgen05.mma"; }

std::string part_words(const layout::Fragment& map, int part) {
  const int bits = map.element_bits;
  const auto range = fmt::format("bits {}..{}", part * bits, part * bits + bits - 1);
  switch (map.values_per_register()) {
    case 1:
      return fmt::format("all {} bits", map.register_bits);
    case 2:
      return fmt::format("{} half, {}", part == 0 ? "low" : "high", range);
    default:
      return fmt::format("part b{}, {}", part, range);
  }
}

layout::Holder selected_holder(const Multiplication& in, const Selection& s) {
  const layout::Fragment& map = *in.map(s.operand);
  for (int value = 0; value < map.values; ++value)
    if (map.element(s.thread, value) == s.element) return map.holder(s.thread, value);
  return {-1, -1, -1, -1};
}

// Where an element of D lies, not who holds it: tcgen05.ld brings it to a register, see its way.
void tensor_facts(Facts& facts, const Multiplication& in, const layout::Holder& h) {
  facts.where = tensor_place(*in.tensor, h.thread, h.register_index);
  facts.why = tensor_rules(*in.tensor);
}

// The two parts of a lane index under the ISA's names, where the map uses them.
void explain_lane(Facts& facts, const layout::Fragment& map, int thread) {
  if (map.thread.count != 5) return;
  facts.why.push_back(fmt::format("groupID = {} >> 2 = {}", thread, thread >> 2));
  facts.why.push_back(fmt::format("threadID_in_group = {} % 4 = {}", thread, thread % 4));
}

void explain_formula(Facts& facts, const layout::Fragment& map, bool with_operand) {
  const std::string of = with_operand ? fmt::format("{}: ", map.operand) : std::string();
  for (const auto& [name, axis] : {std::pair{"row", Axis::row}, std::pair{"col", Axis::col}})
    facts.why.push_back(fmt::format("{}{} = {}", of, name, layout::formula(map, axis)));
  if (map.matrices > 1)  // counted from 0, as rows are; the ISA's computations count from 1
    facts.why.push_back(fmt::format("{}matrix = {}", of, layout::formula(map, Axis::matrix)));
}

void say_code(Facts& facts, const layout::Fragment& map) {
  const int per = map.values_per_register();
  const char name = static_cast<char>(map.operand - 'A' + 'a');
  facts.code.push_back(fmt::format("const int {} = threadIdx.x % {};",
                                   map.threads() > 32 ? "thread" : "lane", map.threads()));
  facts.code.push_back(fmt::format("for (int i = 0; i < {}; ++i) {{", map.values));
  facts.code.push_back(fmt::format("  int row = {};", layout::expression(map, Axis::row)));
  facts.code.push_back(fmt::format("  int col = {};", layout::expression(map, Axis::col)));
  facts.code.push_back(per == 1 ? fmt::format("  // {}[i] is {}[row][col]", name, map.operand)
                                : fmt::format("  // {}[row][col]: {}[i / {}], bits {} * (i % {})",
                                              map.operand, name, per, map.element_bits, per));
  facts.code.push_back("}");
}

void element_facts(Facts& facts, const Multiplication& in, const Selection& s, const Hover& hover) {
  const layout::Fragment& map = *in.map(s.operand);
  const layout::Holder h = selected_holder(in, s);
  if (h.thread < 0) return;
  facts.part = h.bit / map.element_bits;
  facts.title = element_name(map, s.element);
  facts.where = fmt::format(
      "{}{}, {}.r{}, {}", holder_name(in, h.thread),
      in.threads() > 32 ? fmt::format(" (lane {} of warp {})", h.thread % 32, h.thread / 32) : "",
      s.operand, h.register_index, part_words(map, facts.part));
  if (const std::optional<ScaleOf> scale = scale_of(in, s))
    facts.scale = scale->text, facts.scale_search = scale->search;
  facts.registers.push_back(register_facts(in, s.operand, h.thread, h.register_index));
  if (in.tensor != nullptr) {
    tensor_facts(facts, in, h);
    facts.makes = makes(in, s, hover);
    return;
  }
  if (is_tensor_memory(in))
    facts.why.push_back(fmt::format("fetched from lane {} of tensor memory, column {} of D",
                                    h.thread, h.register_index));
  explain_lane(facts, map, h.thread);
  if (map.values_per_register() > 1)
    facts.why.push_back(fmt::format("i = {}*{} + {} = {}", h.register_index,
                                    map.values_per_register(), facts.part, h.value));
  else
    facts.why.push_back(fmt::format("i = {}", h.value));
  for (const Axis axis : {Axis::row, Axis::col})
    for (std::string& line : layout::derivation(map, axis, h.thread, h.value))
      facts.why.push_back(std::move(line));
  if (map.matrices > 1)
    facts.why.push_back(
        fmt::format("matrix = {} = {}", layout::formula(map, Axis::matrix), s.element.matrix));
  facts.cute = layout::cute_reasons(map, h.thread, h.value);
  facts.makes = makes(in, s, hover);
  say_code(facts, map);
}

// Of an operand that wgmma or tcgen05.mma reads from shared memory.
void shared_facts(Facts& facts, const Multiplication& in, const Selection& s, const Hover& hover) {
  const SharedShape shape = shared_shape(in, s.operand);
  const std::string& mnemonic = in.instruction->mnemonic;
  facts.title = fmt::format("{}[{}][{}]", s.operand, s.element.row, s.element.col);
  facts.where = "in shared memory; no lane holds it";
  const layout::ElementType type =
      s.operand == 'A' ? in.instruction->A.type : in.instruction->B.type;
  facts.type =
      fmt::format("{}, {} is {} x {}",
                  in.tensor != nullptr ? layout::name(type)
                                       : std::string_view(mnemonic).substr(mnemonic.rfind('.') + 1),
                  s.operand, shape.rows, shape.cols);
  facts.why.emplace_back("its byte: where the descriptor leads");
  facts.makes = makes(in, s, hover);
}

// Of an instruction that multiplies several matrices: which of them the lane has a part of.
std::string matrix_words(const Multiplication& in, int thread) {
  for (const char operand : kOperands) {
    const layout::Fragment* map = in.map(operand);
    if (map == nullptr || map->matrices < 2 || !map->provided_by(thread)) continue;
    const int matrix = map->element(thread, 0).matrix;
    return fmt::format("holds of matrix {}{}", matrix,
                       matrix == in.matrix ? ""
                                           : fmt::format("; what is shown is matrix {}: choose {} "
                                                         "above, or press [ or ]",
                                                         in.matrix, matrix));
  }
  return {};
}

void lane_facts(Facts& facts, const Multiplication& in, const Selection& s) {
  facts.title = holder_name(in, s.thread);
  facts.where = fmt::format("group {}, thread {} of 4", (s.thread & 31) >> 2, s.thread % 4);
  if (is_tensor_memory(in))
    facts.where = fmt::format("it fetches lane {} of tensor memory{}", s.thread,
                              in.map('D')->provided_by(s.thread) ? "" : ", where nothing of D is");
  if (in.tensor != nullptr)
    facts.where = fmt::format("lane {} of tensor memory, which warp {} reaches{}",
                              in.tensor->lane + s.thread, (in.tensor->lane + s.thread) / 32 % 4,
                              in.map('D')->provided_by(s.thread) ? "" : "; nothing of D is there");
  else if (in.threads() > 32)
    facts.where = fmt::format("lane {} of warp {}: {}", s.thread % 32, s.thread / 32, facts.where);
  if (const std::string of = matrix_words(in, s.thread); !of.empty()) facts.where += "; " + of;
  facts.registers = lane_registers(in, s.thread);
  for (const char operand : kOperands) {
    const layout::Fragment* map = in.map(operand);
    if (map == nullptr || (operand == 'D' && in.map('C') != nullptr)) continue;  // C's map
    if (in.tensor != nullptr) {
      facts.why.push_back("lane = " + in.tensor->map->rules.lane);
      continue;
    }
    if (facts.why.empty()) explain_lane(facts, *map, s.thread);
    explain_formula(facts, *map, true);
  }
}

void register_selection_facts(Facts& facts, const Multiplication& in, const Selection& s) {
  const layout::Fragment& map = *in.map(s.operand);
  const std::string part = part_name(map, s.part);
  const std::string name =
      fmt::format("{}.r{}{}", s.operand, s.register_index, part.empty() ? "" : "." + part);
  facts.title = s.thread >= 0 ? fmt::format("{} {}", holder_name(in, s.thread), name) : name;
  facts.where = s.thread >= 0
                    ? fmt::format("bits 0 to {}, of registers r0 to r{}", map.register_bits - 1,
                                  map.registers() - 1)
                    : fmt::format("in each of the {} {}s", map.threads(), holder_word(in));
  if (s.thread >= 0)
    facts.registers.push_back(register_facts(in, s.operand, s.thread, s.register_index));
  if (in.tensor != nullptr) {
    facts.where = fmt::format("column {} of tensor memory", in.tensor->column + s.register_index);
    facts.why.push_back("column = " + in.tensor->map->rules.column);
    return;
  }
  const int per = map.values_per_register();
  const int first = s.register_index * per;
  facts.why.push_back(s.part >= 0 ? fmt::format("i = {}*{} + {} = {}", s.register_index, per,
                                                s.part, first + s.part)
                      : per > 1   ? fmt::format("i = {} to {}", first, first + per - 1)
                                  : fmt::format("i = {}", first));
  explain_formula(facts, map, false);
  say_code(facts, map);
}

}  // namespace

Facts facts(const Model& model, const Multiplication& in, const Selection& s, const Hover& hover) {
  Facts facts;
  if (s.picked == Picked::nothing) return facts;
  const bool shared = s.picked == Picked::element && shared_shape(in, s.operand).rows > 0;
  if (s.picked != Picked::lane && in.map(s.operand) == nullptr && !shared) return facts;
  switch (s.picked) {
    case Picked::nothing:
      break;
    case Picked::element:
      shared ? shared_facts(facts, in, s, hover) : element_facts(facts, in, s, hover);
      break;
    case Picked::lane:
      lane_facts(facts, in, s);
      break;
    case Picked::reg:
      register_selection_facts(facts, in, s);
      break;
  }
  if (const layout::Fragment* map = in.map(s.operand); map != nullptr && s.picked != Picked::lane)
    facts.type =
        fmt::format("{}, {} is {} x {}", layout::name(map->type), s.operand, map->rows, map->cols);
  // Of what no register holds the layout of shared memory is the source.
  facts.source = !shared                ? in.instruction->source
                 : in.tensor != nullptr ? "PTX ISA 9.2, 9.7.16.10.9.1"
                                        : "PTX ISA 9.2, 9.7.15.5.1.2";
  facts.note = in.instruction->note;
  facts.standing = standing_text(*in.instruction);
  facts.verified = in.instruction->standing == layout::Standing::verified;
  facts.agreement = agreement_text(model);
  return facts;
}

}  // namespace lanescope::viz
