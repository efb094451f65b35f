// SPDX-License-Identifier: MIT
#include "tests/emulator/races/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "emulator/execute/tensor_map.hpp"

namespace lanescope::emulator::races {
namespace {

constexpr const char* kLateRead = "late-read";

static_assert(kCells * kCellBytes + 4 * (kFlags + kLocks) <= kLogAt);

int step_at(const Text& text, int line) {
  return line > 0 && line < static_cast<int>(text.steps.size())
             ? text.steps[static_cast<std::size_t>(line)]
             : -1;
}

// Not of two accesses: a copy that nobody waits for before a CTA's end.
bool is_of_end(const Told& report) {
  const std::string& said = report.message;
  return report.kind == "missing-bulk-wait" && (said.find(" before its CTA ends ") != said.npos ||
                                                said.find(" before the CTA ends ") != said.npos ||
                                                said.find(" when its CTA ends ") != said.npos);
}

Told told(const Text& text, const CheckReport& report) {
  const trace::Diagnostic& said = report.diagnostic;
  Told made{step_at(text, said.ptx_line), -1, said.kind, said.message};
  for (const std::string& detail : said.details) {
    const std::size_t at = detail.find(", PTX line ");
    if (detail.compare(0, 8, "against ") != 0 || at == detail.npos) continue;
    made.other = step_at(text, std::atoi(detail.c_str() + at + 11));
  }
  return made;
}

bool are(const Race& race, int step, int other) {
  return (race.first == step && race.second == other) ||
         (race.first == other && race.second == step);
}

// Reads of one warp with nothing between them are kept as one, under the name of any of them.
bool is_about(const Program& program, const Race& race, const Told& report) {
  if (are(race, report.step, report.other)) return true;
  const bool is_of_read = report.kind == "race-write-after-read" || report.kind == kLateRead;
  if (!is_of_read || report.other < 0) return false;
  const auto same_warp = [&](int step) {
    const Step& one = program.steps[static_cast<std::size_t>(step)];
    const Step& other = program.steps[static_cast<std::size_t>(report.other)];
    return one.cta == other.cta && one.warp == other.warp;
  };
  return (race.second == report.step && same_warp(race.first)) ||
         (race.first == report.step && same_warp(race.second));
}

// Where there has been a race before, what is missing next may go by another name.
bool is_late(const Race& race, const std::vector<Race>& races) {
  return std::any_of(races.begin(), races.end(), [&](const Race& other) {
    return other.second < race.second && other.home == race.home && other.offset < race.end &&
           race.offset < other.end;
  });
}

// What reports say that the oracle does not.
std::string unfounded(const Program& program, const std::vector<Told>& reports,
                      const std::vector<Race>& races) {
  std::string text;
  for (const Told& report : reports) {
    const bool is_late_read = report.kind == kLateRead;
    const bool fence = is_late_read || report.kind == "missing-proxy-fence";
    const auto backs = [&](const Race& race) {
      const bool is_kind =
          fence ? race.verdict == Verdict::unfenced && race.is_read_first == is_late_read
                : race.verdict != Verdict::unfenced;
      return is_about(program, race, report) &&
             (race.verdict == Verdict::both || is_kind || is_late(race, races));
    };
    if (std::none_of(races.begin(), races.end(), backs))
      text += fmt::format("no race: {} at step {} against {}: {}\n", report.kind, report.step,
                          report.other, report.message);
  }
  return text;
}

// Bytes with races that no report is about.
std::string silent(const std::vector<Told>& reports, const std::vector<Race>& races) {
  std::set<int> told;
  for (const Told& report : reports) told.insert({report.step, report.other});
  std::set<std::pair<int, int>> covered;  // home, byte
  for (const Race& race : races)
    if (told.count(race.first) != 0 || told.count(race.second) != 0)
      for (int byte = race.offset; byte < race.end; ++byte) covered.insert({race.home, byte});
  std::string text;
  for (const Race& race : races) {
    if (race.is_open) continue;
    for (int byte = race.offset; byte < race.end; ++byte) {
      if (covered.count({race.home, byte}) != 0) continue;
      text += fmt::format("silent: steps {} and {}, byte {} of {}{}\n", race.first, race.second,
                          byte, race.home == kGlobal ? "global" : "shared",
                          race.verdict == Verdict::unfenced ? ", no fence" : "");
      return text;
    }
  }
  return text;
}

// Whether a report says of this copy that somebody has not waited for it. A line has one report of
// a kind, against any of those that race there.
bool is_waited_for(const Judged& judged, const std::vector<Told>& reports, int copy) {
  return std::none_of(reports.begin(), reports.end(), [&](const Told& one) {
    const bool is_read = one.kind == "race-read-after-write";
    if (!is_read && one.kind != "missing-bulk-wait") return false;
    return one.other == copy || (one.step == copy && !is_read) ||
           std::any_of(judged.races.begin(), judged.races.end(),
                       [&](const Race& race) { return are(race, one.step, copy); });
  });
}

// Copies that end after a CTA, beside what reports say of them: `ends`. The checker says nothing of
// a copy of which it has said that somebody has not waited, and lets the last one of an mbarrier
// stand for the others.
std::string differ_at_end(const Program& program, const Judged& judged,
                          const std::vector<Told>& ends, const std::vector<Told>& others) {
  std::string text;
  std::set<int> said;
  for (const Told& end : ends) {
    said.insert(end.step);
    if (judged.outliving.count(end.step) == 0)
      text += fmt::format("not over: step {}: {}\n", end.step, end.message);
  }
  for (const int step : judged.outliving)
    if (!is_waited_for(judged, others, step)) said.insert(step);
  const auto barrier_of = [&](int step) {
    const Step& copy = program.steps[static_cast<std::size_t>(step)];
    return copy.op == Op::bulk_store ? -1 - step : copy.object;
  };
  for (const int step : judged.outliving)
    if (std::none_of(said.begin(), said.end(),
                     [&](int other) { return barrier_of(other) == barrier_of(step); }))
      text += fmt::format("silent: the copy of step {} need not be over at the end\n", step);
  return text;
}

// Who takes part in it, a bit each.
std::uint64_t agents_of(const Program& program, const Step& step) {
  const bool is_end = step.op == Op::next_kernel;
  const bool is_barrier = step.op == Op::barrier, is_product = step.op == Op::wgmma;
  const unsigned lanes = is_end || is_barrier || is_product ? kAllAgents : step.lanes;
  const unsigned warps = is_end || is_product ? ~0u
                         : is_barrier         ? step.warps | step.arrivers
                                              : 1u << step.warp;
  std::uint64_t all = 0;
  for (int cta = 0; cta < program.ctas; ++cta)
    for (int warp = 0; warp < program.warps; ++warp)
      if ((is_end || cta == step.cta) && (warps >> warp & 1) != 0)
        all |= std::uint64_t{lanes} << kAgents * (cta * kWarps + warp);
  return all;
}

// The step that took what this one unlocks.
std::size_t lock_before(const Program& program, std::size_t unlock) {
  const Step& step = program.steps[unlock];
  for (std::size_t n = unlock; n-- > 0;) {
    const Step& lock = program.steps[n];
    if (lock.op == Op::lock && lock.cta == step.cta && lock.warp == step.warp &&
        lock.lanes == step.lanes)
      return n;
  }
  return unlock;
}

TensorMap rows_of(std::uint64_t address, std::size_t bytes, int rows) {
  TensorMap map;
  map.type = TensorMapType::u8;
  map.rank = 2;
  map.address = address;
  map.size = {kCellBytes, bytes / kCellBytes, 1, 1, 1};
  map.stride_bytes = {1, kCellBytes, 0, 0, 0};
  map.box = {kCellBytes, static_cast<std::uint32_t>(rows), 1, 1, 1};
  return map;
}

}  // namespace

Comparison::Comparison(bool is_strict) : is_strict_(is_strict), machine_({.arch = "sm_90a"}) {
  cells_ = machine_.allocate(kGlobalBytes).value;
  constexpr std::size_t kSource = kMostSteps * kSourceBytes;
  source_ = machine_.allocate(kSource).value;
  for (std::size_t n = 0; n < kSource; ++n)
    reinterpret_cast<std::uint8_t*>(source_)[n] =
        static_cast<std::uint8_t>(n / kSourceBytes + 1);  // as the step's stores
  std::memcpy(parameters_, &cells_, 8);
  std::memcpy(parameters_ + 8, &source_, 8);
  for (int k = 0; k < kMaps; ++k) {
    const TensorMapBytes bytes = encode(k < 2 ? rows_of(source_, kSource, 1 + k)
                                              : rows_of(cells_, kCells * kCellBytes, k - 1));
    std::memcpy(parameters_ + 64 + k * kMapBytes, bytes.data(), bytes.size());
  }
}

bool Comparison::needs(Rule rule) const {
  const Judged judged = judge(last_, bit(rule));
  return !(unfounded(last_, told_, judged.races) + silent(told_, judged.races)).empty();
}

std::string Comparison::run(const Program& program) {
  const Text text = write(program);
  const auto module = machine_.load(text.ptx, "races");
  if (!module.ok()) return "not loaded: " + module.error.message + "\n";
  std::memset(reinterpret_cast<void*>(cells_), 0, kGlobalBytes);
  LaunchRequest request;
  request.grid = {program.ctas, 1, 1};
  if (program.is_cluster) request.cluster = {program.ctas, 1, 1};
  request.block = {32 * program.warps, 1, 1};
  request.parameters = parameters_;
  request.instruction_limit = 1'000'000;
  request.checks.races = true;
  request.checks.strict = is_strict_;
  request.seed = program.seed / 3 % 3;  // orders of the warps
  told_.clear();
  ends_.clear();
  std::string error;
  for (int kernel = 0; kernel < text.kernels && error.empty(); ++kernel) {
    request.kernel = machine_.find_kernel(module.value, fmt::format("races{}", kernel));
    const LaunchReport report = machine_.launch(request);
    if (report.error) error = "does not run: " + report.error.message + "\n";
    for (const CheckReport& found : report.reports)
      if (const Told one = told(text, found); is_of_end(one))
        ends_.push_back(one);
      else
        told_.push_back(one);
    // Of --strict; of flags and locks themselves; of CTAs that end before others are done with
    // their memory. The oracle has none of it.
    const auto is_extra = [&](const Told& one) {
      return one.kind == "narrow-scope" || one.kind == "cluster-exit" ||
             one.message.find("lets a bulk copy signal the mbarrier") != std::string::npos;
    };
    told_.erase(std::remove_if(told_.begin(), told_.end(), is_extra), told_.end());
  }
  machine_.unload(module.value);
  return error;
}

std::optional<Judged> Comparison::judge_as_run(const Program& program) {
  last_ = program;
  if (!program.has_free_locks) return judge(last_, is_strict_ ? kNotStrict : 0);
  last_.steps.clear();
  std::vector<int> place(program.steps.size(), -1);  // by step: in last_
  const auto* log = reinterpret_cast<const std::uint32_t*>(cells_ + kLogAt);
  Oracle oracle(last_);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    std::uint64_t held_up = 0;  // agents, by steps before that have not been taken
    for (std::size_t n = 0; n < place.size(); ++n) {
      if (place[n] >= 0) continue;
      Step step = program.steps[n];
      const int turn = step.count;
      if (step.op == Op::lock || step.op == Op::unlock)
        step.count = static_cast<int>(log[step.op == Op::lock ? n : lock_before(program, n)] / 2);
      const std::uint64_t agents = agents_of(program, step);
      if ((agents & held_up) != 0 || !oracle.add(step)) {
        held_up |= agents;
        continue;
      }
      goes_on = true;
      is_reordered = is_reordered || step.count != turn;
      place[n] = static_cast<int>(last_.steps.size());
      last_.steps.push_back(step);
    }
  }
  for (std::vector<Told>* reports : {&told_, &ends_})
    for (Told& one : *reports)
      for (int* step : {&one.step, &one.other})
        if (*step >= 0) *step = place[static_cast<std::size_t>(*step)];
  if (last_.steps.size() != place.size()) return std::nullopt;
  return judge(last_, is_strict_ ? kNotStrict : 0);
}

// What several lanes do, or warps of which some only arrive at a barrier, the oracle lets happen at
// once; in a run one of them may go on first, and a free lock tell. Such a run is not judged.
std::string Comparison::differ(const Program& program) {
  races = outliving = 0;
  is_judged = is_reordered = false;
  if (!is_program(program)) return "";
  const std::string error = run(program);
  if (!error.empty()) return error;
  const std::optional<Judged> judged = judge_as_run(program);
  is_judged = judged && judged->is_program;
  if (!is_judged) return "";
  races = judged->races.size();
  outliving = judged->outliving.size();
  return unfounded(last_, told_, judged->races) + silent(told_, judged->races) +
         differ_at_end(last_, *judged, ends_, told_);
}

// Which of the two comes first is a matter of the order of warps, and so is what happens then.
std::string Comparison::misses(const Program& program, const std::set<int>& beside) {
  const std::string error = run(program);
  const int last = static_cast<int>(program.steps.size()) - 1;
  const auto is_one = [&](int step) { return step == last || beside.count(step) != 0; };
  const auto says_so = [&](const Told& report) {
    const bool is_of_barrier =
        report.kind.compare(0, 8, "mbarrier") == 0 || report.kind == "barrier";
    return report.kind == "deadlock" ||
           (is_of_barrier && (is_one(report.step) || is_one(report.other)));
  };
  if (!error.empty() || std::any_of(told_.begin(), told_.end(), says_so)) return "";
  std::string text = "silent about the barrier of steps";
  for (const int step : beside) text += fmt::format(" {}", step);
  return text + fmt::format(" and {}\n", last);
}

Program Comparison::reduced(Program program) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t n = program.steps.size(); n-- > 0;) {
      Program less = program;
      less.steps.erase(less.steps.begin() + static_cast<std::ptrdiff_t>(n));
      if (differ(less).empty()) continue;
      program = std::move(less);
      again = true;
    }
  }
  return program;
}

}  // namespace lanescope::emulator::races
