// SPDX-License-Identifier: MIT
// `watch N`: checks an exercise whenever it is saved, until it passes; one key for a hint, the
// picture, the list and the end. A save ends the check of what was there before. The file's text is
// compared, not its time: editors replace files, touch them and write them twice.
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/terminal.hpp"
#include "guide/file.hpp"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

// For the handlers of signals, which are given nothing.
volatile std::sig_atomic_t interrupted = 0;
termios terminal_before{}, terminal_raw{};

/// Whatever ends or stops this, the terminal echoes again.
void give_back(int signal) {
  const int error = errno;
  tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
  if (signal == SIGTSTP) {  // Ctrl-Z: until `fg`
    raise(SIGSTOP);
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal_raw);
  } else {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  errno = error;
}

/// Keys one by one and without an echo while it lives; Ctrl-C ends the loop, not the program.
class Keyboard {
 public:
  Keyboard() {
    handle(SIGINT, [](int) { interrupted = 1; });
    if (tcgetattr(STDIN_FILENO, &terminal_before) != 0) return;
    terminal_raw = terminal_before;
    terminal_raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    for (const int signal : {SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP}) handle(signal, give_back);
    is_terminal_ = true;
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal_raw);
  }
  ~Keyboard() {
    if (is_terminal_) tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
    let_go();
  }
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /// Signals do again what they did; a child that is none of the keyboard's wants that, too.
  void let_go() {
    for (const auto& [signal, action] : old_) sigaction(signal, &action, nullptr);
    old_.clear();
  }

  /// The next key, or 0 when there was none for `timeout_ms`.
  char key(int timeout_ms) {
    pollfd input{open_ ? STDIN_FILENO : -1, POLLIN, 0};
    if (poll(&input, 1, timeout_ms) <= 0 || input.revents == 0) return 0;
    char key = 0;
    if (::read(STDIN_FILENO, &key, 1) == 1) return key;
    open_ = false;  // nobody types any more; files are watched on
    return 0;
  }

 private:
  void handle(int signal, void (*handler)(int)) {
    struct sigaction action = {}, old = {};
    action.sa_handler = handler;
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN && signal != SIGINT) return;  // as nohup has it
    sigaction(signal, &action, &old);
    old_.emplace_back(signal, old);
  }

  std::vector<std::pair<int, struct sigaction>> old_;
  bool is_terminal_ = false, open_ = true;
};

/// Whether a file has another text by now than the one that is checked. Asked as often as one
/// likes, it looks ten times a second.
class SavedAnew {
 public:
  SavedAnew(fs::path file, const std::string& checked)
      : file_(std::move(file)), checked_(checked) {}
  bool look() {
    const auto now = std::chrono::steady_clock::now();
    if (so_far_ || now < next_) return so_far_;
    next_ = now + std::chrono::milliseconds(100);
    const std::string text = guide::contents_of(file_).value_or("");
    return so_far_ = !text.empty() && text != checked_;
  }
  bool so_far() const { return so_far_; }

 private:
  fs::path file_;
  const std::string& checked_;
  std::chrono::steady_clock::time_point next_{};
  bool so_far_ = false;
};

constexpr int kLooksUntilSaid = 20;  // ten a second: no editor takes so long to save
constexpr int kRowsOfKeys = 3;       // what say_keys() prints, and the cursor's

/// The picture of the last check: a window of its own where there is a display, else text.
void show_picture(const Exercise& exercise, Keyboard& keyboard) {
  const fs::path trace = exercise.trace();
  ViewOptions options;
  options.target = trace.string();
  options.text = std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr;
  options.rows = terminal_rows() - kRowsOfKeys;
  options.rest = fmt::format("{} view {} --text", learn(), shown(trace));
  std::error_code error;
  if (!fs::exists(trace, error)) {
    fmt::print("There is no picture yet: your exercise has not run.\n");
    return;
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    keyboard.let_go();
    const int result = view(options);
    std::fflush(nullptr);
    _exit(result);
  }
  if (child > 0 && options.text) waitpid(child, nullptr, 0);
}

void say_keys() {
  fmt::print("\nh hint   v picture   l list   q quit   (or save the file)\n");
  std::fflush(stdout);
}

/// False when it was the key to quit.
bool obey(char key, const Exercise& exercise, Keyboard& keyboard) {
  if (key == 'q' || key == 4) return false;  // 4: Ctrl-D
  if (key == 'h') hint({exercise.lesson.number, exercise.is_ptx()});
  if (key == 'v') show_picture(exercise, keyboard);
  if (key == 'l') progress();
  if (key == 'h' || key == 'v' || key == 'l') say_keys();
  return true;
}

}  // namespace

int watch(const ExerciseOptions& which) {
  const Course course;
  const std::optional<Exercise> exercise = exercise_of(course, which.number, which.ptx);
  if (!exercise) return 2;
  if (!course.error.empty()) return refuse(course.error);
  if (!which.ptx && !has_toolkit()) return no_toolkit(exercise->lesson);
  if (!has_exercise(*exercise)) return 2;
  const fs::path file = exercise->file();
  fmt::print("Watching {}: every save is checked, until it passes.\n", shown(file));

  Keyboard keyboard;
  std::string checked;
  int looks_in_vain = 0;
  while (interrupted == 0) {
    const std::string text = guide::contents_of(file).value_or("");
    looks_in_vain = text.empty() ? looks_in_vain + 1 : 0;
    if (looks_in_vain == kLooksUntilSaid) {
      fmt::print("{} is empty or not there any more; {} reset {} brings it back.\n", shown(file),
                 learn(), exercise->typed());
      std::fflush(stdout);
    }
    if (!text.empty() && text != checked) {  // empty: an editor is about to write it
      checked = text;
      Course now;  // a hint may have been noted since
      SavedAnew saved_anew(file, checked);
      const int result = check_and_note(
          now, *exercise, [&saved_anew] { return interrupted != 0 || saved_anew.look(); });
      if (result == 0 || result == 2) return result;
      if (interrupted != 0) break;
      if (saved_anew.so_far()) {
        fmt::print("\nSaved anew: what was there before is not checked any more.\n");
        continue;
      }
      say_keys();
    }
    while (waitpid(-1, nullptr, WNOHANG) > 0) {  // windows that were closed
    }
    if (!obey(keyboard.key(100), *exercise, keyboard)) break;
  }
  fmt::print("\nStopped; {} watch {} goes on.\n", learn(), exercise->typed());
  return 1;
}

}  // namespace lanescope::cli
