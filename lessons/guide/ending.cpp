// SPDX-License-Identifier: MIT
// See ending.hpp.
#include "guide/ending.hpp"

#include <fmt/format.h>

namespace lanescope::guide {
namespace {

constexpr const char* kLearned[] = {
    "",
    "which lane, register and half holds an element, from two numbers of the lane",
    "what a type keeps of a number, how it is packed, and how a tensor core adds",
    "which lane's address serves which row, and why the identity is no test",
    "to count bank conflicts before they are measured, and to swizzle them away",
    "to keep copies under way: groups, waits, stages, and who may read when",
    "to multiply matrices of any size, and to say how right the result is",
    "which steps make it fast, and how to tell by how much each of them does",
    "to read what the card really runs, and to see a spill",
    "to multiply with four warps at once, and when their results may be read",
    "to describe a matrix in shared memory with 64 bits",
    "which types and shapes the four warps can multiply",
    "to let a tile load itself, and to wait for bytes instead of threads",
    "to put it all together: producers, consumers, and a kernel as fast as the library's",
    "to chain two products in the registers, with a softmax between them",
    "to store half of a matrix, and to say in whose register which half it is",
    "what a tensor core leaves of a sum, and to move sums out before they drift",
    "where D lies when no register has it, and how to fetch it from tensor memory",
    "to give numbers of 4 bits a scale, and to say whose byte scales which of them",
    "to store weights in the order in which lanes want them, and to unpack them exactly",
    "to multiply a matrix that is stored nowhere, by the addresses that lanes name",
    "to share the k of a tile among blocks, and to add their parts in the same order always",
    "to keep the tensor cores busy while a softmax is made, by turns and by what is under way",
    "to read and write CuTe's layouts, and to have one kernel follow any of them",
};
constexpr int kCount = static_cast<int>(sizeof kLearned / sizeof kLearned[0]);

}  // namespace

std::string learned(int number) { return number >= 1 && number < kCount ? kLearned[number] : ""; }

std::string ending(const std::vector<Lesson>& lessons, const Progress& progress) {
  if (lessons.empty()) return {};
  std::string list;
  for (const Lesson& lesson : lessons) {
    if (!progress.passed(lesson.name)) return {};
    list += fmt::format("  {:02}  {}\n", lesson.number, learned(lesson.number));
  }
  return fmt::format(
      "You have passed every exercise, {} of {}. You have learned\n\n{}\n"
      "What to read next:\n"
      "  PTX ISA, 9.7.14 to 9.7.16: you know the words now\n"
      "  the CUDA C++ Programming Guide, and the tuning guide of your card\n"
      "  docs/performance.md: what was measured here, and how\n"
      "  CUTLASS and its CuTe layouts: the same maps, as an algebra\n"
      "And what to do: write a kernel of your own, and look at it with `lanescope run` and "
      "`view`.\n",
      lessons.size(), lessons.size(), list);
}

}  // namespace lanescope::guide
