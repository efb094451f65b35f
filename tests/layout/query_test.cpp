// SPDX-License-Identifier: MIT
// Words that people type, and what they find: one entry, a number of entries that all are such, or
// a line that says why there is none.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "layout/query.hpp"

namespace lanescope::layout {
namespace {

std::vector<std::string> names(const Found& found) {
  std::vector<std::string> all;
  for (const Instruction* i : found.instructions) all.push_back(i->mnemonic);
  for (const Mover* m : found.movers) all.push_back(m->mnemonic);
  return all;
}

TEST_CASE("names of other tongues that mean one instruction") {
  struct Means {
    const char *typed, *name;
  };
  for (const Means& line : {
           Means{"HMMA.16816.F32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
           Means{"HMMA.1688.F16", "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"},
           Means{"HMMA.16816.F32.BF16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
           Means{"HMMA.1688.F32.TF32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
           Means{"IMMA.16832.S8.S8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
           Means{"DMMA.884", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"},
           Means{"HGMMA.64x256x16.F32", "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16"},
           Means{"LDSM.16.M88.4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
           Means{"LDSM.16.MT88.2", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"},
           Means{"SM80_16x8x16_F32F16F16F32_TN",
                 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
           Means{"SM80_16x8x8_F32TF32TF32F32_TN",
                 "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
           Means{"SM80_16x8x32_S32S8S8S32_TN", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
           Means{"SM80_16x8x256_S32U1U1S32_TN_XORPOPC",
                 "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc"},
           Means{"SM89_16x8x32_F32E4M3E5M2F32_TN",
                 "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32"},
           Means{"SM70_8x8x4_F32F16F16F32_NT", "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32"},
           Means{"SM90_64x128x16_F32F16F16_SS",
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"},
           Means{"SM90::GMMA::MMA_64x128x16_F32BF16BF16_RS",
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16"},
           Means{"SM75_U32x4_LDSM_N", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
           Means{"SM75_U16x8_LDSM_T", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
           Means{"SM90_U32x2_STSM_N", "stmatrix.sync.aligned.m8n8.x2.shared.b16"},
           Means{"SM100_TMEM_LOAD_32dp32b8x", "tcgen05.ld.sync.aligned.32x32b.x8.b32"},
           Means{"SM100_TMEM_STORE_16dp256b1x_16b",
                 "tcgen05.st.sync.aligned.16x256b.x1.unpack::16b.b32"},
           Means{"MOVM", "movmatrix.sync.aligned.m8n8.trans.b16"},
       }) {
    CAPTURE(std::string(line.typed));
    CAPTURE(translated(line.typed));
    CHECK(names(look_up(line.typed)) == std::vector<std::string>{line.name});
  }
}

TEST_CASE("everyday words find what has them all, and nothing else") {
  struct Means {
    const char* typed;
    std::vector<std::vector<const char*>> each;  // of each of these, one is in every name
  };
  for (const Means& line : {
           Means{"fp8", {{".e4m3", ".e5m2"}}},
           Means{"int8", {{".s8", ".u8"}}},
           Means{"int4 16x8", {{".s4", ".u4"}, {"m16n8k"}}},
           Means{"tf32 16x8", {{".tf32"}, {"m16n8k"}}},
           Means{"bfloat16 16x8x16", {{".bf16"}, {"m16n8k16."}}},
           Means{"fp4", {{".e2m1"}}},
           Means{"HMMA.16816", {{"mma.sync"}, {"m16n8k16."}, {".f16.f16.", ".bf16.bf16."}}},
           Means{"HMMA.1688",
                 {{"mma.sync"}, {"m16n8k8."}, {".f16.f16.", ".bf16.bf16.", ".tf32.tf32."}}},
           Means{"nvfp4", {{"mxf4nvf4"}}},
           Means{"mxfp4", {{"kind::mxf4."}}},
           Means{"sparse FP16 16x8x32", {{"mma.sp"}, {".f16"}, {"m16n8k32."}}},
           Means{"nvcuda::wmma 16x16x16", {{"wmma."}, {"m16n16k16"}}},
           Means{"wmma::load_matrix_sync", {{"wmma.mma"}}},
           Means{"double 8x8x4", {{".f64"}, {"m8n8k4."}}},
           Means{"wgmma fp8 64x64", {{"wgmma"}, {".e4m3", ".e5m2"}, {"m64n64k"}}},
           Means{"QMMA.16832.F32.E4M3.E4M3", {{"mma.sync"}, {"m16n8k32."}, {".f32.e4m3.e4m3."}}},
           Means{"M16N8K16 BF16", {{"m16n8k16."}, {".bf16"}}},
           Means{"tcgen05.mma.cta_group::2.kind::f16", {{"tcgen05.mma.cta_group::2"}}},
           Means{"SM100_MMA_F16BF16_SS", {{"tcgen05.mma.cta_group::1"}}},
           Means{"TMEM load", {{"tcgen05.ld"}}},
       }) {
    CAPTURE(std::string(line.typed));
    const std::vector<std::string> found = names(look_up(line.typed));
    CHECK(found.size() > 0);
    for (const std::string& name : found)
      for (const auto& either : line.each) {
        bool has = false;
        for (const char* one : either) has = has || name.find(one) != std::string::npos;
        CHECK_MESSAGE(has, name);
      }
  }
  CHECK(names(look_up("dense M16N8K16 BF16")) ==
        std::vector<std::string>{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"});
  CHECK(look_up("dense").count() + look_up(".sp").count() == look_up("").count());
  CHECK(look_up("fp8").count() > 400);
  CHECK(look_up("blackwell").count() > 300);
  CHECK(look_up("HMMA.16816").count() == 3);  // into f16 and f32, and of bf16
  CHECK(look_up("hopper").instructions.size() == 474 + 456);
  CHECK(look_up("sm_90a").count() == look_up("hopper").count());
  CHECK(look_up("sm90").count() == look_up("sm_90").count());
  CHECK(look_up("sm_90").count() > look_up("sm_90a").count());  // stmatrix, f64
  CHECK(names(look_up("sm_100")) == names(look_up("sm_100f")));
  CHECK(look_up("sm100a tcgen05.ld").count() == look_up("tcgen05.ld").count());
  CHECK(look_up("sm_").count() == 0);
}

TEST_CASE("PTX's own words mean what they meant") {
  CHECK(translated("m16n8 s4").empty());
  CHECK(names(look_up("m16n8 s4")) == names(with_words("m16n8 s4")));
  CHECK(look_up("ldmatrix trans").movers.size() == 9);
  CHECK(look_up("").count() == instructions().size() + movers().size());
}

std::size_t lacking(const Found& found, const char* word) {
  const std::vector<std::string> all = names(found);
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const auto& name) {
    return (name + ".").find(word) == std::string::npos;
  }));
}

TEST_CASE("a name with pieces left out") {
  struct Means {
    const char *typed, *name;
  };
  for (const Means& line : {
           Means{"mma.m16n8k16.f32.f16.f16.f32",
                 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
           Means{"MMA.m16n8k32.s8.s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
           Means{"mma.sp.m16n8k16.f32.bf16",
                 "mma.sp.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
           Means{"wgmma.m64n128k16.f32.f16.f16",
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"},
           Means{"ldmatrix.x4.trans.m8n8.b16", ""},
           Means{"ldmatrix.m8n8.x4.trans.b16", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
           Means{"mma.m16n8k32.s", ""},
           Means{"mma.m16n8k32 s9", ""},
       }) {
    CAPTURE(std::string(line.typed));
    const std::vector<std::string> none;
    CHECK(names(look_up(line.typed)) ==
          (*line.name == 0 ? none : std::vector<std::string>{line.name}));
  }
  CHECK(lacking(look_up("mma.m16n8k32 s8"), "mma.sync.aligned.m16n8k32.") == 0);
  CHECK(look_up("mma.m16n8k32 s8").count() == 3);  // of s8 and u8
  CHECK(lacking(look_up("sp.m16n8k32"), ".sp.") == 0);
}

TEST_CASE("a word that is typed to its end means what is called so, not what contains it") {
  for (const ElementTypeInfo& type : kElementTypes) {
    const Found found = look_up(type.name);
    const std::string dotted = "." + std::string(type.name) + ".";
    if (lacking(found, dotted.c_str()) == found.count()) continue;  // b2: of no name
    CAPTURE(dotted);
    CHECK(lacking(found, dotted.c_str()) == 0);
  }
  CHECK(look_up("f16").count() + look_up("bf16").count() == look_up("f1").count());
  CHECK(lacking(look_up("wgmma m64n8 f16"), "m64n8k") == 0);
  CHECK(lacking(look_up("wgmma m64n8 f16"), ".f16.") == 0);
  CHECK(lacking(look_up("tcgen05.ld x1"), ".x1.") == 0);
  CHECK(lacking(look_up("M64N8 F16"), ".f16.") == 0);
  CHECK(lacking(look_up("f32.f16"), ".f32.f16.") == 0);
  CHECK(lacking(look_up("f8"), ".e") == 0);  // a part of .kind::f8f6f4 and of its like, too
}

TEST_CASE("a word on its way has all that it may still become") {
  for (const char* words :
       {"m16n8k16 row f32.bf16", "wgmma m64n80k16 bf16", "ldmatrix x2 trans",
        "mma.sp m16n8k64 e4m3 e5m2", "tcgen05.ld 16x256b x16", "wgmma 64 bf16"}) {
    const Found last = look_up(words);
    REQUIRE(last.count() > 0);
    const std::string whole = words;
    for (std::size_t typed = 1; typed < whole.size(); ++typed) {
      CAPTURE(whole.substr(0, typed));
      CHECK(look_up(whole.substr(0, typed)).count() > 0);
    }
  }
  const auto has = [](const Found& found, const char* name) {
    const std::vector<std::string> all = names(found);
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  CHECK(has(look_up("m16n8k16.row f1"), "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
  CHECK(has(look_up("m16n8k16.row f1"), "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"));
  CHECK_FALSE(
      has(look_up("m16n8k16.row f16"), "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"));
  CHECK(place_of("mma.sync.aligned.m16n8k16.row.col.bf16.f16", "f16") == 39);
  CHECK(place_of("x", "") == std::string_view::npos);
}

TEST_CASE("what is not in the atlas is said; nonsense finds nothing and says nothing") {
  for (const char* words :
       {"cp.async", "SM80_CP_ASYNC_CACHEALWAYS", "TMA", "mbarrier", "LDGSTS", "tcgen05.cp", "dp4a",
        "swizzle 128B", "SW128", "GMMA::Layout_K_SW64_Atom"}) {
    CAPTURE(std::string(words));
    CHECK(look_up(words).count() == 0);
    CHECK_FALSE(not_in_atlas(words).empty());
  }
  CHECK(not_in_atlas("cp.async.bulk.tensor").find("lesson 12") != std::string::npos);
  CHECK(not_in_atlas("sm80_cp_async_cacheglobal") == not_in_atlas("cp.async"));
  // A layout that is reckoned is said, whether or not a fragment has it.
  CHECK(look_up("composition(((4,8),(2,2)):((32,1),(16,8)), (32,4))").count() > 0);
  CHECK(not_in_atlas("composition((16,16):(16,1), 4:16)")
            .find("it is 4:1; a fragment's layout has two modes") == 0);
  for (const char* words : {"frobnicate", "x", "16x", "x16", "16x8x16x4", "sm_", "SM80_", "SM_x_y_",
                            "SM75_Ux_LDSM_N", "SM100_TMEM_LOAD_dpbx", "HMMA.", ".", "|", "^", "!",
                            "@", "SM80_16x8x16_F32Q7_TN", "999999999999x8"}) {
    CAPTURE(std::string(words));
    const Found found = look_up(words);
    for (const Instruction* i : found.instructions) CHECK(i != nullptr);
    CHECK(not_in_atlas(words).empty());
  }
  CHECK(look_up("frobnicate").count() == 0);
  CHECK(look_up("SM80_16x8x64_F32F16F16F32_TN").count() == 0);  // no such shape
}

}  // namespace
}  // namespace lanescope::layout
