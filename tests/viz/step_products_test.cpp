// SPDX-License-Identifier: MIT
// Products put together from steps, where no kernel calls RECORD.
#include "panels/steps/step_products.hpp"

#include <doctest/doctest.h>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_reads.hpp"
#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

trace::Write write_of(const trace::Fragment& of, std::size_t index, const std::string& name,
                      std::size_t warp = 0) {
  const auto first = of.registers[index].begin() + static_cast<std::ptrdiff_t>(32 * warp);
  return {name, "", 32, {first, first + 32}};
}

trace::Trace empty_trace() {
  trace::Trace trace = synthetic::trace_of({});
  trace.events.clear();
  return trace;
}

// A, B and C are written one by one, then the mma puts D where C was; once more with another A.
trace::Trace two_products() {
  const layout::Instruction& mma = *layout::find(synthetic::kF16);
  trace::Trace trace = empty_trace();
  std::int64_t number = 0;
  const auto add = [&](const std::string& ptx, std::vector<trace::Write> writes) {
    trace.events.emplace_back(recorded::step(0, number++, ptx, 7, std::move(writes)));
  };
  const trace::Fragment A = synthetic::fragment(mma, 'A'), B = synthetic::fragment(mma, 'B'),
                        C = synthetic::fragment(mma, 'C'), D = synthetic::fragment(mma, 'D');
  const auto load = [&](const trace::Fragment& of, const std::string& register_prefix) {
    std::vector<trace::Write> writes;
    for (std::size_t r = 0; r < of.registers.size(); ++r)
      writes.push_back(write_of(of, r, register_prefix + std::to_string(r)));
    add("mov.b32 " + register_prefix + "0, 1;", std::move(writes));
  };
  load(A, "%a");
  load(B, "%b");
  load(C, "%f");
  const std::string text = std::string(synthetic::kF16) +
                           " {%f0, %f1, %f2, %f3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%f0, %f1, "
                           "%f2, %f3};";
  std::vector<trace::Write> sums;
  for (std::size_t r = 0; r < 4; ++r) sums.push_back(write_of(D, r, "%f" + std::to_string(r)));
  add(text, sums);
  trace::Write other = write_of(A, 1, "%a1");
  for (std::uint64_t& lane : other.lanes) lane ^= 0x00010001;
  add("xor.b32 %a1, %a1, 65537;", {other});
  add(text, sums);
  return trace;
}

// Every register of an operand is what the map says of the element.
void holds_elements(const Multiplication& in, char operand) {
  CAPTURE(operand);
  const trace::Fragment* found = in.fragment(operand);
  REQUIRE(found != nullptr);
  CHECK(found->registers == synthetic::fragment(*in.instruction, operand).registers);
}

}  // namespace

TEST_CASE("A, B and C are what an mma finds in its registers, D is what it leaves there") {
  const Model model = make_model(two_products());
  REQUIRE(model.multiplications.size() == 2);
  CHECK(model.is_of_steps());
  const Multiplication& first = model.multiplications[0];
  CHECK(first.instruction->mnemonic == synthetic::kF16);
  for (const char operand : kOperands) holds_elements(first, operand);
  CHECK(first.fragment('D')->source.line == 7);
  CHECK(short_name(first) == "f16  m16n8k16  f32  step 3");
  CHECK(first.steps[1] == nullptr);

  // The second begins with the first one's D, and with what the xor made of A.r1.
  const Multiplication& second = model.multiplications[1];
  CHECK(second.fragment('C')->registers == first.fragment('D')->registers);
  CHECK(second.fragment('A')->registers[0] == first.fragment('A')->registers[0]);
  CHECK(second.fragment('A')->registers[1][5] == (first.fragment('A')->registers[1][5] ^ 0x10001));
}

// Without its metadata a sparse A would be half a matrix.
TEST_CASE("the metadata of a sparse product come from the steps, too, with their selector") {
  const layout::Instruction& sparse =
      *layout::find("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
  const trace::Fragment A = synthetic::fragment(sparse, 'A');
  trace::Trace trace = empty_trace();
  std::vector<trace::Write> a;
  for (std::size_t r = 0; r < 4; ++r) a.push_back(write_of(A, r, "%a" + std::to_string(r)));
  trace.events.emplace_back(recorded::step(0, 0, "mov.b32 %a0, 1;", 7, std::move(a)));
  trace.events.emplace_back(recorded::step(
      0, 1, "mov.b32 %e, 1;", 7, {{"%e", "", 32, std::vector<std::uint64_t>(32, 0xeeeeeeee)}}));
  trace.events.emplace_back(recorded::step(
      0, 2, sparse.mnemonic + " {%f0}, {%a0, %a1, %a2, %a3}, {%b0}, {%f0}, %e, 1;", 7, {}));
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 1);
  const Multiplication& in = model.multiplications[0];
  holds_elements(in, 'A');
  CHECK(in.selector == 1);
  CHECK(in.k_of(9, 5) == 11);
  CHECK(model.remarks.empty());
}

TEST_CASE("what no recorded step wrote is left out, and never taken from another product") {
  trace::Trace trace = two_products();
  trace.events.erase(trace.events.begin() + 1);  // B's
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 2);
  for (const Multiplication& in : model.multiplications) {
    CHECK(in.fragment('B') == nullptr);
    CHECK(in.fragment('A') != nullptr);
    CHECK(in.fragment('D') != nullptr);
  }
  CHECK(model.remarks.empty());
}

TEST_CASE("an mma that not all lanes take part in is no product") {
  trace::Trace trace = two_products();
  std::get<trace::Step>(trace.events[3]).active = 0;
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 1);
  CHECK(model.multiplications[0].steps[0]->step == 5);
}

TEST_CASE("what RECORD has written down is all that is shown") {
  trace::Trace trace = recorded::way();  // fragments, and the steps of an mma
  CHECK(products_of_steps(trace, 10).all.size() == 1);
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 1);
  CHECK(!model.is_of_steps());
  const auto& step = std::get<trace::Step>(model.trace.events.back());
  CHECK(product_at(model, step) == -1);
}

TEST_CASE("an instruction that the atlas does not have is said once") {
  trace::Trace trace = two_products();
  for (trace::Event& event : trace.events) {
    std::string& ptx = std::get<trace::Step>(event).ptx;
    if (const std::size_t at = ptx.find("m16n8k16"); at != std::string::npos)
      ptx.replace(at, 8, "m99n8k16");
  }
  const Model model = make_model(std::move(trace));
  CHECK(model.multiplications.empty());
  CHECK(!model.is_of_steps());
  REQUIRE(model.remarks.size() == 4);  // one an operand, not one a product
  CHECK(model.remarks[0].find("m99n8k16") != std::string::npos);
}

TEST_CASE("too many products are counted, not shown") {
  const StepProducts products = products_of_steps(two_products(), 1);
  CHECK(products.all.size() == 1);
  CHECK(products.left_out == 1);
}

TEST_CASE("who wrote a register: of a product of steps as its mma found it") {
  const Model model = make_model(two_products());
  const StepList steps = make_steps(model.trace);
  const Multiplication &first = model.multiplications[0], &second = model.multiplications[1];
  const auto step_of = [&](const Multiplication& in, char operand, int index) {
    const RegisterStep found = register_step(steps, in, operand, 6, index);
    return std::string(found.name) + " " + std::to_string(found.place.item);
  };
  CHECK(step_of(first, 'A', 1) == "%a1 0");
  CHECK(step_of(second, 'A', 1) == "%a1 4");  // the xor
  CHECK(step_of(second, 'A', 0) == "%a0 0");
  CHECK(step_of(first, 'C', 2) == "%f2 2");
  CHECK(step_of(second, 'C', 2) == "%f2 3");  // the mma before
  CHECK(step_of(second, 'D', 2) == "%f2 5");
  CHECK(product_step(steps, second, 6).item == 5);
  CHECK(product_at(model, *second.steps[0]) == 1);
  CHECK(register_step(steps, first, 'A', 6, 9).place.item == -1);

  // Of a trace of RECORD by the names that it gave.
  const Model named = make_model(recorded::way());
  const StepList its = make_steps(named.trace);
  const RegisterStep found = register_step(its, named.multiplications[0], 'A', 6, 1);
  CHECK(found.name == "%r11");
  CHECK(found.place.item == 4);
  CHECK(product_step(its, named.multiplications[0], 6).item == -1);
}

TEST_CASE("what a register is to the mma that reads or writes it") {
  const std::string mma =
      "@%p1 mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, "
      "%f4}, {%r1,%r2,%r3,%r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};";
  CHECK(matrix_register(mma, "%r3", false) == "A.r2");
  CHECK(matrix_register(mma, "%r6", false) == "B.r1");
  CHECK(matrix_register(mma, "%f2", false) == "C.r1");
  CHECK(matrix_register(mma, "%f2", true) == "D.r1");
  CHECK(matrix_register(mma, "%r3", true) == "");
  CHECK(matrix_register(mma, "%r", false) == "");
  const std::string sparse =
      "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, "
      "%f4}, "
      "{%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f1, %f2, %f3, %f4}, %r9, 0x1;";
  CHECK(matrix_register(sparse, "%r9", false) == "E.r0");
  CHECK(metadata_selector(sparse) == 1);
  CHECK(metadata_selector(mma) == 0);
  CHECK(matrix_registers(mma, 'E').empty());
  CHECK(matrix_registers("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1}, %rd1, %rd2, "
                         "%r3, 1, p, 1, 1, 0, 0;",
                         'E') == std::vector<std::string_view>{"%r3"});
  CHECK(matrix_register("add.s32 %r1, %r2, %r3;", "%r2", false) == "");
  CHECK(matrix_register("mma.sync.aligned;", "%r2", false) == "");
  // Of a wgmma A may be a descriptor; B always is one.
  const std::string wgmma = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, ";
  CHECK(matrix_register(wgmma + "{%r1,%r2,%r3,%r4}, %rd1, p, 1, 1, 0;", "%r2", false) == "A.r1");
  CHECK(matrix_register(wgmma + "%rd2, %rd1, p, 1, 1, 0, 0;", "%rd2", false) == "");
  CHECK(matrix_register(wgmma + "%rd2, %rd1, p, 1, 1, 0, 0;", "%rd1", false) == "");

  // Among what a step reads and writes, where RECORD gave no name.
  const Model model = make_model(two_products());
  const StepList steps = make_steps(model.trace);
  const StepWarp& warp = steps.warps.at(0);
  std::string read, written;
  for (const Read& one : reads(warp, writers_of(warp), 3)) read += " " + one.name;
  for (const trace::Write& one : warp.items[3].step->writes)
    written += " " + name_of(*warp.items[3].step, one);
  CHECK(read == " A.r0 A.r1 A.r2 A.r3 B.r0 B.r1 C.r0 C.r1 C.r2 C.r3");
  CHECK(written == " D.r0 D.r1 D.r2 D.r3");
}

namespace {

const std::string kWgmma = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";

// Four warps: A from registers; two wgmmas add to the same sums, which arrive at one wait, or where
// a mov takes one of their registers before it.
trace::Trace warpgroup(int warps, bool by_mov = false) {
  const layout::Instruction& wgmma = *layout::find(kWgmma);
  const trace::Fragment A = synthetic::fragment(wgmma, 'A'), D = synthetic::fragment(wgmma, 'D');
  trace::Trace trace = empty_trace();
  for (int warp = 0; warp < warps; ++warp) {
    const auto quarter = static_cast<std::size_t>(warp);
    const auto add = [&](std::int64_t number, const std::string& ptx,
                         std::vector<trace::Write> writes) {
      trace.events.emplace_back(recorded::step(4 + warp, number, ptx, 9, std::move(writes)));
    };
    std::vector<trace::Write> a, d;
    for (std::size_t r = 0; r < 4; ++r) {
      a.push_back(write_of(A, r, "%r" + std::to_string(r), quarter));
      d.push_back(write_of(D, r, "%f" + std::to_string(r), quarter));
    }
    add(0, "mov.b32 %r0, 1;", a);
    const std::string text =
        kWgmma + " {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, %rd1, p, 1, 1, 0;";
    add(1, text, {});
    add(2, text, {});
    add(3, "wgmma.commit_group.sync.aligned;", {});
    if (by_mov) {
      std::vector<trace::Write> both = d;
      both.insert(both.begin(), {"%f9", "", 32, d[2].lanes});
      add(4, "mov.b32 %f9, %f2;", both);
    } else {
      add(4, "wgmma.wait_group.sync.aligned 0;", d);
    }
  }
  recorded::side_by_side(trace);
  return trace;
}

}  // namespace

TEST_CASE("a warpgroup's product is of four warps; its D is there when its sums arrive") {
  const Model model = make_model(warpgroup(4));
  REQUIRE(model.multiplications.size() == 1);  // the second: the first one's sums never arrived
  const Multiplication& in = model.multiplications[0];
  CHECK(in.threads() == 128);
  CHECK(short_name(in) == "f16  m64n8k16  f32  warp 4  step 2");
  holds_elements(in, 'A');
  holds_elements(in, 'D');
  CHECK(in.fragment('B') == nullptr);
  const StepList steps = make_steps(model.trace);
  const RegisterStep d = register_step(steps, in, 'D', 70, 3);  // thread 70: the third warp
  CHECK(d.name == "%f3");
  CHECK(d.place.warp == 2);
  CHECK(d.place.item == 4);  // the wait
  CHECK(register_step(steps, in, 'A', 70, 3).place.item == 0);
  CHECK(product_step(steps, in, 70).warp == 2);
}

TEST_CASE("sums that a mov takes over before the wait arrive there") {
  const Model model = make_model(warpgroup(4, true));
  REQUIRE(model.multiplications.size() == 1);
  const Multiplication& in = model.multiplications[0];
  holds_elements(in, 'D');
  const StepList steps = make_steps(model.trace);
  CHECK(register_step(steps, in, 'D', 70, 3).place.item == 4);
  RegisterHistory history(steps);
  CHECK(history.writer(2, 4, "%f2", 6) == 4);  // what the mov itself takes
  CHECK(history.writer(2, 4, "%f3", 6) == -1);
  CHECK(history.writer(2, 4, "%f9", 6) == -1);
  CHECK(history.value(2, 4, "0x10", 6) == 16);

  trace::Step step;
  const std::string text = kWgmma + " {%f0, %f1}, %rd1, %rd2, p, 1, 1, 0;";
  const auto hands = [&](const char* ptx) { return step.ptx = ptx, hands_over(step, text); };
  CHECK(hands("mov.b32 {%rs1, %rs2}, %f1;"));
  CHECK(hands("wgmma.wait_group.sync.aligned 0;"));
  CHECK(!hands("mov.b32 %f1, %f2;"));
  CHECK(!hands("add.f32 %f1, %f1, %f0;"));
  CHECK(!hands_over(step, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r1};"));
}

TEST_CASE("three warps of a warpgroup are no product") {
  CHECK(make_model(warpgroup(3)).multiplications.empty());
}

// Where steps are left out a warp's first wgmma may be another one's second.
TEST_CASE("the wgmma of four warps that are one are told of side by side") {
  trace::Trace trace = warpgroup(4);
  const auto first =
      std::find_if(trace.events.begin(), trace.events.end(), [](const trace::Event& event) {
        const auto& step = std::get<trace::Step>(event);
        return step.place.warp == 6 && step.step == 1;
      });
  REQUIRE(first != trace.events.end());
  trace.events.erase(first);
  const Model model = make_model(std::move(trace));
  REQUIRE(model.multiplications.size() == 1);
  for (const trace::Step* step : model.multiplications[0].steps) CHECK(step->step == 2);
  const StepList steps = make_steps(model.trace);
  RegisterHistory history(steps);
  CHECK(history.same_wgmma({0, 2, {}}, 2) == 1);  // items: warp 6 has one less
  CHECK(history.same_wgmma({0, 1, {}}, 1) == 1);
  CHECK(history.same_wgmma({0, 1, {}}, 2) == -1);  // left out
  CHECK(history.same_wgmma({0, 3, {}}, 1) == -1);  // none
}

}  // namespace lanescope::viz
