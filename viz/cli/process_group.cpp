// SPDX-License-Identifier: MIT
// The first of a group hears that `lanescope` has ended, or that nobody wants the program any more,
// and tells all:
//
//   lanescope            SIGHUP, SIGKILL, ...
//     the first            SIGTERM, because its parent has ended; or SIGINT, from its parent
//       cmake              SIGINT; told alone, it would wait for ninja, which heard nothing
//         ninja            SIGINT; tells its compilers, which have groups of their own
//           nvcc
#include "cli/process_group.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kFirstOfNone = 3;       // behind stdin, stdout and stderr
constexpr unsigned kPatience_s = 10;  // for who does not end when told

volatile std::sig_atomic_t told = 0;

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;  // no SA_RESTART: who waits shall look again
  sigaction(signal, &action, nullptr);
}

/// The program's exit code. Once told, it waits for all that the program has started.
int wait_for(pid_t program) {
  int code = 1, status = 0;
  for (;;) {
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) return code;
    if (ended == program && WIFEXITED(status)) code = WEXITSTATUS(status);
    if (ended == program && told == 0) return code;
  }
}

}  // namespace

std::string temporary_folder() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "lanescope_XXXXXX").string();
  return error || mkdtemp(name.data()) == nullptr ? "" : name;
}

void lead_group() {
  // Told to stop, nvcc would take its own away if ninja did not close the pipe that it prints to:
  // that kills it.
  const std::string temporary = temporary_folder();
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // whose parent has ended is a child of this one
  sigset_t both, before;
  sigemptyset(&both);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&both, signal);
  sigprocmask(SIG_BLOCK, &both, &before);
  const pid_t program = fork();
  if (program == 0) {
    for (const int signal : {SIGTERM, SIGINT}) handle(signal, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (!temporary.empty()) setenv("TMPDIR", temporary.c_str(), 1);
    return;
  }
  handle(SIGTERM, [](int) { kill(0, SIGINT); });
  handle(SIGINT, [](int) {
    told = 1;
    alarm(kPatience_s);
  });
  sigprocmask(SIG_SETMASK, &before, nullptr);
  closefrom(kFirstOfNone);  // who reads what the program prints waits for that to end, not for this
  const int code = program < 0 ? 1 : wait_for(program);
  std::error_code ignored;
  if (!temporary.empty()) fs::remove_all(temporary, ignored);
  _exit(code);
}

}  // namespace lanescope::cli
