// SPDX-License-Identifier: MIT
// What the statements of a program are written with: chances, names, the place where they stand.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/golden/random/program.hpp"
#include "tests/golden/scalar/form.hpp"

namespace lanescope::golden::random {

/// Where a statement stands.
struct Scope {
  Scope* parent = nullptr;
  std::string mask;            // the lanes that are here, as an operand; empty: nobody knows
  bool whole_cta = false;      // all threads of the CTA are here
  bool whole_cluster = false;  // and those of the other CTA
  bool is_kernel = false;
  std::string next;  // label at the end of the innermost loop's body
  bool is_loop = false;
  int depth = 0, loops = 0;
};

class Builder {
 public:
  Builder(const Forms& forms, Random& random, Program& program)
      : forms(forms), random(random), program(program) {}

  const Forms& forms;
  Random& random;
  Program& program;
  int masks = 1, counters = 0, labels = 0;
  bool left = false;  // somebody may have jumped to the end

  // Registers of the pools.
  std::string r32() { return fmt::format("%r{}", random.below(kRegisters32)); }
  std::string r64() { return fmt::format("%d{}", random.below(kRegisters64)); }
  std::string r16() { return fmt::format("%h{}", random.below(kRegisters16)); }
  std::string predicate() { return fmt::format("%p{}", random.below(kPredicates)); }
  std::string source(int bits);
  /// Different ones of a size.
  std::vector<std::string> targets(int bits, int count);
  /// Registers of C for a product whose D is `targets`.
  std::vector<std::string> addends(int bits, const std::vector<std::string>& targets, int count);
  std::string label(const char* what) {
    return fmt::format("{}_{}_{}", program.name, what, labels++);
  }
  int mask() { return masks++; }
  bool whole_warps() const { return program.threads % 32 == 0; }

  Node node(std::string text) {
    Node made;
    made.number = program.statements++;
    made.parts.push_back({std::move(text), {}});
    return made;
  }
  std::vector<Node> block(Scope& scope, int count);
  Node statement(Scope& scope);
  Node form(const std::string& line, const std::string& mask);
};

// Kinds of statements: scalar.cpp, control.cpp, shared.cpp, cluster.cpp, tensor.cpp,
// group.cpp.
Node carry_chain(Builder& b);
Node nothing(Builder& b);
Node reload(Builder& b);
Node indexed_local(Builder& b);
Node async_copy(Builder& b);
Node bulk_reduce(Builder& b);
Node shuffle_of_members(Builder& b, const Scope& scope);

Node branch(Builder& b, Scope& scope);
Node loop(Builder& b, Scope& scope);
Node jump_table(Builder& b, Scope& scope);
Node jump_on(Builder& b, Scope& scope);
Node leave(Builder& b, Scope& scope);
Node call(Builder& b);
Node call_through_pointer(Builder& b);
void add_function(Builder& b);

Node exchange(Builder& b);
Node counted_barrier(Builder& b);
Node cell(Builder& b);
Node mbarrier_exchange(Builder& b);
Node bulk_copy(Builder& b);
Node warp_tile(Builder& b, const Scope& scope);

Node tickets(Builder& b);

Node cluster_exchange(Builder& b);
Node cluster_cell(Builder& b);
Node cluster_send(Builder& b);

Node matrix(Builder& b);
Node transposed(Builder& b);
Node fragments(Builder& b, const Scope& scope);
Node group_multiply(Builder& b);

}  // namespace lanescope::golden::random
