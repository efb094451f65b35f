// SPDX-License-Identifier: MIT
// The atlas as a command: what is printed, on which stream, and the exit code.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdio>
#include <sstream>

#include "layout/mover.hpp"
#include "layout/rows.hpp"
#include "tests/build_folder.hpp"
#include "tests/contents.hpp"
#include "tests/listings.hpp"

using namespace lanescope::layout;

namespace {

struct Result {
  int code;
  std::string out, err;
  double seconds;  // of a processor
};

/// Of all commands so far. How long they took depends on who else is at work.
double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

Result run(const std::string& arguments) {
  const std::string stem = (lanescope::tests::build_folder() / "tests" / "layout_command").string();
  const std::string command =
      fmt::format("'{}/bin/lanescope' {} > '{}.out' 2> '{}.err'",
                  lanescope::tests::build_folder().string(), arguments, stem, stem);
  const double before = processor_seconds();
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          lanescope::tests::contents_of(stem + ".out"),
          lanescope::tests::contents_of(stem + ".err"), processor_seconds() - before};
}

bool one_line(const std::string& text) {
  return text.rfind("lanescope: ", 0) == 0 && text.find('\n') == text.size() - 1;
}

constexpr const char* kMma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

}  // namespace

TEST_CASE("layout I --csv is the table") {
  const Result r = run(fmt::format("layout {} --csv", kMma));
  CHECK(r.code == 0);
  CHECK(r.err.empty());
  CHECK(r.out == csv(*find(kMma)));
  CHECK(r.out.rfind("operand,thread,value,register,bit,row,col\nA,0,0,0,0,0,0\n", 0) == 0);
  const Result sparse = run("layout mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --csv");
  CHECK(sparse.out.rfind("selector,operand,thread,value,register,bit,row,col\n,A,0,0,", 0) == 0);
  CHECK(sparse.out.find("\n3,E,31,15,0,30,15,7\n") != std::string::npos);
  const Result mover = run("layout ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 --csv");
  CHECK(mover.code == 0);
  CHECK(mover.out == csv(*find_mover("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16")));
}

TEST_CASE("of a mover, too, --csv, --json and --markdown have the places that are asked for") {
  const std::string load = "layout ldmatrix.sync.aligned.m8n8.x2.shared.b16 ";
  const std::string head = "side,thread,value,register,bit,matrix,row,col\n";
  CHECK(run(load + "--lane 5 --register 1 --csv").out == head +
                                                             "reg,5,2,1,0,1,1,2\n"
                                                             "reg,5,3,1,16,1,1,3\n");
  CHECK(run(load + "--element 1,3,5 --csv").out == head + "reg,14,3,1,16,1,3,5\n");
  CHECK(run(load + "--lane 9 --csv").out.find("\naddr,9,0,0,0,1,1,0\nreg,9,") != std::string::npos);
  const Result json = run(load + "--lane 5 --json");
  CHECK(json.out.find("\"thread\":5,") != std::string::npos);
  CHECK(json.out.find("\"thread\":6,") == std::string::npos);
  const Result table = run(load + "--lane 5 --register 0 --markdown");
  CHECK(table.code == 0);
  CHECK(table.out.find(
            "| reg | 5 | 0 | 0 | 0 | 0 | 1 | 2 |\n| reg | 5 | 1 | 0 | 16 | 0 | 1 | 3 |\n") !=
        std::string::npos);
  // Scale factors are an operand, and all that there is.
  const std::string sfa = "layout tcgen05.mma.cta_group::1.block_scale.sfa.m128 ";
  CHECK(run(sfa + "--operand SFA --element 40,2").out == run(sfa + "--element 40,2").out);
}

TEST_CASE("both directions, and parts of a name") {
  const Result lane = run(fmt::format("layout {} --operand A --lane 5 --register 3 --csv", kMma));
  CHECK(lane.out == "operand,thread,value,register,bit,row,col\nA,5,6,3,0,9,10\nA,5,7,3,16,9,11\n");
  const Result element = run(fmt::format("layout {} --element 9,5", kMma));
  CHECK(element.code == 0);
  CHECK(element.out.find("A[9][5]  lane 6, A.r1.hi (bits 16 to 31), value 3") != std::string::npos);
  CHECK(element.out.find("B[9][5]  lane 20") != std::string::npos);
  CHECK(run("layout m8n8k4.row f64 --csv").out ==
        csv(*find("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64")));
  CHECK(run(fmt::format("layout {} --operand b", kMma)).out.find("B: f16 16 x 8") !=
        std::string::npos);
  CHECK(run(fmt::format("layout {} --explain 9,5 --operand A", kMma)).out.find("int row = ") !=
        std::string::npos);
  CHECK(run(fmt::format("output {} 3,4", kMma)).out.find("D[3][4] (lane 14 r0)") !=
        std::string::npos);
}

TEST_CASE("the list, whole and restricted") {
  const Result all = run("layout --list --csv");
  CHECK(all.code == 0);
  std::istringstream text(all.out);
  std::string line;
  std::size_t count = 0;
  while (std::getline(text, line)) ++count;
  CHECK(count == 1 + instructions().size() + movers().size());
  CHECK(run("layout --list --family movmatrix --csv").out.find("movmatrix.sync") !=
        std::string::npos);
  const Result s4 = run("layout --type s4 --arch sm_75");
  CHECK(s4.out.find("m8n8k32") != std::string::npos);
  CHECK(s4.out.find("m16n8k64") == std::string::npos);
  CHECK(run("layout --list wgmma 64 bf16").out.find("m64n64k16.f32.bf16") != std::string::npos);
}

TEST_CASE("wrong questions: one line, the allowed range, exit 2, nothing on stdout") {
  for (const auto& [arguments, said] : std::vector<std::pair<std::string, std::string>>{
           {"layout", "--list"},
           {"layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f23", "f32.f16.f16.f32"},
           {"layout mmaa", "near it: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, "},
           {"layout ldmatrixx", "near it: ldmatrix.sync.aligned.m8n8.x4.shared.b16, "},
           {"layout wgma", "near it: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16, "},
           {"layout no such instruction", "instruction' (lanescope layout --list)"},
           {"layout mma f16", "such as mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, "},
           {"layout m16n8 s4", "`lanescope layout --list m16n8 s4` shows them all"},
           {"layout zzzz", "no instruction matches 'zzzz' (lanescope layout --list)"},
           {"output fp8 9,5", "`lanescope layout --list fp8` shows them all"},
           {"layout 'tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;'",
            "by M, N and types, which PTX has in the instruction descriptor, such as "
            "tcgen05.mma.cta"},
           {"layout 'tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;'",
            "`lanescope layout --list tcgen05.mma.cta_group::1.kind::f16` shows them all"},
           {"layout 'SM100_MMA_F16BF16_SS<half_t, half_t>'",
            "--list 'SM100_MMA_F16BF16_SS<half_t,half_t>'` shows them all"},
           {"layout tcgen05.alloc", "lesson 17"},
           {"layout UTCBAR", "lesson 17"},
           {"layout SM100_UTCCP_4x32dp128bit_1cta", "docs/layouts.md"},
           {"layout tcgen05.mma.cta_group::1.block_scale.sfa.m128 --operand A", "has SFA alone"},
           {"layout ldmatrix.x4 --operand A --lane 3", "no operands to choose from"},
           {"layout ldmatrix.x4 --explain 1,2", "--element, --lane and --register are"},
           {"layout ldmatrix.x4 --register 1", "--register of which lane? say --lane, too"},
           {"layout ldmatrix.x4 --lane 3 --svg", "--svg is of a whole map: without --lane"},
           {"layout ldmatrix.x4 --lane 3 --cute",
            "--cute: of ldmatrix.sync.aligned.m8n8.x4.shared.b16 it is of the whole map: without "
            "--lane"},
           {"layout 'coalesce((2,6):(1,2))' --lane 3",
            "12:1: --lane asks of an instruction's operand, and none has this layout"},
           {"layout 'get<2>((8,64):(64,1))'", "mode 2 of (8,64):(64,1), which has 2"},
           {"layout movmatrix --cute", "CuTe has no layout of movmatrix.sync"},
           {"layout --list f16 --cute", "--cute is not of lists; name one instruction"},
           {"layout '((4,8),(2,2)):((32,1),(16,8)'", "a ')' is missing behind a tuple"},
           {"layout '((4,8),(2,2,2)):((32,1),(16,8,64))'", "nearest is A of mma.sync"},
           {"layout '((4,8),(2,2)):((32,1),(16,8))' --operand B", "--operand B: ((4,8),(2,2))"},
           {"layout 'Sw<3,4,3> o (8,64):(64,1)'", "lanescope swizzle shows it"},
           {"output tcgen05.mma.cta_group::1.m128n64.f32 9,5",
            "`lanescope layout tcgen05.mma.cta_group::1.m128n64.f32 --element 9,5` says where"},
           {"layout cp.async", "lesson 05"},
           {"layout SM80_CP_ASYNC_CACHEALWAYS", "lesson 05"},
           {fmt::format("layout {} --operand Q", kMma), "A, B, C, D, E"},
           {fmt::format("layout {} --operand E", kMma), "has A, B, C, D in registers"},
           {fmt::format("layout {} --lane 32", kMma), "lanes are 0 to 31"},
           {fmt::format("layout {} --operand B --register 2", kMma), "registers 0 to 1"},
           {fmt::format("layout {} --element 16,0", kMma), "rows 0 to 15"},
           {fmt::format("layout {} --element 9,8 --operand D", kMma), "columns 0 to 7"},
           {fmt::format("layout {} --element 9", kMma), "ROW,COL"},
           {fmt::format("layout {} --element 9,5x", kMma), "ROW,COL"},
           {fmt::format("output {} 16,0", kMma), "rows 0 to 15"},
           {fmt::format("output {}", kMma), "3,4"},
           {"layout --family nothing", "the atlas has mma, "},
           {"layout --type f17 --list", "--type 'f17': the atlas has f64, f32, "},
           {"layout --arch zz", "--arch 'zz': the atlas has sm_70, "},
           {"layout --list --svg", "name one instruction"},
           {"layout --list nonsense --type f16", "no instruction matches 'nonsense'"},
           {"layout --family movmatrix --type f64", "no instruction of the atlas is all of that"},
           {fmt::format("layout {} --operand ''", kMma), "--operand: '' is no value"},
           {"swizzle --mode 48B", "--mode: '48B' is not one of none, 32B, 64B, 128B or 128B/32B"},
           {"swizzle --mode 128B/32B", "--major MN --bits 32"},
           {"descriptor --mode 128B/32B --major MN --bits 32 --tile 64x4", "in steps of 32x8"},
           {"swizzle --major row", "--major: 'row' is neither K nor MN"},
           {"layout m16n8k16 bf16 --svg d.svg", "lanescope layout m16n8k16 bf16 --svg > d.svg"},
           {"swizzle --bits 12", "--bits: 12 is not one of 8, 16 or 32"},
           {"swizzle 96B K", "a swizzle (none, 32B, 64B, 128B, 128B/32B), K or MN"},
           {"descriptor", "--decode"},
           {"descriptor --decode 0 --tile 64x64", "one of --decode, --encode, --tile"},
           {"descriptor --instruction 08400490", "bits are 0x08400490, fields m=128"},
           {"descriptor --tile 128x64 --major MN --bits 8",
            "16-bit types; tcgen05 takes this one: --tcgen05"},
           {"descriptor --tcgen05 --tile 64x64 --major MN --bits 32", "only in mode 128B/32B"},
           {"descriptor --decode xyz", "hexadecimal"},
           {"descriptor --encode start=8", "multiple of 16"},
           {"descriptor --encode what=8", "start=BYTES"},
           {"descriptor --encode lbo=262144", "at most 262128"},
           {"descriptor --instruction m=100", "a multiple of 16 up to 256"},
           {"descriptor --instruction m=128 --kind f17", "--kind: 'f17' is not one of f16, tf32, "},
           {"descriptor --tile 64", "MNxK"},
           {"descriptor --tile 63x64", "steps of 8x16"},
           {"descriptor --tile 64x64 --major MN --bits 32", "only for 16-bit types\n"}}) {
    const Result r = run(arguments);
    CAPTURE(arguments);
    CHECK(r.code == 2);
    CHECK(r.out.empty());
    CHECK_MESSAGE(one_line(r.err), r.err);
    CHECK_MESSAGE(r.err.find(said) != std::string::npos, r.err);
  }
}

TEST_CASE("an instruction by the names of others: CuTe's, SASS's, people's") {
  const Result named = run(fmt::format("layout {} --csv", kMma));
  REQUIRE(named.code == 0);
  for (const char* words : {"SM80_16x8x16_F32F16F16F32_TN", "HMMA.16816.F32"})
    CHECK(run(fmt::format("layout {} --csv", words)).out == named.out);
  // A layout of CuTe's is the operands that have it; more is asked of the commonest.
  const Result layouts = run("layout '((4,8),(2,2,2)):((32,1),(16,8,128))'");
  CHECK(layouts.code == 0);
  CHECK(layouts.out.find(fmt::format("\n  A of {} (and ", kMma)) != std::string::npos);
  CHECK(run("layout '((4,8),(2,2,2)):((32,1),(16,8,128))' --operand A --csv").out ==
        run(fmt::format("layout {} --operand A --csv", kMma)).out);
  CHECK(run(fmt::format("layout {} --cute --operand B", kMma)).out ==
        fmt::format("{}\nB      ((4,8),(2,2)):((16,1),(8,64))    index = n + 8 k\n       "
                    "Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,"
                    "Stride<Stride<_16,_1>,Stride<_8,_64>>>\n",
                    kMma));
  // One that is reckoned; it may be a fragment's.
  CHECK(run("layout 'logical_divide((4,2,3):(2,1,8), 4:2)'").out ==
        "((2,2),(2,3)):((4,1),(2,8))\n  24 coordinates, indices below 24\n"
        "  Layout<Shape<Shape<_2,_2>,Shape<_2,_3>>,Stride<Stride<_4,_1>,Stride<_2,_8>>>\n");
  CHECK(run("layout 'composition(Sw<1,3,3> o (16,16):(16,1), 16:16)'").out ==
        "Sw<1,3,3> o 0 o 16:1\n  16 coordinates, indices below 16 before the swizzle\n");
  CHECK(run("layout 'composition(((4,8),(2,2,2)):((32,1),(16,8,128)), (32,8):(1,32))'").out ==
        layouts.out);
  // Of a place, digit by digit.
  CHECK(run(fmt::format("layout {} --cute --operand B --element 13,1", kMma)).out ==
        "B[13][1]  lane 6, B.r1.hi (bits 16 to 31), value 3\n    ((4,8),(2,2)):((16,1),(8,64))\n"
        "    lane 6 is 2,1; value 3 is 1,1\n    2*16 + 1*1 + 1*8 + 1*64 = 105 = 1 + 8*13\n");
  CHECK(run("layout mma.sp.m16n8k32.f32.f16 --cute --operand E --lane 12")
            .out.find("CuTe has no layout of it\n") != std::string::npos);
  // A name may be of one operand alone, or of the plain one among qualified ones.
  const Result fragment = run("layout wmma.load.a.sync.aligned.row.m16n16k16.f16 --element 9,5");
  CHECK(fragment.code == 0);
  CHECK(fragment.out.find("A[9][5]") != std::string::npos);
  CHECK(fragment.out.find("B[9][5]") == std::string::npos);
  const char* const kPlain = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
  CHECK(run("layout ldmatrix.x4 --lane 5")
            .out.find(fmt::format("{} (the plain form; 3 more: ", kPlain)) == 0);
  CHECK(run("layout ldmatrix.x4 --csv").out == run(fmt::format("layout {} --csv", kPlain)).out);
  const char* const kDense = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
  CHECK(run("layout m16n8k16 bf16").out.find(fmt::format("{} (the plain form; 2 more: ", kDense)) ==
        0);
  CHECK(run("layout m16n8k16 bf16 --csv").out == run(fmt::format("layout {} --csv", kDense)).out);
  CHECK(run("layout m16n8k16 f16 --csv").code == 2);  // two dense ones, with other sums
  const Result list = run("layout --list sparse int8 16x8x64 --csv");
  CHECK(list.code == 0);
  CHECK(list.out.find("mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32,") != std::string::npos);
  CHECK(list.out.find(".s4") == std::string::npos);
}

TEST_CASE("swizzle and descriptor with atoms of 32 bytes") {
  const Result csv = run("swizzle --mode 128B/32B --major MN --bits 32 --csv");
  CHECK(csv.code == 0);
  CHECK(csv.out.find("\n10,2,360,26\n") != std::string::npos);  // column 2, atom 1 ^ 2, element 2
  const Result tile = run("descriptor --tile 64x16 --mode 128B/32B --major MN --bits 32");
  CHECK(tile.code == 0);
  CHECK(tile.out.find("0x2000404000200000") != std::string::npos);
  CHECK(tile.out.find("derived from the ISA's table 53") != std::string::npos);
  CHECK(tile.out.find("  k    8  start + 2048\n") != std::string::npos);
  CHECK(tile.out.find("lbo and sbo swapped: 256 of 512 elements wrong") != std::string::npos);
}

TEST_CASE("swizzle and descriptor") {
  const Result r = run("swizzle --mode 128B --major K --bits 16 --rows 8 --cols 64 --csv");
  CHECK(r.code == 0);
  CHECK(r.out.rfind("mn,k,byte_offset,bank\n0,0,0,0\n0,1,2,0\n0,2,4,1\n", 0) == 0);
  CHECK(r.out.find("\n1,0,144,4\n") != std::string::npos);  // unit 0 of row 1 is unit 1
  CHECK(run("descriptor --encode start=1024,lbo=16,sbo=1024,mode=128B,base=0")
            .out.rfind("0x4000004000010040\n", 0) == 0);
  CHECK(run("descriptor --decode 0x4000004000010040").out.find("sbo      1024 bytes") !=
        std::string::npos);
  const Result tile = run("descriptor --tile 64x64 --major K --bits 16 --mode 128B");
  CHECK(tile.out.rfind("0x4000004000010000", 0) == 0);
  CHECK(tile.out.find("(8,0) would come from byte 576 instead of 1024, where (4,0) lies") !=
        std::string::npos);
}

TEST_CASE("descriptor --tcgen05: its own bits come first, whatever is asked") {
  const auto begins = [](const std::string& arguments, const std::string& bits) {
    const Result r = run("descriptor --tcgen05 " + arguments);
    CAPTURE(arguments);
    CHECK(r.code == 0);
    CHECK_MESSAGE(r.out.find(bits) < r.out.find("  mode "), r.out);
    CHECK(r.out.find("\n0x4000004") == std::string::npos);  // wgmma's
  };
  begins("--tile 64x64", "\n0x4000404000010000  (tcgen05");
  begins("--decode 0x4000404000010040", "0x4000404000010040  (tcgen05");
  begins("0x4000404000010040", "0x4000404000010040  (tcgen05");
  begins("64x64", "0x4000404000010040  (tcgen05");
  begins("--encode 'start=1024 sbo=1024 mode=128b'", "0x4000404000000040  (tcgen05");
  begins("--tile 128x32 --major MN --bits 8", "\n0x4000404000400000  (tcgen05");
  CHECK(run("descriptor --decode 0x4000404000010040")
            .out.find("lanescope descriptor --tcgen05 --decode 0x4000404000010040") !=
        std::string::npos);
}

TEST_CASE("--selector: of metadata by number, of scales by thread-id and byte-id") {
  const std::string sparse = "layout mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 ";
  const Result both = run(sparse + "--operand E --csv");
  const Result second = run(sparse + "--operand E --selector 1 --csv");
  CHECK(second.code == 0);
  CHECK(second.out.find("\n1,E,2,0,0,0,0,0\n") != std::string::npos);
  CHECK(second.out.find("\n0,E,") == std::string::npos);
  CHECK(both.out.find("\n0,E,") != std::string::npos);
  CHECK(run(sparse + "--operand E --selector 1").out.find("selector 0") == std::string::npos);
  CHECK(run(sparse + "--explain 0,0 --operand E --selector 1").out.find("lane 2 r0.b0") !=
        std::string::npos);
  const std::string scaled =
      "layout mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3."
      "e4m3.f32.ue8m0 ";
  CHECK(run(scaled + "--operand SFA --selector 1,3 --csv").out.find("\nSFA,3,0,0,24,8,0\n") !=
        std::string::npos);
  CHECK(run(scaled + "--operand SFB --selector 3,2 --csv").out.find("\nSFB,7,0,0,16,0,1\n") !=
        std::string::npos);
  for (const std::string& wrong :
       {sparse + "--selector 2", sparse + "--selector x", sparse + "--selector 0,0",
        scaled + "--operand SFA --selector 2,0", scaled + "--selector 1",
        std::string("layout ") + kMma + " --selector 0", scaled + "--selector 1,4"}) {
    const Result r = run(wrong);
    CHECK_MESSAGE(r.code == 2, wrong);
    CHECK_MESSAGE(one_line(r.err), r.err);
  }
}

TEST_CASE("one question is quick") {
  // The budget is 50 ms; the check leaves room for a slower machine and for the sanitizers.
  double best = 1e9;
  for (int n = 0; n < 5; ++n)
    best = std::min(best, run("layout wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
                              "--element 33,200")
                              .seconds);
  MESSAGE("one question: " << best * 1000 << " ms");
  CHECK(best < 0.5);
}

TEST_CASE("layout --beside says what changes") {
  const Result all = run(fmt::format("layout mma.m16n8k8.f32.f16 --beside {}", kMma));
  CHECK(all.code == 0);
  CHECK(all.out.find(fmt::format(
            "a  mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32\nb  {}\n\nA\n", kMma)) == 0);
  CHECK(all.out.find("128 in b alone, columns 8 to 15: all of A.r2, A.r3\n") != std::string::npos);
  CHECK(all.out.find("\nD\n") != std::string::npos);
  CHECK(all.out.find("\nC\n") == std::string::npos);  // as D
  const Result element = run(fmt::format(
      "layout {} --beside mma.m16n8k32.f32.e4m3.e4m3.f32 --operand A --element 9,5", kMma));
  CHECK(element.out.find("A[9][5]  a  lane 6, A.r1.hi (bits 16 to 31)\n"
                         "         b  lane 5, A.r1.b1 (bits 8 to 15)\n"
                         "            another lane\n") != std::string::npos);
  const Result lane = run(fmt::format("layout {} --beside m64n8k16.f32.f16 --lane 40", kMma));
  CHECK(lane.code == 0);
  CHECK(lane.out.find("a  there are lanes 0 to 31\n") != std::string::npos);
  CHECK(lane.out.find("not in registers") != std::string::npos);
  const Result drawing = run(fmt::format("layout {} --beside mma.m16n8k8.f32.f16 --svg", kMma));
  CHECK(drawing.out.find("<svg") == 0);
  CHECK(drawing.out.find("b: A") != std::string::npos);
  CHECK(run("layout ldmatrix.sync.aligned.m8n8.x4.shared.b16 --beside "
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16")
            .out.find("32 at the same place, 224 in another lane") != std::string::npos);
  for (const char* wrong :
       {"--beside", "--beside nonsense", "--beside mma", "--beside ldmatrix x4 --operand Q",
        "--beside mma.m16n8k8.f32.f16 --operand Q", "--beside mma.m16n8k8.f32.f16 --operand E",
        "--beside mma.m16n8k8.f32.f16 --element 99,0", "--beside mma.m16n8k8.f32.f16 --element x",
        "--beside mma.m16n8k8.f32.f16 --lane 32", "--beside mma.m16n8k8.f32.f16 --csv",
        "--beside mma.m16n8k8.f32.f16 --becomes A", "--list --beside mma.m16n8k8.f32.f16"}) {
    const Result r = run(fmt::format("layout {} {}", kMma, wrong));
    CAPTURE(wrong);
    CHECK(r.code == 2);
    CHECK(r.out.empty());
    CHECK(one_line(r.err));
  }
}

TEST_CASE("layout --becomes hands D on as an A") {
  const Result same = run(fmt::format("layout {} --becomes A", kMma));
  CHECK(same.code == 0);
  CHECK(
      same.out.find("D of mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32\n  f32 16 x 8, 2 side "
                    "by side\nbecomes A of mma.sync") == 0);
  const Result other =
      run("layout mma.m16n8k16.f32.f16 --operand D --becomes A mma.m16n8k32.s8 --lane 6");
  CHECK(other.out.find("128 of 512 elements are in their lane") != std::string::npos);
  CHECK(other.out.find("\nlane 6, parts of a register") != std::string::npos);
  for (const char* wrong :
       {"--becomes Q", "--becomes A nonsense", "--becomes A ldmatrix x4 trans b16",
        "--becomes A wgmma m64n8k16 bf16", "--becomes A --lane 32", "--becomes A --csv",
        "--operand E --becomes A", "--becomes"}) {
    const Result r = run(fmt::format("layout {} {}", kMma, wrong));
    CAPTURE(wrong);
    CHECK(r.code == 2);
    CHECK(r.out.empty());
    CHECK(one_line(r.err));
  }
}

TEST_CASE("what the atlas' page and the README show is what it prints") {
  const auto listings = [](const std::string& page, const std::string& prompt) {
    return lanescope::tests::check_listings(
        lanescope::tests::contents_of(LANESCOPE_SOURCE_DIR "/" + page), prompt,
        [](const std::string& words) { return run(words).out; });
  };
  CHECK(listings("docs/layouts.md", "$ lanescope ") == 10);
  CHECK(listings("README.md", "$ ./learn ") == 1);
}
