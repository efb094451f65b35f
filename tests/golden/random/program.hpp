// SPDX-License-Identifier: MIT
// A random program: one PTX kernel, its functions, its launch. The same seed gives the same text on
// every machine. It is a tree of statements each of which can be left out, so that a program that
// two devices disagree about can be made small.
//
//     registers   ten of 32 bits, six of 64, six of 16, four predicates, all with a value from the
//                 beginning on; statements read and write any of them; all are written at the end
//     memory      64 bytes each of a thread's own in shared, global and local memory; a tile of a
//                 warp's; cells of the CTA's
//
// Nothing in it is undefined: collectives name the lanes that are there (a vote before every
// branch tells), CTAs share memory between barriers only, atomics on shared cells commute.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "forms.hpp"

namespace lanescope::golden::random {

struct Node;
/// Text, then statements.
struct Part {
  std::string text;
  std::vector<Node> block;
};
struct Node {
  int number = 0;
  std::vector<Part> parts;
};

struct Function {
  std::string head, tail;
  std::vector<Node> body;
};

struct Program {
  std::string name;
  int threads = 0, blocks = 0;
  bool is_cluster = false;          // the blocks are one
  bool is_open = false;             // has products and sums whose rounding is left open
  int statements = 0;               // numbers of nodes
  std::vector<Function> functions;  // the kernel is the last
};

constexpr int kWordsOut = 51;  // of 64 bits, of a thread
constexpr int kRegisters32 = 10, kRegisters64 = 6, kRegisters16 = 6, kPredicates = 4;
constexpr int kOwnBytes = 64;  // of a thread, in each space
constexpr int kMaxThreads = 128, kMaxBlocks = 2;
constexpr int kInputWords = 12288;  // of 64 bits: 4096 each for registers of 32, 64, 16 bits
constexpr int kCellBytes = 256;     // of a CTA, in global memory

constexpr std::uint64_t kOpenSeeds = 1000000000;  // from here on they are

Program make_program(const Forms& forms, std::uint64_t seed);
std::string module_head();
/// PTX of the kernel (u64 out, u64 own, u64 cells, u64 in, b8 blob[64]), and of its functions.
std::string print(const Program& program, const std::set<int>& without = {});
/// The words that `in` points to.
std::vector<std::uint64_t> input_words();

}  // namespace lanescope::golden::random
