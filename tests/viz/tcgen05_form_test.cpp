// SPDX-License-Identifier: MIT
// The descriptors of tcgen05.mma on the workbench, from words.
#include <doctest/doctest.h>

#include "panels/forms/tcgen05_form.hpp"

namespace lanescope::viz {
namespace {

struct Forms {
  Tcgen05Form tcgen05;
  DescriptorForm form;
  Forms() { form.bits = right_bits(form.tile, 0); }
  std::string read(const char* words) { return read_words(words, tcgen05, form); }
};

TEST_CASE("tcgen05 alone: the tile's descriptor, with tcgen05's numbers") {
  Forms f;
  CHECK(names_reading("tcgen05"));
  CHECK_FALSE(names_reading("128B K 16 64x64"));
  CHECK(f.read("tcgen05").empty());
  CHECK(words_of(f.tcgen05) == "tcgen05 0x4000404000010040");
  CHECK(not_fetched(f.tcgen05, f.form).empty());
  CHECK(f.read("tcgen05 64B K 16 64x32").empty());
  CHECK((f.form.tile.mode == layout::Swizzle::b64));
  CHECK((f.tcgen05.bits >> 61) == 4);
}

TEST_CASE("the word that says how to read may stand anywhere") {
  Forms f;
  CHECK(names_reading("0x4000402000010040 tcgen05"));
  CHECK(f.read("64B 64x32 tcgen05").empty());
  CHECK((f.tcgen05.bits >> 61) == 4);
  CHECK(f.read("f16 0x08400490 instruction").empty());
  CHECK(words_of(f.tcgen05) == "instruction f16 0x08400490");
}

TEST_CASE("tcgen05 takes MN-major tiles of 8 bits, which wgmma does not") {
  Forms f;
  CHECK(f.read("tcgen05 128B MN 8 128x64").empty());
  CHECK(fetch(f.form).wrong == 0);
  CHECK(f.read("tcgen05 64B MN 32 32x32").find("only in mode 128B/32B") != std::string::npos);
  CHECK(f.read("wgmma").empty());  // has none: what it has is shown
  CHECK(words_of(f.form.tile) == "128B K 16 64x64");
  CHECK(f.read("wgmma 128B MN 8 128x64").find("only for 16-bit") != std::string::npos);
}

TEST_CASE("tcgen05 with bits: wgmma's form follows where it can") {
  Forms f;
  CHECK(f.read("tcgen05 0x8000402000010040").empty());  // 64B, sbo 512
  CHECK((layout::decode(f.form.bits).mode == layout::Swizzle::b64));
  CHECK(layout::decode(f.form.bits).sbo_bytes == 512);
  CHECK(f.read("tcgen05 0x2000404000010040").empty());  // atoms of 32 bytes: wgmma has none
  CHECK(f.form.wide);
  CHECK(not_fetched(f.tcgen05, f.form).find("choose 128B/32B for the tile") != std::string::npos);
  CHECK(f.read("tcgen05 0xz").find("hexadecimal") != std::string::npos);
  CHECK(f.read("wgmma").empty());
  CHECK((f.tcgen05.reading == Reading::wgmma));
  CHECK_FALSE(f.form.wide);
  CHECK(not_fetched(f.tcgen05, f.form).empty());
}

TEST_CASE("tcgen05 with atoms of 32 bytes: the tile brings its descriptor, and it fetches") {
  Forms f;
  CHECK(f.read("tcgen05 128B/32B 64x16").empty());
  CHECK(words_of(f.form.tile) == "128B/32B MN 32 64x16");
  CHECK(words_of(f.tcgen05) == "tcgen05 0x2000404000200040");  // lbo 512, sbo 1024
  CHECK(not_fetched(f.tcgen05, f.form).empty());
  CHECK(fetch(f.form).wrong == 0);
  CHECK(f.read("tcgen05 128B/32B 64x16 step=1").empty());
  CHECK(f.tcgen05.bits == 0x20004040002000c0u);  // eight columns of K further: 2048 bytes
  CHECK(fetch(f.form).wrong == 0);
  CHECK(f.read("tcgen05 step=0").empty());
  CHECK(
      f.read("tcgen05 0x2000404000210040").empty());  // lbo 528: the other 32 of MN come from there
  CHECK(fetch(f.form).wrong == 32 * 8);
  CHECK(f.read("tcgen05 0x2002404000200040").empty());  // base 1
  CHECK(not_fetched(f.tcgen05, f.form).find("does not say") != std::string::npos);
  CHECK(f.read("tcgen05 0x4000404000200040").empty());  // atoms of 16 bytes: not for 32 bits
  CHECK(not_fetched(f.tcgen05, f.form).find("mode 128B/32B") != std::string::npos);
  CHECK(f.read("tcgen05 128B/32B 64x16").empty());
  CHECK(f.read("wgmma").empty());  // has none: what it has is shown
  CHECK(words_of(f.form.tile) == "128B MN 16 64x64");
  CHECK(f.form.bits == right_bits(f.form.tile, 0));
  CHECK(f.read("tcgen05 128B/32B K 64x16").find("MN-major tiles of 32-bit") != std::string::npos);
  CHECK(f.read("tcgen05 128B/32B 48x16").find("in steps of 32x8") != std::string::npos);
}

TEST_CASE("instruction: a kind, bits or fields") {
  Forms f;
  CHECK(f.read("instruction f16 0x08400490").empty());
  CHECK(words_of(f.tcgen05) == "instruction f16 0x08400490");
  CHECK(f.read("instruction m=64 n=64").empty());
  CHECK(words_of(f.tcgen05) == "instruction f16 0x04100490");
  CHECK(f.read("instruction mxf4 sfa=2").empty());
  CHECK(f.tcgen05.instruction == (layout::usual_instruction(layout::Tcgen05Kind::mxf4) | 2u << 29));
  const Tcgen05Form before = f.tcgen05;
  for (const char* bad : {"instruction mxf4 sfa=1 x=2", "instruction f16 0x123456789",
                          "instruction sevenbit", "instruction f16 m=100"}) {
    CHECK_FALSE(f.read(bad).empty());
    CHECK((f.tcgen05 == before));
  }
}

}  // namespace
}  // namespace lanescope::viz
