// SPDX-License-Identifier: MIT
// Kernels that multiply matrices, each in a way of its own (random_gemm.hpp): what is right is
// called right, by the checker and by diagnose, and what is wrong is not.
// LANESCOPE_FUZZ_ROUNDS=10000 for a long run, LANESCOPE_FUZZ_TELL=1 to read what is said of the
// wrong ones, LANESCOPE_FUZZ_KEEP=FOLDER to have all kernels, each with how it is launched in its
// first line; the first seed is written here.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "numeric/format.hpp"
#include "panels/way/each_verdict.hpp"
#include "tests/fuzz/gemm/random_gemm.hpp"
#include "tests/programs/run_process.hpp"
#include "trace/reader.hpp"

using namespace lanescope;

namespace {

namespace fs = std::filesystem;
constexpr unsigned kFirstSeed = 20261201;

int rounds(int usual) {
  const char* asked = std::getenv("LANESCOPE_FUZZ_ROUNDS");
  return asked == nullptr ? usual : std::atoi(asked);
}

/// Runs with the checker, its steps recorded, and leaves its memory in a folder.
class Run {
 public:
  explicit Run(const std::string& ptx, const tests::RandomGemm& gemm)
      : folder_(fs::temp_directory_path() / ("lanescope gemm " + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "gemm.ptx", std::ios::binary) << ptx;
    std::vector<std::string> words = gemm.launch;
    if (const char* kept = std::getenv("LANESCOPE_FUZZ_KEEP"); kept != nullptr) {
      static int count = 0;
      std::ofstream(fs::path(kept) / fmt::format("{}.ptx", ++count))
          << fmt::format("// run: {}\n", fmt::join(words, " ")) << ptx;
    }
    words.insert(words.end(), {"--write", folder_});
    ran_ = tests::emulate(folder_ / "gemm.ptx",
                          {"--check", "--steps",
                           "block=" + std::to_string(gemm.blocks_m - 1) + "," +
                               std::to_string(gemm.blocks_n - 1) + ",0",
                           "--trace", folder_ / "steps.lanes"},
                          words);
  }
  ~Run() { fs::remove_all(folder_); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const tests::Finished& ran() const { return ran_; }
  bool has_finding() const { return ran_.err.find("lanescope: check: ") != std::string::npos; }
  /// It came to its end: only then is there any memory.
  bool ended() const { return fs::exists(folder_ / "parameter_0.bin"); }
  std::vector<double> numbers(int parameter, const tests::GemmMatrix& of) const;
  viz::Model model() const {
    trace::ReadResult result = trace::read_file((folder_ / "steps.lanes").string());
    REQUIRE_MESSAGE(result.ok(), result.error->message("steps.lanes"));
    return viz::make_model(std::move(result.trace));
  }

 private:
  fs::path folder_;
  tests::Finished ran_;
};

std::vector<double> Run::numbers(int parameter, const tests::GemmMatrix& of) const {
  std::ifstream in(folder_ / ("parameter_" + std::to_string(parameter) + ".bin"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const auto each = static_cast<std::size_t>(of.bytes());
  std::vector<double> all;
  for (std::size_t at = 0; at + each <= bytes.size(); at += each) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, each);
    if (of.type == "s8")
      all.push_back(static_cast<std::int8_t>(bits));
    else if (of.type == "s32")
      all.push_back(static_cast<std::int32_t>(bits));
    else
      all.push_back(numeric::decode(*numeric::find_format(of.type), bits));
  }
  return all;
}

/// Elements of D that are not what they should be. A, B and C have small whole numbers: sums are
/// exact, but for the last rounding.
int wrong_elements(const Run& run, const tests::RandomGemm& gemm, int first_m = 0,
                   int first_n = 0) {
  const std::vector<double> a = run.numbers(0, gemm.a), b = run.numbers(1, gemm.b),
                            d = run.numbers(gemm.d_at, gemm.d),
                            c = gemm.c ? run.numbers(gemm.c_at, *gemm.c) : d;
  const auto at = [](const std::vector<double>& all, const tests::GemmMatrix& matrix, int row,
                     int col) { return all.at(static_cast<std::size_t>(matrix.index(row, col))); };
  int wrong = 0;
  for (int m = first_m; m < gemm.d.rows; ++m)
    for (int n = first_n; n < gemm.d.cols; ++n) {
      double sum = 0;
      for (int k = 0; k < gemm.a.cols; ++k) sum += at(a, gemm.a, m, k) * at(b, gemm.b, k, n);
      sum *= gemm.alpha;
      if (gemm.c) sum += gemm.beta * at(c, *gemm.c, m, n);
      if (gemm.d.bytes() == 2) {
        const numeric::Format& half = *numeric::find_format(gemm.d.type);
        sum = numeric::decode(half, numeric::encode(half, sum));
      }
      wrong += at(d, gemm.d, m, n) == sum ? 0 : 1;
    }
  return wrong;
}

/// Of the block whose steps are recorded, the last.
int wrong_elements_of_block(const Run& run, const tests::RandomGemm& gemm) {
  return wrong_elements(run, gemm, gemm.last_row, gemm.last_col);
}

struct Verdicts {
  int right = 0, named = 0, unknown = 0, not_compared = 0;
  std::string text;     // of those that are not right
  std::string right_d;  // of the D that are
};

Verdicts verdicts_of(const viz::Model& model) {
  const viz::StepList steps = viz::make_steps(model.trace);
  viz::Verdicts judge(model, steps);
  Verdicts all;
  viz::each_verdict(judge, model, steps, [&](const viz::ToldVerdict& told) {
    const viz::OperandVerdict words = viz::in_words(told.check, told.operand, told.in_order);
    switch (words.verdict) {
      case trace::Verdict::right:
        ++all.right;
        if (told.operand == 'D') all.right_d += words.headline + "\n";
        return;
      case trace::Verdict::mistake:
        ++all.named;
        break;
      case trace::Verdict::unknown:
        ++all.unknown;
        break;
      case trace::Verdict::not_compared:
        ++all.not_compared;
        break;
    }
    all.text += std::string(1, told.operand) + ": " + words.headline +
                (words.first.empty() ? "\n" : ". " + words.first + "\n");
  });
  return all;
}

using tests::GemmMistake;
using tests::RandomGemm;

void right_ones(const std::function<RandomGemm(unsigned seed)>& generate) {
  for (int round = 0; round < rounds(25); ++round) {
    const unsigned seed = kFirstSeed + static_cast<unsigned>(round);
    const RandomGemm gemm = generate(seed);
    const Run run(gemm.ptx, gemm);
    CAPTURE(seed);
    CHECK_MESSAGE(run.ran().exit_code == 0, run.ran().err);
    REQUIRE(run.ended());
    CHECK(wrong_elements(run, gemm) == 0);
    const Verdicts verdicts = verdicts_of(run.model());
    CHECK_MESSAGE(verdicts.named + verdicts.unknown + verdicts.not_compared == 0, verdicts.text);
    CHECK(verdicts.right > 0);
  }
}

using WithMistake = std::function<RandomGemm(unsigned seed, GemmMistake mistake)>;

/// A line of a right one is another.
WithMistake one_line_of(RandomGemm (*generate)(unsigned seed)) {
  return [generate](unsigned seed, GemmMistake mistake) {
    RandomGemm gemm = generate(seed);
    gemm.ptx = tests::with_mistake(gemm, mistake, seed);
    return gemm;
  };
}

/// Of each one mistake: what comes out wrong must not be called right, and for one without a name
/// `most` have one.
void wrong_ones(const WithMistake& generate, const std::vector<GemmMistake>& mistakes,
                int most = 9) {
  int named = 0, unnamed = 0, harmless = 0, open = 0;
  const bool tells = std::getenv("LANESCOPE_FUZZ_TELL") != nullptr;
  for (int round = 0; round < rounds(25); ++round) {
    const unsigned seed = kFirstSeed + 100000 + static_cast<unsigned>(round);
    const GemmMistake mistake = mistakes[static_cast<std::size_t>(round) % mistakes.size()];
    const RandomGemm gemm = generate(seed, mistake);
    if (gemm.ptx.empty()) continue;
    const Run run(gemm.ptx, gemm);
    CAPTURE(seed);
    CAPTURE(static_cast<int>(mistake));
    // By --check, or what stopped it, which names the place.
    const bool is_stopped = !run.ended() && run.ran().err.find("lanescope: ") != std::string::npos;
    if (is_stopped || (run.has_finding() &&
                       (mistake == GemmMistake::barrier || mistake == GemmMistake::d_pitch))) {
      ++named;
      if (tells)
        fmt::print("seed {}, mistake {}\n{}", seed, static_cast<int>(mistake), run.ran().err);
      continue;
    }
    REQUIRE_MESSAGE(run.ended(), run.ran().err);
    if (wrong_elements_of_block(run, gemm) == 0) {
      ++harmless;
      continue;
    }
    const Verdicts verdicts = verdicts_of(run.model());
    // What may be right for all that addresses say is left open: a B of eight columns that is read
    // without .trans lies as one of 8 x 8 blocks does.
    CHECK_MESSAGE(verdicts.named + verdicts.unknown + verdicts.not_compared > 0, verdicts.right_d);
    ++(verdicts.named > 0 ? named : verdicts.unknown > 0 ? unnamed : open);
    if (tells)
      fmt::print("seed {}, mistake {}\n{}", seed, static_cast<int>(mistake), verdicts.text);
  }
  if (tells)
    fmt::print("{} named, {} unnamed, {} open, {} harmless\n", named, unnamed, open, harmless);
  CHECK(named > 2 * harmless);
  CHECK(named > most * (unnamed + open));
}

RandomGemm right_gemm(unsigned seed) { return tests::random_gemm(seed); }
RandomGemm wrong_gemm(unsigned seed, GemmMistake mistake) {
  return tests::random_gemm(seed, mistake);
}

}  // namespace

TEST_CASE("what is right is called right, whatever way it is written") { right_ones(right_gemm); }

TEST_CASE("a mistake that changes what comes out is named") {
  wrong_ones(one_line_of(right_gemm),
             {GemmMistake::registers, GemmMistake::strayed, GemmMistake::halves, GemmMistake::trans,
              GemmMistake::barrier});
}

TEST_CASE("a mistake with C or D that changes what comes out is named") {
  wrong_ones(wrong_gemm,
             {GemmMistake::c_place, GemmMistake::c_line, GemmMistake::c_turned, GemmMistake::c_half,
              GemmMistake::c_pair, GemmMistake::c_again, GemmMistake::d_half, GemmMistake::d_pair,
              GemmMistake::d_pitch, GemmMistake::d_swizzle},
             5);  // a pitch or swizzle that D is read back with has no name
}

TEST_CASE("a mistake at an edge that changes what comes out is named") {
  wrong_ones(wrong_gemm, {GemmMistake::edge_off, GemmMistake::edge_none});
}

TEST_CASE("what is right for Hopper is called right, whatever way it is written") {
  right_ones(tests::random_wgmma);
}

TEST_CASE("a mistake for Hopper that changes what comes out is named") {
  wrong_ones(one_line_of(tests::random_wgmma),
             {GemmMistake::registers, GemmMistake::trans, GemmMistake::barrier});
}
