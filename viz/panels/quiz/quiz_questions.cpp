// SPDX-License-Identifier: MIT
// What the quiz asks in which lesson, drawn from a seed. The questions: about places in
// quiz_fragments.cpp, about what is under way in quiz_waits.cpp, about mbarriers in quiz_rings.cpp,
// about memory in quiz_memory.cpp, about numbers in quiz_numbers.cpp, about two products in
// a row in quiz_chain.cpp, about sparsity in quiz_sparse.cpp, about sums in quiz_sums.cpp, about
// tensor memory in quiz_tensor_memory.cpp, scales in quiz_scales.cpp, packed weights in
// quiz_packed.cpp, convolution in quiz_convolution.cpp, shares of k in quiz_split.cpp, turns in
// quiz_turns.cpp, shape and stride in quiz_layouts.cpp. What is made of an answer is quiz.cpp's.
// Pure model, no Dear ImGui.
#include <algorithm>
#include <functional>

#include "panels/quiz/quiz.hpp"
#include "panels/quiz/quiz_chain.hpp"
#include "panels/quiz/quiz_convolution.hpp"
#include "panels/quiz/quiz_fragments.hpp"
#include "panels/quiz/quiz_layouts.hpp"
#include "panels/quiz/quiz_memory.hpp"
#include "panels/quiz/quiz_numbers.hpp"
#include "panels/quiz/quiz_packed.hpp"
#include "panels/quiz/quiz_rings.hpp"
#include "panels/quiz/quiz_scales.hpp"
#include "panels/quiz/quiz_sparse.hpp"
#include "panels/quiz/quiz_split.hpp"
#include "panels/quiz/quiz_sums.hpp"
#include "panels/quiz/quiz_tensor_memory.hpp"
#include "panels/quiz/quiz_turns.hpp"
#include "panels/quiz/quiz_waits.hpp"

namespace lanescope::viz {
namespace {

/// Small, the same everywhere. Source: Vigna, "splitmix64".
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  int below(std::size_t limit) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(limit));
  }

 private:
  std::uint64_t state_;
};

using Ask = std::function<QuizQuestion(const Below&)>;

Ask fragment(const char* mnemonic, const char* operands) {
  return [=](const Below& below) { return ask_fragment(below, mnemonic, operands); };
}
Ask address(const char* operands) {
  return [=](const Below& below) { return ask_address(below, operands); };
}

struct Topic {
  int lesson;
  Ask ask;
};

constexpr const char* kF16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* kWgmma = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16";

/// Twice: asked as often as two others together.
const std::vector<Topic>& all_topics() {
  static const std::vector<Topic> all{
      {1, fragment(kF16, "A")},
      {1, fragment(kF16, "B")},
      {1, fragment(kF16, "D")},
      {2, fragment("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "AB")},
      {2, fragment("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "AB")},
      {2, fragment("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", "AB")},
      {2, ask_rounding},
      {2, ask_rounding},
      {3, address("A")},
      {3, address("B")},
      {3, ask_moved},
      {4, ask_bank},
      {4, ask_stride},
      {4, ask_rows},
      {4, ask_swizzled_rows},
      {5, ask_landed},
      {5, ask_largest_wait},
      {5, ask_stage},
      {5, ask_copied_sectors},
      {6, ask_tile},
      {6, ask_ragged},
      {6, ask_sectors},
      {7, address("AB")},
      {7, ask_bank},
      {7, ask_rows},
      {7, ask_swizzled_rows},
      {7, ask_landed},
      {7, ask_largest_wait},
      {7, ask_stage},
      {8, ask_sass_shape},
      {8, ask_registers},
      {8, fragment("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "AB")},
      {9, fragment(kWgmma, "D")},
      {9, ask_accumulators},
      {10, ask_byte},
      {10, ask_byte},
      {10, ask_slice},
      {11, ask_wgmma_type},
      {11, fragment("wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3", "A")},
      {11, fragment("wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32", "A")},
      {11, fragment("wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16", "D")},
      {12, ask_ring},
      {12, ask_missing},
      {12, ask_announced},
      {12, ask_counts},
      {13, ask_ring},
      {13, ask_cluster},
      {13, ask_counts},
      {13, ask_accumulators},
      {13, fragment(kWgmma, "D")},
      {14, ask_next_a},
      {14, ask_rescaling},
      {15, ask_metadata},
      {15, ask_nibble},
      {16, ask_kept},
      {16, ask_moving_out},
      {17, ask_tensor_lane},
      {17, ask_tensor_address},
      {17, ask_instruction_fields},
      {18, ask_scale_holder},
      {18, ask_scaled_place},
      {18, ask_scale_byte},
      {19, ask_packed_place},
      {19, ask_packed_weight},
      {19, ask_between_1024},
      {19, ask_sectors},
      {20, ask_tap_place},
      {20, ask_row_of_pixel},
      {20, ask_tap_of_k},
      {20, ask_tile_passes},
      {21, ask_first_step},
      {21, ask_parts},
      {21, ask_busy},
      {22, ask_turns},
      {22, ask_accumulators},
      {22, ask_rescaling},
      {22, fragment("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", "AD")},
      {23, ask_layout_number},
      {23, ask_layout_owner},
      {23, ask_layout_offset},
      {23, ask_compact_strides},
  };
  return all;
}

/// The topics of a lesson, round after round, each in an order of its own and once a round.
class Rounds {
 public:
  Rounds(int lesson, Random& random) : random_(random) {
    for (const Topic& topic : all_topics())
      if (lesson == 0 || topic.lesson == lesson) topics_.push_back(&topic);
  }
  bool empty() const { return topics_.empty(); }
  const Topic& next() {
    if (at_ == 0)
      for (std::size_t i = topics_.size(); i > 1; --i)
        std::swap(topics_[i - 1], topics_[static_cast<std::size_t>(random_.below(i))]);
    const Topic& topic = *topics_[at_];
    at_ = (at_ + 1) % topics_.size();
    return topic;
  }

 private:
  Random& random_;
  std::vector<const Topic*> topics_;
  std::size_t at_ = 0;
};

bool alike(const QuizQuestion& a, const QuizQuestion& b) {
  return a.asks == b.asks && a.about == b.about;
}

}  // namespace

std::vector<QuizQuestion> draw_quiz(int lesson, std::uint64_t seed, int count) {
  constexpr int kTries = 50;  // some topics have a dozen questions, and no more
  Random random(seed);
  const Below below = [&random](std::size_t limit) { return random.below(limit); };
  Rounds rounds(lesson, random);
  std::vector<QuizQuestion> questions;
  if (rounds.empty()) return questions;
  while (static_cast<int>(questions.size()) < count) {
    const Topic& topic = rounds.next();
    const auto asked = [&questions](const QuizQuestion& question) {
      return std::any_of(questions.begin(), questions.end(),
                         [&](const QuizQuestion& other) { return alike(question, other); });
    };
    QuizQuestion next = topic.ask(below);
    for (int i = 0; i < kTries && asked(next); ++i) next = topic.ask(below);
    if (questions.empty() || !alike(questions.back(), next)) questions.push_back(std::move(next));
  }
  return questions;
}

}  // namespace lanescope::viz
