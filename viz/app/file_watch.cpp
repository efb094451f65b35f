// SPDX-License-Identifier: MIT
#include "app/file_watch.hpp"

#include <utility>

namespace lanescope::viz {
namespace {

constexpr int kRestless = 5;  // looks: two seconds

}  // namespace

FileWatch::FileWatch(std::function<std::string(const Paths&)> look, std::function<void()> tell,
                     std::chrono::milliseconds every)
    : look_(std::move(look)), tell_(std::move(tell)), every_(every), thread_([this] { run(); }) {}

FileWatch::~FileWatch() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void FileWatch::watch(const Paths& paths, const std::string& was) {
  const std::lock_guard lock(mutex_);
  if (paths == paths_ && was == was_) return;
  paths_ = paths;
  was_ = before_ = was;
  unrest_ = 0;
  changed_ = false;
}

bool FileWatch::changed() const {
  const std::lock_guard lock(mutex_);
  return changed_;
}

bool FileWatch::restless() const {
  const std::lock_guard lock(mutex_);
  return unrest_ >= kRestless;
}

void FileWatch::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, every_, [this] { return end_; }))
    if (!paths_.empty() && !changed_) look_once(lock);
}

void FileWatch::look_once(std::unique_lock<std::mutex>& lock) {
  const Paths paths = paths_;
  const std::string was = was_;
  lock.unlock();  // a folder on another machine may let one wait
  const std::string is = look_(paths);
  lock.lock();
  if (paths != paths_ || was != was_) return;
  const bool rests = is == std::exchange(before_, is);
  unrest_ = rests ? 0 : unrest_ + 1;
  changed_ = rests && is != was_;
  if (!changed_ && unrest_ != kRestless) return;
  lock.unlock();
  tell_();
  lock.lock();
}

}  // namespace lanescope::viz
