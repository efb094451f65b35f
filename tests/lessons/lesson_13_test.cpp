// SPDX-License-Identifier: MIT
// Lesson 13 on the emulator: ten kernels with one answer, hgemm.cuh at every kind of size, the
// trace has rung 1's tiles and sums, the checker has nothing to report, and broken kernels are
// noticed.
#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <string>

#include "layout/instruction.hpp"
#include "layout/swizzle.hpp"
#include "numeric/format.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_13 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLesson = "13_hopper_hgemm";

fs::path folder() { return fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / kLesson; }

// A program that is all a user of hgemm.cuh writes, for every size on its command line: exact
// answers, or the number of wrong ones. Shapes by letter: best, p(air), w(ide), (besi)d(e),
// s(ingle), m(iddle), n(arrow), t(urns), those whose columns are no multiple of 64 1(12),
// (1)4(4), (1)6(0), (1)7(6) and 2(24), c(ut below 256 rows), (pairs b)e(low them), (c)u(t below
// 128); with ONLY that one, whatever the letter. k: not run, but of how many rows the upper part
// would be, and the step that they are a multiple of; 0: it is all; and whether pairs are below.
const char* const kUser = R"(
#include <cstdlib>
#include <cstring>
#include <vector>
#include "device_array.cuh"
#include "element.cuh"
#include "hgemm.cuh"
using namespace hgemm;
static short a(int row, int k) { return (row * 3 + k * 5 + row * k / 7) % 3; }
static short b(int col, int k) { return (col + k * 3 + col * k / 5) % 3; }
int main(int argc, char** argv) {
  int all_wrong = 0;
  for (int i = 1; i < argc; ++i) {
    char shape;
    int M, N, K, multiprocessors;
    if (std::sscanf(argv[i], "%c:%dx%dx%d:%d", &shape, &M, &N, &K, &multiprocessors) != 5) return 3;
#ifndef ONLY
    if (shape == 'k') {
      const Plan best = plan({M, N, K});
      const bool pairs = best.choice->make == choice<Shape192Pair, Shape256Pair>().make;
      std::printf("%s: %d of %d%s\n", argv[i], best.rows, best.choice->step, pairs ? ", pairs" : "");
      continue;
    }
#endif
    std::vector<short> a_of, b_of;  // numbers, a row of A and a column of B after the other
    for (int row = 0; row < M; ++row)
      for (int k = 0; k < K; ++k) a_of.push_back(a(row, k));
    for (int col = 0; col < N; ++col)
      for (int k = 0; k < K; ++k) b_of.push_back(b(col, k));
    std::vector<std::uint16_t> A, B;
    for (short each : a_of) A.push_back(static_cast<std::uint16_t>(F16::encode(each)));
    for (short each : b_of) B.push_back(static_cast<std::uint16_t>(F16::encode(each)));
    DeviceArray<std::uint16_t> dA(A), dB(B), dD(std::size_t(M) * N);
    const Problem p{M, N, K};
#ifdef ONLY
    Gemm gemm = Gemm::with<ONLY>(Type::kF16, p, dA.data(), dB.data(), dD.data(), BAND,
                                 multiprocessors);
#else
    Gemm gemm(Type::kF16, p, dA.data(), dB.data(), dD.data());
    const auto take = [&](char letter, auto s, int band) {
      if (shape == letter)
        gemm = Gemm::with<decltype(s)>(Type::kF16, p, dA.data(), dB.data(), dD.data(), band,
                                       multiprocessors);
    };
    take('p', Shape256Pair{}, 3);
    take('d', Shape256Beside{}, 2);
    take('w', Shape192Pair{}, 2);
    take('7', Shape176Pair{}, 2);
    take('6', Shape160Pair{}, 2);
    take('s', Shape256{}, 2);
    take('2', Shape224{}, 2);
    take('m', Shape192{}, 2);
    take('4', Shape144{}, 2);
    take('1', Shape112{}, 2);
    take('n', Shape64{}, 2);
    take('t', ShapePingPong{}, 1);
    if (shape == 'c')
      gemm = Gemm::with_two<Shape192Pair, Shape256>(Type::kF16, p, dA.data(), dB.data(), dD.data(),
                                                    256, multiprocessors);
    if (shape == 'e')
      gemm = Gemm::with_two<Shape192Pair, Shape256Pair>(Type::kF16, p, dA.data(), dB.data(),
                                                        dD.data(), 256, multiprocessors);
    if (shape == 'u')
      gemm = Gemm::with_two<Shape256, Shape192>(Type::kF16, p, dA.data(), dB.data(), dD.data(), 128,
                                                multiprocessors);
#endif
    gemm.launch();
    const std::vector<std::uint16_t> D = dD.get();
    int wrong = 0;
    for (int row = 0; row < M; ++row)
      for (int col = 0; col < N; ++col) {
        const short *const in_a = &a_of[std::size_t(row) * K], *const in_b = &b_of[std::size_t(col) * K];
        int sum = 0;
        for (int k = 0; k < K; ++k) sum += in_a[k] * in_b[k];
        wrong += D[std::size_t(row) * N + col] != F16::encode(sum);
      }
    std::printf("%s: %d wrong\n", argv[i], wrong);
    all_wrong += wrong;
  }
  return all_wrong != 0;
}
)";

// Where a consumer waits for its turn.
const char* const kTurn =
    R"(    if (S::kPingPong) asm volatile("bar.sync %0, 256;" ::"r"(1 + consumer) : "memory");)";

using Headers = std::map<std::string, std::string>;
/// As the lesson ships them, but for kernels in bf16: kUser starts none, and they are half of
/// nvcc's work. The lesson itself has them all.
Headers headers() {
  Headers found;
  for (const char* name : {"tile.cuh", "shape.cuh", "kernel.cuh", "hgemm.cuh"})
    found[name] = read(folder() / name);
  std::string& hgemm = found["hgemm.cuh"];
  for (const std::string kernel :
       {"start<S, NoShape, Type::kBf16>", "start<Upper, Lower, Type::kBf16>"}) {
    const std::size_t at = hgemm.find(kernel);
    REQUIRE_MESSAGE(at != std::string::npos, kernel);
    hgemm.replace(at, kernel.size(), "nullptr");
  }
  return found;
}

/// kUser in a folder of its own, behind `defines`, with these headers beside it.
fs::path write_user(const std::string& name, const std::string& defines, const Headers& headers) {
  const fs::path place = scratch() / ("lesson_13_" + name);
  fs::create_directories(place);
  for (const auto& [header, text] : headers) write(place / header, text);
  write(place / "user.cu", defines + kUser);
  return place;
}

/// The host's half of kUser: its sums are what takes long, and nvcc would take longer for kernels
/// that the lesson has, too.
const fs::path& user() {
  static const fs::path program = [] {
    Headers host = headers();
    host["kernel.cuh"] = hollow(host["kernel.cuh"]);
    const fs::path place = write_user("user", "", host);
    const Ran compiled =
        compile_program(place / "user.cu", place / "user", kLesson, std::string(kHollow) + "-O3 ");
    REQUIRE_MESSAGE(compiled.status == 0, compiled.output);
    return place / "user";
  }();
  return program;
}

/// user() with the kernels that lesson 13 was built with.
Ran run_user(const std::string& arguments) {
  static const std::string kernels = own_kernels(kLesson);
  return run(kernels + lanescope_command() + " run -- " + shell_word(user()) + " " + arguments);
}

struct Change {
  const char* header;
  const char* from;
  const char* to;
};
/// Runs user() with `arguments`, for it the kernels of one shape as they are with one change in a
/// header: so nvcc has a twentieth of the work. `how`: of `lanescope run`.
Ran run_broken_user(const std::string& name, const std::string& shape, int band,
                    const Change& change, const std::string& arguments,
                    const std::string& how = "") {
  Headers broken = headers();
  std::string& hgemm = broken["hgemm.cuh"];
  const std::size_t choice = hgemm.find("// ---- Which shape -");
  REQUIRE(choice != std::string::npos);
  hgemm.erase(choice, hgemm.rfind("}  // namespace hgemm") - choice);
  std::string& text = broken[change.header];
  const std::size_t at = text.find(change.from);
  REQUIRE_MESSAGE(at != std::string::npos, change.from);
  text.replace(at, std::strlen(change.from), change.to);
  const fs::path place = write_user(
      name, "#define ONLY " + shape + "\n#define BAND " + std::to_string(band) + "\n", broken);
  return run(kernels_of(place / "user.cu", kLesson) + lanescope_command() + " run " + how + " -- " +
             shell_word(user()) + " " + arguments);
}

}  // namespace

TEST_CASE("lesson 13's ten kernels have one answer, and the checker has nothing to report") {
  const Ran ran = run(lanescope_command() + " run --check -- " +
                      shell_word(tests::build_folder() / "lessons" / kLesson / kLesson));
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, "           0           0           0           0\n") == 10);
  CHECK(says(ran, "Ten kernels, one answer."));
  CHECK(says(ran, "launches checked, nothing to report"));
}

TEST_CASE("hgemm.cuh is right at every kind of size, on one multiprocessor and on many" *
          doctest::test_suite("compiled")) {
  // 456 and 904 of k: more steps than stages. 1 and 2 multiprocessors: many tiles a block.
  const Ran ran = run_user(
      "b:1x8x8:0 b:128x256x64:0 b:129x264x72:0 b:300x8x512:0 b:7x1000x40:0 "
      "p:128x256x64:0 p:700x520x456:2 p:513x776x136:4 p:1x8x8:2 "
      "s:128x256x64:0 s:300x776x456:1 s:257x8x904:3 "
      "d:128x512x64:2 d:300x1016x456:2 d:129x8x904:4 "
      "w:256x384x64:2 w:700x776x456:2 w:1x8x8:2 n:128x64x64:0 n:300x200x904:1 "
      "m:128x192x64:0 m:300x584x456:1 m:257x8x904:3 "
      "1:128x112x64:0 1:300x456x456:1 1:129x8x904:3 4:128x144x64:0 4:300x712x456:2 4:129x120x904:3 "
      "6:256x320x64:2 6:700x584x456:2 6:1x136x904:2 "
      "7:256x352x64:2 7:700x456x456:2 7:257x176x904:2 2:128x224x64:0 2:300x904x456:1 "
      "2:257x200x904:3 "
      "t:128x128x64:1 t:300x392x456:1 t:384x136x904:2 t:129x264x8:1 t:8x8x8:0 "
      "c:600x776x456:0 c:257x8x64:0 c:1100x1000x520:4 u:600x776x456:3 u:129x8x64:0 "
      "e:600x776x456:0 e:257x8x64:0 e:1100x1000x520:4 e:900x520x456:2");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, ": 0 wrong\n") == 52);
}

TEST_CASE(
    "hgemm.cuh is right where rows are pieces of lines, in pairs below and beside each other" *
    doctest::test_suite("compiled")) {
  const Ran ran = run_user("b:2000x2000x72:0 b:4104x1016x72:0");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, ": 0 wrong\n") == 2);
}

// 4096: 12 rows of 11 pairs of 256 x 192 are two rounds of 66 pairs; 4 x 16 pairs of 128 x 256
// nearly one. 2560: two rounds of 13 x 10 tiles of 128 x 256, and 7 x 14 of 128 x 192.
TEST_CASE("hgemm.cuh cuts D in two where each part fills its rounds, and only there" *
          doctest::test_suite("compiled")) {
  const Ran ran = run_user(
      "k:4096x4096x4096:0 k:8192x8192x8192:0 k:2560x2560x2560:0 k:2048x2048x2048:0"
      " k:16384x16384x16384:0 k:4096x4096x4088:0 k:4096x4096x64:0 k:3968x4096x4096:0");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "k:4096x4096x4096:0: 3072 of 256, pairs\n"));
  CHECK(says(ran, "k:8192x8192x8192:0: 7680 of 256, pairs\n"));
  CHECK(says(ran, "k:3968x4096x4096:0: 3072 of 256\n"));  // below 7 x 128 rows: no pairs
  CHECK(says(ran, "k:2560x2560x2560:0: 1664 of 128\n"));
  CHECK(says(ran, "k:2048x2048x2048:0: 2048 of 0\n"));
  CHECK(says(ran, "k:16384x16384x16384:0: 16384 of 0\n"));
  CHECK(says(ran, "k:4096x4096x4088:0: 4096 of 0\n"));  // pieces of lines
  CHECK(says(ran, "k:4096x4096x64:0: 4096 of 0\n"));    // to change shapes is dear there
}

TEST_CASE("hgemm.cuh refuses rows that are not whole 16 bytes" * doctest::test_suite("compiled")) {
  for (const char* size : {"b:16x12x64:0", "b:16x16x60:0"}) {
    const Ran ran = run_user(size);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, "multiples of 16 bytes"));
  }
}

TEST_CASE("lesson 13 records rung 1: both tiles, swizzled, and the sums of a warpgroup" *
          doctest::test_suite("twice")) {
  const fs::path path = scratch() / "lesson_13.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  CHECK(result.unknown_events == 0);
  const auto element = [](int row, int k, int seed) {
    return (row * 7 + k * 5 + row * k / 16 + seed) % 4;  // the lesson's matrices
  };
  int tiles = 0, fragments = 0;
  for (const trace::Event& event : result.trace.events) {
    if (const auto* tile = std::get_if<trace::Memory>(&event)) {
      const int seed = ++tiles;  // A is 1, B is 2
      REQUIRE(tile->rows == 64);
      REQUIRE(tile->cols == 64);
      for (int row = 0; row < 64; ++row)
        for (int k = 0; k < 64; ++k) {
          const std::size_t at =
              static_cast<std::size_t>(row * 128 + ((k / 8) ^ (row % 8)) * 16 + k % 8 * 2);
          const auto bits = static_cast<std::uint16_t>(tile->bytes[at] | tile->bytes[at + 1] << 8);
          REQUIRE(numeric::decode(numeric::kF16, bits) == element(row, k, seed));
        }
    }
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment == nullptr) continue;
    ++fragments;
    const layout::Instruction* instruction = layout::find(fragment->instruction);
    REQUIRE(instruction != nullptr);
    REQUIRE(fragment->registers.size() == 32);
    for (std::size_t reg = 0; reg < 32; ++reg) {
      REQUIRE(fragment->registers[reg].size() == 128);
      for (int lane = 0; lane < 128; ++lane) {
        const layout::Element e = instruction->D.element(lane, static_cast<int>(reg));
        int sum = 0;
        for (int k = 0; k < 128; ++k) sum += element(e.row, k, 1) * element(e.col, k, 2);
        float found;
        const auto word =
            static_cast<std::uint32_t>(fragment->registers[reg][static_cast<std::size_t>(lane)]);
        static_assert(sizeof found == sizeof word);
        std::memcpy(&found, &word, sizeof found);
        REQUIRE(found == static_cast<float>(sum));
      }
    }
  }
  CHECK(tiles == 2);
  CHECK(fragments == 1);
}

TEST_CASE("lesson 13 notices kernels that are broken" * doctest::test_suite("compiled")) {
  struct Broken {
    const char* name;
    const char* shape;
    int band;
    Change change;
    const char* size;
  };
  for (const Broken& broken : {
           // Two rounds early, a parity is right again.
           Broken{"no_turns", "ShapePingPong", 1, {"kernel.cuh", kTurn, ""}, "t:300x392x904:1"},
           Broken{"no_swizzle",
                  "Shape256",
                  2,
                  {"kernel.cuh", "narrow ? 0 : piece_row % 8", "0"},
                  "s:128x256x64:0"},
           Broken{"one_k_short",
                  "Shape256",
                  2,
                  {"tile.cuh", "k < kBlockK / 16", "k < kBlockK / 16 - 1"},
                  "s:128x256x64:0"},
           Broken{"untold_neighbour",
                  "Shape256Pair",
                  3,
                  {"shape.cuh", "(kPingPong ? 1 : kConsumers) * (kClusterM",
                   "2 * (kPingPong ? 1 : kConsumers) * (kClusterM"},
                  "p:256x256x904:2"},
       }) {
    const Ran ran =
        run_broken_user(broken.name, broken.shape, broken.band, broken.change, broken.size);
    CAPTURE(broken.name);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(!says(ran, ": 0 wrong"));
    CHECK((says(ran, " wrong\n") || says(ran, "lanescope: deadlock")));
  }
}

TEST_CASE("the checker sees in hgemm.cuh what the numbers do not show" *
          doctest::test_suite("compiled")) {
  struct Broken {
    const char* name;
    Change change;
    const char* size;
    const char* report;
  };
  for (const Broken& broken :
       {Broken{"no_fence",
               {"kernel.cuh", "      ptx::fence_proxy_async_shared_cta();\n", ""},
               "s:128x256x904:0",
               "fence.proxy.async"},
        // The stage that the tensor cores are reading, not the one before.
        Broken{"released_early",
               {"kernel.cuh", "if (step > 0) release(ring, before, me);",
                "release(ring, at.stage, me);"},
               "s:128x256x904:0",
               "against a wgmma"},
        // The stage that D has left from, which TMA may be reading still.
        Broken{"not_read_yet",
               {"kernel.cuh",
                "  if (threadIdx.x % 32 == 0) ptx::cp_async_bulk_wait_group_read<0>();  // of",
                "  // of"},
               "s:256x256x904:1",
               "cp.async.bulk"}}) {
    const Ran ran =
        run_broken_user(broken.name, "Shape256", 2, broken.change, broken.size, "--check");
    CAPTURE(broken.name);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, broken.report));
  }
}

TEST_CASE("lesson 13 --bench says that it needs a card, and what sizes there are") {
  const Ran bench = run_lesson(kLesson, "--bench");
  CHECK(bench.status == 0);
  CHECK(says(bench, "--bench needs a GPU"));
  for (const char* size : {"100x7x8", "0", "8x8x4", "many"}) {
    const Ran ran = run_lesson(kLesson, std::string("--bench --size ") + size);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(says(ran, "N and K multiples of 8"));
  }
  for (const char* words : {"--type fp8", "--seconds 0", "--rounds x"}) {
    const Ran ran = run_lesson(kLesson, std::string("--bench ") + words);
    CHECK(ran.status == 2);
    CHECK(says(ran, ": wanted is "));
  }
  CHECK(run_lesson(kLesson, "--nonsense").status == 2);
}

}  // namespace lesson_13
