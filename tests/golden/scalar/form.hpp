// SPDX-License-Identifier: MIT
// A form is one line of PTX with the kinds of its operands in place of registers:
//
//     add.sat.s32 R32,u32,u32           a result of 32 bits, two operands of kind u32
//     shfl.sync.up.b32 R32|P,u32,n32,0,-1
//     st.shared.u64 [%S],u64; ld.shared.s16 R32,[%S]
//
// and becomes a kernel in which thread t reads tuple t of its operands (operands.hpp), executes the
// line and writes the results. Results are R16 R32 R64 R128 P; sources the kinds below. %G, %S and
// %X are the addresses of 64 bytes of a thread's own in global, shared and (generic) shared memory,
// %W of 64 shared bytes of the warp, %C of 8 bytes of constant memory; `depot` is local memory,
// `blob` a parameter of 64 bytes; %t0.., %td0.., %th0.. and %tp0.. are there to be used.
// No CUDA and no emulator here: the recorder (record.cu) and the replay (scalar_test.cpp) share it.
#pragma once

#include <string>
#include <vector>

namespace lanescope::golden::scalar {

/// What a source is filled with. n32: shift counts, positions, lanes. all16: each 16-bit value.
enum class Kind { u16, u32, u64, f16, bf16, f16x2, bf16x2, f32, f64, n32, p, all16 };
int bits_of(Kind kind);  // of its register

struct Form {
  std::string text;           // the line
  std::string body;           // the same with registers
  std::vector<Kind> sources;  // columns of operands, in order
  std::vector<int> results;   // bits of each: 1, 16, 32 or 64
  std::string after;          // what splits results of 128 bits
  std::string before;         // what joins sources of 128 bits
  int tuples = 0;
};

constexpr int kMaxSources = 8;
constexpr int kThreads = 128;  // of a block: 32 x 2 x 2
constexpr int kBlobBytes = 64;
constexpr int kScratchBytes = 64;  // of a thread

Form parse(const std::string& text);
/// What a module begins with, and a kernel of a form:
/// (u64 out, u64 scratch, u64 column[kMaxSources], b8 blob[kBlobBytes]).
std::string module_head();
std::string kernel(const Form& form, const std::string& name);
/// The grid of a form's launch, all three dimensions used; blocks are 32 x 2 x 2.
struct Grid {
  unsigned columns, rows, layers;
};
Grid grid(const Form& form);
unsigned char blob_byte(int index);

}  // namespace lanescope::golden::scalar
