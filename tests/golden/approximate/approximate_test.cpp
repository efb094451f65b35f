// SPDX-License-Identifier: MIT
// What an H200 made of 5.5 million operands of ex2, lg2, rcp, rsqrt, sqrt, sin, cos, tanh and div,
// in every approximate form, against the model and against the emulator: no bit may differ. And
// the other way round: these operands notice a model that is wrong by little.
#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "numeric/approximate.hpp"
#include "tests/golden/approximate/recording.hpp"
#include "tests/golden/emulated.hpp"
#include "tests/golden/unpack.hpp"

using namespace lanescope::golden::approximate;
namespace model = lanescope::numeric::approximate;

namespace {

using Function = std::function<Long(Long a, Word b)>;

struct Form {
  Shape shape;
  Function function;
};

Function of_word(Word (*function)(Word)) {
  return [=](Long a, Word) { return Long{function(static_cast<Word>(a))}; };
}
Function of_two(Word (*function)(Word, Word)) {
  return [=](Long a, Word b) { return Long{function(static_cast<Word>(a), b)}; };
}
Function of_halves(Word (*function)(Word)) {
  return [=](Long a, Word) {
    const Word low = function(static_cast<Word>(a) & 0xffffu);
    return Long{low | function(static_cast<Word>(a) >> 16) << 16};
  };
}
Function of_long(Long (*function)(Long)) {
  return [=](Long a, Word) { return function(a); };
}

// A function that is inlined always has no address of its own: a lambda has.
#define WORD(name) of_word([](Word a) { return model::name(a); })
#define TWO(name) of_two([](Word a, Word b) { return model::name(a, b); })
#define HALVES(name) of_halves([](Word a) { return model::name(a); })
#define LONG(name) of_long([](Long a) { return model::name(a); })

const std::map<std::string, Form> kForms{
    {"ex2.approx.f32", {Shape::single, WORD(ex2)}},
    {"ex2.approx.ftz.f32", {Shape::single, WORD(ex2_ftz)}},
    {"lg2.approx.f32", {Shape::single, WORD(lg2)}},
    {"lg2.approx.ftz.f32", {Shape::single, WORD(lg2_ftz)}},
    {"rcp.approx.f32", {Shape::single, WORD(rcp)}},
    {"rcp.approx.ftz.f32", {Shape::single, WORD(rcp_ftz)}},
    {"rsqrt.approx.f32", {Shape::single, WORD(rsqrt)}},
    {"rsqrt.approx.ftz.f32", {Shape::single, WORD(rsqrt_ftz)}},
    {"sqrt.approx.f32", {Shape::single, WORD(sqrt)}},
    {"sqrt.approx.ftz.f32", {Shape::single, WORD(sqrt_ftz)}},
    {"sin.approx.f32", {Shape::single, WORD(sin)}},
    {"sin.approx.ftz.f32", {Shape::single, WORD(sin)}},
    {"cos.approx.f32", {Shape::single, WORD(cos)}},
    {"cos.approx.ftz.f32", {Shape::single, WORD(cos)}},
    {"tanh.approx.f32", {Shape::single, WORD(tanh)}},
    {"div.approx.f32", {Shape::two, TWO(div_approx)}},
    {"div.approx.ftz.f32", {Shape::two, TWO(div_approx_ftz)}},
    {"div.full.f32", {Shape::two, TWO(div_full)}},
    {"div.full.ftz.f32", {Shape::two, TWO(div_full_ftz)}},
    {"ex2.approx.f16", {Shape::half, WORD(ex2_f16)}},
    {"tanh.approx.f16", {Shape::half, WORD(tanh_f16)}},
    {"ex2.approx.ftz.bf16", {Shape::half, WORD(ex2_bf16)}},
    {"tanh.approx.bf16", {Shape::half, WORD(tanh_bf16)}},
    {"ex2.approx.f16x2", {Shape::packed, HALVES(ex2_f16)}},
    {"tanh.approx.f16x2", {Shape::packed, HALVES(tanh_f16)}},
    {"ex2.approx.ftz.bf16x2", {Shape::packed, HALVES(ex2_bf16)}},
    {"tanh.approx.bf16x2", {Shape::packed, HALVES(tanh_bf16)}},
    {"rcp.approx.ftz.f64", {Shape::wide, LONG(rcp_f64)}},
    {"rsqrt.approx.f64", {Shape::wide, LONG(rsqrt_f64)}},
    {"rsqrt.approx.ftz.f64", {Shape::wide, LONG(rsqrt_ftz_f64)}}};

const std::string& h200_bytes() {
  static const std::string bytes =
      lanescope::golden::unpacked(LANESCOPE_SOURCE_DIR "/tests/golden/approximate/h200.bin.zst")
          .bytes;
  return bytes;
}
const Recording& h200() {
  static const Recording recording = parse_recording(h200_bytes());
  return recording;
}
const RecordedForm& recorded(const std::string& mnemonic) {
  for (const RecordedForm& form : h200().forms)
    if (form.mnemonic == mnemonic) return form;
  FAIL("not recorded: " << mnemonic);
  return h200().forms.front();
}

/// Blocks of the recording in which `function` gives something else.
int wrong_blocks(const std::string& mnemonic, const Function& function) {
  const Shape shape = kForms.at(mnemonic).shape;
  const RecordedForm& form = recorded(mnemonic);
  int wrong = 0;
  for (Word block = 0; block < form.inputs / kBlock; ++block) {
    const auto output = [&](Word k) {
      const Word i = block * kBlock + k;
      return function(input(shape, i), single_input(i, kSecond));
    };
    const Long first = output(0);
    Fingerprint print;
    for (Word k = 0; k < kBlock; ++k) print.add(output(k));
    wrong += form.words[2 * block] != (shape == Shape::wide ? first >> 32 : first) ||
             form.words[2 * block + 1] != print.value;
  }
  return wrong;
}

}  // namespace

TEST_CASE("the recording is whole") {
  REQUIRE(h200().problem == "");
  CHECK(h200().header.find("|NVIDIA H200|sm_90|") != std::string::npos);
  CHECK(h200().forms.size() == kForms.size());
  for (const auto& [mnemonic, form] : kForms)
    CHECK(recorded(mnemonic).inputs == inputs_of(form.shape));
}

TEST_CASE("the model has the card's bits") {
  for (const auto& [mnemonic, form] : kForms) {
    CAPTURE(mnemonic);
    CHECK(wrong_blocks(mnemonic, form.function) == 0);
  }
}

TEST_CASE("a last bit that is wrong once, or a subnormal that is not flushed, would be noticed") {
  for (const auto& [mnemonic, form] : kForms) {
    CAPTURE(mnemonic);
    const Word count = inputs_of(form.shape);
    const Long odd_one = input(form.shape, count / 3);
    CHECK(wrong_blocks(mnemonic, [&](Long a, Word b) {
            return form.function(a, b) ^ (a == odd_one ? 1u : 0u);
          }) > 0);
  }
  for (const char* name : {"ex2", "lg2", "rcp", "rsqrt", "sqrt", "div.full"}) {
    CAPTURE(name);
    const std::string plain = std::string(name) + (name[3] == '.' ? ".f32" : ".approx.f32");
    const std::string flushed =
        std::string(name) + (name[3] == '.' ? ".ftz.f32" : ".approx.ftz.f32");
    CHECK(wrong_blocks(plain, kForms.at(flushed).function) > 0);
    CHECK(wrong_blocks(flushed, kForms.at(plain).function) > 0);
  }
}

TEST_CASE("the correctly rounded value would be noticed, and is near") {
  const auto rounded = [](Long a, Word) {
    return Long{model::bits_of(1.0f / model::float_of(static_cast<Word>(a)))};
  };
  CHECK(wrong_blocks("rcp.approx.f32", rounded) > 900);
  for (Word i = 0; i < 100000; ++i) {
    const Word a = 0x3f800000u + (mix(i) & 0x7fffffu);
    const int apart = static_cast<int>(model::rcp_ftz(a) - rounded(a, 0));
    CHECK_MESSAGE((apart >= -1 && apart <= 1), a);
  }
}

TEST_CASE("every quiet and signalling NaN gives the one NaN") {
  for (const auto& [mnemonic, form] : kForms) {
    if (form.shape != Shape::single) continue;
    for (const Word nan : {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffc12345u})
      CHECK(form.function(nan, 0) == 0x7fffffffu);
  }
}

#ifdef LANESCOPE_RECORD
TEST_CASE("the recording program writes on the emulator what it wrote on the card") {
  const std::string ours = lanescope::golden::recorded_on_emulator(LANESCOPE_RECORD, "emulator");
  REQUIRE(ours != "");
  const Recording emulated = parse_recording(ours);
  REQUIRE(emulated.problem == "");
  REQUIRE(emulated.forms.size() == h200().forms.size());
  for (std::size_t i = 0; i < emulated.forms.size(); ++i) {
    CAPTURE(emulated.forms[i].mnemonic);
    CHECK((emulated.forms[i].words == h200().forms[i].words));
  }
}
#endif

TEST_CASE("a recording that is cut off or is none says so") {
  CHECK(parse_recording("").problem != "");
  CHECK(parse_recording("lanescope arithmetic 1|x\n").problem ==
        "not a recording of the approximate functions");
  const std::string header = "lanescope approximate 1|card|sm_90|driver 1|runtime 1|note\n";
  CHECK(parse_recording(header).problem == "");
  CHECK(parse_recording(header + "ex2.approx.f32").problem != "");
  CHECK(parse_recording(header + "ex2.approx.f32|0\n").problem == "cut off in ex2.approx.f32");
  const std::string form = "ex2.approx.f32|512\n";
  CHECK(parse_recording(header + form + std::string(15, '\0')).problem ==
        "cut off in ex2.approx.f32");
  CHECK(parse_recording(header + form + std::string(16, '\0')).problem == "");
  CHECK(lanescope::golden::unpacked("/nowhere/h200.bin.zst").bytes.empty());
  CHECK(lanescope::golden::unpacked("/nowhere/h200.bin.zst").problem ==
        "/nowhere/h200.bin.zst: not there, or not compressed with zstd");
}
