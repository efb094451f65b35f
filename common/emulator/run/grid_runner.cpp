// SPDX-License-Identifier: MIT
// CTAs run in the order of the grid. Several threads take them in turn where no result can depend
// on who comes first: a kernel with atomics on global memory runs on one thread, so that what they
// return is the same every time. The caller's thread begins, and starts others when it has seen
// that there is enough to do for them.
//
// A CTA that polls memory (polling.hpp) is set aside and later resumed, so that the one that will
// write it has its turn: on a card many are resident at once, and programs rely on it. No more are
// begun than the card has room for; when all of those only poll, nobody will ever write.
#include "emulator/run/grid_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "emulator/check/collect.hpp"
#include "emulator/report.hpp"
#include "emulator/run/deadlock.hpp"
#include "emulator/run/polling.hpp"
#include "emulator/run/scheduler.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::uint64_t kSlice = 20'000'000;       // instructions before another CTA has its turn
constexpr std::uint64_t kBeforeHelp = 50'000;      // before other threads are started
constexpr std::uint64_t kBetweenTold = 1'000'000;  // until who wants to hear of it is told again
constexpr std::int64_t kMostResident = 1056;       // CTAs at a time: 132 SMs of 8

class GridRunner {
 public:
  GridRunner(LaunchState& launch, const CheckPlan* checks)
      : launch_(launch), checks_(checks), limit_(launch.request->instruction_limit) {
    const auto& grid = launch.request->grid;
    count_ = static_cast<std::uint64_t>(grid[0]) * static_cast<std::uint64_t>(grid[1]) *
             static_cast<std::uint64_t>(grid[2]);
    const std::int64_t room = launch.request->most_resident;
    most_resident_ = static_cast<std::uint64_t>(room > 0 ? room : kMostResident);
    for (const int extent : launch.request->cluster) {
      count_ /= static_cast<std::uint64_t>(extent);
      most_resident_ /= static_cast<std::uint64_t>(extent);
    }
    most_resident_ = std::max<std::uint64_t>(most_resident_, 1);
    launch.begun = &next_;
    launch.clusters = count_;
    if (checks != nullptr) global_ = std::make_shared<GlobalWatch>(launch, *checks, count_);
  }

  const std::shared_ptr<GlobalWatch>& global() const { return global_; }

  LaunchReport run(int threads) {
    // What a checker finds depends on the order, and so does where a limit ends a launch.
    const bool alone = threads <= 1 || count_ == 1 || global_ || limit_ != 0;
    work(alone ? 0 : threads - 1);
    for (std::thread& helper : helpers_) helper.join();
    report_.threads = 1 + static_cast<int>(helpers_.size());
    for (auto& [number, text] : printed_)
      if (alone || !report_.error || number <= failed_) report_.printed += text;
    report_.reports = found_.reports();
    report_.banks = banks_.reports(*launch_.program);
    report_.sectors = sectors_.reports(*launch_.program);
    if (report_.error && launch_.request->checks.races)
      report_.reports.push_back(report_of(report_.error));
    return std::move(report_);
  }

 private:
  // One worker: new clusters as long as there are any and room for them, and those set aside.
  // Starts up to `helpers` others when it has been busy for a while.
  void work(int helpers) {
    std::deque<std::unique_ptr<Cluster>> aside;
    std::unique_ptr<Cluster> cluster;
    while (!stopped_) {
      if (launch_.request->progress != nullptr && spent_ >= next_told_ && done_ < count_)
        tell_progress();
      if (const std::uint64_t number = begin_another(); number < count_) {
        if (!cluster) cluster = new_cluster();
        prepare_cluster(*cluster, launch_, number);
      } else if (!aside.empty()) {
        cluster = std::move(aside.front());
        aside.pop_front();
      } else {
        return;
      }
      const std::uint64_t before = cluster->executed();
      CtaResult result = run_cluster(*cluster, helpers > 0 ? kBeforeHelp : slice());
      if (helpers > 0 && cluster->executed() - before + spent_ >= kBeforeHelp) {
        start(std::exchange(helpers, 0));
        if (result.end == CtaEnd::out_of_budget) result = run_cluster(*cluster, slice());
      }
      spent_.fetch_add(cluster->executed() - before);
      if (limit_ != 0 && spent_ >= limit_) {
        if (result.end == CtaEnd::polling) result.end = CtaEnd::out_of_budget;
      } else if (result.end == CtaEnd::polling && everybody_polls()) {
        result = nobody_will_write(*cluster);
      } else if (result.end == CtaEnd::polling || result.end == CtaEnd::out_of_budget) {
        if (result.end == CtaEnd::out_of_budget) quiet_ = 0;
        aside.push_back(std::move(cluster));
        continue;
      }
      quiet_ = 0;
      --resident_;
      ++done_;
      finish(*cluster, result);
      if (result.end != CtaEnd::done) return;
    }
  }

  void start(int helpers) {
    const std::uint64_t left = count_ - std::min<std::uint64_t>(next_, count_);
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(left, helpers); ++k) try {
        helpers_.emplace_back([this] { work(0); });
      } catch (const std::system_error&) {
        return;  // no more threads to be had: those that there are do it
      }
  }

  void tell_progress() {
    const std::lock_guard lock(mutex_);
    next_told_ = spent_ + kBetweenTold;
    const auto& [x, y, z] = launch_.request->cluster;
    const auto each = static_cast<std::uint64_t>(x * y * z);
    const ProgressListener& listener = *launch_.request->progress;
    listener.tell(listener.context, {done_ * each, count_ * each, spent_});
  }

  // The next cluster of the grid, or `count_` when there is none or no room.
  std::uint64_t begin_another() {
    if (resident_.fetch_add(1) < most_resident_) {
      const std::uint64_t number = next_.fetch_add(1);
      if (number < count_) return number;
    }
    --resident_;
    return count_;
  }

  bool everybody_polls() { return ++quiet_ > std::max(kQuietRounds * resident_, kFewestRounds); }

  CtaResult nobody_will_write(const Cluster& cluster) const {
    CtaResult result = describe_polling(cluster);
    if (loops_alone(cluster)) {
      result.advice = "no other thread can write a variable of a lane: the loop never ends";
      return result;
    }
    const std::uint64_t begun = std::min<std::uint64_t>(next_, count_);
    result.advice =
        "who should write it? all CTAs have been looked after, none will, and neither the host nor "
        "another stream has a turn before the kernel ends (docs/runtime.md)";
    if (begun == count_) return result;
    const std::uint64_t each = cluster.ctas.size();
    result.advice = fmt::format(
        "{} CTAs of the grid have not begun: the card has room for {} at a time, and those wait; "
        "launch at most that many (cudaOccupancyMaxActiveBlocksPerMultiprocessor), or give out "
        "work in the order in which CTAs begin",
        (count_ - begun) * each, most_resident_ * each);
    return result;
  }

  std::unique_ptr<Cluster> new_cluster() {
    auto cluster = std::make_unique<Cluster>();
    if (checks_ != nullptr)
      cluster->check =
          std::make_shared<Checker>(launch_, *checks_, launch_.request->checks, *global_);
    return cluster;
  }

  std::uint64_t slice() const {
    const std::uint64_t spent = spent_;
    return limit_ == 0 || limit_ - std::min(spent, limit_) > kSlice
               ? kSlice
               : std::max<std::uint64_t>(1, limit_ - std::min(spent, limit_));
  }

  void finish(Cluster& cluster, const CtaResult& result) {
    const std::lock_guard lock(mutex_);
    if (cluster.check != nullptr) {
      found_.add(cluster.check->take_findings());
      banks_.add(cluster.check->banks());
      cluster.check->banks() = {};
      sectors_.add(cluster.check->sectors());
      cluster.check->sectors() = {};
      global_->hearsay.leaves(cluster.number);
    }
    for (const auto& cta : cluster.ctas) {
      report_.warp_instructions += cta->executed;
      if (result.end == CtaEnd::done) warn_of(*cta);
      if (cta->multiplied && (!report_.multiplying || cta->number < multiplied_)) {
        report_.multiplying = cta->block;
        multiplied_ = cta->number;
      }
      if (!cta->printed.empty()) printed_[cta->number] = std::move(cta->printed);
      cta->printed.clear();
    }
    if (result.end == CtaEnd::done) return;
    stopped_ = true;
    const Cta& cta = *cluster.ctas[static_cast<std::size_t>(result.rank)];
    // Of several CTAs that fail at the same time the first of the grid is reported.
    if (report_.error && failed_ < cta.number) return;
    failed_ = cta.number;
    report_.error = fault_error(cta, result);
  }

  // Of several CTAs the first of the grid is named. Sums that were lost, and memory of mbarriers
  // that is used again, the checker finds itself.
  void warn_of(const Cta& cta) {
    if (!report_.warning.empty() && warned_ <= cta.number) return;
    std::string found = checks_ == nullptr ? unawaited_wgmma(cta) : "";
    if (found.empty() && checks_ == nullptr) found = kept_tensor_memory(cta);
    if (found.empty()) found = atomic_elsewhere(cta);
    if (found.empty()) found = one_wgmma_less(cta);
    if (found.empty()) found = hinted_copy(cta);
    if (found.empty() && checks_ == nullptr) found = reused_mbarrier(cta);
    if (found.empty()) return;
    report_.warning = std::move(found);
    warned_ = cta.number;
  }

  const LaunchState& launch_;
  const CheckPlan* checks_;
  std::shared_ptr<GlobalWatch> global_;  // where the launch is checked
  Collection found_;
  BankCounts banks_;
  SectorCounts sectors_;
  std::uint64_t limit_;
  std::uint64_t count_ = 0;          // clusters
  std::uint64_t most_resident_ = 1;  // clusters
  std::atomic<std::uint64_t> resident_{0};
  std::atomic<std::uint64_t> quiet_{0};  // times in a row that a cluster did nothing but poll
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> spent_{0};
  std::atomic<std::uint64_t> done_{0};                  // clusters
  std::atomic<std::uint64_t> next_told_{kBetweenTold};  // warp instructions
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  LaunchReport report_;
  std::uint64_t failed_ = 0, warned_ = 0, multiplied_ = 0;  // CTAs
  std::vector<std::thread> helpers_;
  std::map<std::uint64_t, std::string> printed_;
};

}  // namespace

LaunchReport run_grid(LaunchState& launch, const CheckPlan* checks, int threads,
                      std::shared_ptr<const GlobalWatch>& touched) {
  GridRunner runner(launch, checks);
  touched = runner.global();
  return runner.run(threads);
}

}  // namespace lanescope::emulator
