// SPDX-License-Identifier: MIT
#include "cli/processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/process_group.hpp"

namespace lanescope::cli {

pid_t fork_bound(bool apart) {
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (apart && child >= 0) setpgid(child, 0);  // both do: nobody knows who is first
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);  // it has ended between the two
  // Who reads a terminal that another group has is stopped, and would never end.
  if (apart) dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  return child;
}

void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
}

namespace {

constexpr int kLook_ms = 20;

/// All that comes, until the other end is closed; `look` is called again and again meanwhile.
std::string read_all(int from, const std::function<void()>& look = nullptr) {
  std::string text;
  char part[4096];
  for (;;) {
    pollfd ready{from, POLLIN, 0};
    if (look && (look(), poll(&ready, 1, kLook_ms) <= 0)) continue;
    const ssize_t count = read(from, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;  // Ctrl-C: the program has been told, too
    if (count <= 0) return text;
    text.append(part, static_cast<std::size_t>(count));
  }
}

}  // namespace

void prepend(const char* variable, const std::string& value) {
  const char* old = std::getenv(variable);
  const std::string joined = old && *old ? value + ":" + old : value;
  setenv(variable, joined.c_str(), 1);
}

Printed printed_by(const std::vector<std::string>& words, const Stopped& stopped) {
  Printed printed;
  const auto cannot = [&](int why) {
    printed.problem = fmt::format("cannot run {}: {}", words[0], std::strerror(why));
  };
  // What became of exec comes through the second pipe, which a program that runs has closed.
  int text[2], started[2];
  if (pipe2(text, O_CLOEXEC) != 0) return cannot(errno), printed;
  if (pipe2(started, O_CLOEXEC) != 0) {
    cannot(errno);
    close(text[0]);
    close(text[1]);
    return printed;
  }
  const pid_t child = fork_bound(true);
  if (child == 0) {
    lead_group();
    dup2(text[1], STDOUT_FILENO);
    dup2(text[1], STDERR_FILENO);
    become(words);
    const int why = errno;
    _exit(write(started[1], &why, sizeof why) == sizeof why ? 127 : 126);
  }
  const int no_fork = errno;
  close(text[1]);
  close(started[1]);
  int why = 0, status = 0;
  if (child < 0) {
    cannot(no_fork);
  } else {
    const std::string reason = read_all(started[0]);
    if (reason.size() == sizeof why) {
      std::memcpy(&why, reason.data(), sizeof why);
      cannot(why);
    }
    // Told, not killed: ninja stops its compilers then, and takes away what is half written.
    bool told = false;
    printed.text = stopped ? read_all(text[0],
                                      [&] {
                                        if (!told && stopped()) told = kill(-child, SIGINT) == 0;
                                      })
                           : read_all(text[0]);
    pid_t ended = -1;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    printed.good = ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  close(text[0]);
  close(started[0]);
  return printed;
}

namespace {

bool same_place(int left, int right) {
  struct stat of_left = {}, of_right = {};
  return fstat(left, &of_left) == 0 && fstat(right, &of_right) == 0 &&
         of_left.st_dev == of_right.st_dev && of_left.st_ino == of_right.st_ino;
}

std::size_t pass_on_from(int from, int to) {
  char part[4096];
  const ssize_t count = read(from, part, sizeof part);
  for (ssize_t done = 0; done < count;) {
    const ssize_t written = write(to, part + done, static_cast<std::size_t>(count - done));
    if (written < 0 && errno != EINTR) break;  // nobody reads on
    if (written > 0) done += written;
  }
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace

Output::Output(const Bounds& bounds) {
  const auto open = [](Pipe& pipe) {  // where there is none, it prints as it wants
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == 0) pipe = {ends[0], ends[1]};
  };
  if (bounds.printed_bytes == 0) return;
  open(of_stdout_);
  if (!same_place(STDOUT_FILENO, STDERR_FILENO)) open(of_stderr_);
}

Output::~Output() {
  for (const int end : {of_stdout_.from, of_stdout_.to, of_stderr_.from, of_stderr_.to})
    if (end >= 0) close(end);
}

void Output::take_over_in_child() const {
  if (of_stdout_.to < 0) return;
  // One pipe for both keeps the order in which they were printed.
  if (of_stderr_.to >= 0 || same_place(STDOUT_FILENO, STDERR_FILENO))
    dup2(of_stderr_.to >= 0 ? of_stderr_.to : of_stdout_.to, STDERR_FILENO);
  dup2(of_stdout_.to, STDOUT_FILENO);
}

std::size_t Output::pass_on(int milliseconds) const {
  pollfd ready[2] = {{of_stdout_.from, POLLIN, 0}, {of_stderr_.from, POLLIN, 0}};
  if (poll(ready, 2, milliseconds) <= 0) return 0;
  std::size_t bytes = 0;
  if ((ready[0].revents & POLLIN) != 0) bytes += pass_on_from(of_stdout_.from, STDOUT_FILENO);
  if ((ready[1].revents & POLLIN) != 0) bytes += pass_on_from(of_stderr_.from, STDERR_FILENO);
  return bytes;
}

NotBegun::NotBegun() {
  if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) ends_[0] = ends_[1] = -1;
}

NotBegun::~NotBegun() {
  for (const int end : ends_)
    if (end >= 0) close(end);
}

void NotBegun::tell() const {
  const char word = 1;
  if (write(ends_[1], &word, 1) != 1) _exit(1);
}

bool NotBegun::told() const {
  char word = 0;
  return read(ends_[0], &word, 1) == 1;
}

Ended ends_in(const Bounds& bounds, pid_t child, int& status, const Output& output) {
  const auto last = std::chrono::steady_clock::now() + bounds.time;
  const bool bounded = bounds.time.count() > 0 || bounds.printed_bytes > 0 || bounds.stopped;
  std::size_t bytes = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, bounded ? WNOHANG : 0);
    if (ended < 0 && errno == EINTR) continue;
    const bool gone = ended != 0;
    if (ended < 0) status = W_EXITCODE(1, 0);  // nobody knows how: that is no success
    while (const std::size_t more = output.pass_on(gone ? 0 : 5)) {
      bytes += more;
      if (bounds.printed_bytes > 0 && bytes > bounds.printed_bytes) return Ended::too_much;
      if (!gone) break;
    }
    if (gone) return Ended::by_itself;
    if (bounds.stopped && bounds.stopped()) return Ended::not_wanted;
    if (bounds.time.count() > 0 && std::chrono::steady_clock::now() > last) return Ended::too_long;
  }
}

}  // namespace lanescope::cli
