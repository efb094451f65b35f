// SPDX-License-Identifier: MIT
// What keeps a module, or a kernel of it, from loading: PTX that is wrong, not modelled, or not for
// this card.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

void check_load(std::string_view text, ErrorCode code, std::vector<std::string_view> parts) {
  Machine machine({});
  const Result<ModuleId> result = machine.load(text, "program.ptx");
  CAPTURE(result.error.message);
  CHECK(result.error.code == code);
  for (const std::string_view part : parts)
    CHECK_MESSAGE(contains(result.error.message, part), part);
  CHECK(machine.allocated_bytes() == 0);
}

}  // namespace

TEST_CASE("what is not modelled keeps one kernel from running, not its module") {
  std::string text = module_of("st.global.u32 [%rd0], %r0;", "sm_90");
  text +=
      ".func lost() { .reg .b32 %r; multimem.red.relaxed.gpu.global.add.u32 [words], %r; ret; }\n"
      ".visible .entry bad() { .reg .b32 %r; istypep.texref %r, %r; ret; }\n"
      ".visible .entry caller() { call lost; ret; }\n";
  Machine machine({});
  const auto module = machine.load(text, "program.ptx");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto run = [&](std::string_view name) {
    LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, name);
    REQUIRE(request.kernel != nullptr);
    request.block = {32, 1, 1};
    std::byte parameters[16] = {};
    const std::uint64_t out = machine.allocate(2048).value;
    std::memcpy(parameters, &out, 8);
    request.parameters = parameters;
    return machine.launch(request).error;
  };
  CHECK(run("snippet").message == "");
  const Error bad = run("bad");
  CHECK(bad.code == ErrorCode::unsupported_instruction);
  CHECK(contains(bad.message, "'istypep' is not modelled"));
  CHECK(contains(bad.message, "program.ptx:"));
  const Error caller = run("caller");
  CHECK(caller.code == ErrorCode::unsupported_instruction);
  CHECK(contains(caller.message, "'multimem' is not modelled"));
  CHECK(contains(caller.message, "kernel caller"));
}

TEST_CASE("an instruction that is not modelled is named with its line and column") {
  check_load(module_of("\n  suq.width.b32 %r1, [words];", "sm_90a"),
             ErrorCode::unsupported_instruction,
             {"'suq' is not modelled", "suq.width.b32", "program.ptx:", "docs/emulator.md"});
  check_load(module_of("add.frobnicate.u32 %r1, %r0, %r0;"), ErrorCode::unsupported_instruction,
             {".frobnicate"});
  check_load(module_of("mov.u32 %r1, %nosuch;"), ErrorCode::unsupported_instruction, {"%nosuch"});
}

TEST_CASE("a name is declared once between the same braces, as ptxas has it") {
  const auto asked = [](const char* body) {
    const std::string text = module_of(body);
    if (has_ptxas()) CHECK(refusal_of_ptxas(text, "sm_80").empty() == (body[0] == '{'));
    return text;
  };
  // Inline asm that was inlined twice has neither braces nor names of its own.
  for (const char* body :
       {".reg .b32 t; .reg .b32 t;", ".reg .b32 t, t;", ".reg .b32 t; .reg .pred t;",
        ".reg .b32 t; .shared .b32 t;", ".local .b32 t; .reg .b32 t;",
        ".param .b32 t; .reg .b32 t;", ".reg .b32 t<4>; .reg .b64 t3;",
        ".reg .b64 t3; .reg .b32 t<4>;", ".reg .b32 t<4>; .reg .b32 t<2>;",
        ".shared .b32 t1; .reg .b32 t<2>;", "t: .reg .b32 t;", ".reg .b32 t; t: ret;", "t: t: ret;",
        ".reg .v2 .b32 t; .reg .b32 t;", ".reg .b64 out;"})
    check_load(asked(body), ErrorCode::invalid_ptx,
               {" is declared twice between the same braces; inline asm keeps its names in { }"});
  for (const char* body :
       {"{ .reg .b32 t; } { .reg .b64 t; } .reg .f32 t;", "{ .reg .b32 %r1; { .reg .b64 %r1; } }",
        "{ t: ret; } t: ret;", "{ } .reg .b32 t<4>; .reg .b32 t4, t;",
        "{ } .reg .b32 t<12>, t1<2>;", "{ } .reg .b32 words;"}) {
    Machine machine({});
    const auto module = machine.load(asked(body), "program.ptx");
    CHECK_MESSAGE(module.ok(), module.error.message);
  }
}

TEST_CASE("a target has a first version, constants and parameters a size, as ptxas has them") {
  const auto module = [](std::string_view version, std::string_view target,
                         std::string_view before = "", std::string_view parameters = "") {
    return fmt::format(".version {}\n.target {}\n.address_size 64\n{}\n.entry k({}) {{ ret; }}\n",
                       version, target, before, parameters);
  };
  const auto taken = [](const std::string& text, std::string_view arch) {
    if (has_ptxas()) CHECK(refusal_of_ptxas(text, arch) == "");
    Machine machine({.arch = std::string(arch)});
    const auto loaded = machine.load(text, "program.ptx");
    CHECK_MESSAGE(loaded.ok(), loaded.error.message);
  };
  const auto refused = [](const std::string& text, std::string_view arch, std::string_view part) {
    if (has_ptxas()) CHECK(refusal_of_ptxas(text, arch) != "");
    Machine machine({.arch = std::string(arch)});
    const auto loaded = machine.load(text, "program.ptx");
    CHECK(loaded.error.code == ErrorCode::invalid_ptx);
    CHECK_MESSAGE(contains(loaded.error.message, part), loaded.error.message);
  };
  struct First {
    std::string_view target, first, before;
  };
  for (const auto& [target, first, before] :
       {First{"sm_75", "6.3", "6.2"}, First{"sm_80", "7.0", "6.5"}, First{"sm_86", "7.1", "7.0"},
        First{"sm_89", "7.8", "7.7"}, First{"sm_90", "7.8", "7.7"}, First{"sm_90a", "8.0", "7.8"},
        First{"sm_100a", "8.6", "8.5"}, First{"sm_100f", "8.8", "8.7"},
        First{"sm_103a", "8.8", "8.7"}, First{"sm_120a", "8.7", "8.6"},
        First{"sm_120f", "8.8", "8.7"}}) {
    taken(module(first, target), target);
    refused(module(before, target), target,
            fmt::format("PTX .version {} has no .target {}; write .version {} or later", before,
                        target, first));
  }
  taken(module("9.0", "sm_90a", ".const .b8 a[65000], b[536];"), "sm_90a");
  refused(module("9.0", "sm_90a", ".const .b8 a[65000], b[537];"), "sm_90a",
          "the .const variables have 65537 bytes, a module may have 65536");
  taken(module("9.0", "sm_90a", "", ".param .align 4 .b8 p[32764]"), "sm_90a");
  refused(module("9.0", "sm_90a", "", ".param .align 4 .b8 p[32768]"), "sm_90a",
          "the parameters of k have 32768 bytes, a kernel may have 32764");
}

TEST_CASE("PTX that is wrong is refused with its place") {
  check_load("hello", ErrorCode::invalid_ptx, {"hello", ":1:1"});
  check_load("", ErrorCode::invalid_ptx, {".version"});
  check_load(module_of("add.u32 %r1, %r0"), ErrorCode::invalid_ptx, {"should be ','"});
  check_load(module_of("add.u32 %rd1, %r0, %r0;"), ErrorCode::invalid_ptx,
             {"%rd1 has 64 bits where .u32 needs 32"});
  // As ptxas refuses them, and takes the others.
  for (const char* body :
       {"st.global.f32 [%rd0], %fd1;", "st.global.u32 [%rd0], %f1;", "ld.global.f32 %fd1, [%rd0];",
        "ld.global.u64 %fd1, [%rd0];", "st.global.v2.f32 [%rd0], {%fd1, %fd2};",
        "add.u32 %r1, %f1, %r2;", "neg.s32 %f1, %f1;", "add.f16x2 %f1, %f2, %f3;",
        "cvt.rn.f32.u32 %f1, %f2;", "cvt.rna.tf32.f32 %f1, %f2;"})
    check_load(module_of(body), ErrorCode::invalid_ptx,
               {"is a register of .f", "where .", "; ptxas wants ."});
  check_load(module_of("st.global.f32 [%rd0], %fd1;"), ErrorCode::invalid_ptx,
             {"%fd1 is a register of .f64 where .f32 is used; ptxas wants .f32 or .b64"});
  for (const char* body :
       {"st.global.b32 [%rd0], %fd1;", "st.global.f32 [%rd0], %rd1;", "ld.global.b32 %fd1, [%rd0];",
        "ld.global.f32 %rd1, [%rd0];", "st.global.b8 [%rd0], %f1;", "and.b32 %f1, %f1, %r2;",
        "add.f32 %f1, %r1, %r2;", "cvt.rna.tf32.f32 %r1, %f2;"})
    CHECK(Machine({.arch = "sm_90a"}).load(module_of(body), "taken").ok());
  check_load(module_of("add.u32 %q, %r0, %r0;"), ErrorCode::invalid_ptx,
             {"the register %q is not declared"});
  check_load(module_of("bra NOWHERE;"), ErrorCode::invalid_ptx, {"the label NOWHERE"});
  check_load(module_of("add.u32 %r1, %r0;"), ErrorCode::invalid_ptx, {"2 operands where 3"});
  check_load(module_of("{"), ErrorCode::invalid_ptx, {"closing brace is missing"});
}

TEST_CASE(
    "what no PTX has is wrong, what a later one may have is not modelled, as an H200 has it") {
  const std::string once = ".func twin() { ret; }\n";
  check_load(module_of("") + once + once, ErrorCode::invalid_ptx,
             {"the function twin is defined twice"});
  const std::string weak = ".weak " + once;
  for (const std::string& more : {".func twin();\n" + once, once + weak, weak + weak})
    CHECK(Machine({.arch = "sm_90a"}).load(module_of("") + more, "taken").ok());
  for (const char* more : {".nonsense\n", ".global .nonsense .b32 g;\n",
                           ".entry k() .nonsense 3 { ret; }\n", ".entry k() { .nonsense; ret; }\n"})
    check_load(module_of("") + more, ErrorCode::invalid_ptx, {".nonsense", "is not known"});
  std::string later = module_of("") + ".nonsense\n";
  later.replace(later.find("9.0"), 3, "9.9");
  check_load(later, ErrorCode::unsupported_instruction, {".nonsense is not known"});
  check_load(module_of("", "sm_7"), ErrorCode::invalid_ptx, {"sm_7 is no target"});
}

TEST_CASE("PTX runs on its own and on newer architectures") {
  const auto load = [](std::string_view target, std::string_view arch) {
    Machine machine({.arch = std::string(arch)});
    return machine.load(module_of("", target), "program").error;
  };
  CHECK(load("sm_80", "sm_80").code == ErrorCode::none);
  CHECK(load("sm_80", "sm_90a").code == ErrorCode::none);
  CHECK(load("sm_90", "sm_90a").code == ErrorCode::none);
  CHECK(load("sm_90a", "sm_90a").code == ErrorCode::none);
  CHECK(load("sm_90a", "sm_90").code == ErrorCode::no_kernel_image);
  CHECK(load("sm_90", "sm_80").code == ErrorCode::no_kernel_image);
  CHECK(load("sm_100a", "sm_90a").code == ErrorCode::no_kernel_image);
  CHECK(contains(load("sm_90", "sm_80").message, "-arch=sm_80"));
}

TEST_CASE("positions, lengths and results that ptxas does not take") {
  for (const char* body :
       {"bfe.u32 %r1, %r0, 256, 3", "bfe.u32 %r1, %r0, 3, -1", "bfe.s64 %rd1, %rd0, 3, 256",
        "bfi.b32 %r1, %r0, %r0, 0x100, 3", "bfi.b64 %rd1, %rd0, %rd0, 3, 300"})
    check_load(module_of(std::string(body) + ";"), ErrorCode::invalid_ptx,
               {"a bit field's position and length are 0 to 255, not ", body});
  for (const char* body : {"bfe.u32 %r1, %r0, 255, 255;", "bfi.b64 %rd1, %rd0, %rd0, 0, 255;",
                           "bmsk.clamp.b32 %r1, 300, 3;", "shl.b32 %r1, %r0, 300;"})
    CHECK(Machine({.arch = "sm_80"}).load(module_of(body), "taken").ok());
  check_load(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".func (.param .b32 a, .param .b32 b) f() { ret; }",
      ErrorCode::invalid_ptx, {"several results of a function must be registers", ":4:"});
}

TEST_CASE("two sources of one cvt are f32") {
  check_load(module_of("cvt.rn.f16x2.f64 %r1, %fd1, %fd2;"), ErrorCode::unsupported_instruction,
             {"cvt.rn.f16x2.f64"});
  check_load(module_of("cvt.rn.bf16x2.s32 %r1, %r2, %r3;"), ErrorCode::unsupported_instruction,
             {"cvt.rn.bf16x2.s32"});
}

TEST_CASE("a real becomes an integer by a rounding to integral values") {
  for (const char* body : {"cvt.rna.s32.f32 %r1, %f1", "cvt.rz.u32.f64 %r1, %fd1",
                           "cvt.rn.s32.f32 %r1, %f1", "cvt.s64.f32 %rd1, %f1"})
    check_load(module_of(std::string(body) + ";"), ErrorCode::invalid_ptx, {body});
  CHECK(Machine({}).load(module_of("cvt.rni.s32.f32 %r1, %f1;"), "taken").ok());
}

TEST_CASE("an instruction the target does not have, whatever the card has") {
  Machine machine({.arch = "sm_90a"});
  const auto body =
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1,%f2,%f3,%f4}, {%r1,%r1,%r1,%r1}, "
      "{%r1,%r1}, {%f1,%f2,%f3,%f4};";
  const auto result = machine.load(module_of(body), "program");
  CHECK(result.error.code == ErrorCode::invalid_ptx);
  CHECK(contains(result.error.message, "this needs sm_89, the PTX is for sm_80: mma.sync"));
}

// What looks for products in C sees it before it is refused.
TEST_CASE("an fp8 mma of more registers than it has, or of one without braces") {
  const std::string mma = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 ",
                    store = " st.global.f32 [%rd0], %f1;";
  std::string many = "{%f2";
  for (int k = 1; k < 70; ++k) many += ",%f2";
  many += "}";
  const std::string product = "mul.f32 %f2, %f3, %f3; ";
  check_load(module_of(product + mma + many + ", {%r1}, {%r1}, " + many + ";" + store, "sm_90a"),
             ErrorCode::invalid_ptx, {"70 registers for D where 4 should be"});
  check_load(module_of(product + mma + "%f1, %r1, %r1, %f2;" + store, "sm_90a"),
             ErrorCode::invalid_ptx, {"1 registers for D where 4 should be"});
}

TEST_CASE("forms that newer targets have are for older ones not there") {
  for (const char* body : {"st.bulk.weak.shared::cta [%rd1], 64, 0;",
                           "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [%r1], "
                           "64, %h1;",
                           "cvt.rs.bf16x2.f32 %r1, %f1, %f2, %r2;",
                           "cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2;",
                           "redux.sync.min.f32 %f1, %f2, -1;",
                           "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r1], {%r2};",
                           "st.async.mmio.release.gpu.global.b32 [%rd0], %r1;",
                           "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes."
                           "b128 [%rd1], [%rd2];",
                           "cvt.rn.satfinite.tf32.f32 %r1, %f1;",
                           "ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd0];"}) {
    CHECK(contains(Machine({}).load(module_of(body, "sm_90a"), "p").error.message,
                   "this needs sm_100"));
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body, "sm_90a"), "sm_90a") != "");
  }
  const std::string hinted = module_of("ld.global.L2::evict_last.b32 %r1, [%rd0];");
  CHECK(contains(Machine({}).load(hinted, "p").error.message, "is for 256 bits at once"));
  if (has_ptxas()) CHECK(refusal_of_ptxas(hinted, "sm_80") != "");
}

TEST_CASE("of arithmetic that sm_100 has more, what ptxas takes and nothing else") {
  const char* const taken[] = {
      "add.ftz.rn.f32x2 %rd1, %rd2, %rd3;",  "sub.rm.f32x2 %rd1, %rd2, %rd3;",
      "mul.rp.ftz.f32x2 %rd1, %rd2, %rd3;",  "fma.rz.f32x2 %rd1, %rd2, %rd3, %rd4;",
      "max.abs.NaN.f32 %f1, %f2, %f3, %f4;", "min.ftz.f32 %f1, 0f00000000, %f3, 0f3F800000;",
      "add.rz.f32.f16 %f1, %h1, %f2;",       "fma.rp.sat.f32.bf16 %f1, %h1, %h2, %f2;"};
  const char* const refused[] = {"add.sat.f32x2 %rd1, %rd2, %rd3;",
                                 "fma.f32x2 %rd1, %rd2, %rd3, %rd4;",
                                 "fma.rn.relu.f32x2 %rd1, %rd2, %rd3, %rd4;",
                                 "mul.approx.f32x2 %rd1, %rd2, %rd3;",
                                 "mul.lo.f32x2 %rd1, %rd2, %rd3;",
                                 "add.f32x2 %fd1, %fd2, %fd3;",
                                 "add.f32x2 %rd1, %rd2, 0d3FF0000000000000;",
                                 "add.f32x2 %rd1, %rd2, {%f1, %f2};",
                                 "neg.f32x2 %rd1, %rd2;",
                                 "min.f32x2 %rd1, %rd2, %rd3;",
                                 "mad.rn.f32x2 %rd1, %rd2, %rd3, %rd4;",
                                 "ld.f32x2 %rd1, [%rd0];",
                                 "mov.f32x2 %rd1, %rd2;",
                                 "min.f64 %fd1, %fd2, %fd3, %fd4;",
                                 "min.s32 %r1, %r2, %r3, %r4;",
                                 "min.xorsign.abs.f32 %f1, %f2, %f3, %f4;",
                                 "min.rn.f32 %f1, %f2, %f3, %f4;",
                                 "max.sat.f32 %f1, %f2, %f3, %f4;",
                                 "add.ftz.f32.f16 %f1, %h1, %f2;",
                                 "fma.f32.bf16 %f1, %h1, %h2, %f2;",
                                 "sub.f32.bf16 %f1, %f2, %h1;",
                                 "mul.f32.bf16 %f1, %h1, %h2;"};
  for (const char* body : taken) {
    CAPTURE(body);
    CHECK(Machine({.arch = "sm_100a"}).load(module_of(body, "sm_100"), "p").ok());
    CHECK(contains(Machine({}).load(module_of(body, "sm_90a"), "p").error.message,
                   "this needs sm_100"));
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body, "sm_100"), "sm_100") == "");
  }
  for (const char* body : refused) {
    CAPTURE(body);
    CHECK(!Machine({.arch = "sm_100a"}).load(module_of(body, "sm_100"), "p").ok());
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body, "sm_100"), "sm_100") != "");
  }
}

TEST_CASE("an instruction the architecture has, of which nobody knows how it sums") {
  Machine machine({.arch = "sm_100"});
  const auto body =
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r1,%r1,%r1}, "
      "{%r1,%r1}, {%f1,%f2,%f3,%f4};";
  const auto result = machine.load(module_of(body), "program");
  CHECK(result.error.code == ErrorCode::unsupported_instruction);
  CHECK(contains(result.error.message, "how sm_100 sums floats is not known"));
  CHECK(contains(result.error.message, "--arch sm_90a"));
}

TEST_CASE("calls of the runtime that are not modelled, or have other arguments than it has") {
  const auto load = [](const std::string& name) {
    return Machine({.arch = "sm_90a"})
        .load(fmt::format(R"(.version 8.0
.target sm_90a
.address_size 64
.extern .func (.param .b64 got) {0} (.param .b64 child);
.visible .entry parent()
{{
  .param .b64 child;
  .param .b64 got;
  call.uni (got), {0}, (child);
  ret;
}}
)",
                          name),
              "program")
        .error;
  };
  const Error unknown = load("__cudaCDP2FuncGetAttributes");
  CHECK(unknown.code == ErrorCode::unsupported_instruction);
  CHECK(contains(unknown.message, "this call of the runtime by a kernel is not modelled"));
  const Error few = load("__cudaCDP2GetParameterBufferV2");
  CHECK(few.code == ErrorCode::invalid_ptx);
  CHECK(contains(few.message, "the call has the wrong number of arguments"));
}

TEST_CASE("what a kernel says of its clusters goes together") {
  const auto says = [](const std::string& attributes) {
    return ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() " + attributes +
           " { ret; }\n";
  };
  for (const char* one : {"", ".reqntid 32, 1, 1", ".reqnctapercluster 2"}) {
    const std::string text = says(std::string(".blocksareclusters ") + one);
    if (has_ptxas()) CHECK(contains(refusal_of_ptxas(text, "sm_90"), "directive(s) required for"));
    check_load(text, ErrorCode::invalid_ptx, {"wants .reqntid and .reqnctapercluster"});
  }
  const std::string both = says(".maxclusterrank 2 .reqnctapercluster 2");
  if (has_ptxas()) CHECK(contains(refusal_of_ptxas(both, "sm_90"), "cannot both be specified"));
  check_load(both, ErrorCode::invalid_ptx, {"do not go together"});
  for (const char* fine : {".blocksareclusters .reqntid 32 .reqnctapercluster 2",
                           ".explicitcluster .maxclusterrank 2", ".maxclusterrank 70000"}) {
    Machine machine({});
    CHECK(machine.load(says(fine), "k").ok());
    if (has_ptxas()) CHECK(refusal_of_ptxas(says(fine), "sm_90") == "");
  }
}

}  // namespace lanescope::emulator::test
