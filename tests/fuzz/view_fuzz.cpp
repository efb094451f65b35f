// SPDX-License-Identifier: MIT
// Damages traces of steps and asks of all that are still read what the window and the terminal
// ask: products, ways, origins, pipelines. Whatever stands there, it is answered. Run it sanitized.
// LANESCOPE_FUZZ_ROUNDS=1000000 for a long run; the seed is written here.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "panels/memory/touches.hpp"
#include "panels/pipeline/pipeline_text.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/steps/step_text.hpp"
#include "panels/way/verdicts.hpp"
#include "panels/way/way.hpp"
#include "tests/fuzz/damage.hpp"
#include "tests/viz/behind_descriptors.hpp"
#include "tests/viz/recorded_sums.hpp"
#include "trace/line.hpp"
#include "trace/reader.hpp"

namespace lanescope::viz {
namespace {

constexpr unsigned long kSeed = 20261122;
constexpr int kRounds = 4000;

int rounds() {
  const char* asked = std::getenv("LANESCOPE_FUZZ_ROUNDS");
  return asked != nullptr ? std::atoi(asked) : kRounds;
}

// As of a program that calls no RECORD.
trace::Trace without_fragments(trace::Trace trace) {
  std::erase_if(trace.events, [](const trace::Event& event) {
    return std::holds_alternative<trace::Fragment>(event);
  });
  return trace;
}

struct Asked {
  long products = 0, of_steps = 0, stops = 0, judged = 0, ways = 0, behind = 0, touches = 0,
       sums = 0, wrong = 0;
};

void ask(trace::Trace trace, Asked& asked) {
  const Model model = make_model(std::move(trace));
  const StepList steps = make_steps(model.trace);
  RegisterHistory history(steps);
  auto verdicts = std::make_shared<Verdicts>(model, steps);
  for (const Multiplication& in : model.multiplications) {
    ++asked.products;
    asked.of_steps += in.steps[0] != nullptr;
    CHECK(!short_name(in).empty());
    for (const auto& [operand, row, col] :
         {std::tuple{'A', 9, 5}, {'A', 0, 0}, {'B', 9, 5}, {'C', 0, 0}, {'D', 9, 5}}) {
      if (in.map(operand) == nullptr) continue;
      const Selection selection = select_element(in, operand, row, col);
      Way way = way_of(model.trace, steps, in, selection);
      lead_on(way, verdicts, model, steps, static_cast<int>(&in - model.multiplications.data()),
              selection);
      asked.stops += static_cast<long>(way.stops.size());
      CHECK(way.stops.empty() == way_text(steps, way).empty());
    }
    const auto product = &in - model.multiplications.data();
    const ProductCheck& check = verdicts->product(static_cast<std::size_t>(product));
    const auto compared = [](const OriginCheck& one) {
      return one.diagnosis.verdict != trace::Verdict::not_compared;
    };
    (in.instruction->family.starts_with("wgmma") ? asked.behind : asked.judged) +=
        compared(check.b);
    for (const char operand : kOperands)
      if (const auto said =
              verdict_of(verdicts, model, steps, static_cast<int>(product), operand)) {
        CHECK(!said->words.headline.empty());
        asked.wrong += std::count(said->wrong.begin(), said->wrong.end(), true);
      }
  }
  asked.sums += std::ssize(verdicts->sums());
  trace::Memory tile = recorded::tile();
  for (const trace::Event& event : model.trace.events)
    if (const auto* sync = std::get_if<trace::Sync>(&event); sync != nullptr && sync->address >= 0)
      tile.address = static_cast<std::uint64_t>(sync->address);
  asked.touches += std::ssize(touches(model.trace, history, tile, 3, 5, 10));
  for (std::size_t warp = 0; warp < steps.warps.size(); ++warp)
    for (std::size_t item = 0; item < steps.warps[warp].items.size(); ++item) {
      const StepPlace at{static_cast<int>(warp), static_cast<int>(item), {}};
      CHECK(!step_text(steps, at).empty());
      for (const trace::Write& write : steps.warps[warp].items[item].step->writes)
        asked.ways += std::ssize(ways_of(model.trace, steps, at, true, write.name, 6));
    }
  (void)pipeline_text(make_pipeline(model.trace), 100);
}

}  // namespace

TEST_CASE("whatever a damaged trace of steps says, it is shown") {
  std::vector<std::string> texts;
  for (const trace::Trace& trace :
       {recorded::way(), without_fragments(recorded::way()), recorded::everything(),
        recorded::loads(recorded::right_a, recorded::right_b), recorded::summed({}),
        recorded::summed(recorded::exchanged()),
        recorded::multiplied(recorded::both_tiles(), recorded::right_descriptor(recorded::kTileA),
                             recorded::right_descriptor(recorded::kTileB))})
    texts.push_back(trace::to_text(trace));
  tests::Damage damage;
  damage.random.seed(kSeed);
  Asked asked;
  long read = 0, refused = 0;
  for (int round = 0; round < rounds(); ++round) {
    CAPTURE(round);
    trace::ReadResult result =
        trace::read_bytes(damage.damaged(texts[static_cast<std::size_t>(round) % texts.size()]));
    ++(result.ok() ? read : refused);
    if (result.ok()) ask(std::move(result.trace), asked);
  }
  // Of the damaged ones enough must be read, and of those enough must have something to say.
  CHECK(read > rounds() / 20);
  CHECK(refused > rounds() / 20);
  CHECK(asked.products > read / 4);
  CHECK(asked.of_steps > read / 20);
  CHECK(asked.stops > read / 2);
  CHECK(asked.ways > read);
  CHECK(asked.judged > read / 20);
  CHECK(asked.behind > read / 40);
  CHECK(asked.touches > read / 20);
  CHECK(asked.sums > read / 20);
  CHECK(asked.wrong > read / 20);
}

}  // namespace lanescope::viz
