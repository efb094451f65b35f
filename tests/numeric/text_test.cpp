// SPDX-License-Identifier: MIT
// to_text: what people read, and that it names the pattern.
#include <doctest/doctest.h>

#include <cmath>

#include <cstdlib>
#include <string>

#include "numeric/format.hpp"
#include "tests/numeric/oracle.hpp"

using namespace lanescope::numeric;

TEST_CASE("scale factors: a power of two, or e4m3 without a sign") {
  CHECK(decode_scale("ue8m0", 127) == 1.0);
  CHECK(decode_scale("ue8m0", 0) == 0x1p-127);
  CHECK(decode_scale("ue8m0", 254) == 0x1p127);
  CHECK(std::isnan(*decode_scale("ue8m0", 255)));
  CHECK(decode_scale("ue4m3", 0x38) == 1.0);
  CHECK(decode_scale("ue4m3", 0xb8) == 1.0);
  CHECK(decode_scale("ue4m3", 0x7e) == 448.0);
  CHECK(std::isnan(*decode_scale("ue4m3", 0x7f)));
  CHECK_FALSE(decode_scale("e4m3", 0).has_value());
  CHECK(to_text("ue8m0", 127) == "1");
  CHECK(to_text("ue8m0", 130) == "2^3");
  CHECK(to_text("ue8m0", 0) == "2^-127");
  CHECK(to_text("ue8m0", 255) == "nan");
  CHECK(to_text("ue4m3", 0xb4) == "0.75");
  CHECK(to_text("ue4m3", 0x18) == "0.0625");
  CHECK(to_text("ue4m3", 0x7e) == "448");
  CHECK(to_text("ue4m3", 0x7f) == "nan");
}

TEST_CASE("to_text: what people expect to read") {
  CHECK(to_text("f16", 0x5a48) == "201");
  CHECK(to_text("f16", 0x8000) == "-0");
  CHECK(to_text("f16", 0x0000) == "0");
  CHECK(to_text("f16", 0x3e00) == "1.5");
  CHECK(to_text("f16", 0x2e66) == "0.1");
  CHECK(to_text("f16", 0x7bff) == "65504");
  CHECK(to_text("f16", 0x0001) == "6e-08");
  CHECK(to_text("f16", 0x7c00) == "inf");
  CHECK(to_text("f16", 0xfc00) == "-inf");
  CHECK(to_text("f16", 0xfe01) == "nan");
  CHECK(to_text("f32", 0x3dcccccd) == "0.1");
  CHECK(to_text("f32", 0x40490fdb) == "3.1415927");
  CHECK(to_text("f32", 0x4b7fffff) == "16777215");
  CHECK(to_text("f32", 0x7f7fffff) == "3.4028235e+38");
  CHECK(to_text("f32", 0xff800000) == "-inf");
  CHECK(to_text("f64", 0x3ff8000000000000) == "1.5");
  CHECK(to_text("f64", 0xfff8000000000000) == "nan");
  CHECK(to_text("bf16", 0x4049) == "3.14");
  CHECK(to_text("tf32", 0x3f801fff) == "1");
  CHECK(to_text("e4m3", 0x7e) == "448");
  CHECK(to_text("e4m3", 0x7f) == "nan");
  CHECK(to_text("e5m2", 0xfc) == "-inf");
  CHECK(to_text("e2m1", 0xd) == "-3");
  CHECK(to_text("e2m1", 0x1) == "0.5");
}

TEST_CASE("to_text: integers in decimal") {
  CHECK(to_text("s32", 0xffffffff) == "-1");
  CHECK(to_text("s32", 0x80000000) == "-2147483648");
  CHECK(to_text("s8", 0x80) == "-128");
  CHECK(to_text("s8", 0xffffff7f) == "127");
  CHECK(to_text("u8", 0xff) == "255");
  CHECK(to_text("s4", 0x8) == "-8");
  CHECK(to_text("u4", 0xff) == "15");
  CHECK(to_text("b1", 1) == "1");
  CHECK(to_text("b1", 2) == "0");
}

TEST_CASE("to_text: not a type") {
  CHECK_FALSE(to_text("f8", 0).has_value());
  CHECK_FALSE(to_text("", 0).has_value());
  CHECK_FALSE(to_text(".f16", 0).has_value());
}

TEST_CASE("to_text: the text of every pattern leads back to it") {
  for (const oracle::Known& known : oracle::kAll) {
    CAPTURE(known.format->name);
    int wrong = 0;
    const std::uint32_t stride = known.pattern_bits > 16 ? 7 : 1;
    for (std::uint32_t p = 0; p < 1u << known.pattern_bits; p += stride) {
      const std::uint32_t pattern = oracle::container(known, p);
      const double value = decode(*known.format, pattern);
      const std::string text = *to_text(known.format->name, pattern);
      if (value != value) {
        wrong += text != "nan";
        continue;
      }
      wrong += encode(*known.format, std::strtod(text.c_str(), nullptr)) != pattern;
      wrong += text.size() > 13;
    }
    CHECK(wrong == 0);
  }
}
