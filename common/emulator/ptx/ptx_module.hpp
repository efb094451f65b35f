// SPDX-License-Identifier: MIT
// PTX as it was parsed: functions, variables, statements, with every register and label resolved
// through the scopes of its braces. Not executable yet: decode.hpp makes a Program of it.
//
// Names and texts are views into PtxModule::text, which therefore never moves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/type.hpp"

namespace lanescope::emulator {

struct PtxRegister {
  std::string_view name;  // of a range %r<8>: "%r"
  int number = -1;        // of a range: 0..7, else -1
  Type type = Type::none;
  std::string spelled() const;
};

enum class OperandKind : std::uint8_t {
  reg,       // %r1; with `pair` %r1|%p2
  integer,   // 12
  real,      // 0f3F800000, 0d..., 1.5
  variable,  // an address: sm, sm+16
  special,   // %tid.x
  label,     // resolved: `value` is the statement's index
  name,      // a function, or a label that is not resolved yet
  list,      // {%r1, %r2}, or the parenthesised list of a call
  address,   // [%rd1+4]: items[0] the base (absent: absolute), value the displacement
  sink,      // _
};

struct PtxOperand {
  OperandKind kind = OperandKind::sink;
  bool negated = false;       // !%p1, -%r1
  int reg = -1;               // index in PtxFunction::registers
  int pair = -1;              // the second destination of %r1|%p2
  int variable = -1;          // index in PtxModule::variables
  int scope = -1;             // of a name: where it was used
  std::int64_t value = 0;     // integer, displacement, or the bits of a real
  int real_bits = 64;         // a real is kept as f32 bits (0f) or f64 bits (0d, decimal)
  std::string_view name;      // special register, name
  std::string_view selector;  // %r1.b3: "b3", of the video instructions
  std::vector<PtxOperand> items;
};

struct PtxStatement {
  std::string_view opcode;                  // "ld"
  std::vector<std::string_view> modifiers;  // "global", "u32"
  int guard = -1;                           // register index of @%p
  bool guard_negated = false;
  std::vector<PtxOperand> operands;
  std::string_view text;  // the statement as written, without the semicolon
  int line = 0;
  int col = 0;
  int location = -1;  // index in PtxModule::locations
};

/// Has the statement this modifier?
inline bool has(const PtxStatement& statement, std::string_view modifier) {
  const auto& all = statement.modifiers;
  return std::find(all.begin(), all.end(), modifier) != all.end();
}

/// Is it the product of a warpgroup, none of the instructions about its order?
inline bool is_wgmma(const PtxStatement& statement) {
  return statement.opcode == "wgmma" && has(statement, "mma_async");
}

/// One .loc line. `inlined_at` is the location of the call it was inlined into, or -1.
struct PtxLocation {
  int file = 0;
  int line = 0;
  int inlined_at = -1;
};

/// Of a mov that the parser has made: the address of an element whose index is in a register. No
/// text has a modifier like this.
inline constexpr std::string_view kElement = "[]";

struct PtxVariable {
  std::string_view name;
  Space space = Space::none;
  Type type = Type::none;
  std::int64_t bytes = 0;
  int alignment_bytes = 1;
  bool is_external = false;           // .extern: dynamic shared memory
  bool is_array = false;              // its elements may be named
  int function = -1;                  // owner of a local, shared or parameter; -1: module scope
  std::vector<std::uint8_t> initial;  // as written; the rest is zero
  struct Relocation {
    std::int64_t offset_bytes;
    std::string_view symbol;
    std::int64_t addend;
    int shift = -1;  // 0xff00(symbol): 8, one byte; -1: the whole address
  };
  std::vector<Relocation> relocations;
  int line = 0;
};

/// `//@watch A.r0 %r1`: from `statement` on, the learner calls this register A.r0.
struct PtxWatch {
  int statement = 0;
  std::string_view name;
  int reg = -1;
};

struct PtxFunction {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  int line = 0;
  std::vector<int> parameters;  // variables
  std::vector<int> returns;     // variables
  std::vector<PtxRegister> registers;
  std::vector<PtxStatement> statements;
  std::vector<PtxWatch> watches;
  std::vector<std::vector<PtxOperand>> branch_targets;  // .branchtargets, for brx.idx
  int max_threads = 0;                                  // .maxntid, product; 0: not given
  int max_registers = 0;                                // .maxnreg
  int min_ctas = 0;                                     // .minnctapersm
  std::array<int, 3> required_threads{0, 0, 0};         // .reqntid
  std::array<int, 3> required_cluster{0, 0, 0};         // .reqnctapercluster
  bool blocks_are_clusters = false;                     // .blocksareclusters
  bool explicit_cluster = false;                        // .explicitcluster
  int max_cluster = 0;                                  // .maxclusterrank
};

struct PtxModule {
  std::unique_ptr<const std::string> text;
  std::string name;          // how the module was called in load()
  int ptx_version = 0;       // 90 for 9.0
  std::string_view target;   // "sm_90a"
  bool is_debug = false;     // nvcc -G: nothing stays in registers
  bool is_optimized = true;  // ptxas -O1 and more
  bool contracts = true;     // not ptxas --fmad false
  /// Not where nvcc -G was asked for.
  bool ptxas_optimizes() const { return is_optimized && !is_debug; }
  std::vector<PtxFunction> functions;
  std::vector<PtxVariable> variables;
  std::vector<PtxLocation> locations;
  std::unordered_map<int, std::string> files;  // .file
  std::unordered_map<std::string_view, std::string_view> aliases;

  /// The index of the function called `name`, or of what it is an alias of: its definition where
  /// there is one; -1: none is declared.
  int find_function(std::string_view name) const;
};

/// What of ptxas' options decides about results: the last -O or --opt-level, the last --fmad.
void read_ptxas_options(PtxModule& module, std::string_view options);

/// Parses a module. Throws Refusal.
PtxModule parse_ptx(std::string_view text, std::string_view name);

}  // namespace lanescope::emulator
