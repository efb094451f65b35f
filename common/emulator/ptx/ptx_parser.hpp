// SPDX-License-Identifier: MIT
// The parser of PTX, shared by its parts: directives and declarations (ptx_parser.cpp), statements
// with their operands (ptx_statement.cpp, ptx_operand.cpp), what is written out (ptx_short.cpp),
// constant expressions (ptx_expression.cpp). Who wants all of a module calls parse_ptx() in
// ptx_module.hpp.
//
// Names are scoped by brace: every `{` opens a Scope in which registers, variables and labels may
// be declared anew, as nvcc's call sequences and people's inline asm do. Registers and variables
// are resolved where they are used (PTX declares before use), labels when their function ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/ptx_lexer.hpp"
#include "emulator/ptx/ptx_module.hpp"

namespace lanescope::emulator {

/// What a constant expression gives.
struct PtxConstant {
  bool is_real = false;
  bool is_unsigned = false;
  std::uint64_t bits = 0;  // the number, or the pattern of a double
};

class PtxParser {
 public:
  /// `module` stays where it is.
  PtxParser(PtxModule& module, std::string_view text, std::string_view name);
  /// All of it; or all but the bodies of kernels, which wait to be asked for.
  void run(Reading reading);
  bool waits(int function) const { return waiting_.count(function) != 0; }
  /// A body that waits. What it names are the module's variables, those behind it, too.
  void read_body(int function);

 private:
  struct RegisterRange {
    int first = 0;
    int count = 0;   // of a range
    int vector = 0;  // 2 or 4: so many registers each
  };
  struct Scope {
    int parent = -1;
    std::unordered_map<std::string_view, RegisterRange> registers;  // by their whole names
    std::unordered_map<std::string_view, RegisterRange> ranges;     // r<4>: by what is before <
    std::unordered_map<std::string_view, int> variables;
    std::unordered_map<std::string_view, int> labels;  // to a statement's index
    std::unordered_map<std::string_view, int> lists;   // in PtxFunction::branch_targets
  };

  // Tokens.
  const Token& peek(int ahead = 0) const;
  Token take();
  bool is(std::string_view text, int ahead = 0) const;
  bool accept(std::string_view text);
  void expect(std::string_view text);
  std::string_view word(const char* what);
  std::int64_t integer();
  [[noreturn]] void refuse(const std::string& what, ErrorCode code = ErrorCode::invalid_ptx) const;
  [[noreturn]] void refuse_at(const Token& token, const std::string& what,
                              ErrorCode code = ErrorCode::invalid_ptx) const;
  ErrorCode of_unknown() const;

  // Directives (ptx_parser.cpp).
  void directive();
  void function(bool is_entry);
  void begin_function(int index);
  PtxFunction& this_function() { return module_.functions[static_cast<std::size_t>(function_)]; }
  const PtxFunction& this_function() const {
    return module_.functions[static_cast<std::size_t>(function_)];
  }
  void function_attributes(PtxFunction& function);
  void parameters(std::vector<int>& list, bool are_results);
  void variables(Space space, bool is_external);
  int variable(Space space, Type type, int vector, int alignment, bool is_external);
  void attribute();
  void check_may_begin_with(const PtxVariable& variable) const;
  void initial_values(PtxVariable& variable, const std::vector<std::int64_t>& extents,
                      std::size_t level);
  void initial_value(PtxVariable& variable);
  std::uint64_t initial_constant(const PtxVariable& variable);
  void initial_byte(PtxVariable& variable);
  bool has_an_address(int variable) const;
  void initial_address(PtxVariable& variable, int shift);
  void file();
  void location();
  void section();
  void alias();
  void skip_statement();

  // Bodies (ptx_statement.cpp).
  void body();
  void body_directive();
  void registers();
  void statement();
  void watch();
  void branch_targets();
  PtxOperand operand(int depth);
  PtxOperand number_operand();
  PtxOperand name_operand();
  void pair(PtxOperand& first);
  PtxOperand address_operand(int depth);
  PtxOperand vector_operand(PtxOperand first, int count);
  PtxOperand list_operand(std::string_view close, int depth);
  void resolve_labels();

  // What is written shorter than it is run (ptx_short.cpp).
  PtxStatement part_of(const PtxStatement& whole, std::string_view opcode,
                       std::initializer_list<std::string_view> modifiers) const;
  PtxOperand hidden_register(Type type);
  int hidden_parameter(Type type);
  PtxOperand parameter_operand(int variable, bool as_address) const;
  PtxOperand element_operand(PtxOperand array);
  void write_out_index(PtxStatement& statement);
  void write_out_mask(PtxStatement& statement);
  int register_parameter(bool is_result);
  void load_register_arguments();
  void store_register_results(const PtxStatement& where);
  Type passed_type(const PtxOperand& value, const PtxFunction* callee, bool is_result,
                   std::size_t k) const;
  std::vector<PtxStatement> write_out_call(PtxStatement& call);

  // Constant expressions (ptx_expression.cpp).
  bool is_expression() const;
  std::string_view operator_here(int weakest, int& strength) const;
  PtxConstant constant(int weakest, int depth);
  PtxConstant unary_constant(int depth);
  std::int64_t offset();
  std::int64_t whole_constant();
  PtxOperand expression_operand();

  // Scopes.
  void open_scope();
  void close_scope();
  void declare(const Token& name, int count = -1) const;  // of a range, so many
  int find_register(std::string_view name) const;
  int vector_of(std::string_view name) const;  // 0: a register by itself
  int find_variable(std::string_view name) const;
  int find_label(int scope, std::string_view name) const;
  int find_list(int scope, std::string_view name) const;

  PtxModule& module_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<Scope> scopes_;  // all scopes of the current function; [0] is the module's
  int scope_ = 0;
  int function_ = -1;     // index, while inside a function
  bool is_weak_ = false;  // the declaration that follows
  int location_ = -1;
  bool has_vectors_ = false;
  std::string_view opcode_;  // of the statement that is read
  int index_ = -1;           // a register that names an element in it
  std::int64_t element_bytes_ = 0, first_element_ = 0;
  int mask_ = -1;  // the register of lanes that are together
  struct InRegister {
    int variable = -1, reg = -1;
  };
  std::vector<InRegister> arguments_, results_;  // parameters of the function in registers
  std::string_view label_;                       // the last one: of a list of branch targets
  std::unordered_map<std::string, int> places_;  // "file line col" -> location
  std::unordered_map<int, Token> waiting_;       // bodies, by function
};

}  // namespace lanescope::emulator
