// SPDX-License-Identifier: MIT
// See quiz_rings.hpp.
//
// Sources: PTX ISA 9.2, 9.7.13.15 (phases, arrivals and transactions of an mbarrier), 5.5 (boxes
// over the edge), 9.7.9.25.5 (multicast).
#include "panels/quiz/quiz_rings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::viz {

// What is missing until a phase is over.
QuizQuestion ask_missing(const Below& below) {
  QuizQuestion q;
  const int count = 2 + below(7), arrived = below(static_cast<std::size_t>(count));
  const int tile = 1024 << below(3), announced = 2 * tile;
  // The phase is not over: where all have arrived, bytes are missing.
  const int come = arrived == count - 1 ? below(2) * tile : below(3) * tile;
  const int arrivals = count - 1 - arrived, bytes = announced - come;
  q.about = fmt::format(
      "A new mbarrier, init {}. One thread executes mbarrier.arrive.expect_tx of {} bytes, {} "
      "arrived; of the bytes {} have come",
      count, announced,
      arrived == 0   ? "no other thread has"
      : arrived == 1 ? "one other has"
                     : fmt::format("{} others have", arrived),
      come);
  q.asks = "How many arrivals and how many bytes does phase 0 still wait for?";
  q.expects = "arrivals and bytes, such as 1 4096";
  q.parts = {"number of arrivals", "number of bytes"};
  q.limits = {10, 16385};
  q.answers = {{arrivals, bytes}};
  q.reveal = fmt::format(
      "{} and {}\n{} - 1 - {} = {}: arrive.expect_tx is an arrival, too, a copy's bytes are none\n"
      "{} - {} = {}; the phase is over when both are 0",
      arrivals, bytes, count, arrived, arrivals, announced, come, bytes);
  return q;
}

// A box may stick out of its tensor: all its bytes come all the same.
QuizQuestion ask_announced(const Below& below) {
  QuizQuestion q;
  const int rows = 8 << below(4), cols = 16 << below(3);
  const int row = below(60), col = below(90), tensor_rows = 40 + below(40),
            tensor_cols = 8 * (6 + below(8));
  const int bytes = rows * cols * 2;
  const auto inside = [](int first, int count, int size) {
    return std::max(0, std::min(first + count, size) - first);
  };
  const int elements = inside(row, rows, tensor_rows) * inside(col, cols, tensor_cols);
  q.about = fmt::format(
      "TMA copies a box of {} x {} f16 from row {}, column {} of a tensor of {} x {} on", rows,
      cols, row, col, tensor_rows, tensor_cols);
  q.asks = "How many bytes must expect_tx announce?";
  q.expects = "a number, such as 1024";
  q.parts = {"number of bytes"};
  q.limits = {32769};
  q.answers = {{bytes}};
  q.reveal = fmt::format("{} bytes\n{} * {} * 2, the whole box: ", bytes, rows, cols);
  q.reveal += elements == rows * cols ? "and all of it lies inside"
                                      : fmt::format(
                                            "{} of its {} elements lie inside, the others "
                                            "come as zeros, and count",
                                            elements, rows * cols);
  return q;
}

// How many arrivals each of a ring's two mbarriers is made for.
QuizQuestion ask_counts(const Below& below) {
  QuizQuestion q;
  const int warpgroups = 1 + below(3), who = below(3), producers = 1 + below(3);
  constexpr const char* kWho[] = {"every consumer thread", "one lane of every consumer warp",
                                  "one thread of every consumer warpgroup"};
  constexpr int kEach[] = {128, 4, 1};
  const int empty = warpgroups * kEach[who];
  q.about = fmt::format(
      "A ring: {} executes arrive.expect_tx at full, then starts two TMA copies a stage; {} "
      "consumer "
      "warpgroup{}, and {} arrives at empty",
      producers == 1 ? std::string("one producer thread")
                     : fmt::format("one thread of each of {} producer warps", producers),
      warpgroups, warpgroups == 1 ? "" : "s", kWho[who]);
  q.asks = "With which counts are full and empty initialised?";
  q.expects = "full and empty, such as 1 128";
  q.parts = {"count of full", "count of empty"};
  q.limits = {1000, 1000};
  q.answers = {{producers, empty}};
  q.reveal = fmt::format(
      "{} and {}\nfull: {} that announce{} bytes; copies bring bytes, they do not arrive\nempty: "
      "{} * {} "
      "= {} arrivals",
      producers, empty,
      producers == 1 ? std::string("the one thread") : fmt::format("the {} threads", producers),
      producers == 1 ? "s" : "", warpgroups, kEach[who], empty);
  return q;
}

// What a block of a cluster waits for where all of it share B.
QuizQuestion ask_cluster(const Below& below) {
  QuizQuestion q;
  const int blocks = 2 << below(2), consumers = 1 + below(3);
  const int rows_a = 64 << below(2), rows_b = blocks * (32 << below(2));
  const int row_bytes = 128, own = rows_a * row_bytes, shared = rows_b * row_bytes;
  q.about = fmt::format(
      "A cluster of {0} blocks, rows of {1} bytes. In each stage a block has {2} rows of A, its "
      "own, "
      "and {3} of B, the same in all blocks: each loads 1 / {0} of them for all, by multicast. One "
      "thread of {4} tells every block when it has read a stage",
      blocks, row_bytes, rows_a, rows_b,
      consumers == 1 ? std::string("each block's consumer")
                     : fmt::format("each of a block's {} consumers", consumers));
  q.asks = "How many bytes does a block's full wait for, and how many arrivals its empty?";
  q.expects = "bytes and arrivals, such as 1024 8";
  q.parts = {"number of bytes", "number of arrivals"};
  q.limits = {1 << 20, 1000};
  q.answers = {{own + shared, blocks * consumers}};
  q.reveal = fmt::format(
      "{} and {}\n({} + {}) * {}: what lands in this block counts here, whoever loads it\n{} "
      "blocks with "
      "{} consumer{} each read what this block sends: {}",
      own + shared, blocks * consumers, rows_a, rows_b, row_bytes, blocks, consumers,
      consumers == 1 ? "" : "s", blocks * consumers);
  return q;
}

// A ring of stages with two mbarriers each.
QuizQuestion ask_ring(const Below& below) {
  QuizQuestion q;
  const int stages = 2 + below(5), tile = 1 + below(29), round = tile / stages;
  const bool full = below(2) == 0;
  q.about = fmt::format(
      "A ring of {} stages, two new mbarriers each, full and empty; tile 0 goes to "
      "stage 0",
      stages);
  q.asks =
      fmt::format("Tile {}: in which stage, and with which parity {}?", tile,
                  full ? "do the consumers wait for full" : "does the producer wait for empty");
  q.expects = "stage and parity, such as 2 1";
  q.parts = {"stage", "parity"};
  q.limits = {stages, 2};
  q.answers = {{tile % stages, full ? round % 2 : (round + 1) % 2}};
  q.reveal =
      fmt::format("stage {}, parity {}\n{} % {} = {}; it is round {} / {} = {} of the ring\n",
                  tile % stages, q.answers[0][1], tile, stages, tile % stages, tile, stages, round);
  q.reveal +=
      full ? fmt::format("full's phase {} is the one that its bytes complete: {} % 2", round, round)
      : round > 0 ? fmt::format("empty's phase {} says that round {} has been read: {} % 2",
                                round - 1, round - 1, round - 1)
                  : "before phase 0 there was one of parity 1, and it counts as over";
  return q;
}

}  // namespace lanescope::viz
