// SPDX-License-Identifier: MIT
// Sees that a trace, or one of two that are compared, is written anew while the window sleeps: a
// thread of its own looks at its files from time to time. A file that is being written changes from
// one look to the next: it counts once it has rested for one. So does one that is gone: between two
// names of a file that is written anew it is away for less.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lanescope::viz {

class FileWatch {
 public:
  using Paths = std::vector<std::string>;
  /// `look` says in words how files are, "" where one of them is not there; `tell` is called, in
  /// the other thread, when they have become others.
  FileWatch(std::function<std::string(const Paths&)> look, std::function<void()> tell,
            std::chrono::milliseconds every = std::chrono::milliseconds(400));
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// From now on these, which were so when they were read.
  void watch(const Paths& paths, const std::string& was);
  /// They have become others since, or one of them is gone.
  bool changed() const;
  /// They have been others at every one of the last looks: somebody is writing all the time.
  bool restless() const;

 private:
  void run();
  void look_once(std::unique_lock<std::mutex>& lock);

  const std::function<std::string(const Paths&)> look_;
  const std::function<void()> tell_;
  const std::chrono::milliseconds every_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  Paths paths_;
  std::string was_, before_;  // before_: how they were at the last look
  int unrest_ = 0;            // looks that found another, one behind the other
  bool changed_ = false, end_ = false;
  std::thread thread_;
};

}  // namespace lanescope::viz
