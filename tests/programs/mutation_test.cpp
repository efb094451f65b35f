// SPDX-License-Identifier: MIT
// Proof of the checker: from every kernel of the lessons and of the test programs each wait,
// barrier and fence is left out or weakened in turn, and the checker must say which two
// instructions nothing orders any more. As they are, the kernels give no report at all.
//
// mutants_that_survive.txt lists those that are not reported, each with the reason; a mutant that
// is neither reported nor listed fails the test.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "tests/programs/mutation.hpp"
#include "tests/programs/run_process.hpp"

namespace lanescope::tests {
namespace {

namespace fs = std::filesystem;

struct Report {
  std::string kind;
  std::string file;
  int line = 0;
  int ptx_line = 0, other = 0;  // 0: not said
};

// The lines "lanescope: check: KIND: FILE:LINE: ..." and the details under them.
std::vector<Report> reports_of(const std::string& err) {
  static const std::regex first(R"(^lanescope: check: ([\w.-]+): (.*?):(\d+): )");
  static const std::regex mine(R"(^  .*?\bPTX line (\d+))");
  std::vector<Report> reports;
  std::istringstream in(err);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, first)) {
      reports.push_back({match[1], match[2], std::stoi(match[3])});
    } else if (!reports.empty() && std::regex_search(line, match, mine)) {
      const bool against = line.rfind("  against", 0) == 0;
      (against ? reports.back().other : reports.back().ptx_line) = std::stoi(match[1]);
    }
  }
  return reports;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Program {
  std::string name, path, arch;
  std::size_t stride = 1;  // each how many-th mutant is made
};

// `how`: "1", or "first" to end after the first launch with a report.
Finished run_checked(const Program& program, const fs::path& ptx, const std::string& how) {
  std::vector<std::string> command{"/usr/bin/timeout", "100", program.path};
  // By its name and not its path: the dynamic linker splits LD_PRELOAD at blanks.
  const fs::path runtime = LANESCOPE_EMULATED_RUNTIME;
  std::vector<std::string> environment{"LD_PRELOAD=" + runtime.filename().string(),
                                       "LD_LIBRARY_PATH=" + runtime.parent_path().string(),
                                       "LANESCOPE_CHECK=" + how, "LANESCOPE_ARCH=" + program.arch,
                                       "LANESCOPE_PTX=" + ptx.string()};
  return run_process(command, environment);
}

// With no wait between.
bool is_right_before(const Ptx& ptx, int line, int later) {
  for (int k = line; k < later; ++k)
    if (ptx.lines[static_cast<std::size_t>(k)].find("_wait") != std::string::npos) return false;
  return line < later;
}

// The two instructions of a report have the changed one between them; one that stands alone (a
// deadlock, a wgmma without its fence, memory that nobody wrote) comes after it or waits for it.
bool explains(const Ptx& ptx, const Mutant& mutant, const Report& report) {
  if (report.ptx_line == 0) return false;
  // The fence of who copies: where the readers' code stands is another matter.
  if (report.kind == "late-read" && is_right_before(ptx, mutant.ptx_line, report.ptx_line))
    return true;
  // Another warp's copy, which nobody waits for: who touches its bytes stands behind the wait.
  if (report.kind == "missing-bulk-wait" &&
      (mutant.operation == "never wait at an mbarrier" ||
       mutant.operation == "wait for the other parity") &&
      is_right_before(ptx, mutant.ptx_line, report.ptx_line))
    return true;
  if (report.other != 0) return lies_between(ptx, mutant.ptx_line, report.ptx_line, report.other);
  const bool about_waiting = report.kind == "deadlock" || report.kind == "mbarrier" ||
                             report.kind == "barrier.cluster" || report.kind == "cluster-exit" ||
                             report.kind == "cluster-start";
  if (about_waiting)
    return mutant.operation.find("bar") != std::string::npos ||
           mutant.operation.find("parity") != std::string::npos ||
           mutant.operation == "delete tcgen05.commit";
  // Columns that are given back too early, or never: said where they are used, or were taken.
  if (report.kind == "tensor-memory")
    return mutant.operation == "delete bar.sync" || mutant.operation == "delete tcgen05.dealloc" ||
           mutant.operation.find("barrier.cluster") != std::string::npos;
  if (report.kind == "missing-bulk-wait")  // at the end of the CTA
    return mutant.operation.find("bulk") != std::string::npos;
  return lies_between(ptx, mutant.ptx_line, report.ptx_line, mutant.ptx_line) &&
         (report.ptx_line >= mutant.ptx_line ||
          lies_between(ptx, mutant.ptx_line, report.ptx_line, report.ptx_line));
}

struct Outcome {
  std::string program, what, report;
  int ptx_line = 0, line = 0;
  bool is_reported = false, is_explained = false;
};

std::string line_of(const std::string& path, int line) {
  std::istringstream in(read(path));
  std::string text;
  for (int k = 0; k < line && std::getline(in, text);) ++k;
  return trimmed(text);
}

// "program | operation | text of the source line": what the list of survivors calls a mutant.
std::string key(const Program& program, const Ptx& ptx, const Mutant& mutant) {
  const SourcePlace at = source_of(ptx, mutant.ptx_line);
  return fmt::format("{} | {} | {}", program.name, mutant.operation, line_of(at.file, at.line));
}

std::vector<Program> programs() {
  std::vector<Program> all;
  std::ifstream in(LANESCOPE_MUTATION_LIST);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Program program;
    std::string how;
    words >> program.arch >> how;
    std::getline(words >> std::ws, program.path);  // the rest: there may be blanks in it
    program.stride = std::getenv("LANESCOPE_MUTATE_ALL") != nullptr ? 1 : std::stoul(how);
    program.name = fs::path(program.path).filename();
    all.push_back(program);
  }
  return all;
}

// The list: "COUNT program | operation | text of the source line", how many such copies of the
// statement (a compiler unrolls) may survive, "*": any. Reasons are the comments above them.
std::map<std::string, int> survivors() {
  std::map<std::string, int> all;
  std::ifstream in(LANESCOPE_SOURCE_DIR "/tests/programs/mutants_that_survive.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t blank = line.find(' ');
    all[line.substr(blank + 1)] = line[0] == '*' ? 1'000'000 : std::atoi(line.c_str());
  }
  return all;
}

class Suite {
 public:
  Suite() : folder_(fs::temp_directory_path() / fmt::format("mutants.{}", ::getpid())) {
    fs::create_directories(folder_);
  }
  ~Suite() { fs::remove_all(folder_); }

  void add(const Program& program) {
    const fs::path original = folder_ / program.name;
    fs::create_directories(original);
    const Finished run = run_checked(program, original, "1");
    CAPTURE(program.name);
    CAPTURE(run.err);
    const bool teaches = run.exit_code == 1 && !reports_of(run.err).empty();
    // Lessons may show what goes wrong; those lines are in the list of survivors, too.
    std::string reported;
    for (const Report& report : reports_of(run.err)) {
      const std::string known =
          fmt::format("{} | {} | {}", program.name, report.kind, line_of(report.file, report.line));
      if (survivors().count(known) == 0) reported += known + "\n";
    }
    CHECK(reported == "");
    if (teaches) return;  // what a mutant adds to such a line cannot be told from it
    CHECK(run.exit_code == 0);
    const Ptx& ptx = texts_.emplace_back(read(original / "0.ptx"));
    REQUIRE(!ptx.lines.empty());
    const std::vector<Report> always = reports_of(run.err);
    std::istringstream names(read(original / "launched.txt"));
    const std::set<std::string> launched{std::istream_iterator<std::string>(names), {}};
    std::vector<Mutant> mutants = mutants_of(ptx, launched);
    for (std::size_t k = 0; k < mutants.size(); k += program.stride)
      jobs_.push_back({&program, ptx, std::move(mutants[k]), always});
  }

  std::vector<Outcome> run() {
    std::vector<Outcome> outcomes(jobs_.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t k = next++; k < jobs_.size(); k = next++) outcomes[k] = run_one(k);
    };
    std::vector<std::thread> workers;
    for (unsigned k = 0; k < std::max(2u, std::thread::hardware_concurrency()); ++k)
      workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    return outcomes;
  }

 private:
  struct Job {
    const Program* program;
    const Ptx& ptx;
    Mutant mutant;
    std::vector<Report> always;  // reported as it is
  };

  Outcome run_one(std::size_t k) const {
    const Job& job = jobs_[k];
    const fs::path folder = folder_ / fmt::format("{}", k);
    fs::create_directories(folder);
    std::ofstream(folder / "0.ptx", std::ios::binary) << apply(job.ptx, job.mutant);
    const Finished run = run_checked(*job.program, folder, "first");
    fs::remove_all(folder);
    Outcome outcome;
    outcome.program = job.program->name;
    outcome.what = key(*job.program, job.ptx, job.mutant);
    outcome.ptx_line = job.mutant.ptx_line;
    outcome.line = source_of(job.ptx, job.mutant.ptx_line).line;
    for (const Report& report : reports_of(run.err)) {
      const auto same = [&](const Report& other) {
        return other.kind == report.kind && other.ptx_line == report.ptx_line;
      };
      if (std::any_of(job.always.begin(), job.always.end(), same)) continue;
      const bool explained = explains(job.ptx, job.mutant, report);
      if (!outcome.is_reported || (explained && !outcome.is_explained))
        outcome.report = fmt::format("{} at {}:{}", report.kind, report.file, report.line);
      outcome.is_reported = true;
      outcome.is_explained = outcome.is_explained || explained;
    }
    if (!outcome.is_reported && run.exit_code != 0)
      outcome.report = fmt::format("exit code {}", run.exit_code);
    return outcome;
  }

  fs::path folder_;
  std::deque<Ptx> texts_;  // of the programs
  std::vector<Job> jobs_;
};

}  // namespace

TEST_CASE("every wait, barrier and fence that is left out is reported with its line") {
  const std::vector<Program> all = programs();
  REQUIRE(!all.empty());
  const char* only = std::getenv("LANESCOPE_MUTATE_ONLY");
  Suite suite;
  for (const Program& program : all)
    if (only == nullptr || program.name.find(only) != std::string::npos) suite.add(program);
  std::map<std::string, int> known = survivors();
  int observable = 0, right = 0;
  for (const Outcome& outcome : suite.run()) {
    CAPTURE(outcome.what);
    CAPTURE(outcome.report);
    const bool fine = outcome.is_reported && outcome.is_explained;
    const auto found = known.find(outcome.what);
    const bool listed = !fine && found != known.end() && found->second-- > 0;
    if (!listed) ++observable;
    if (fine) ++right;
    if (std::getenv("LANESCOPE_MUTATE_PRINT") != nullptr)
      fmt::print("{} {} (line {}, PTX line {}) -> {}\n",
                 fine                  ? "+"
                 : listed              ? "="
                 : outcome.is_reported ? "?"
                                       : "-",
                 outcome.what, outcome.line, outcome.ptx_line, outcome.report);
    CHECK_MESSAGE((fine || listed), "neither reported nor explained");
  }
  MESSAGE(fmt::format("{} mutants that can be observed, {} reported with their line", observable,
                      right));
  if (only == nullptr) CHECK(observable > 100);
  CHECK(right * 100 >= observable * 95);
}

}  // namespace lanescope::tests
