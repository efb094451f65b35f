// SPDX-License-Identifier: MIT
// What a panel of the window shows the terminal prints: memory, steps, pipeline, every product.
#include <doctest/doctest.h>

#include "tests/cli/process.hpp"
#include "tests/cli/refuses.hpp"
#include "tests/trace/sample.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/synthetic.hpp"
#include "trace/line.hpp"

using namespace lanescope;
using test::Folder;
using test::has;
using test::Outcome;
using test::refuses;
using test::run_lanescope;
namespace recorded = lanescope::viz::recorded;
namespace synthetic = lanescope::viz::synthetic;

namespace {

Outcome view(const std::string& path, std::vector<std::string> options) {
  std::vector<std::string> arguments{"view", path, "--text"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_lanescope(arguments);
}

}  // namespace

TEST_CASE("--panel steps lists a warp's instructions and shows one with its lanes and banks") {
  const Folder folder;
  const std::string path = folder.put("steps.lanes", trace::to_text(recorded::steps()));
  const Outcome list = view(path, {"--panel", "steps"});
  CHECK(list.code == 0);
  CHECK(has(list.out, "warp 0: 5 steps\n"));
  CHECK(has(list.out, "warp 3: 2 steps\n"));
  CHECK(has(list.out, "     11     :8  add.s32 %r1, %r1, %r2;  -> %r1\n"));
  CHECK(has(list.out, "[%r1];  -> %r7=A.r0 %r8=A.r1  [2 phases, 8 passes: 4-way bank conflict]\n"));
  const Outcome one = view(path, {"--panel", "steps", "--select", "step 11"});
  CHECK(one.code == 0);
  CHECK(has(one.out, "warp 0 step 11: add.s32 %r1, %r1, %r2;\nlesson.cu:8, all 32 lanes\n"));
  CHECK(has(one.out, "%r1  s32, changed in 4 of 32 lanes\n"));
  CHECK(has(one.out, "   0    0     1     2     3 \n   4  104*  105*  106*  107*\n"));
  const Outcome banks = view(path, {"--panel", "steps", "--select", "conflict"});
  CHECK(has(banks.out, "  4444............4444............  lanes 0 to 7: 4 passes\n"));
  refuses(view(path, {"--panel", "steps", "--select", "step 99"}), "--select: no step 99");
  refuses(view(path, {"--panel", "pipeline"}), "in the steps of this trace nobody copies or waits");
  refuses(view(path, {"--panel", "memory"}), "the trace has no tile of memory");
  refuses(view(path, {"--panel", "nonsense"}), "'nonsense' is not one of");
}

TEST_CASE("--panel pipeline prints the timeline and who waits for whom") {
  const Folder folder;
  const std::string path = folder.put("pipeline.lanes", trace::to_text(recorded::pipeline()));
  const Outcome shown = view(path, {"--panel", "pipeline"});
  CHECK(shown.code == 0);
  CHECK(has(shown.out, "stages: > being filled, # full, = in use, empty otherwise\n"));
  CHECK(has(shown.out, "  warp 1 for a copy of warp 0, mbarrier 0x0: 2 times, "));
  refuses(view(path, {"--panel", "steps"}), "the trace has no steps");
  const Outcome slower = view(path, {"--panel", "pipeline", "--select", "copy 256"});
  CHECK(has(slower.out, ", a copy 256 ticks"));
  CHECK(!has(shown.out, "256 ticks"));
  for (const char* words : {"copy", "copy 64 and more", "nonsense !!"})
    refuses(view(path, {"--panel", "pipeline", "--select", words}), "--select: write copy 64");
  refuses(view(path, {"--panel", "pipeline", "--product", "99"}), "--product 99: the trace has");
}

TEST_CASE("steps in the file beside a trace are shown with it") {
  const Folder folder;
  trace::Trace steps = recorded::steps();
  trace::Trace lanes = synthetic::trace_of({synthetic::kF16});
  steps.header.program = lanes.header.program;
  const std::string path = folder.put("t.lanes", trace::to_text(lanes));
  refuses(view(path, {"--panel", "steps"}), " lesson 1 --device cpu records them");
  const std::string beside = folder.put("t.steps.lanes.zst", trace::to_text(steps));
  CHECK(has(view(path, {"--panel", "steps"}).out, "warp 0: 5 steps\n"));
  CHECK(has(view(path, {}).out, "7 steps, 1 access\nsee --panel steps\n"));
  CHECK(has(view(path, {"--select", "A 9,5"}).out, "A[9][5]"));
  folder.put("t.steps.lanes.zst", "nonsense");
  refuses(view(path, {"--panel", "steps"}), beside);
  CHECK(view(path, {"--select", "A 9,5"}).code == 0);
}

TEST_CASE("a trace of a lesson that records its steps says which lesson") {
  const Folder folder;
  trace::Trace trace = synthetic::trace_of({synthetic::kF16});
  trace.header.program = "07_fast_hgemm";
  // Of the steps that lesson 8 records nobody waits: a pipeline is not promised.
  refuses(view(folder.put("t.lanes", trace::to_text(trace)), {"--panel", "pipeline"}),
          " lesson 7 --device cpu records them, and waits if there are any");
  trace.header.program = "07_fast";  // no lesson
  refuses(view(folder.put("t.lanes", trace::to_text(trace)), {"--panel", "steps"}),
          "record it with lanescope run --steps");
}

TEST_CASE("a trace of a GPU says that its steps are to be had on the emulator") {
  const Folder folder;
  const std::string path =
      folder.put("t.lanes", trace::to_text(synthetic::trace_of({synthetic::kF16}, "gpu")));
  for (const char* panel : {"steps", "pipeline"})
    refuses(view(path, {"--panel", panel}), "no GPU does: run it on the emulator");
}

TEST_CASE("--panel memory prints tiles, and an element with its address and bank") {
  const Folder folder;
  trace::Trace trace = recorded::steps();
  trace.events.emplace_back(recorded::tile());
  trace::Memory second = recorded::tile();
  second.name = "second";
  second.space = "global";
  trace.events.emplace_back(second);
  const std::string path = folder.put("memory.lanes", trace::to_text(trace));
  const Outcome both = view(path, {"--panel", "memory"});
  CHECK(has(both.out, "tile A in shared memory  16 x 16, f16"));
  CHECK(has(both.out, "tile second  16 x 16, f16, global memory"));
  CHECK_FALSE(has(view(path, {"--panel", "memory", "--product", "2"}).out, "tile A in shared"));
  const Outcome one = view(path, {"--panel", "memory", "--select", "9,5"});
  CHECK(has(one.out, "A in shared memory[9][5] = 905\n"));
  CHECK(has(one.out, "address  0x5ba = 0x400 + 9 x 48 + 5 x 16 / 8\n"));
  CHECK(has(one.out, "bank     14 = (0x5ba / 4) % 32\n"));
  CHECK_FALSE(has(one.out, "second"));
  const Outcome all = view(path, {"--panel", "memory", "--select", "9,5", "--product", "all"});
  CHECK(has(all.out, "second[9][5] = 905\n"));
  refuses(view(path, {"--panel", "memory", "--product", "3"}),
          "--product 3: the trace has 2 tiles");
  // Two of them, in the order in which they are named.
  const Outcome two = view(path, {"--panel", "memory", "--select", "9,5", "--product", "2,1"});
  CHECK(two.out.find("second[9][5] = 905\n") == 0);
  CHECK(has(two.out, "A in shared memory[9][5] = 905\n"));
  CHECK(view(path, {"--panel", "memory", "--product", "1,2"}).out == both.out);
  // Two beside each other are tiles, also where fragments are shown first.
  CHECK(view(path, {"--product", "2,1", "--select", "9,5"}).out == two.out);
  refuses(view(path, {"--panel", "memory", "--product", "1,3"}),
          "--product 1,3: the trace has 2 t");
  for (const char* bad : {"1,", ",1", "1,0", "1,2,3", "1, 2", "all,1"})
    refuses(view(path, {"--panel", "memory", "--product", bad}), "is no number from 1 on");
  refuses(view(path, {"--panel", "memory", "--select", "16,0"}), "rows are 0 to 15");
}

TEST_CASE("every product of a trace is shown, all or one, whole or an element of it") {
  const Folder folder;
  const std::string path = folder.put(
      "products.lanes", trace::to_text(synthetic::trace_of({synthetic::kF16, synthetic::kBf16})));
  const Outcome all = view(path, {});
  CHECK(has(all.out, "product 1: f16  m16n8k16  f32\nproduct 2: bf16  m16n8k16  f32\n"));
  CHECK(has(all.out, std::string(synthetic::kF16) + "\n"));
  CHECK(has(all.out, std::string(synthetic::kBf16) + "\n"));
  const Outcome second = view(path, {"--product", "2"});
  CHECK(second.code == 0);
  CHECK(second.out.find(synthetic::kBf16) == 0);
  CHECK_FALSE(has(second.out, std::string(synthetic::kF16)));
  const Outcome first = view(path, {"--select", "A 9,5"});
  CHECK(has(first.out, "product 1 of 2\n"));
  CHECK_FALSE(has(first.out, "product 2 of 2\n"));
  const Outcome chosen = view(path, {"--select", "A 9,5", "--product", "2"});
  CHECK(has(chosen.out, "product 2 of 2\n" + std::string(synthetic::kBf16)));
  const Outcome every = view(path, {"--select", "A 9,5", "--product", "all"});
  CHECK(has(every.out, "product 1 of 2\n"));
  CHECK(has(every.out, "product 2 of 2\n"));
  refuses(view(path, {"--product", "3"}), "--product 3: the trace has 2 products");
  refuses(view(path, {"--product", "1,2"}), "two beside each other are tiles of memory");
  refuses(view(path, {"--product", "0"}), "'0' is no number from 1 on");
}

TEST_CASE("launches of one kernel behind each other are one line") {
  const Folder folder;
  trace::Trace trace = synthetic::trace_of({synthetic::kF16});
  trace.events.clear();
  for (int number = 0; number < 6; ++number)
    trace.events.push_back(
        trace::Launch{number, number == 4 ? "other" : "multiply", {1, 1, 1}, {32, 1, 1}, 0, {}});
  const std::string text = view(folder.put("t.lanes", trace::to_text(trace)), {}).out;
  CHECK(has(text,
            "launches 0 to 3: multiply<<<1x1x1, 32x1x1, 0>>>\n"
            "launch 4: other<<<1x1x1, 32x1x1, 0>>>\n"
            "launch 5: multiply<<<1x1x1, 32x1x1, 0>>>\n"));
}

TEST_CASE("the summary says where steps are to be seen") {
  const Folder folder;
  trace::Trace trace = recorded::steps();
  for (trace::Event& event : recorded::pipeline().events) trace.events.push_back(event);
  const Outcome shown = view(folder.put("all.lanes", trace::to_text(trace)), {});
  CHECK(has(shown.out, "7 steps, 1 access, 18 events of a pipeline\n"));
  CHECK(has(shown.out, "see --panel steps, --panel pipeline\n"));
}
