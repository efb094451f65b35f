// SPDX-License-Identifier: MIT
// Names as they are pasted: with operands, inside of templates, in the tongues of CUDA C++, CuTe
// and SASS. Every name here was copied from CUTLASS's headers, a listing, or the programming guide.
#include "layout/spellings.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "layout/query.hpp"

namespace lanescope::layout {
namespace {

struct Means {
  const char *typed, *name;
};

std::string only(const Found& found) {
  if (found.count() != 1) return std::to_string(found.count()) + " entries";
  return found.movers.empty() ? found.instructions.front()->mnemonic
                              : found.movers.front()->mnemonic;
}

TEST_CASE("what a name was pasted with is no part of it") {
  for (const Means& line : {
           Means{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5};",
                 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
           Means{"\"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];",
                 "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
           Means{"HMMA.16816.F32 R4, R8.reuse, R2, RZ ;",
                 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
           Means{"LDSM.16.MT88.4 R24, [R3+UR4]", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
           Means{"MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}",
                 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
           Means{"cute::SM80_16x8x16_F32F16F16F32_TN",
                 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
           Means{"SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>",
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"},
           Means{"MMA_64x128x16_F32F16F16_SS",
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"},
           Means{"HGMMA.64x128x16.F32 R24, gdesc[UR8].tnspB, R24, !UPT, gsb0 ;",
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"},
           Means{"LDTM.x32 R4, tmem[UR4]", "tcgen05.ld.sync.aligned.32x32b.x32.b32"},
       }) {
    CAPTURE(std::string(line.typed));
    CHECK(only(look_up(line.typed)) == line.name);
  }
  CHECK(bare("UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR8]") == "UTCHMMA");
  CHECK(bare("mma[3]") == "mma");  // alone it is a name
  CHECK(bare("m16n8 s4") == "m16n8 s4");
  CHECK(bare("MMA P4RT R2D2 RX") == "MMA P4RT R2D2 RX");  // no registers
  CHECK(bare("fragment<a, 1> x < y") == "fragment<a,1>");
  for (const char* words :
       {"<", ">", "><", "a<b", "R4", "{", "wmma::fragment<", "sm90_", "SM12", "SM120_<,>",
        "LDTM.dp", "LDTM.bitdp", "LDTM..x", "LDTM.16dp256bit.y4"}) {
    CAPTURE(std::string(words));
    CHECK(look_up(words).count() == 0);
  }
}

TEST_CASE("sparse atoms, kinds of sm_120, tensor memory of CuTe and SASS") {
  const char* const kNvfp4 =
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1."
      "f32.ue4m3";
  for (const Means& line : {
           Means{"SM90::GMMA::SPARSE::GMMA_64x128x32_F32F16F16_SS",
                 "wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16"},
           Means{"SM120_16x8x32_TN<float_e4m3_t, float_e5m2_t, float>",
                 "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e5m2.f32"},
           Means{"SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<cutlass::float_e2m1_t, "
                 "cutlass::float_e2m1_t, float, cutlass::float_ue4m3_t, 16>",
                 kNvfp4},
           Means{"OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X", kNvfp4},
           Means{"SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256, UMMA::Major::K>",
                 "tcgen05.mma.cta_group::1.m128n256.f32"},
           Means{"SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, half_t, 256, 64>",
                 "tcgen05.mma.cta_group::2.m256n64.f16"},
           Means{"SM100_MMA_F16BF16_WS_SS<half_t, half_t, float, 64, 128, UMMA::Major::K>",
                 "tcgen05.mma.ws.cta_group::1.m64n128.f32"},
           Means{"SM100_MMA_F16BF16_2x1SM_SS_SPARSE<half_t, half_t, float, 128, 64>",
                 "tcgen05.mma.sp.cta_group::2.m128n64.f32"},
           Means{"SM100_MMA_F16BF16_2x1SM_SS_SPARSE<half_t, half_t, float, 256, 64>",
                 "tcgen05.mma.cta_group::2.m256n64.f32"},
           Means{
               "SM103_MXF4_ULTRA_SS_VS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 128, 192, "
               "16, UMMA::Major::K>",
               "tcgen05.mma.cta_group::1.m128n192.f32"},
           Means{"SM100_TMEM_LOAD_16dp32b2x", "tcgen05.ld.sync.aligned.16x32bx2.x2.b32"},
           Means{"SM100_TMEM_STORE_16dp32b4x_16b",
                 "tcgen05.st.sync.aligned.16x32bx2.x4.unpack::16b.b32"},
           Means{"QMMA.SF.16832.F32.E4M3.E5M2.E8",
                 "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32."
                 "e4m3."
                 "e5m2.f32.ue8m0"},
           Means{"LDTM.STAT.x4.MINABS.F32.NAN R9, R4, tmem[UR4]",
                 "tcgen05.ld.sync.aligned.32x32b.x4.b32"},
           Means{"LDTM.STAT.16dp32bit_t0_t15.x4.MAX R9, R4, tmem[UR4]",
                 "tcgen05.ld.sync.aligned.16x32bx2.x4.b32"},
           Means{"LDTM.x8", "tcgen05.ld.sync.aligned.32x32b.x8.b32"},
           Means{"LDTM.16dp256bit.x4", "tcgen05.ld.sync.aligned.16x256b.x4.b32"},
           Means{"LDTM.16dp32bit_t0_t15.x2", "tcgen05.ld.sync.aligned.16x32bx2.x2.b32"},
           Means{"LDTM.x16.PACK16BIT", "tcgen05.ld.sync.aligned.32x32b.x16.pack::16b.b32"},
       }) {
    CAPTURE(std::string(line.typed));
    CAPTURE(translated(bare(line.typed)));
    CHECK(only(look_up(line.typed)) == line.name);
  }
  // Plain, and of kind::f8f6f4: the same maps.
  CHECK(look_up("QMMA.16832.F32.E4M3.E4M3").count() == 2);
  // mma.sp and mma.sp::ordered_metadata.
  CHECK(look_up("SM80_SPARSE_16x8x32_F32F16F16F32_TN").count() == 2);
}

TEST_CASE("fragments of wmma are operands of wmma.mma") {
  struct Names {
    const char* typed;
    char operand;
    std::size_t count;
    const char* has;
  };
  for (const Names& line : {
           Names{"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%r2], 16;", 'A', 8,
                 ".aligned.row."},
           Names{"wmma.load.b.sync.aligned.col.m32n8k16.s8", 'B', 2, ".col.m32n8k16.s32.s8.s8."},
           Names{"wmma.load.c.sync.aligned.row.m16n16k16.f32", 'C', 12, ".f32"},
           Names{"wmma.store.d.sync.aligned.row.m16n16k16.global.f16", 'D', 8, "k16.f16."},
           Names{"nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, "
                 "nvcuda::wmma::row_major>",
                 'A', 8, ".aligned.row."},
           Names{"wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, "
                 "wmma::col_major> b;",
                 'B', 2, ".col.m16n16k8.f32.tf32."},
           Names{"wmma::fragment<wmma::accumulator, 32, 8, 16, float> sums[4];", 'D', 12,
                 "m32n8k16.f32."},
           Names{"wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::u4, "
                 "wmma::row_major>",
                 'A', 1, ".u4.u4."},
       }) {
    CAPTURE(std::string(line.typed));
    const Found found = look_up(line.typed);
    CHECK(found.operand == line.operand);
    CHECK(found.instructions.size() == line.count);
    for (const Instruction* i : found.instructions) {
      CHECK_MESSAGE((i->mnemonic + ".").find(line.has) != std::string::npos, i->mnemonic);
      CHECK(same_maps(*found.instructions.front(), *i, line.operand));
    }
  }
  CHECK(look_up("wmma.load.q.sync.aligned.row.m16n16k16.f16").count() == 0);
  CHECK(look_up("wmma m16n16k16").operand == 0);
}

TEST_CASE("a name without qualifiers is the plain one's") {
  const auto plain_of = [](const char* words) {
    const Mover* m = plain(look_up(words).movers);
    return m == nullptr ? std::string() : m->mnemonic;
  };
  CHECK(plain_of("ldmatrix.x4") == "ldmatrix.sync.aligned.m8n8.x4.shared.b16");
  CHECK(plain_of("ldmatrix.x4.trans") == "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16");
  CHECK(plain_of("stmatrix.x4.trans") == "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16");
  CHECK(plain_of("tcgen05.ld.32x32b.x8") == "tcgen05.ld.sync.aligned.32x32b.x8.b32");
  CHECK(plain_of("tcgen05.st.16x64b.x2") == "tcgen05.st.sync.aligned.16x64b.x2.b32");
  CHECK(plain_of("tcgen05.ld.x8").empty());  // of which shape?
  CHECK(plain_of("ldmatrix").empty());       // how many matrices?
  CHECK(plain({}) == nullptr);
}

// Names with letters taken out, put in and exchanged, and names grown together.
TEST_CASE("damaged names end in an answer or in none, and what is bare stays as it is") {
  const std::vector<std::string> whole{
      "SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>",
      "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t>",
      "SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 128, 256, UMMA::Major::K>",
      "wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;",
      "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%r2], 16;",
      "LDTM.16dp32bit_t0_t15.x2 R4, tmem[UR4]",
      "HMMA.SP.16832.F32 R4, R8.reuse, RZ ;",
      "SM75_U32x4_LDSM_N",
      "tcgen05.ld.32x32b.x8"};
  std::mt19937 random(20261123);
  const auto below = [&](std::size_t count) { return random() % count; };
  for (int turn = 0; turn < 200; ++turn) {
    std::string text = whole[below(whole.size())];
    for (int times = 0; times < 3; ++times) {
      const std::string& other = whole[below(whole.size())];
      const std::size_t at = below(text.size());
      if (turn % 4 == 0) text.erase(at, 1 + below(6));
      if (turn % 4 == 1) text.insert(at, 1, "<>{}[].:,;_ xR4"[below(15)]);
      if (turn % 4 == 2) text = text.substr(0, at) + other.substr(below(other.size()));
      if (turn % 4 == 3) text[at] = static_cast<char>(random());
      if (text.empty()) text = "_";
    }
    CAPTURE(text);
    CHECK(bare(bare(text)) == bare(text));
    CHECK(look_up(text).count() < instructions().size() + movers().size());
  }
}

}  // namespace
}  // namespace lanescope::layout
