// SPDX-License-Identifier: MIT
// Decoding branches, calls and barriers; and the list of all opcodes.
//
// Source: PTX ISA 9.2, 9.7.12 (control flow), 9.7.13 (synchronisation).
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "emulator/builtin.hpp"
#include "emulator/decode.hpp"
#include "emulator/warp_operation.hpp"

namespace lanescope::emulator {

Decoder::Rule Decoder::find_rule(std::string_view opcode) {
  using D = Decoder;
  static const std::unordered_map<std::string_view, Rule> kRules{
      {"add", &D::arithmetic},
      {"addc", &D::arithmetic},
      {"sub", &D::arithmetic},
      {"subc", &D::arithmetic},
      {"div", &D::arithmetic},
      {"rem", &D::arithmetic},
      {"min", &D::arithmetic},
      {"max", &D::arithmetic},
      {"abs", &D::arithmetic},
      {"neg", &D::arithmetic},
      {"sad", &D::arithmetic},
      {"and", &D::arithmetic},
      {"or", &D::arithmetic},
      {"xor", &D::arithmetic},
      {"not", &D::arithmetic},
      {"cnot", &D::arithmetic},
      {"brev", &D::arithmetic},
      {"fma", &D::arithmetic},
      {"sqrt", &D::arithmetic},
      {"rcp", &D::arithmetic},
      {"rsqrt", &D::arithmetic},
      {"sin", &D::arithmetic},
      {"cos", &D::arithmetic},
      {"lg2", &D::arithmetic},
      {"ex2", &D::arithmetic},
      {"tanh", &D::arithmetic},
      {"copysign", &D::arithmetic},
      {"mul", &D::multiply},
      {"mad", &D::multiply},
      {"mul24", &D::multiply},
      {"mad24", &D::multiply},
      {"madc", &D::multiply},
      {"shl", &D::shift},
      {"shr", &D::shift},
      {"shf", &D::funnel_shift},
      {"bfe", &D::bit_field},
      {"bfi", &D::bit_field},
      {"popc", &D::find_bit},
      {"clz", &D::find_bit},
      {"bfind", &D::find_bit},
      {"prmt", &D::permute},
      {"lop3", &D::lop3},
      {"dp4a", &D::dot_product},
      {"dp2a", &D::dot_product},
      {"bmsk", &D::bit_mask},
      {"fns", &D::find_nth_set},
      {"tensormap", &D::tensor_map},
      {"applypriority", &D::hint},
      {"discard", &D::hint},
      {"pmevent", &D::hint},
      {"szext", &D::bit_mask},
      {"testp", &D::testp},
      {"selp", &D::select},
      {"slct", &D::select_by_sign},
      {"setp", &D::compare},
      {"set", &D::compare_to_value},
      {"mov", &D::move},
      {"cvt", &D::convert},
      {"ld", &D::load},
      {"ldu", &D::load},
      {"st", &D::store},
      {"cvta", &D::cvta},
      {"isspacep", &D::isspacep},
      {"prefetch", &D::prefetch},
      {"prefetchu", &D::prefetch},
      {"bra", &D::branch},
      {"brx", &D::indexed_branch},
      {"alloca", &D::stack},
      {"stacksave", &D::stack},
      {"stackrestore", &D::stack},
      {"call", &D::call},
      {"ret", &D::leave},
      {"exit", &D::leave},
      {"trap", &D::trap},
      {"brkpt", &D::trap},
      {"bar", &D::barrier},
      {"barrier", &D::barrier},
      {"membar", &D::fence},
      {"fence", &D::fence},
      {"nanosleep", &D::nanosleep},
      {"shfl", &D::shuffle},
      {"vote", &D::vote},
      {"match", &D::match},
      {"activemask", &D::activemask},
      {"redux", &D::reduce_warp},
      {"elect", &D::elect},
      {"atom", &D::atomic},
      {"red", &D::atomic},
      {"ldmatrix", &D::matrix_load},
      {"stmatrix", &D::matrix_store},
      {"movmatrix", &D::matrix_move},
      {"cp", &D::async_copy},
      {"mma", &D::mma},
      {"mbarrier", &D::mbarrier},
      {"mapa", &D::map_address},
      {"getctarank", &D::cta_rank},
      {"setmaxnreg", &D::set_registers},
      {"createpolicy", &D::create_policy},
      {"wgmma", &D::wgmma},
      {"wmma", &D::wmma},
      {"griddepcontrol", &D::grid_dependency},
      {"vadd", &D::video},
      {"vadd2", &D::video},
      {"vadd4", &D::video},
      {"vsub", &D::video},
      {"vsub2", &D::video},
      {"vsub4", &D::video},
      {"vabsdiff", &D::video},
      {"vabsdiff2", &D::video},
      {"vabsdiff4", &D::video},
      {"vmin", &D::video},
      {"vmin2", &D::video},
      {"vmin4", &D::video},
      {"vmax", &D::video},
      {"vmax2", &D::video},
      {"vmax4", &D::video},
      {"vset", &D::video},
      {"vset2", &D::video},
      {"vset4", &D::video},
      {"vavrg2", &D::video},
      {"vavrg4", &D::video},
      {"vshl", &D::video},
      {"vshr", &D::video},
      {"vmad", &D::video},
  };
  const auto found = kRules.find(opcode);
  return found == kRules.end() ? nullptr : found->second;
}

void Decoder::branch() {
  take("uni");
  operands(1, 1);
  if (operand(0).kind != OperandKind::label)
    refuse(fmt::format("the label {} is not in this function", operand(0).name),
           ErrorCode::invalid_ptx);
  made_.target = function_.first + static_cast<std::uint32_t>(operand(0).value);
  set(&run_branch);
}

void Decoder::leave() {
  take("uni");
  operands(0, 0);
  set(statement_->opcode == "ret" ? &run_ret : &run_exit);
}

void Decoder::nothing() {
  operands(0, 0);
  set(&run_nothing);
}

void Decoder::trap() {
  operands(0, 0);
  set(statement_->opcode == "trap" ? &run_trap : &run_breakpoint);
}

void Decoder::nanosleep() {
  take_type();
  operands(1, 1);
  source(operand(0), Type::u32);
  set(&run_yield);
}

// Everybody sees memory in program order here, so a fence has nothing left to do; that one is
// missing does not show.
void Decoder::fence() {
  if (take("proxy")) {
    take_any({"async", "async.global", "async.shared::cta", "alias", "tensormap::generic",
              "async::generic"});
    take_any({"global", "shared::cta", "shared::cluster"});
  }
  take("mbarrier_init");
  take_any({"sync_restrict::shared::cluster", "sync_restrict::shared::cta"});
  take_any({"sc", "acq_rel", "acquire", "release"});
  take_any({"cta", "gl", "sys", "gpu", "cluster"});
  operands(0, 2);
  set(&run_nothing);
}

// call.uni (ret), name, (a, b); also call name; and call name, (a). Where a register stands for the
// name, what follows names a prototype or the functions it may be; we see at run time.
void Decoder::call() {
  take("uni");
  std::vector<const PtxOperand*> lists[2];
  const PtxOperand* callee = nullptr;
  for (const PtxOperand& part : statement_->operands) {
    const bool is_pointer = callee != nullptr && callee->kind == OperandKind::reg;
    if (part.kind == OperandKind::list)
      lists[callee == nullptr ? 0 : 1] = items(part);
    else if (callee == nullptr)
      callee = &part;
    else if (!is_pointer)
      refuse("the call has an operand too many", ErrorCode::invalid_ptx);
  }
  if (callee == nullptr) refuse("the call names no function", ErrorCode::invalid_ptx);
  const auto& [returns, arguments] = lists;
  if (callee->kind == OperandKind::reg) return pointer_call(*callee, arguments, returns);
  if (callee->kind != OperandKind::name)
    refuse("the call names no function", ErrorCode::invalid_ptx);
  Call made;
  made.function = program_.find_function(callee->name);
  if (const Builtin builtin = find_builtin(callee->name);
      builtin != Builtin::none && made.function < 0)
    return builtin_call(builtin, arguments, returns);
  if (made.function < 0 && callee->name.substr(0, 9) == "__cudaCDP")
    refuse("a kernel that launches kernels (dynamic parallelism) is not modelled");
  if (made.function < 0)
    refuse(fmt::format("the function {} has no body in this module", callee->name));
  const Function& function = program_.functions[static_cast<std::size_t>(made.function)];
  const PtxFunction& parsed = program_.module.functions[static_cast<std::size_t>(function.index)];
  if (parsed.is_entry) refuse("a kernel cannot be called", ErrorCode::invalid_ptx);
  made.arguments = copies(arguments, parsed.parameters);
  made.returns = copies(returns, parsed.returns);
  made_.list = static_cast<std::uint32_t>(program_.calls.size());
  made_.target = static_cast<std::uint32_t>(made.function);
  program_.calls.push_back(std::move(made));
  program_.has_calls = true;
  set(&run_call);
}

void Decoder::pointer_call(const PtxOperand& callee,
                           const std::vector<const PtxOperand*>& arguments,
                           const std::vector<const PtxOperand*>& returns) {
  Call made;
  for (const PtxOperand* one : arguments)
    made.arguments.push_back({parameter_offset(*one), 0, variable_of(*one).bytes});
  for (const PtxOperand* one : returns)
    made.returns.push_back({parameter_offset(*one), 0, variable_of(*one).bytes});
  made_.a = source(callee, Type::u64);
  made_.list = static_cast<std::uint32_t>(program_.calls.size());
  made_.target = kNoRow;
  program_.calls.push_back(std::move(made));
  program_.has_calls = true;
  set(&run_pointer_call);
}

// brx.idx index, list: to one of the labels in the list.
void Decoder::indexed_branch() {
  if (!take("idx")) refuse_form();
  take("uni");
  operands(2, 2);
  made_.a = source(operand(0), Type::u32);
  if (operand(1).kind != OperandKind::label)
    refuse("the list of branch targets is not in this function", ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> targets;
  for (const PtxOperand& target :
       parsed_.branch_targets[static_cast<std::size_t>(operand(1).value)]) {
    if (target.kind != OperandKind::label)
      refuse(fmt::format("the label {} is not in this function", target.name),
             ErrorCode::invalid_ptx);
    targets.push_back(function_.first + static_cast<std::uint32_t>(target.value));
  }
  made_.list = list(targets);
  made_.count = static_cast<std::uint16_t>(targets.size());
  if (targets.size() > 0xffff) refuse("a list of more than 65535 branch targets");
  set(&run_indexed_branch);
}

// alloca.u64 d, size{, alignment}; stacksave.u64 d; stackrestore.u64 a.
void Decoder::stack() {
  const std::string_view opcode = statement_->opcode;
  const Type type = take_type();
  const bool allocates = opcode == "alloca";
  operands(allocates ? 2 : 1, allocates ? 3 : 1);
  if (info(type).bits != 64 && info(type).bits != 32) refuse_form();
  made_.bytes = static_cast<std::uint8_t>(bytes_of(type));
  made_.immediate = statement_->operands.size() == 3 ? integer(operand(2)) : 8;
  if (made_.immediate < 1 || (made_.immediate & (made_.immediate - 1)) != 0)
    refuse("an alignment should be a power of two", ErrorCode::invalid_ptx);
  if (opcode == "stackrestore")
    made_.a = source(operand(0), type);
  else
    made_.d = destination(operand(0), type);
  if (allocates) made_.a = source(operand(1), type);
  program_.has_alloca = true;
  set(allocates ? &run_alloca : opcode == "stacksave" ? &run_stack_save : &run_stack_restore);
}

std::vector<Call::Copy> Decoder::copies(const std::vector<const PtxOperand*>& actual,
                                        const std::vector<int>& formal) const {
  if (actual.size() != formal.size())
    refuse(fmt::format("{} arguments where {} should be", actual.size(), formal.size()),
           ErrorCode::invalid_ptx);
  std::vector<Call::Copy> all;
  for (std::size_t k = 0; k < actual.size(); ++k) {
    const auto parameter = static_cast<std::size_t>(formal[k]);
    all.push_back(
        {parameter_offset(*actual[k]), program_.variable_addresses[parameter],
         std::min(program_.module.variables[parameter].bytes, variable_of(*actual[k]).bytes)});
  }
  return all;
}

// Where a .param variable of this function lies in the lane's parameter bytes.
std::int64_t Decoder::parameter_offset(const PtxOperand& operand) const {
  if (operand.kind != OperandKind::variable || variable_of(operand).space != Space::parameter)
    refuse("arguments are passed in .param variables");
  return program_.variable_addresses[static_cast<std::size_t>(operand.variable)];
}

void Decoder::builtin_call(Builtin builtin, const std::vector<const PtxOperand*>& arguments,
                           const std::vector<const PtxOperand*>& returns) {
  if (arguments.size() != argument_count(builtin))
    refuse("the call has the wrong number of arguments", ErrorCode::invalid_ptx);
  std::vector<std::uint32_t> offsets;
  for (const PtxOperand* argument : arguments)
    offsets.push_back(static_cast<std::uint32_t>(parameter_offset(*argument)));
  made_.list = list(offsets);
  made_.count = static_cast<std::uint16_t>(offsets.size());
  made_.immediate = returns.empty() ? -1 : parameter_offset(*returns.front());
  made_.detail = static_cast<std::uint16_t>(builtin);
  if (builtin == Builtin::allocate || builtin == Builtin::free)
    program_.has_heap = program_.has_global_atomics = true;  // the same addresses every time
  set(&run_builtin);
}

// bar.sync a{, b}; barrier.sync; bar.arrive a, b; bar.red.popc.u32 d, a, p; bar.warp.sync mask.
void Decoder::barrier() {
  if (take("warp")) {
    take("sync");
    operands(1, 1);
    made_.a = source(operand(0), Type::b32);
    return set(&run_warp_barrier);
  }
  if (take("cluster")) return cluster_barrier();
  take("cta");
  const bool arrives = take("arrive");
  const bool reduces = take("red");
  const bool aligned = take("aligned") || statement_->opcode == "bar";
  take("sync");
  if (reduces) {
    const std::string_view how = take_any({"popc", "and", "or"});
    const Type type = take_type();
    operands(3, 4);
    std::uint32_t flip = 0;
    made_.d = how == "popc" ? destination(operand(0), type) : predicate_destination(operand(0));
    made_.detail = how == "popc" ? kBarrierCounts : how == "and" ? kBarrierAll : kBarrierAny;
    made_.c = predicate_source(statement_->operands.back(), flip);
    if (flip != 0) made_.detail |= kBarrierNegated;
  } else {
    operands(1, 2);
  }
  const std::size_t first = reduces ? 1 : 0;
  made_.a = source(operand(first), Type::b32);
  if (statement_->operands.size() > first + (reduces ? 2u : 1u))
    made_.b = source(operand(first + 1), Type::b32);
  if (arrives && made_.b == kNoRow) refuse("bar.arrive needs a number of threads");
  made_.detail |=
      static_cast<std::uint16_t>((aligned ? kBarrierAligned : 0) | (arrives ? kBarrierArrives : 0));
  set(&run_barrier);
}

}  // namespace lanescope::emulator
