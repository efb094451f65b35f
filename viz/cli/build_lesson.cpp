// SPDX-License-Identifier: MIT
// Builds what a lesson's command is about to run, and says what keeps it from that: a mistake in
// the reader's file, or something that is none of his. See course_tools.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "cli/commands.hpp"
#include "cli/compiler_words.hpp"
#include "cli/course_tools.hpp"
#include "cli/processes.hpp"
#include "cli/project.hpp"
#include "cli/terminal.hpp"
#include "guide/exercise.hpp"
#include "guide/file.hpp"

namespace lanescope::cli {

namespace fs = std::filesystem;

bool has_toolkit() { return cached("LANESCOPE_HAS_CUDA") == "ON"; }

int no_toolkit(const guide::Lesson& lesson) {
  if (std::error_code error; !fs::exists(build_folder() / "CMakeCache.txt", error))
    return refuse(
        fmt::format("nothing is built in {}; {} build does it", shown(build_folder()), learn()));
  return refuse(fmt::format(
      "lesson {} needs the CUDA toolkit, 12.4 or newer, and there was none when this was built; "
      "install it, remove the folder {} and run {} again. What the lesson records can be looked at "
      "without: {} view {}",
      lesson.number, shown(build_folder()), learn(), learn(), lesson.number));
}

namespace {

/// What is to be done about it, `source` being what was to be compiled.
std::string advice(Keeps keeps, const fs::path& source) {
  const char* variable = std::getenv("TMPDIR");
  const std::string temporary = variable == nullptr ? "/tmp" : shown(variable);
  switch (keeps) {
    case Keeps::room:
      return "make room there";
    case Keeps::folder:
      return fmt::format("may you write there, and in {}, the folder for temporary files?",
                         temporary);
    case Keeps::host:  // it says so of a full disk and where there is no g++
      return fmt::format("is there room in {}, the folder for temporary files? Does g++ run?",
                         temporary);
    case Keeps::newer_host:
      return fmt::format(
          "install one beside it (Debian calls the packages g++-NUMBER), remove the folder {} and "
          "run {} build again",
          shown(build_folder()), learn());
    case Keeps::toolkit:
      return fmt::format(
          "if the CUDA toolkit has changed, remove the folder {} and run {} build again",
          shown(build_folder()), learn());
    case Keeps::older_toolkit:
      return fmt::format(
          "a newer CUDA toolkit has it: install one, remove the folder {} and run {} build. What "
          "the lesson records can be looked at without: {} view {}",
          shown(build_folder()), learn(), learn(), shown(source.parent_path().filename()));
    case Keeps::memory:
      return "is there memory enough?";
    default:
      return fmt::format("does {} build mend it?", learn());
  }
}

/// Seconds in which nothing else is said: a line, to whoever looks on, gone when this ends.
class SaidMeanwhile {
 public:
  explicit SaidMeanwhile(const std::string& words) {
    const int columns = terminal_columns();
    // A line that the terminal breaks could not be taken back.
    if (columns > 0) words_ = words.substr(0, static_cast<std::size_t>(columns - 1));
    show(words_);
  }
  ~SaidMeanwhile() { show(std::string(words_.size(), ' ')); }
  SaidMeanwhile(const SaidMeanwhile&) = delete;
  SaidMeanwhile& operator=(const SaidMeanwhile&) = delete;

 private:
  static void show(const std::string& line) {
    if (!line.empty()) std::fwrite((line + "\r").data(), 1, line.size() + 1, stdout);
    std::fflush(stdout);
  }
  std::string words_;
};

/// What failed without a mistake in what was compiled, in one line; 0: nothing did.
int say_if_not_its_fault(const std::string& output, const fs::path& source) {
  if (std::error_code error; !fs::exists(source, error))
    return refuse(fmt::format("{} has gone while it was compiled; an editor that saves puts it "
                              "back, or {} reset {}",
                              shown(source), learn(), shown(source.parent_path().filename())),
                  1);
  if (const NotCompiled not_its = not_compiled(output); not_its.keeps != Keeps::nothing)
    return refuse(fmt::format("cannot build in {}: {}; {}", shown(build_folder()), not_its.why,
                              advice(not_its.keeps, source)));
  if (const std::string name = linked_twice(output); !name.empty())
    return refuse(fmt::format("{} defines {}, which the check does, too: take it out, or call it "
                              "something else",
                              shown(source), name),
                  1);
  if (const std::string name = not_linked(output); !name.empty())
    return refuse(
        fmt::format("{} has no {}, which the check calls; {} reset {} brings back what stands "
                    "outside of the gap, and keeps what you have beside it",
                    shown(source), name, learn(), shown(source.parent_path().filename())),
        1);
  return 0;
}

/// Whether the first error stands behind the gap of an exercise, where there is nothing of the
/// reader's: what is missing at the end of his code shows there.
bool stumbles_behind_gap(const std::string& words, const fs::path& source) {
  const std::optional<guide::Parts> parts =
      guide::take_apart(guide::contents_of(source).value_or(""));
  if (!parts) return false;
  const auto lines = [](const std::string& part) {
    return static_cast<int>(std::count(part.begin(), part.end(), '\n'));
  };
  return first_error_line(words, source.filename().string()) >
         lines(parts->before) + lines(parts->gap);
}

}  // namespace

int build(const std::string& target, const fs::path& source, const Stopped& stopped) {
  if (const fs::path compiled = compiled_instead_of(source); !compiled.empty())
    return refuse(fmt::format(
        "{} is not what the build in {} compiles, that is {}; {} build makes one that does",
        shown(source), shown(build_folder()), shown(compiled), learn()));
  const Printed printed = [&] {
    const SaidMeanwhile compiling(fmt::format("Compiling {} ...", shown(source)));
    return printed_by({"cmake", "--build", build_folder().string(), "--target", target}, stopped);
  }();
  if (!printed.problem.empty())
    return refuse(printed.problem + "; ./learn installs what building wants");
  if (stopped && stopped()) return 1;
  if (const int code = printed.good ? 0 : say_if_not_its_fault(printed.text, source); code != 0)
    return code;
  const fs::path lessons = fs::path(project_folder()) / "lessons";
  const fs::path from_build = lessons.lexically_relative(build_folder() / "lessons");
  const std::string words = compiler_words(printed.text, !printed.good, from_build.string() + "/",
                                           relative_if_below(lessons) + "/");
  std::fwrite(words.data(), 1, words.size(), stderr);
  if (printed.good) return 0;
  if (words.empty())
    return refuse(fmt::format("cannot build in {}: the compiler ended without a word; {}",
                              shown(build_folder()), advice(Keeps::toolkit, source)));
  return refuse(fmt::format("{} does not compile; the compiler says why above{}", shown(source),
                            stumbles_behind_gap(words, source)
                                ? ", at a line behind your code: does that lack a ; or a }, or has "
                                  "it a } too many?"
                                : ""),
                1);
}

}  // namespace lanescope::cli
