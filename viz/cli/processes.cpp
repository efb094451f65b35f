// SPDX-License-Identifier: MIT
#include "cli/processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

namespace lanescope::cli {

pid_t fork_bound() {
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);  // it has ended between the two
  return child;
}

void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
}

namespace {

/// All that comes, until the other end is closed.
std::string read_all(int from) {
  std::string text;
  char part[4096];
  for (;;) {
    const ssize_t count = read(from, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;  // Ctrl-C: the program has been told, too
    if (count <= 0) return text;
    text.append(part, static_cast<std::size_t>(count));
  }
}

}  // namespace

Printed printed_by(const std::vector<std::string>& words) {
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
  const pid_t child = fork_bound();
  if (child == 0) {
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
    printed.text = read_all(text[0]);
    ends_in_time(child, status, {});
    printed.good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  close(text[0]);
  close(started[0]);
  return printed;
}

bool ends_in_time(pid_t child, int& status, std::chrono::seconds limit) {
  const auto last = std::chrono::steady_clock::now() + limit;
  const int flags = limit.count() > 0 ? WNOHANG : 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, flags);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return true;
    if (flags != 0 && std::chrono::steady_clock::now() > last) return false;
    if (flags != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace lanescope::cli
