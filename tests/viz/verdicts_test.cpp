// SPDX-License-Identifier: MIT
// What diagnose says of operands, in its words; and what lies as the lanes hold it, of which it
// says that it cannot know.
#include "panels/way/verdicts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "tests/trace/mistaken.hpp"
#include "tests/viz/recorded_sums.hpp"
#include "trace/reader.hpp"

namespace lanescope::viz {
namespace {

using recorded::kApart;
using recorded::loads;
using recorded::Offset;
using recorded::right_a;
using recorded::right_b;
using recorded::Summed;
using recorded::summed;
using trace::Verdict;

ShownVerdict said(trace::Trace trace, char operand, int product = 0) {
  const Model model = make_model(std::move(trace));
  const StepList steps = make_steps(model.trace);
  std::shared_ptr<Verdicts> all;
  const std::optional<ShownVerdict> found = verdict_of(all, model, steps, product, operand);
  REQUIRE(found);
  return *found;
}

constexpr const char* kPackedA =
    "not compared: memory lies as the lanes hold it: lane after lane, 16 bytes each: right if it "
    "was packed so before, wrong if the matrix lies row after row there";

// A of an m16n8k16, rows of 32 bytes: 16 bytes a lane into shared memory, row after row, and an
// ldmatrix to which every lane names the 16 bytes that it stored: half a row.
trace::Trace one_row_a_lane() {
  trace::Trace trace = loads(right_a, right_b), wrong = trace;
  wrong.events.assign(trace.events.begin(), trace.events.begin() + 2);
  const auto words = [](const std::string& name, int lane_bytes, int first) {
    trace::Write write{name, "", 32, {}};
    for (int lane = 0; lane < 32; ++lane)
      write.lanes.push_back(static_cast<std::uint64_t>(1000 + (lane_bytes * lane + first) / 4));
    return write;
  };
  std::vector<trace::Write> loaded, fragment;
  for (int r = 0; r < 4; ++r) {
    loaded.push_back(words(fmt::format("%r{}", 10 + r), 16, 4 * r));
    fragment.push_back(words(fmt::format("%r{}", r), 4, 128 * r));
  }
  trace::Write at{"%rd9", "", 64, {}};
  trace::Access access;
  for (int lane = 0; lane < 32; ++lane) {
    at.lanes.push_back(recorded::kA + 16 * static_cast<std::uint64_t>(lane));
    access.addresses.push_back(0x400 + 16 * static_cast<std::uint32_t>(lane));
  }
  access.bytes_per_lane = 16;
  access.active = ~0u;
  const auto add = [&](const std::string& ptx, std::vector<trace::Write> writes) {
    const auto number = static_cast<std::int64_t>(wrong.events.size());
    wrong.events.emplace_back(recorded::step(0, number, ptx, 1, std::move(writes)));
    access.step = number;
    access.instruction = ptx.substr(0, ptx.find(' '));
  };
  add("add.s64 %rd9, %rd1, %rd8;", {at});
  add("ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd9];", loaded);
  add("st.shared.v4.u32 [%r9], {%r10, %r11, %r12, %r13};", {});
  wrong.events.emplace_back(access);
  add("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r9];", fragment);
  wrong.events.emplace_back(access);
  for (std::size_t k = 2; k < trace.events.size(); ++k) {
    const auto& step = std::get<trace::Step>(trace.events[k]);
    if (k >= 10) add(step.ptx, step.writes);  // of B, and the mma
  }
  return wrong;
}

}  // namespace

TEST_CASE("memory that lies as the lanes hold it is not compared, and that is said") {
  const Offset by_lanes = [](int lane, int reg) { return 16 * lane + 4 * reg; };
  const Offset by_registers = [](int lane, int reg) { return 128 * reg + 4 * lane; };
  CHECK(said(loads(by_lanes, right_b), 'A').words.headline == kPackedA);
  CHECK(said(loads(by_lanes, right_b), 'A').wrong.empty());
  CHECK(said(loads(by_lanes, right_b), 'B').words.verdict == Verdict::right);
  CHECK(said(loads(by_registers, right_b), 'A').words.headline ==
        "not compared: memory lies as the lanes hold it: register after register, 128 bytes each: "
        "right if it was packed so before, wrong if the matrix lies row after row there");
  CHECK(said(loads(right_a, [](int lane, int reg) { return 8 * lane + 4 * reg; }), 'B')
            .words.headline ==
        "not compared: memory lies as the lanes hold it: lane after lane, 8 bytes each: right if "
        "it was packed so before, wrong if the matrix lies column after column there");

  // One lane is elsewhere: that is no order of lanes, and wrong.
  const auto odd = [&](int lane, int reg) { return by_lanes(lane == 13 ? 7 : lane, reg); };
  CHECK(said(loads(odd, right_b), 'A').words.is_wrong());
}

TEST_CASE("what an ldmatrix with wrong rows hands out register after register was not packed so") {
  const ShownVerdict found = said(one_row_a_lane(), 'A');
  CHECK(found.words.headline ==
        "not compared: A lies neither row after row nor column after column");
}

TEST_CASE("k in another order, the same in A and B, is right where B lies lane after lane") {
  const Offset a = [](int lane, int reg) {
    return (lane / 4 + reg % 2 * 8) * kApart + lane % 4 * 8 + reg / 2 * 4;
  };
  const Offset b = [](int lane, int reg) { return 8 * lane + 4 * reg; };
  CHECK(said(loads(a, b), 'B').words.headline.find("k in another order") != std::string::npos);
}

TEST_CASE("a k that is there twice, in A and B alike, is no other order") {
  const Offset a = [](int lane, int reg) { return right_a(lane, reg % 2); };
  const Offset b = [](int lane, int) { return right_b(lane, 0); };
  for (const char operand : {'A', 'B'}) {
    CAPTURE(operand);
    const OperandVerdict words = said(loads(a, b), operand).words;
    CHECK_MESSAGE(words.is_wrong(), words.headline);
  }
}

TEST_CASE("k in another order beside a B that was worked out is not compared") {
  const auto with_b_made = [](const Offset& a) {
    trace::Trace trace = loads(a, right_b);
    for (trace::Event& event : trace.events)
      if (auto* step = std::get_if<trace::Step>(&event); step->ptx.starts_with("ld.global.u32 %r4"))
        step->ptx = "xor.b32 %r4, %r4, 1;";
    return said(std::move(trace), 'A').words;
  };
  const Offset by_fours = [](int lane, int reg) {
    return (lane / 4 + reg % 2 * 8) * kApart + lane % 4 * 8 + reg / 2 * 4;
  };
  CHECK(with_b_made(by_fours).headline ==
        "not compared: its k is in another order, and that of B is not known: right if it is the "
        "same");
  CHECK(with_b_made(right_a).verdict == Verdict::right);
  // Not where one row has another order than the others, nor where B is known.
  const Offset odd = [&](int lane, int reg) {
    return lane / 4 == 3 ? right_a(lane, reg) : by_fours(lane, reg);
  };
  CHECK(with_b_made(odd).is_wrong());
  CHECK(said(loads(by_fours, right_b), 'A').words.is_wrong());
}

TEST_CASE("the way of D leads on to the store that it comes to from another lane") {
  const auto last_stop = [](const Summed& how, int col) {
    const Model model = make_model(summed(how));
    const StepList steps = make_steps(model.trace);
    const Multiplication& in = model.multiplications.at(1);
    const Selection selection = select_element(in, 'D', 9, col);
    Way way = way_of(model.trace, steps, in, selection);
    std::shared_ptr<Verdicts> verdicts;
    const std::size_t before = way.stops.size();
    lead_on(way, verdicts, model, steps, 1, selection);
    return std::to_string(before) + ": " + way.stops.back().text;
  };
  const Summed exchanges = recorded::exchanged();
  // Lane 4 gives its column 1 to lane 5.
  CHECK(last_stop(exchanges, 1) ==
        "1: st.global: lane 5 writes it to global memory, byte 580 behind parameter 2");
  CHECK(last_stop(exchanges, 0) ==
        "1: st.global: lane 4 writes it to global memory, byte 576 behind parameter 2");
  // Stored as it is the way has that stop already, and has it once.
  CHECK(last_stop({}, 1) ==
        "2: st.global: lane 4 writes it to global memory, byte 580 behind parameter 2");
}

TEST_CASE("as many products are looked at in a long trace as in a short one, 64 at the most") {
  for (const std::size_t products : {12, 100}) {
    trace::Trace trace = loads(right_a, right_b);
    trace::Step mma = std::get<trace::Step>(trace.events.back());
    for (std::size_t k = 1; k < products; ++k) {
      ++mma.step;
      trace.events.emplace_back(mma);
    }
    trace.events.resize(100'000, trace::Sync());
    const Model model = make_model(std::move(trace));
    const StepList steps = make_steps(model.trace);
    REQUIRE(model.multiplications.size() == products);
    CHECK(Verdicts(model, steps).looked_at() == std::min<std::size_t>(products, 64));
  }
}

TEST_CASE("lesson 01 packs A and B as the lanes hold them: no mistake is counted") {
  trace::ReadResult read =
      trace::read_file(LANESCOPE_SOURCE_DIR "/lessons/01_fragment_layout/recorded.steps.lanes.zst");
  REQUIRE(read.ok());
  const Model model = make_model(std::move(read.trace));
  const StepList steps = make_steps(model.trace);
  auto all = std::make_shared<Verdicts>(model, steps);
  REQUIRE(all->looked_at() > 0);
  for (std::size_t k = 0; k < all->looked_at(); ++k)
    for (const char operand : {'A', 'B'}) {
      const auto found = verdict_of(all, model, steps, static_cast<int>(k), operand);
      REQUIRE(found);
      CHECK(found->words.verdict == Verdict::not_compared);
      if (operand == 'A') CHECK(found->words.headline == kPackedA);
    }
}

TEST_CASE("nothing is said against what the lessons have recorded, by RECORD or step by step") {
  int right = 0;
  for (const auto& lesson : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/lessons"))
    for (const char* name : {"recorded.lanes", "recorded.steps.lanes.zst"}) {
      const std::string path = (lesson.path() / name).string();
      CAPTURE(path);
      if (!std::filesystem::exists(path)) continue;
      trace::ReadResult read = trace::read_file(path);
      REQUIRE(read.ok());
      const Model model = make_model(std::move(read.trace));
      const StepList steps = make_steps(model.trace);
      std::shared_ptr<Verdicts> all;
      const int products = std::min(static_cast<int>(model.multiplications.size()), 4);
      for (int product = 0; product < products; ++product)
        for (const char operand : kOperands) {
          const auto said = verdict_of(all, model, steps, product, operand);
          if (!said) continue;
          CHECK_MESSAGE(!said->words.is_wrong(), said->words.headline);
          right += said->words.verdict == Verdict::right;
        }
    }
  CHECK(right > 20);
}

TEST_CASE("a mistake is said in the command's words, and its elements are known one by one") {
  const ShownVerdict exchanged = said(
      loads([](int lane, int reg) { return right_a(lane, reg % 2 * 2 + reg / 2); }, right_b), 'A');
  CHECK(exchanged.words.headline == "registers A.r1 and A.r2 are exchanged");
  CHECK(exchanged.words.misplaced ==
        "128 of 256 elements are not where they belong if A lies row after row, 64 bytes apart, "
        "from byte 0 behind parameter 0 on");
  CHECK(exchanged.words.first == "lane 0, A.r1.lo: A[8][0] belongs there, it is A[0][8]");
  CHECK(exchanged.words.advice ==
        "which block of the matrix is in which register? `lanescope layout` says it.");
  REQUIRE(exchanged.first_at);
  CHECK(*exchanged.first_at == layout::Element{8, 0, 0});
  REQUIRE(exchanged.wrong.size() == 256);
  CHECK(std::count(exchanged.wrong.begin(), exchanged.wrong.end(), true) == 128);
  CHECK(exchanged.wrong[8 * 16]);
  CHECK(!exchanged.wrong[0]);
}

TEST_CASE(
    "what RECORD has written down is held against the matrices beside it, in the same words") {
  const layout::Fragment& map = layout::find(trace_test::kF16)->A;
  const auto recorded = [&](const trace_test::Plant& plant, bool with_matrix) {
    trace::Trace trace;
    trace.events.emplace_back(trace_test::fragment(trace_test::kF16, 'A', plant));
    if (with_matrix) trace.events.emplace_back(trace_test::matrix("A in shared", map, 16, 16));
    return make_model(std::move(trace));
  };
  std::shared_ptr<Verdicts> none;
  const auto of_a = [&](const Model& model) { return verdict_of(none, model, {}, 0, 'A'); };
  const auto right = of_a(recorded(trace_test::kRight, true));
  REQUIRE(right);
  CHECK(right->words.headline == "right, all 256 elements of \"A in shared\"");
  CHECK(lines_below(right->words).empty());
  CHECK(right->wrong.empty());

  const auto wrong = of_a(recorded(
      [&](int lane, int reg, int part, layout::Element) {
        return map.element(lane, (reg % 2 * 2 + reg / 2) * 2 + part);
      },
      true));
  REQUIRE(wrong);
  CHECK(title_of(*wrong, 0) == "diagnosis of A");
  CHECK(wrong->words.headline == "registers A.r1 and A.r2 are exchanged");
  const std::vector<std::string> below = lines_below(wrong->words);
  REQUIRE(below.size() == 3);
  CHECK(below[0] == "128 of 256 elements are not where \"A in shared\" has them");
  CHECK(below[1].starts_with("the first: lane 0, A.r1, low half: expected A[8][0] = "));
  CHECK(below[2] ==
        "What to do: which block of the matrix is in which register? `lanescope layout` says it.");
  REQUIRE(wrong->first_at);
  CHECK(*wrong->first_at == layout::Element{8, 0, 0});
  CHECK(std::count(wrong->wrong.begin(), wrong->wrong.end(), true) == 128);

  CHECK(!of_a(recorded(trace_test::kRight, false)));  // nothing to hold it against
  CHECK(none == nullptr);
}

TEST_CASE("what is said of a sum is found from each of its products") {
  Summed upside_down;
  upside_down.d = [](int lane, int reg) {
    return (lane / 4 + (1 - reg / 2) * 8) * recorded::kDApart + (lane % 4 * 2 + reg % 2) * 4;
  };
  for (const int product : {0, 1}) {
    CHECK(said(summed({}), 'D', product).words.headline ==
          "right: row after row, 64 bytes apart, from byte 0 behind parameter 2 on, sums of k 0 to "
          "31");
    CHECK(said(summed({}), 'C', product).product == 1);
    const ShownVerdict wrong = said(summed(upside_down), 'D', product);
    CHECK(wrong.words.is_wrong());
    CHECK(wrong.product == 1);
    REQUIRE(wrong.first_at);
    CHECK(*wrong.first_at == layout::Element{0, 0, 0});
    CHECK(wrong.wrong.size() == 128);
  }
}

}  // namespace lanescope::viz
