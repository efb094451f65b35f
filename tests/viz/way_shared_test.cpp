// SPDX-License-Identifier: MIT
// Elements that wgmma reads from shared memory through a descriptor: selected, explained, followed.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "numeric/format.hpp"
#include "panels/matrix/facts.hpp"
#include "panels/way/way.hpp"
#include "tests/viz/recorded.hpp"
#include "trace/beside.hpp"
#include "trace/reader.hpp"

namespace lanescope::viz {
namespace {

using recorded::wide;

const std::string kBehindDescriptor = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
// A tile at byte 0x400, K-major, 128 B swizzle; and one without swizzle.
constexpr std::uint64_t kSwizzled = 0x4000004000010040, kPlain = 0x0000001000080040;

// One warp: lane 3 stores 16 bits at `byte`, `operands` of a wgmma follow its D, its sums arrive.
trace::Trace stored(std::uint32_t byte, const std::string& operands, std::uint64_t descriptor,
                    int wgmmas = 1, const std::string& mnemonic = kBehindDescriptor) {
  trace::Trace trace = synthetic::trace_of({});
  trace.events.emplace_back(synthetic::fragment(*layout::find(mnemonic), 'D'));
  const auto add = [&trace](int number, const std::string& ptx, std::vector<trace::Write> writes) {
    trace.events.emplace_back(recorded::step(0, number, ptx, number, std::move(writes)));
  };
  add(1, "mov.b16 %rs1, 0x1234;", {wide("%rs1", 0x1234, 16)});
  trace::Step store = recorded::step(0, 2, "st.shared.u16 [%r9], %rs1;", 2);
  store.active = 1 << 3;
  trace.events.emplace_back(store);
  trace::Access access;
  access.step = 2;
  access.instruction = "st.shared.u16";
  access.bytes_per_lane = 2;
  access.active = 1 << 3;
  access.addresses.assign(32, 0);
  access.addresses[3] = byte;
  trace.events.emplace_back(access);
  if (descriptor != 0) add(3, "mov.b64 %rd5, descriptor;", {wide("%rd5", descriptor, 64)});
  std::vector<trace::Write> sums;
  for (int r = 0; r < 4; ++r) {
    sums.push_back(wide(fmt::format("%f{}", r), 0, 32));
    sums.back().watch = fmt::format("D.r{}", r);
  }
  for (int k = 0; k < wgmmas; ++k) add(4 + k, mnemonic + " {%f0, %f1, %f2, %f3}, " + operands, {});
  add(4 + wgmmas, "wgmma.wait_group.sync.aligned 0;", sums);
  return trace;
}

Way told(const trace::Trace& trace, char operand, int row, int col) {
  static Model model;  // what a way points to has to stay
  model = make_model(trace);
  const Multiplication& in = model.multiplications.at(0);
  return way_of(model.trace, make_steps(model.trace), in, select_element(in, operand, row, col));
}

std::string bytes_of(const Way& way) {
  return way.stops.empty() ? ""
                           : way.stops.back().text.substr(0, way.stops.back().text.find(" of"));
}

}  // namespace

TEST_CASE(
    "B[9][5] through a descriptor: stored by lane 3 where the swizzle has it, read by wgmma") {
  // Row n = 5 of 128 bytes; k = 9 is in unit 1, which row 5 has at 1 ^ 5 = 4: 0x400 + 640 + 64 + 2.
  const trace::Trace trace = stored(0x6c2, "%rd4, %rd5, p, 1, 1, 0, 0;", kSwizzled);
  const Way way = told(trace, 'B', 9, 5);
  REQUIRE(way.stops.size() == 3);
  CHECK(way.before.empty());
  CHECK(way.stops[0].text == "mov: works it out: lane 3, %rs1");
  CHECK(way.stops[1].text == "st.shared: lane 3 writes it to byte 0x6c2 of shared memory");
  CHECK(
      way.stops[2].text ==
      "wgmma: reads it at byte 0x6c2 of shared memory, where descriptor %rd5, 0x4000004000010040, "
      "leads: for D[0][5] to D[63][5]");
  CHECK(told(trace, 'B', 9, 4).before == "who wrote byte 0x652 of shared memory is not recorded");
}

TEST_CASE("A behind a descriptor, either of them transposed, and without a swizzle") {
  // Core matrices of 8 rows of 16 bytes: K-major n = 5, k = 1 lies at 5*16 + 2, MN-major at 16
  // + 10.
  CHECK(bytes_of(told(stored(0, "%rd4, %rd5, p, 1, 1, 0, 0;", kPlain), 'B', 1, 5)) ==
        "wgmma: reads it at byte 0x452");
  CHECK(bytes_of(told(stored(0, "%rd4, %rd5, p, 1, 1, 0, 1;", kPlain), 'B', 1, 5)) ==
        "wgmma: reads it at byte 0x41a");
  CHECK(bytes_of(told(stored(0, "%rd4, %rd5, p, 1, 1, 1, 0;", kPlain), 'B', 1, 5)) ==
        "wgmma: reads it at byte 0x452");  // that is A's
  CHECK(bytes_of(told(stored(0, "{%r1, %r2, %r3, %r4}, %rd5, p, 1, 1, 1;", kPlain), 'B', 1, 5)) ==
        "wgmma: reads it at byte 0x41a");
  CHECK(bytes_of(told(stored(0, "%rd5, %rd4, p, 1, 1, 0, 0;", kPlain), 'A', 5, 1)) ==
        "wgmma: reads it at byte 0x452");
  CHECK(bytes_of(told(stored(0, "%rd5, %rd4, p, 1, 1, 1, 0;", kPlain), 'A', 5, 1)) ==
        "wgmma: reads it at byte 0x41a");
  // A in registers that nobody recorded has none.
  CHECK(
      told(stored(0, "{%r1, %r2, %r3, %r4}, %rd5, p, 1, 1, 0;", kPlain), 'A', 5, 1).stops.empty());
}

TEST_CASE("a sparse A behind a descriptor lies there as it is kept: half of K") {
  const std::string sparse = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16";
  // Row 5, kept column 9: in the second core matrix of K, LBO 128 bytes away.
  CHECK(bytes_of(told(stored(0, "%rd5, %rd4, %r8, 0, p, 1, 1, 0, 0;", kPlain, 1, sparse), 'A', 5,
                      9)) == "wgmma: reads it at byte 0x4d2");
  CHECK(bytes_of(told(stored(0, "%rd4, %rd5, %r8, 0, p, 1, 1, 0, 0;", kPlain, 1, sparse), 'B', 9,
                      5)) == "wgmma: reads it at byte 0x4d2");
  CHECK(told(stored(0, "{%r1, %r2, %r3, %r4}, %rd5, %r8, 0, p, 1, 1, 0;", kPlain, 1, sparse), 'A',
             5, 9)
            .stops.empty());
}

TEST_CASE("of several wgmmas the last is told of, a descriptor that is not recorded is said") {
  const Way last = told(stored(0x452, "%rd4, %rd5, p, 1, 1, 0, 0;", kPlain, 3), 'B', 1, 5);
  REQUIRE(last.stops.size() == 3);
  CHECK(last.stops.back().place.item == 5);
  CHECK(last.stops.back().text.ends_with(
      "for D[0][5] to D[63][5], the last of 3 that add to these sums"));
  const Way unknown = told(stored(0x452, "%rd4, %rd5, p, 1, 1, 0, 0;", 0), 'B', 1, 5);
  REQUIRE(unknown.stops.size() == 1);
  CHECK(unknown.before == "what is in the descriptor %rd5 is not recorded");
}

TEST_CASE("a bulk copy and cp.async bring what wgmma reads") {
  trace::Trace trace = stored(0, "%rd4, %rd5, p, 1, 1, 0, 0;", kSwizzled);
  trace::Sync copy;
  copy.action = "copy";
  copy.object = "mbarrier 0x0";
  copy.step = 3;
  copy.bytes = 2048;
  copy.address = 0x400;
  const auto wgmma = std::find_if(trace.events.begin(), trace.events.end(), [](const auto& event) {
    const auto* step = std::get_if<trace::Step>(&event);
    return step != nullptr && step->step == 4;
  });
  trace.events.insert(wgmma, copy);
  const Way way = told(trace, 'B', 9, 5);
  REQUIRE(way.stops.size() == 2);
  CHECK(way.stops[0].text.find("a bulk copy of 2048 bytes brings it to byte 0x6c2") !=
        std::string::npos);
  CHECK_FALSE(way.address.has_value());  // the trace does not say from where

  for (trace::Event& event : trace.events)
    if (auto* sync = std::get_if<trace::Sync>(&event)) {
      sync->global = 0x100000;
      sync->tensor.push_back({2, "128B", {256, 1024}, {512}, {64, 16}, {128, 32}});
    }
  const Way boxed = told(trace, 'B', 9, 5);
  REQUIRE(boxed.stops.size() == 2);
  CHECK(boxed.stops[0].text.ends_with(
      "a bulk copy of 2048 bytes brings it from {137, 37} of the tensor at 0x100000 to byte 0x6c2 "
      "of shared memory"));
  CHECK(boxed.address == 0x100000 + 37 * 512 + 137 * 2);

  trace::Trace async = stored(0x6c0, "%rd4, %rd5, p, 1, 1, 0, 0;", kSwizzled);
  for (trace::Event& event : async.events) {
    if (auto* step = std::get_if<trace::Step>(&event); step != nullptr && step->step == 2)
      step->ptx = "cp.async.cg.shared.global [%r9], [%rd2], 16;";
    if (auto* access = std::get_if<trace::Access>(&event))
      access->instruction = "cp.async.cg.shared.global", access->bytes_per_lane = 16;
  }
  const Way copied = told(async, 'B', 9, 5);
  REQUIRE(copied.stops.size() == 2);
  CHECK(copied.stops[0].text.starts_with("cp.async: lane 3 copies it from global memory"));
}

TEST_CASE("an element of B is selected, moved, kept and said in words; nobody holds it") {
  const Model model = make_model(stored(0, "%rd4, %rd5, p, 1, 1, 0, 0;", kPlain));
  const Multiplication& in = model.multiplications.at(0);
  const Parsed parsed = parse_selection("B 15,7", in);
  REQUIRE(parsed.ok());
  const Selection& s = parsed.selection;
  CHECK(words_of(s, in) == "B 15,7");
  CHECK(s.thread == -1);
  CHECK(parse_selection("B 16,0", in).error ==
        "B has no row 16: B has rows 0 to 15 and columns 0 to 7");
  CHECK_FALSE(parse_selection("B.r0", in).ok());
  CHECK(words_of(moved(s, in, 1, 1), in) == "B 15,7");
  CHECK(words_of(moved(s, in, -1, -2), in) == "B 14,5");
  CHECK(carried_over(s, in) == s);
  CHECK(words_of(next_operand(s, in), in) == "D 0,0");
  for (int row = 0; row < 64; row += 9)
    for (int col = 0; col < 8; ++col)
      CHECK((emphasis(in, s, {}, 'D', row, col) == Emphasis::line) == (col == 7));
  const Facts about = facts(model, in, s, {});
  CHECK(about.title == "B[15][7]");
  CHECK(about.where == "in shared memory; no lane holds it");
  CHECK(about.type == "f16, B is 16 x 8");
  CHECK(about.registers.empty());
  CHECK(about.source == "PTX ISA 9.2, 9.7.15.5.1.2");  // how it lies, not who holds it
  CHECK(about.makes.front() == "D[m][7] += A[m][15] * B[15][7]");
  // Of a sparse A half of each row is kept: which column meets B's row, its metadata says.
  const Model sparse =
      make_model(synthetic::trace_of({"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"}));
  const Multiplication& half = sparse.multiplications.at(0);
  CHECK_FALSE(half.columns_of_A_are_k());
  CHECK_FALSE(on_line(half, select_element(half, 'B', 9, 5), {}, 'A', 0, 9));
  CHECK(facts(sparse, half, select_element(half, 'B', 9, 5), {}).makes.front() ==
        "A keeps half of each row: its metadata E says which columns");
  // mma.sync has B in registers, a sum of nothing has none.
  const Model mma = make_model(synthetic::trace_of({synthetic::kF16}));
  CHECK(shared_shape(mma.multiplications[0], 'B').rows == 0);
  CHECK(shared_shape(in, 'A').rows == 0);
}

TEST_CASE(
    "lesson 9: B, put together from what the ways of its elements begin with, makes D with A") {
  namespace fs = std::filesystem;
  const std::string path =
      (fs::path(LANESCOPE_SOURCE_DIR) / "lessons/09_wgmma/recorded.lanes").string();
  trace::ReadResult read = trace::read_file(path);
  REQUIRE(read.ok());
  REQUIRE(trace::add_steps_beside(read.trace, path).empty());
  const Model model = make_model(std::move(read.trace));
  const StepList steps = make_steps(model.trace);
  const Multiplication& in = model.multiplications.at(0);
  const auto element = [&in](char operand, int row, int col) {
    const auto bits = element_bits(in, operand, in.holder(operand, row, col));
    REQUIRE(bits.has_value());
    return operand == 'A'
               ? numeric::decode(*numeric::find_format("f16"), static_cast<std::uint32_t>(*bits))
               : numeric::decode(*numeric::find_format("f32"), static_cast<std::uint32_t>(*bits));
  };
  for (const int n : {0, 7, 13}) {
    std::array<double, 16> column{};
    for (int k = 0; k < 16; ++k) {
      const Way way = way_of(model.trace, steps, in, select_element(in, 'B', k, n));
      CHECK(way.before.empty());
      REQUIRE(way.stops.size() >= 3);
      const WayStop& first = way.stops.front();
      const trace::Step& step = *steps.warps[static_cast<std::size_t>(first.place.warp)]
                                     .items[static_cast<std::size_t>(first.place.item)]
                                     .step;
      REQUIRE(step.writes.size() == 1);
      column[static_cast<std::size_t>(k)] = numeric::decode(
          *numeric::find_format("f16"),
          static_cast<std::uint32_t>(step.writes[0].lanes[static_cast<std::size_t>(first.lane)]));
    }
    for (const int m : {0, 9, 41, 63}) {
      double sum = 0;
      for (int k = 0; k < 16; ++k) sum += element('A', m, k) * column[static_cast<std::size_t>(k)];
      CHECK(sum == element('D', m, n));
    }
  }
}

}  // namespace lanescope::viz
