// SPDX-License-Identifier: MIT
// The part of the parser that reads the head of a function: parameters, and what is said of its
// launch.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emulator/ptx/ptx_number.hpp"
#include "emulator/ptx/ptx_parser.hpp"

namespace lanescope::emulator {

void PtxParser::function(bool is_entry) {
  const bool is_weak = std::exchange(is_weak_, false);
  PtxFunction made;
  made.is_entry = is_entry;
  made.line = peek().line;
  begin_function(static_cast<int>(module_.functions.size()));
  while (accept(".noreturn")) {
  }
  if (!is_entry && is("(")) parameters(made.returns, true);
  if (made.returns.size() > std::max<std::size_t>(results_.size(), 1))  // as ptxas has it
    refuse("several results of a function must be registers");
  made.name = word("the function's name");
  if (is("(")) parameters(made.parameters, false);
  if (is_entry && !arguments_.empty()) refuse("a kernel has its parameters in .param");
  function_attributes(made);
  module_.functions.push_back(std::move(made));
  PtxFunction& kept = this_function();
  kept.has_body = is("{") || peek().kind == TokenKind::body;
  const bool is_twice =
      kept.has_body && !is_weak &&
      std::any_of(module_.functions.begin(), module_.functions.end(), [&](const auto& other) {
        return &other != &kept && other.has_body && other.name == kept.name;
      });
  if (is_twice) refuse(fmt::format("the function {} is defined twice", kept.name));
  if (peek().kind == TokenKind::body)
    waiting_[function_] = take();
  else if (kept.has_body)
    body();
  else
    expect(";");
  close_scope();
  function_ = -1;
}

void PtxParser::begin_function(int index) {
  function_ = index;
  scopes_.resize(1);
  scope_ = 0;
  open_scope();
  location_ = mask_ = -1;
  results_.clear();
  arguments_.clear();
}

void PtxParser::read_body(int index) {
  const auto found = waiting_.find(index);
  if (found == waiting_.end()) return;
  const Token text = found->second;
  waiting_.erase(found);
  begin_function(index);
  auto& known = scopes_.back().variables;
  for (const int parameter : this_function().parameters)
    known[module_.variables[static_cast<std::size_t>(parameter)].name] = parameter;
  const PtxFunction head = this_function();
  const std::size_t variables = module_.variables.size();
  try {
    tokens_ = tokens_of(text.text, text.line, text.col);
    at_ = 0;
    body();
  } catch (const Refusal&) {  // nothing stays of what is wrong
    this_function() = head;
    module_.variables.resize(variables);
    throw;
  }
  close_scope();
  function_ = -1;
}

void PtxParser::function_attributes(PtxFunction& function) {
  const auto three = [&] {
    std::array<int, 3> sizes{1, 1, 1};
    std::size_t at = 0;
    do {
      const std::int64_t size = integer();
      if (size < 1 || size > 65535 || at > 2)
        refuse("a block size should be 1 to 65535, three at most");
      sizes[at++] = static_cast<int>(size);
    } while (accept(","));
    return sizes;
  };
  const auto bound = [&] {
    const std::int64_t value = integer();
    if (value < 0 || value > 65535) refuse("a bound of a kernel should be 0 to 65535");
    return static_cast<int>(value);
  };
  while (peek().kind == TokenKind::dot_word) {
    const Token attribute = take();
    const std::string_view name = attribute.text;
    if (name == ".maxntid") {
      const auto sizes = three();
      const std::int64_t product = std::int64_t{sizes[0]} * sizes[1] * sizes[2];
      function.max_threads = static_cast<int>(std::min<std::int64_t>(product, 1024));
    } else if (name == ".reqntid") {
      function.required_threads = three();
    } else if (name == ".reqnctapercluster") {
      function.required_cluster = three();
    } else if (name == ".minnctapersm") {
      function.min_ctas = bound();
    } else if (name == ".maxnreg") {
      function.max_registers = bound();
    } else if (name == ".maxclusterrank") {
      function.max_cluster = static_cast<int>(std::clamp<std::int64_t>(integer(), 0, 65535));
    } else if (name == ".explicitcluster") {
      function.explicit_cluster = true;
    } else if (name == ".blocksareclusters") {
      function.blocks_are_clusters = true;
    } else if (name == ".abi_preserve" || name == ".abi_preserve_control") {
      do integer();
      while (accept(","));
    } else if (name == ".pragma") {
      skip_statement();
    } else if (name != ".noreturn") {
      const bool is_left_out = name == ".maxnctapersm" || name == ".attribute";
      refuse_at(attribute, fmt::format("the function attribute {} is not known", name),
                is_left_out ? ErrorCode::unsupported_instruction : of_unknown());
    }
  }
  if (function.blocks_are_clusters &&
      (function.required_threads[0] == 0 || function.required_cluster[0] == 0))
    refuse(".blocksareclusters wants .reqntid and .reqnctapercluster");
  if (function.max_cluster != 0 && function.required_cluster[0] != 0)
    refuse(".reqnctapercluster and .maxclusterrank do not go together");
}

void PtxParser::parameters(std::vector<int>& list, bool are_results) {
  expect("(");
  while (!accept(")")) {
    if (!list.empty()) expect(",");
    if (is(".reg")) {
      list.push_back(register_parameter(are_results));
      continue;
    }
    expect(".param");
    int alignment = 0;
    Type type = Type::none;
    while (peek().kind == TokenKind::dot_word) {
      const Token token = take();
      const Type found = find_type(token.text.substr(1));
      if (token.text == ".align") {
        alignment = static_cast<int>(integer());
      } else if (token.text == ".ptr") {
        // .ptr .global .align 16: a promise about what the pointer points to
        if (find_space(peek().text.empty() ? "" : peek().text.substr(1)) != Space::none) take();
        if (accept(".align")) integer();
      } else if (found != Type::none) {
        type = found;
      } else {
        refuse_at(token, fmt::format("{} is not known on a parameter", token.text));
      }
    }
    list.push_back(variable(Space::parameter, type, 1, alignment, false));
  }
}

}  // namespace lanescope::emulator
