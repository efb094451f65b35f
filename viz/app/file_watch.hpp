// SPDX-License-Identifier: MIT
// Sees that a trace is written anew while the window sleeps: a thread of its own looks at its files
// from time to time. A file that is being written changes from one look to the next: it counts once
// it has rested for one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lanescope::viz {

class FileWatch {
 public:
  /// `look` says in words how a file is, "" where it is not there; `tell` is called, in the other
  /// thread, when it has become another.
  FileWatch(std::function<std::string(const std::string&)> look, std::function<void()> tell,
            std::chrono::milliseconds every = std::chrono::milliseconds(400));
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// From now on `path` ("": none), which was so when it was read.
  void watch(const std::string& path, const std::string& was);
  /// It has become another since.
  bool changed() const;

 private:
  void run();
  void look_once(std::unique_lock<std::mutex>& lock);

  const std::function<std::string(const std::string&)> look_;
  const std::function<void()> tell_;
  const std::chrono::milliseconds every_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::string path_, was_, before_;  // before_: how it was at the last look
  bool changed_ = false, end_ = false;
  std::thread thread_;
};

}  // namespace lanescope::viz
