// SPDX-License-Identifier: MIT
// How PTX is read: scopes, comments, initial values, source lines, calls, printf.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/ptx/ptx_lexer.hpp"
#include "emulator/ptx/ptx_module.hpp"
#include "emulator/ptx/ptx_number.hpp"
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr std::string_view kHead = ".version 8.3\n.target sm_80\n.address_size 64\n";

std::string with_head(std::string_view text) { return std::string(kHead) + std::string(text); }

std::uint64_t number(std::string_view text, Type type, bool negative = false) {
  ParsedNumber parsed;
  REQUIRE(parse_number(text, parsed));
  return parsed.bits_as(type, negative);
}

}  // namespace

TEST_CASE("numbers in every notation") {
  CHECK(number("12", Type::u32) == 12);
  CHECK(number("0x1F", Type::u32) == 31);
  CHECK(number("017", Type::u32) == 15);
  CHECK(number("0b101", Type::u32) == 5);
  CHECK(number("7U", Type::u32) == 7);
  CHECK(number("1", Type::s64, true) == ~std::uint64_t{0});
  CHECK(number("0f3F800000", Type::f32) == 0x3f800000);
  CHECK(number("0f3F800000", Type::f32, true) == 0xbf800000);
  CHECK(number("0d3FF0000000000000", Type::f64) == 0x3ff0000000000000);
  CHECK(number("0d3FF0000000000000", Type::f32) == 0x3f800000);
  CHECK(number("1.5", Type::f32) == 0x3fc00000);
  CHECK(number("1.", Type::f32) == 0x3f800000);
  CHECK(number(".5", Type::f32) == 0x3f000000);
  CHECK(number("25e-2", Type::f32) == 0x3e800000);
  CHECK(number("1E+3", Type::f32) == 0x447a0000);
  CHECK(number("0x1e", Type::u32) == 30);
  ParsedNumber parsed;
  CHECK(!parse_number("0f3F80000", parsed));
  CHECK(!parse_number("09", parsed));
  CHECK(!parse_number("12abc", parsed));
}

TEST_CASE("constants may be computed") {
  const auto value = [](std::string_view expression) {
    const PtxModule module =
        parse_ptx(with_head(fmt::format(".visible .entry k() {{ .reg .b64 %d; mov.b64 %d, {}; }}",
                                        expression)),
                  "k");
    const PtxOperand& operand = module.functions.at(0).statements.at(0).operands.at(1);
    CHECK(operand.kind == OperandKind::integer);
    return operand.value;
  };
  CHECK(value("2+3*4-1") == 13);
  CHECK(value("(2+3)*4") == 20);
  CHECK(value("10-4-3") == 3);
  CHECK(value("-7/2") == -3);
  CHECK(value("7/-2") == -3);
  CHECK(value("-8>>1") == -4);
  CHECK(value("(.u64)(0-8)>>60") == 15);
  CHECK(value("0xffffffffffffffff>>60") == 15);
  CHECK(value("1<<65") == 2);
  CHECK(value("-8>>64") == -8);
  CHECK(value("-8>>66") == -2);
  CHECK(value("1|2^3&6") == 1);
  CHECK(value("5>3?7:8") == 7);
  CHECK(value("0?2:0?3:4") == 4);
  CHECK(value("-1<0") == 1);
  CHECK(value("-1<1U") == 0);
  CHECK(value("1<2==1") == 1);
  CHECK(value("3!=3||2&&1") == 1);
  CHECK(value("!5+~0") == -1);
  CHECK(value("WARP_SZ*2-1") == 63);
  CHECK(value("7 % 4") == 3);
  CHECK(value("1+9% (4*3)*2") == 19);
  CHECK(value("-1 % 7") == 1);  // of numbers without a sign, as ptxas has it
  CHECK(value("~7>>1") == 0x7ffffffffffffffc);
  CHECK(value("~7<0") == 0);
  CHECK(value("-1/(6&3)") == 0);
  CHECK(value("-6/(6&3)") == -3);
  CHECK(value("1.5*2.0>2.5") == 1);
  CHECK(value("0x7fffffffffffffff+1") == INT64_MIN);
  CHECK(value("(0-0x7fffffffffffffff-1)/-1") == INT64_MIN);
  for (const char* wrong : {"6/0", "6 % 0", "7%2", "1.5 % 2", "1.0/0.0", "1.5<<2", "~1.5", "(1",
                            "1+", "*2", "1?2", "3 4"})
    CHECK_THROWS_AS(value(wrong), Refusal);
  CHECK_THROWS_AS(value(std::string(100000, '-') + "1"), Refusal);
  CHECK_THROWS_AS(value(std::string(100000, '(') + "1"), Refusal);
}

TEST_CASE("p<2> and p are three registers") {
  const PtxModule module = parse_ptx(
      with_head(".visible .entry k() { .reg .pred p<2>; .reg .b64 p; .reg .v2 .b32 v, v<1>;"
                " { .reg .b32 p1; mov.b32 p1, v.y; } @p1 mov.b64 p, 1; mov.b32 v0.x, 2; }"),
      "k");
  const PtxFunction& function = module.functions.at(0);
  CHECK(function.registers.size() == 8);
  CHECK(function.statements.at(1).guard == 1);
  CHECK(function.statements.at(1).operands.at(0).reg == 2);
  CHECK(function.statements.at(2).operands.at(0).reg == 5);
}

TEST_CASE("a watch comment names a register in its scope") {
  const PtxModule module = parse_ptx(with_head(R"(
.visible .entry k() {
	.reg .b32 %r<3>;
	mov.u32 %r1, 5;
	//@watch A.r0 %r1
	{ .reg .b32 t; mov.u32 t, 1;
	//@watch inner t
	}
	// @watch no %r2
	//@watch gone %r9
	ret;
})"),
                                     "k");
  const PtxFunction& function = module.functions.at(0);
  REQUIRE(function.watches.size() == 2);
  CHECK(function.watches[0].name == "A.r0");
  CHECK(function.registers[static_cast<std::size_t>(function.watches[0].reg)].spelled() == "%r1");
  CHECK(function.watches[0].statement == 1);
  CHECK(function.watches[1].name == "inner");
  CHECK(function.registers[static_cast<std::size_t>(function.watches[1].reg)].spelled() == "t");
}

TEST_CASE("source lines come from .loc, the innermost in the kernel's own file") {
  for (const int line : {7, 5}) {
    CAPTURE(line);
    std::string text = with_head(R"(
.file 1 "lesson.cu"
.file 2 "mma.cuh"
.visible .entry k() {
	.reg .b64 %rd<3>;
	.reg .b32 %r<3>;
	.loc 1 7 3
	mov.u64 %rd1, 64;
	INNER
	.loc 2 99 1, function_name $L__info_string0, inlined_at 1 7 3
	ld.global.u32 %r1, [%rd1];
	ret;
})");
    // A wrapper of a header, called by the kernel itself or by a function that was inlined into it.
    const std::string inner = "INNER";
    text.replace(
        text.find(inner), inner.size(),
        line == 7 ? "// nothing" : ".loc 1 5 3, function_name $L__info_string1, inlined_at 1 7 3");
    if (line == 5) text.replace(text.find("inlined_at 1 7 3\n\tld"), 16, "inlined_at 1 5 3");
    Machine machine({});
    const auto module = machine.load(text, "k");
    REQUIRE_MESSAGE(module.ok(), module.error.message);
    LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, "k");
    const LaunchReport report = machine.launch(request);
    CHECK(report.error.diagnostic.source.file == "lesson.cu");
    CHECK(report.error.diagnostic.source.line == line);
    CHECK(report.error.diagnostic.ptx_line == 14);
    CHECK(report.error.message.find(fmt::format("lesson.cu:{}", line)) != std::string::npos);
  }
}

TEST_CASE("a source is named by its plain path, however the build came to it") {
  const std::pair<const char*, const char*> names[] = {
      {"/repo/build/lessons/../../lessons/05/lesson.cu", "/repo/lessons/05/lesson.cu"},
      {"./lesson.cu", "lesson.cu"},
      {"../lesson.cu", "../lesson.cu"},
      {"a.b/lesson.cu", "a.b/lesson.cu"},
      {R"(d\303\251/lesson.cu)", "d\303\251/lesson.cu"},  // as nvcc writes them
      {R"(a\"b\\c/lesson.cu)", "a\"b\\c/lesson.cu"},
  };
  for (const auto& [written, plain] : names) {
    Machine machine({});
    const auto module = machine.load(with_head(fmt::format(R"(
.file 1 "{}"
.visible .entry k() {{
	.reg .b64 %rd<3>;
	.reg .b32 %r<3>;
	.loc 1 7 3
	mov.u64 %rd1, 64;
	ld.global.u32 %r1, [%rd1];
	ret;
}})",
                                                           written)),
                                     "k");
    REQUIRE_MESSAGE(module.ok(), module.error.message);
    LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, "k");
    CHECK(machine.launch(request).error.diagnostic.source.file == plain);
  }
}

TEST_CASE("strings end where ptxas has them end, and lines are counted behind them") {
  for (const std::string_view written :
       {R"("a\")", R"("a\\")", R"("a\q\n")", "\"a\nb\"", "\"a // /* b\"", "\"\""}) {
    CAPTURE(written);
    const std::string text = with_head(fmt::format(".file 1 {}\n.visible .entry k() {{", written));
    if (has_ptxas()) CHECK(refusal_of_ptxas(text + " ret; }\n", "sm_80") == "");
    Machine machine({});
    CHECK(machine.load(text + " ret; }\n", "k").ok());
    const auto refused = machine.load(text + " bad;\n}\n", "k");
    REQUIRE(!refused.ok());
    CHECK(refused.error.diagnostic.ptx_line ==
          5 + std::count(written.begin(), written.end(), '\n'));
  }
}

TEST_CASE("lines that a preprocessor leaves behind are passed over, others with # are not") {
  const auto text_with = [](std::string_view line) {
    return with_head(
        fmt::format(".entry k() {{\n.reg .b32 r;\n{}\nmov.u32 r, 5; ret;\n}}\n", line));
  };
  for (const char* line : {"# 5 \"a.ptx\"", "  #5 \"a.ptx\" 2 3", "#line 5 \"a.ptx\"",
                           "# line 5 \"a.ptx\"", "mov.u32 r, 6; # 5 \"a.ptx\""}) {
    CAPTURE(line);
    const std::string text = text_with(line);
    if (has_ptxas()) CHECK(refusal_of_ptxas(text, "sm_80") == "");
    const PtxModule module = parse_ptx(text, "k");
    CHECK(module.functions[0].statements.back().line == 7);
  }
  for (const char* line : {"#", "# 5", "#line 5", "# a", "#define r s", "#pragma once"}) {
    CAPTURE(line);
    const std::string text = text_with(line);
    if (has_ptxas()) CHECK(refusal_of_ptxas(text, "sm_80") != "");
    Machine machine({});
    const auto module = machine.load(text, "k");
    CHECK(contains(module.error.message, "a line with # is for a preprocessor"));
    CHECK(contains(module.error.message, "k:6:1"));
  }
  Machine machine({});
  CHECK(!machine.load(std::string(kHead) + "#", "k").ok());
}

TEST_CASE("variables keep their initial values and pointers") {
  Machine machine({});
  const auto module = machine.load(with_head(R"(
.const .align 4 .b8 table[8] = {1, 2, 0x03, 4};
.global .align 8 .u64 pointers[2] = {table, generic(table)+4};
.global .align 4 .f32 half = 0f3F000000;
.visible .entry k() { ret; })"),
                                   "k");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto table = machine.find_variable(module.value, "table");
  REQUIRE(table.ok());
  CHECK(table.value.bytes == 8);
  CHECK(std::memcmp(reinterpret_cast<const void*>(table.value.address), "\1\2\3\4\0\0\0\0", 8) ==
        0);
  const auto pointers = machine.find_variable(module.value, "pointers");
  std::uint64_t values[2];
  std::memcpy(values, reinterpret_cast<const void*>(pointers.value.address), 16);
  CHECK(values[0] == table.value.address);
  CHECK(values[1] == table.value.address + 4);
  CHECK(!machine.find_variable(module.value, "nothing").ok());
  CHECK(!machine.unload(module.value));
  CHECK(machine.allocated_bytes() == 0);
}

TEST_CASE("functions take and return parameters, diverge and recurse") {
  const std::string text = with_head(R"(
.func (.param .b32 result) triangle(.param .b32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<5>;
	ld.param.u32 %r1, [n];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra ZERO;
	sub.u32 %r2, %r1, 1;
	{
	.param .b32 param0;
	.param .b32 retval0;
	st.param.b32 [param0+0], %r2;
	call.uni (retval0), triangle, (param0);
	ld.param.b32 %r3, [retval0+0];
	}
	add.u32 %r4, %r3, %r1;
	st.param.b32 [result+0], %r4;
	ret;
ZERO:
	mov.u32 %r4, 0;
	st.param.b32 [result+0], %r4;
	ret;
}
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	mov.u32 %r1, %tid.x;
	{
	.param .b32 param0;
	.param .b32 retval0;
	st.param.b32 [param0], %r1;
	call.uni (retval0), triangle, (param0);
	ld.param.b32 %r2, [retval0];
	}
	ld.param.u64 %rd1, [out];
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	st.global.u32 [%rd2], %r2;
	ret;
})");
  Machine machine({});
  const auto module = machine.load(text, "k");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(40 * 4);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {40, 1, 1};
  request.parameters = std::as_bytes(std::span(&out.value, 1));
  const LaunchReport report = machine.launch(request);
  REQUIRE_MESSAGE(!report.error, report.error.message);
  std::uint32_t sums[40];
  std::memcpy(sums, reinterpret_cast<const void*>(out.value), sizeof(sums));
  for (std::uint32_t n = 0; n < 40; ++n) CHECK(sums[n] == n * (n + 1) / 2);
}

TEST_CASE("printf writes what the format says, in the order of the lanes") {
  const std::string text = with_head(R"(
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[32] = {37,100,32,37,53,46,50,102,32,37,115,32,37,108,108,120,32,37,37,37,99,10,0};
.global .align 1 .b8 name[4] = {97,98,99,0};
.visible .entry k()
{
	.local .align 8 .b8 depot[40];
	.reg .b32 %r<4>;
	.reg .b64 %rd<8>;
	.reg .f64 %fd<2>;
	mov.u32 %r1, %tid.x;
	sub.u32 %r1, %r1, 1;
	mov.u64 %rd1, depot;
	st.local.u32 [%rd1], %r1;
	mov.f64 %fd1, 0d3FF8000000000000;
	st.local.f64 [%rd1+8], %fd1;
	mov.u64 %rd2, name;
	st.local.u64 [%rd1+16], %rd2;
	mov.u64 %rd3, 0x123456789abc;
	st.local.u64 [%rd1+24], %rd3;
	mov.u32 %r2, 90;
	st.local.u32 [%rd1+32], %r2;
	cvta.local.u64 %rd4, %rd1;
	mov.u64 %rd5, format;
	{
	.param .b64 param0;
	.param .b64 param1;
	.param .b32 retval0;
	st.param.b64 [param0], %rd5;
	st.param.b64 [param1], %rd4;
	call.uni (retval0), vprintf, (param0, param1);
	}
	ret;
})");
  Machine machine({});
  const auto module = machine.load(text, "k");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {3, 1, 1};
  const LaunchReport report = machine.launch(request);
  REQUIRE_MESSAGE(!report.error, report.error.message);
  CHECK(report.printed ==
        "-1  1.50 abc 123456789abc %Z\n0  1.50 abc 123456789abc %Z\n1  1.50 abc 123456789abc %Z\n");
}

}  // namespace lanescope::emulator::test
