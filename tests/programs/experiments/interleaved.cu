// SPDX-License-Identifier: MIT
// Tensor copies through interleaved maps: from where in memory each 16 bytes of a box come, and
// where they go to; which maps the driver refuses. interleaved/*.cuh have the questions and how one
// is asked.
//
// PTX ISA 9.2, 5.5.6; driver API, cuTensorMapEncodeTiled and -Im2col. The answer is
// docs/experiments/interleaved.md.
#include "interleaved/ask.cuh"
#include "interleaved/maps.cuh"
#include "interleaved/random.cuh"
#include "one_by_one.cuh"

// interleaved count: how many questions there are.
int main(int argc, char** argv) {
  Questions questions;
  ask_chosen(questions);
  ask_random(questions);
  const std::vector<Question>& all = questions.all;
  const int last = static_cast<int>(all.size());
  if (argc == 2) return std::printf("%d\n", last + 1), 0;
  return ask_one_by_one(argc, argv, last + 1, [&](int k) {
    if (k < last) return ask(all[static_cast<std::size_t>(k)]);
    tell_maps();
    return true;
  });
}
