// SPDX-License-Identifier: MIT
// Tensor copies of three to five dimensions by a map of another number of dimensions.
//
// PTX ISA 9.2, 9.7.9.25.5. The answer is docs/experiments/map_ranks.md.
#include <utility>

#include "interleaved/ask.cuh"
#include "one_by_one.cuh"

// A map of `rank` dimensions, with interleave or without.
Question map_of(Way way, int interleave, int rank, int at) {
  Question q;
  q.way = way;
  q.interleave = interleave;
  q.rank = rank;
  if (interleave == 0) q.size[0] = 32;
  for (std::size_t d = 1; d < 5; ++d) q.at[d] = at;
  return q;
}

int main(int argc, char** argv) {
  std::vector<std::pair<Question, int>> all;
  for (const int interleave : {0, 1})
    for (const Way way : {kTileLoad, kTileStore, kLoad, kStore})
      for (int rank = 1; rank <= 5; ++rank)
        for (int copied = 3; copied <= 5; ++copied)
          for (const int at : {0, 1}) {
            const Question q = map_of(way, interleave, rank, at);
            const bool is_there = rank >= 3 || (is_tile(q) && interleave == 0);
            if (is_there && !(at == 1 && rank == copied)) all.push_back({q, copied});
          }
  return ask_one_by_one(argc, argv, static_cast<int>(all.size()), [&](int k) {
    const auto& [q, copied] = all[static_cast<std::size_t>(k)];
    std::printf("copy of %d dimensions: ", copied);
    return ask(q, copied);
  });
}
