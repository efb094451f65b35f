// SPDX-License-Identifier: MIT
// What wmma.load brings and wmma.store takes away is followed, in global and in shared memory: by
// diagnose, along the way of an element, from a byte of shared memory.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "panels/memory/touches.hpp"
#include "panels/steps/step_text.hpp"
#include "panels/way/way.hpp"
#include "tests/build_folder.hpp"
#include "tests/programs/recorded_steps.hpp"

using namespace lanescope;
using lanescope::tests::build_folder;
using lanescope::tests::Finished;
using lanescope::tests::run_process;

namespace {

const std::string kLanescope = build_folder() / "bin/lanescope";
const tests::RecordedSteps kStaged{"wmma_staged", "block=0,0,0"};

Finished diagnosed(const std::string& mistake) {
  kStaged.record(mistake);
  return run_process({kLanescope, "diagnose", kStaged.file});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string way_of(const viz::Model& model, char operand, int row, int col) {
  const viz::StepList steps = viz::make_steps(model.trace);
  const viz::Multiplication& in = model.multiplications.back();
  return viz::way_text(
      steps, viz::way_of(model.trace, steps, in, viz::select_element(in, operand, row, col)));
}

}  // namespace

TEST_CASE("of a right WMMA kernel every operand is compared, in each shape, type and order") {
  const std::string file = build_folder() / "tests/programs/wmma_gemm.lanes";
  constexpr int kLaunches = 4 * 17;
  for (int launch = 0; launch < kLaunches; launch += 3) {  // every type, every order
    CAPTURE(launch);
    std::filesystem::remove(file);
    const Finished run =
        tests::emulate(build_folder() / "tests/programs/built/wmma_gemm",
                       {"--steps", fmt::format("launch={}", launch), "--trace", file});
    REQUIRE(run.exit_code == 0);
    const Finished judged = run_process({kLanescope, "diagnose", file});
    CHECK(judged.exit_code == 0);
    // A and B of two products, and D of the second, which is C of no other.
    CHECK(has(judged.out, "5 operands compared, by where their elements came from; all are right"));
    const bool rows_of_a = launch % 4 < 2;
    CHECK(has(judged.out, rows_of_a ? "right: row after row" : "right: column after column"));
  }
}

TEST_CASE("through shared memory, too, by a generic address and on the way out") {
  const Finished said = diagnosed("right");
  CHECK(said.exit_code == 0);
  CHECK(has(said.out, "right: row after row, 64 bytes apart, from byte 32 behind parameter 0 on"));
  CHECK(has(said.out,
            "right: row after row, 64 bytes apart, from byte 0 behind parameter 2 on, "
            "sums of k 0 to 31\n5 operands compared"));
  const viz::Model model = kStaged.model();
  const std::string a = way_of(model, 'A', 9, 5);
  // (9 * 32 + 16 + 5) * 2 bytes in memory, 9 * 48 + 5 * 2 in the tile, whose lines are padded
  CHECK(has(a, "ld.global: reads it from global memory, byte 618 behind parameter 0, to lane "));
  CHECK(has(a, "wmma.load: from byte 0x5ba of shared memory to lane 6, "));
  CHECK(has(a, "wmma: for D[9][0] to D[9][15]"));
  CHECK(has(way_of(model, 'B', 9, 5), "byte 810 behind parameter 1, to lane "));  // (25*16+5)*2
}

TEST_CASE("a tile that is filled wrongly, and D stored the other way, are seen behind wmma") {
  const Finished filled = diagnosed("tile-rows");
  CHECK(filled.exit_code == 1);
  CHECK(has(filled.out, "  32 of 256 elements are not where they belong if A lies row after row"));
  CHECK(has(filled.out, "the first: lane 0, A.r0.lo: A[0][0] belongs there, it is A[1][0]\n"));
  CHECK(has(filled.out, "5 operands compared, by where their elements came from; 2 are wrong"));
  // As far as its own addresses say, this is a way to store D: the line is there to be read.
  CHECK(has(diagnosed("stored").out, "D of product 2, f16  m16n16k16  f32  step "));
  CHECK(has(diagnosed("stored").out,
            "right: column after column, 64 bytes apart, from byte 0 behind parameter 2"));
}

TEST_CASE("a byte of shared memory names the registers to which wmma.load brings it") {
  kStaged.record("right");
  const viz::Model model = kStaged.model();
  const viz::StepList steps = viz::make_steps(model.trace);
  const viz::StepItem* load = nullptr;
  for (const viz::StepItem& item : steps.warps[0].items)
    if (load == nullptr && item.step->ptx.starts_with("wmma.load.a")) load = &item;
  REQUIRE(load != nullptr);
  REQUIRE(load->access != nullptr);
  CHECK(load->access->bytes_per_lane == 4);
  CHECK(load->access->addresses.size() == 8 * 32);
  CHECK(has(viz::access_text(*load->access), "8 pieces a lane; ptxas chooses"));
  trace::Memory tile;
  tile.place = load->step->place;
  tile.space = "shared";
  tile.type = "f16";
  tile.rows = tile.cols = 16;
  tile.row_stride_bytes = 48;
  tile.address = load->access->addresses[0];
  tile.bytes.resize(512);
  std::vector<std::string> found;
  for (const viz::Touch& touch : viz::touches(steps, tile, 9, 5, 64))
    found.push_back(viz::touch_text(steps, touch, 16));
  // Filled, loaded into both copies of the fragment; and the same for the second half of k.
  REQUIRE(found.size() == 6);
  CHECK(found[0] == "st: lane 21 writes it");
  CHECK(found[1] == "wmma: to lane 6, " + load->step->writes[1].name + ", bits 16..31");
  CHECK(found[2] == "wmma: to lane 6, " + load->step->writes[5].name + ", bits 16..31");
}
