// SPDX-License-Identifier: MIT
#include "emulator/record/step_plan.hpp"

#include <algorithm>

#include "emulator/execute/handlers.hpp"
#include "emulator/ptx/register_use.hpp"
#include "emulator/report.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

std::string mnemonic(const PtxStatement& statement) {
  std::string text(statement.opcode);
  for (const std::string_view modifier : statement.modifiers) text += "." + std::string(modifier);
  return text;
}

// A RECORD stands behind what computed its registers: the first that comes after the statement
// names them; after the last one, that.
std::string_view watch_of(const PtxFunction& function, int reg, int statement) {
  std::string_view name;
  int best = -1;
  for (const PtxWatch& watch : function.watches) {
    if (watch.reg != reg) continue;
    const bool later = watch.statement > statement;
    const bool first_later = later && (best <= statement || watch.statement < best);
    const bool last_before = !later && best <= statement && watch.statement >= best;
    if (!first_later && !last_before) continue;
    name = watch.name;
    best = watch.statement;
  }
  return name;
}

class Writes {
 public:
  Writes(const PtxFunction& parsed, const Function& function, int statement, StepPlan& plan)
      : parsed_(parsed), function_(function), statement_(statement), plan_(plan) {}

  void add(const PtxOperand& operand) {
    if (operand.kind == OperandKind::list)
      for (const PtxOperand& item : operand.items) add(item);
    if (operand.kind != OperandKind::reg) return;
    add(operand.reg);
    if (operand.pair >= 0) add(operand.pair);
  }
  void add(int reg) {
    const auto index = static_cast<std::size_t>(reg);
    const int bits = info(parsed_.registers[index].type).bits;
    if (bits > 64) return;  // .b128: the format has no words for it
    plan_.writes.push_back({parsed_.registers[index].spelled(),
                            std::string(watch_of(parsed_, reg, statement_)), bits,
                            function_.register_rows[index]});
  }

 private:
  const PtxFunction& parsed_;
  const Function& function_;
  int statement_;
  StepPlan& plan_;
};

bool is_one_of(Handler handler, std::initializer_list<Handler> all) {
  return std::find(all.begin(), all.end(), handler) != all.end();
}

StepPlan::Addresses addresses_of(const Instruction& i, std::string_view opcode) {
  if (is_one_of(i.handler, {&run_matrix_load, &run_matrix_store}))
    return StepPlan::Addresses::matrix;
  if (i.handler == &run_async_copy) return StepPlan::Addresses::destination;
  if (i.handler == &run_wmma_transfer && i.space != Space::global)
    return StepPlan::Addresses::fragment;
  const bool moves = opcode == "ld" || opcode == "st" || opcode == "atom" || opcode == "red";
  const bool may_be_shared = i.space == Space::shared || i.space == Space::generic;
  return moves && may_be_shared ? StepPlan::Addresses::operand : StepPlan::Addresses::none;
}

}  // namespace

StepPlan make_step_plan(const Program& program, std::uint32_t pc) {
  StepPlan plan;
  plan.made = true;
  const Function* function = program.function_at(pc);
  const PtxStatement* statement = program.statement(pc);
  if (statement == nullptr) return plan;
  const PtxFunction& parsed = program.module.functions[static_cast<std::size_t>(function->index)];
  const Instruction& i = program.code[pc];
  plan.text = in_one_line(statement->text) + ';';
  plan.instruction = mnemonic(*statement);
  plan.ptx_line = statement->line;
  plan.source = source_line(program.module, *statement);
  plan.addresses = addresses_of(i, statement->opcode);
  plan.hands_over = is_one_of(i.handler, {&run_wgmma_wait, &run_accumulator_move,
                                          &run_accumulator_unpack, &run_tensor_wait_load});
  const bool comes_later =  // at the wait
      i.handler == &run_tensor_load &&
      !program.tcgen05s[static_cast<std::size_t>(i.immediate)].at_once;
  plan.reduces = i.handler == &run_barrier && has(*statement, "red");
  if (((writes_first_operand(*statement) && !comes_later) || plan.reduces) &&
      !statement->operands.empty()) {
    Writes writes(parsed, *function, static_cast<int>(pc - function->first), plan);
    writes.add(statement->operands[0]);
    if (i.handler == &run_tensor_load && has(*statement, "red")) writes.add(statement->operands[1]);
  }
  return plan;
}

StepPlan::Register find_register(const Program& program, std::uint32_t pc, std::uint32_t row) {
  const Function* function = program.function_at(pc);
  if (function == nullptr) return {};
  const auto& rows = function->register_rows;
  const auto found = std::find(rows.begin(), rows.end(), row);
  if (found == rows.end()) return {};
  StepPlan plan;
  Writes(program.module.functions[static_cast<std::size_t>(function->index)], *function,
         static_cast<int>(pc - function->first), plan)
      .add(static_cast<int>(found - rows.begin()));
  return plan.writes.empty() ? StepPlan::Register{} : plan.writes[0];
}

}  // namespace lanescope::emulator
