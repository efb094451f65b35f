// SPDX-License-Identifier: MIT
// Programs that a command starts and waits for. No shell is between: a path may have anything in
// its name.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanescope::cli {

/// Whether it is not wanted any more: somebody has pressed Ctrl-C, or saved anew. What failed then
/// has not failed, and nothing is said of it.
using Stopped = std::function<bool()>;

/// fork(), but the child ends with this process, whatever ends it: who kills `lanescope` shall not
/// leave an exercise behind that never ends. `apart`: it leads a process group of its own, which
/// can be stopped as a whole, and has no keyboard.
pid_t fork_bound(bool apart = false);

/// Becomes the program, which is searched for in PATH where its name has no slash. Comes back only
/// when that fails; errno says why.
void become(const std::vector<std::string>& words);

/// Puts `value` and a colon before what an environment variable already has.
void prepend(const char* variable, const std::string& value);

/// What a program printed, stdout and stderr as they came. It is in a group of its own, of which
/// nothing stays when it is not wanted any more, or when this process ends.
struct Printed {
  std::string text;
  std::string problem;  // why it could not be started; "" when it was
  bool good = false;    // its exit code was 0
};
Printed printed_by(const std::vector<std::string>& words, const Stopped& stopped = nullptr);

/// What a program may do before it has to be stopped; 0: as much as it wants.
struct Bounds {
  std::chrono::seconds time{};
  std::size_t printed_bytes = 0;  // to stdout and stderr together
  Stopped stopped = nullptr;
};

/// What a bounded child prints goes through here. Made before the fork, asked in both processes.
class Output {
 public:
  explicit Output(const Bounds& bounds);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void take_over_in_child() const;
  /// Passes on what is there, or comes within `milliseconds`; how much that was.
  std::size_t pass_on(int milliseconds) const;

 private:
  struct Pipe {
    int from = -1, to = -1;
  };
  Pipe of_stdout_, of_stderr_;  // the second is not there where both go to the same place
};

/// Whether a child has become its program: its exit code is the program's then. Made before the
/// fork.
class NotBegun {
 public:
  NotBegun();
  ~NotBegun();
  NotBegun(const NotBegun&) = delete;
  NotBegun& operator=(const NotBegun&) = delete;

  void tell() const;  // the child, where it could not
  bool told() const;  // its parent, when it has ended

 private:
  int ends_[2] = {-1, -1};
};

enum class Ended { by_itself, too_long, too_much, not_wanted };
/// Waits for a child that has ended by itself, `status` says how, or has to be stopped.
Ended ends_in(const Bounds& bounds, pid_t child, int& status, const Output& output);

}  // namespace lanescope::cli
