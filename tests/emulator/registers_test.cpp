// SPDX-License-Identifier: MIT
// setmaxnreg: with how many registers a kernel is launched, who gets those that others give up, and
// what is said when nobody can go on. The numbers of the launch are those that ptxas of CUDA 13.0
// prints with -v for the same bounds.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cstring>

#include "emulator/run/registers.hpp"
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

// The first warpgroup gives up what it has beyond `dec`, the others ask for `inc`.
std::string kernel(std::string_view bounds, int dec, int inc, std::string_view before = "") {
  return fmt::format(
      ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out) {} {{\n"
      ".reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [out]; mov.u32 %r1, "
      "%tid.x; setp.lt.u32 %p1, %r1, 128; @%p1 bra PRODUCER;\nsetmaxnreg.inc.sync.aligned.u32 {};\n"
      "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1; ret;\n"
      "PRODUCER: {} setmaxnreg.dec.sync.aligned.u32 {}; ret;\n}}\n",
      bounds, inc, before, dec);
}

Error run(const std::string& text, int threads, std::vector<std::uint32_t>& words) {
  Machine machine({});
  const auto module = machine.load(text, "registers");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto out = machine.allocate(4096);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {threads, 1, 1};
  std::byte parameters[8];
  std::memcpy(parameters, &out.value, 8);
  request.parameters = parameters;
  const Error error = machine.launch(request).error;
  words.resize(1024);
  std::memcpy(words.data(), reinterpret_cast<const void*>(out.value), 4096);
  return error;
}

int launched(std::string_view bounds, int inc) {
  const std::string text = kernel(bounds, 24, inc);
  const PtxModule module = parse_ptx(text, "k");
  return launch_registers(module, module.functions.front());
}

}  // namespace

TEST_CASE("a kernel with setmaxnreg is launched with the registers that ptxas chooses") {
  CHECK(launched("", 240) == 0);
  CHECK(launched(".maxntid 384", 240) == 0);
  CHECK(launched(".reqntid 384", 240) == 0);
  CHECK(launched(".maxntid 384 .minnctapersm 1", 240) == 168);
  CHECK(launched(".reqntid 384 .minnctapersm 1", 240) == 168);
  CHECK(launched(".maxntid 256 .minnctapersm 2", 240) == 128);
  CHECK(launched(".maxntid 160 .minnctapersm 2", 240) == 168);
  CHECK(launched(".maxntid 288 .minnctapersm 1", 240) == 168);
  CHECK(launched(".maxntid 384 .minnctapersm 3", 240) == 56);
  CHECK(launched(".maxntid 416 .minnctapersm 1", 240) == 128);
  CHECK(launched(".maxntid 512 .minnctapersm 1", 240) == 128);
  CHECK(launched(".maxntid 640 .minnctapersm 1", 240) == 96);
  CHECK(launched(".maxntid 1024 .minnctapersm 1", 240) == 64);
  CHECK(launched(".maxntid 128 .minnctapersm 1", 200) == 200);
  CHECK(launched(".maxntid 128 .minnctapersm 1", 256) == 255);
  CHECK(launched(".maxnreg 128", 240) == 128);
  CHECK(launched(".maxntid 384 .maxnreg 100", 240) == 100);
  CHECK(launched(".maxntid 384 .minnctapersm 1 .maxnreg 128", 240) == 128);
  CHECK(launched(".maxntid 384 .minnctapersm 1 .maxnreg 240", 240) == 168);
  CHECK(launched(".maxnreg 255", 232) == 232);
}

TEST_CASE("registers that one warpgroup gives up another gets") {
  std::vector<std::uint32_t> words;
  const Error error = run(kernel(".maxntid 384 .minnctapersm 1", 24, 240), 384, words);
  CHECK(error.message == "");
  CHECK(words[127] == 0xa5a5a5a5u);
  CHECK(words[128] == 128);
  CHECK(words[383] == 383);
}

TEST_CASE("registers that nobody has are waited for in vain") {
  std::vector<std::uint32_t> words;
  const Error error = run(kernel(".maxntid 384 .minnctapersm 1", 40, 240), 384, words);
  CAPTURE(error.message);
  CHECK(error.code == ErrorCode::launch_timeout);
  CHECK(error.message.find("\n") == std::string::npos);
  // 128 x (168 - 40) = 16384 are given up, seven warps take 2304 of them each.
  CHECK(error.message.find("warp 11 waits in setmaxnreg.inc 240") != std::string::npos);
  CHECK(error.message.find("72 x 32 = 2304 registers, 256 are free of the 168 x 384 = 64512") !=
        std::string::npos);
}

TEST_CASE("without bounds, ptxas and the emulator ignore setmaxnreg") {
  std::vector<std::uint32_t> words;
  const Error error = run(kernel(".maxntid 384", 40, 240), 384, words);
  CHECK(error.message == "");
  CHECK(words[383] == 383);
}

}  // namespace lanescope::emulator::test
