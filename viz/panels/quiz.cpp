// SPDX-License-Identifier: MIT
// See quiz.hpp.
#include "panels/quiz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "layout/banks.hpp"
#include "layout/explain.hpp"
#include "layout/swizzle.hpp"

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

// ---- What is asked in which lesson --------------------------------------------------------------

enum class Kind { fragment, address, bank };
struct Topic {
  int lesson;
  Kind kind;
  const char* instruction;
  const char* operands;
};

constexpr const char* kF16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* kWgmma = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16";

constexpr Topic kTopics[] = {
    {1, Kind::fragment, kF16, "ABD"},
    {2, Kind::fragment, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "AB"},
    {2, Kind::fragment, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "AB"},
    {2, Kind::fragment, "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", "AB"},
    {3, Kind::address, kF16, "A"},
    {3, Kind::fragment, kF16, "AB"},
    {4, Kind::bank, "", ""},
    {5, Kind::fragment, kF16, "AB"},
    {6, Kind::fragment, kF16, "ABD"},
    {7, Kind::address, kF16, "A"},
    {7, Kind::bank, "", ""},
    {7, Kind::fragment, kF16, "ABD"},
    {8, Kind::fragment, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "AB"},
    {9, Kind::fragment, kWgmma, "D"},
    {10, Kind::bank, "", ""},
    {11, Kind::fragment, "wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3", "D"},
    {12, Kind::bank, "", ""},
    {13, Kind::fragment, kWgmma, "D"},
};

// ---- Questions ----------------------------------------------------------------------------------

std::string half_name(int parts, int part) {
  if (parts == 1) return "";
  if (parts == 2) return part == 0 ? ", low half" : ", high half";
  return fmt::format(", part {}", part);
}

/// The lines of layout::explain that give the numbers: from the first holder to the C++.
std::string derivation(const layout::Instruction& instruction, layout::Element e, char operand) {
  std::istringstream lines(layout::explain(instruction, e.row, e.col, operand));
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("C++") != std::string::npos) break;
    if (inside) text += line.substr(std::min<std::size_t>(line.size(), 2)) + "\n";
    if (line.rfind("  lane", 0) == 0 || line.rfind("  thread", 0) == 0) inside = true;
  }
  if (!text.empty()) text.pop_back();
  return text;
}

QuizQuestion ask_fragment(const Topic& topic, Random& random) {
  QuizQuestion q;
  q.instruction = layout::find(topic.instruction);
  const std::string_view operands = topic.operands;
  const char operand = operands[static_cast<std::size_t>(random.below(operands.size()))];
  const layout::Fragment& map = *q.instruction->operand(operand);
  const layout::Element e{random.below(static_cast<std::size_t>(map.rows)),
                          random.below(static_cast<std::size_t>(map.cols))};
  const int parts = map.values_per_register();
  q.about = fmt::format("{}, {} is {} x {}", q.instruction->mnemonic, operand, map.rows, map.cols);
  const char* who = map.threads() > 32 ? "thread" : "lane";  // of a warpgroup, of a warp
  q.parts = {who, "register"};
  q.limits = {map.threads(), map.registers()};
  if (parts > 1) {
    q.parts.push_back(parts == 2 ? "half" : "part");
    q.limits.push_back(parts);
  }
  const char* what = parts == 1   ? " and which register hold"
                     : parts == 2 ? ", which register and which half hold"
                                  : ", which register and which part hold";
  q.asks = fmt::format("Which {}{} {}[{}][{}]?", who, what, operand, e.row, e.col);
  q.expects = who + std::string(parts == 1   ? " and register, such as 6 r1"
                                : parts == 2 ? ", register and half, such as 6 r1 hi"
                                             : ", register and part from the low bits, such as "
                                               "6 r1 2");
  for (const layout::Holder& h : layout::holders(map, e)) {
    std::vector<int> answer{h.thread, h.register_index};
    if (parts > 1) answer.push_back(h.value % parts);
    const char letter = static_cast<char>(std::tolower(operand));
    if (q.answers.empty())
      q.reveal = fmt::format("{}[{}][{}]: {} {}, {}{}{}\n{}", operand, e.row, e.col, who, h.thread,
                             letter, h.register_index, half_name(parts, h.value % parts),
                             derivation(*q.instruction, e, operand));
    q.answers.push_back(answer);
  }
  q.select = fmt::format("{} {},{}", operand, e.row, e.col);
  return q;
}

// Whose address serves an element of a row-major A in ldmatrix.x4: block by block as a0 to a3.
QuizQuestion ask_address(const Topic& topic, Random& random) {
  QuizQuestion q;
  q.instruction = layout::find(topic.instruction);
  const layout::Fragment& map = q.instruction->A;
  const layout::Element e{random.below(16), random.below(16)};
  const layout::Holder h = layout::holders(map, e).front();
  const int lane = h.register_index * 8 + e.row % 8;
  q.about = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 of a row-major A, 16 x 16, f16";
  q.asks = fmt::format("Which lane's address serves A[{}][{}]? (Not: which lane gets it.)", e.row,
                       e.col);
  q.expects = "a lane, such as 9";
  q.parts = {"lane"};
  q.limits = {32};
  q.answers = {{lane}};
  q.reveal = fmt::format(
      "A[{}][{}]: lane {} names its row\nregister a{} holds the 8 x 8 block from row {}, column "
      "{}; lanes {} to {} name that block's rows, and this is row {} of it\nit is lane {} that "
      "gets it",
      e.row, e.col, lane, h.register_index, e.row / 8 * 8, e.col / 8 * 8, h.register_index * 8,
      h.register_index * 8 + 7, e.row % 8, h.thread);
  q.select = fmt::format("A {},{}", e.row, e.col);
  q.by_address = true;
  return q;
}

QuizQuestion ask_bank(Random& random) {
  QuizQuestion q;
  constexpr layout::Swizzle kModes[] = {layout::Swizzle::none, layout::Swizzle::b64,
                                        layout::Swizzle::b128};
  const layout::Swizzle mode = kModes[random.below(3)];
  const int row_bytes = mode == layout::Swizzle::b64 ? 64 : 128;
  const int row = random.below(16), col = random.below(static_cast<std::size_t>(row_bytes / 2));
  const auto linear = static_cast<std::uint32_t>(row * row_bytes + col * 2);
  const std::uint32_t address = layout::swizzled(linear, mode);
  q.about = fmt::format(
      "a tile of f16 in shared memory, rows of {} bytes from address 0 on, {}", row_bytes,
      mode == layout::Swizzle::none ? std::string("not swizzled")
                                    : fmt::format("swizzled {}", layout::name(mode)));
  q.asks = fmt::format("In which bank is element {},{}?", row, col);
  q.expects = "a bank from 0 to 31";
  q.parts = {"bank"};
  q.limits = {layout::kBanks};
  q.answers = {{layout::bank(address)}};
  q.reveal = fmt::format("element {},{}: bank {}\n", row, col, layout::bank(address));
  if (mode != layout::Swizzle::none)
    q.reveal += fmt::format("unit {} of the row goes to unit {}: {} ^ ({} / 128 & {})\n",
                            linear % static_cast<std::uint32_t>(row_bytes) / 16,
                            address % static_cast<std::uint32_t>(row_bytes) / 16,
                            linear % static_cast<std::uint32_t>(row_bytes) / 16, linear,
                            (1 << layout::swizzle_bits(mode)) - 1);
  q.reveal += fmt::format("byte {} / 4 % 32 = {}", address, layout::bank(address));
  return q;
}

QuizQuestion ask(const Topic& topic, Random& random) {
  switch (topic.kind) {
    case Kind::address:
      return ask_address(topic, random);
    case Kind::bank:
      return ask_bank(random);
    case Kind::fragment:
      break;
  }
  return ask_fragment(topic, random);
}

// ---- Answers ------------------------------------------------------------------------------------

/// "r1", "a1" and "1" are 1; "lo" and "hi" are 0 and 1; -1: none of these.
int number_of(std::string word) {
  if (word == "lo" || word == "low") return 0;
  if (word == "hi" || word == "high") return 1;
  if (word.size() > 1 && std::isalpha(static_cast<unsigned char>(word[0])) != 0)
    word = word.substr(1);
  if (word.empty() || word.size() > 4 || word.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  return std::atoi(word.c_str());
}

/// Words that only say what the next number is.
bool is_filler(const std::string& word) {
  for (const char* known : {"lane", "register", "reg", "part", "half", "bank", "and", "thread"})
    if (word == known) return true;
  return false;
}

}  // namespace

std::vector<QuizQuestion> draw_quiz(int lesson, std::uint64_t seed, int count) {
  std::vector<const Topic*> topics;
  for (const Topic& topic : kTopics)
    if (lesson == 0 || topic.lesson == lesson) topics.push_back(&topic);
  std::vector<QuizQuestion> questions;
  if (topics.empty()) return questions;
  Random random(seed);
  while (static_cast<int>(questions.size()) < count) {
    const Topic& topic = *topics[static_cast<std::size_t>(random.below(topics.size()))];
    QuizQuestion next = ask(topic, random);
    if (questions.empty() || questions.back().asks != next.asks ||
        questions.back().about != next.about)
      questions.push_back(std::move(next));
  }
  return questions;
}

std::optional<std::vector<int>> read_answer(const QuizQuestion& question, std::string_view words,
                                            std::string& problem) {
  std::string text;
  for (const char c : words.substr(0, 200)) {
    const bool separates = c == ',' || c == '.' || c == ':' || c == '\t';
    text += separates ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  std::istringstream all(text);
  std::vector<int> numbers;
  for (std::string word; all >> word;) {
    if (is_filler(word)) continue;
    const int number = number_of(word);
    if (number < 0) {
      problem = fmt::format("'{}' is no part of an answer; it takes {}", word, question.expects);
      return {};
    }
    numbers.push_back(number);
  }
  if (numbers.size() != question.parts.size()) {
    problem = fmt::format("that is {} of {} numbers; it takes {}", numbers.size(),
                          question.parts.size(), question.expects);
    return {};
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] >= question.limits[i]) {
      problem = fmt::format("there is no {} {}; they go from 0 to {}", question.parts[i],
                            numbers[i], question.limits[i] - 1);
      return {};
    }
  return numbers;
}

QuizMark mark(const QuizQuestion& question, const std::vector<int>& answer) {
  for (const std::vector<int>& right : question.answers)
    if (answer == right) return {true, "Right."};
  const std::vector<int>& right = question.answers.front();
  std::string good, bad;
  for (std::size_t i = 0; i < right.size() && i < answer.size(); ++i) {
    std::string& list = answer[i] == right[i] ? good : bad;
    list += (list.empty() ? "the " : " and the ") + question.parts[i];
  }
  if (good.empty()) return {false, "Wrong."};
  const bool several = good.find(" and ") != std::string::npos;
  return {false, fmt::format("Not quite: {} {} right, {} {} not.", good, several ? "are" : "is",
                             bad, bad.find(" and ") == std::string::npos ? "is" : "are")};
}

Quiz begin_quiz(int lesson, std::uint64_t seed, int count) {
  Quiz quiz;
  quiz.lesson = lesson;
  quiz.seed = seed;
  quiz.questions = draw_quiz(lesson, seed, count);
  return quiz;
}

const layout::Fragment* asked_matrix(const QuizQuestion& q, layout::Element& element) {
  if (q.instruction == nullptr || q.select.empty()) return nullptr;
  const bool read = std::sscanf(q.select.c_str() + 1, " %d,%d", &element.row, &element.col) == 2;
  return read ? q.instruction->operand(q.select[0]) : nullptr;
}

std::vector<int> asked_lanes(const QuizQuestion& q) {
  layout::Element asked;
  const layout::Fragment* map = asked_matrix(q, asked);
  if (map == nullptr) return {};
  std::vector<int> lanes(static_cast<std::size_t>(map->rows * map->cols), -1);
  for (const layout::Held& held : layout::register_layout(*map)) {
    const layout::Element e = held.element;
    if (!map->contains(e)) continue;
    int& lane = lanes[static_cast<std::size_t>(e.row * map->cols + e.col)];
    if (lane >= 0) continue;  // the first of several
    lane = q.by_address ? held.holder.register_index * 8 + e.row % 8 : held.holder.thread;
  }
  return lanes;
}

std::vector<layout::Element> given_elements(const Quiz& quiz) {
  layout::Element asked;
  const layout::Fragment* map = quiz.over() ? nullptr : asked_matrix(quiz.question(), asked);
  if (map == nullptr || quiz.given.size() != quiz.question().parts.size()) return {};
  std::vector<layout::Element> found;
  if (quiz.question().by_address) {
    const std::vector<int> lanes = asked_lanes(quiz.question());
    for (int at = 0; at < static_cast<int>(lanes.size()); ++at)
      if (lanes[static_cast<std::size_t>(at)] == quiz.given[0])
        found.push_back({at / map->cols, at % map->cols});
    return found;
  }
  const int parts = map->values_per_register();
  const int value = quiz.given[1] * parts + (parts > 1 ? quiz.given[2] : 0);
  const layout::Element e = map->element(quiz.given[0], value);
  if (map->contains(e)) found.push_back(e);
  return found;
}

std::string given_text(const Quiz& quiz) {
  const std::vector<layout::Element> given = given_elements(quiz);
  if (given.empty() || quiz.last.right) return {};
  const QuizQuestion& q = quiz.question();
  if (q.by_address)
    return fmt::format("You said lane {}: it names row {}, columns {} to {}.", quiz.given[0],
                       given.front().row, given.front().col, given.back().col);
  const char operand = q.select[0];
  const int parts = q.instruction->operand(operand)->values_per_register();
  return fmt::format("You said {} {}, {}{}{}: that is {}[{}][{}].", q.parts[0], quiz.given[0],
                     static_cast<char>(std::tolower(operand)), quiz.given[1],
                     half_name(parts, parts > 1 ? quiz.given[2] : 0), operand, given.front().row,
                     given.front().col);
}

std::string give_answer(Quiz& quiz, std::string_view words) {
  if (quiz.over() || quiz.revealed) return {};
  if (words.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    quiz.last = {false, "Here it is:"};
  } else {
    std::string problem;
    const auto answer = read_answer(quiz.question(), words, problem);
    if (!answer) return problem;
    quiz.last = mark(quiz.question(), *answer);
    quiz.given = *answer;
  }
  quiz.right += quiz.last.right;
  quiz.revealed = true;
  return {};
}

void next_question(Quiz& quiz) {
  if (quiz.over()) return;
  ++quiz.at;
  quiz.revealed = false;
  quiz.last = {};
  quiz.given.clear();
}

std::string score(const Quiz& quiz) {
  const std::size_t asked = std::min(quiz.at + (quiz.revealed ? 1 : 0), quiz.questions.size());
  return fmt::format("{} of {} right", quiz.right, asked);
}

}  // namespace lanescope::viz
