// SPDX-License-Identifier: MIT
// Reads and writes the progress file; see progress.hpp.
#include "guide/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace lanescope::guide {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstLine = "# Lanescope: the lessons passed so far. One name a line.";

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

/// Writes all of `text` and waits until it is on the disk.
bool write_through(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return false;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  const bool flushed = fsync(file) == 0;
  const bool closed = close(file) == 0;
  return done == text.size() && flushed && closed;
}

}  // namespace

bool Progress::passed(const std::string& lesson) const {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return trimmed(line) == lesson; });
}

void Progress::pass(const std::string& lesson) {
  if (!passed(lesson)) lines.push_back(lesson);
}

int Progress::hints(const std::string& lesson) const {
  const std::string begin = lesson + " hint ";
  for (const std::string& line : lines) {
    const std::string text = trimmed(line);
    if (text.rfind(begin, 0) == 0) return std::atoi(text.c_str() + begin.size());
  }
  return 0;
}

void Progress::set_hints(const std::string& lesson, int count) {
  const std::string begin = lesson + " hint ";
  lines.erase(
      std::remove_if(lines.begin(), lines.end(),
                     [&](const std::string& line) { return trimmed(line).rfind(begin, 0) == 0; }),
      lines.end());
  lines.push_back(begin + std::to_string(count));
}

Progress read_progress(const fs::path& path, std::string& error) {
  error.clear();
  Progress progress;
  std::error_code problem;
  if (!fs::exists(path, problem)) return progress;
  std::ifstream file;
  if (fs::is_regular_file(path, problem)) file.open(path);  // a pipe would wait for a writer
  if (!file.is_open()) {
    error = fmt::format("cannot read {}; is it a file of yours?", path.string());
    return progress;
  }
  for (std::string line; std::getline(file, line);) progress.lines.push_back(line);
  return progress;
}

std::string write_progress(const fs::path& path, const Progress& progress) {
  std::string text;
  const bool headed = !progress.lines.empty() && progress.lines[0].rfind('#', 0) == 0;
  if (!headed) text = std::string(kFirstLine) + "\n";
  for (const std::string& line : progress.lines) text += line + "\n";
  // What a link leads to is replaced, not the link.
  std::error_code error;
  fs::path target;
  if (fs::is_symlink(path, error)) target = fs::canonical(path, error);
  if (target.empty()) target = path;
  fs::path temporary = target;
  temporary += ".tmp";
  if (!write_through(temporary, text) || std::rename(temporary.c_str(), target.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return fmt::format("cannot write {}: {}", path.string(), why);
  }
  return "";
}

std::string change_progress(const fs::path& path, const std::function<void(Progress&)>& change) {
  // The folder is what is locked: the file is replaced. Where a file system has no locks, the worst
  // is that one of two changes at the same moment is lost.
  const int folder = open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) flock(folder, LOCK_EX);
  std::string problem;
  Progress progress = read_progress(path, problem);
  if (problem.empty()) {
    change(progress);
    problem = write_progress(path, progress);
  }
  if (folder >= 0) close(folder);  // and unlocks it
  return problem;
}

const Lesson* next_lesson(const std::vector<Lesson>& lessons, const Progress& progress) {
  for (const Lesson& lesson : lessons)
    if (!progress.passed(lesson.name)) return &lesson;
  return nullptr;
}

}  // namespace lanescope::guide
