// SPDX-License-Identifier: MIT
#include "cli/project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/lesson_names.hpp"
#include "panels/look/shell_word.hpp"
#include "trace/beside.hpp"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// The newest trace in `folder` whose name begins with `prefix`, or "". Of two of the same age, the
/// one whose name comes last.
std::string newest(const std::string& folder, const std::string& prefix) {
  std::string best;
  fs::file_time_type best_time;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    if (!ends_with(name, ".lanes") && !ends_with(name, ".lanes.zst")) continue;
    if (trace::is_beside_another(entry->path().string())) continue;  // comes with that one
    std::error_code ignored;
    const fs::file_time_type time = fs::last_write_time(entry->path(), ignored);
    const std::string path = entry->path().string();
    if (!best.empty() && (time < best_time || (time == best_time && path < best))) continue;
    best = path;
    best_time = time;
  }
  return best;
}

/// The lesson whose name begins with `prefix`, or "".
std::string lesson_name(const std::string& prefix) {
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(project_folder() + "/lessons", error)) {
    const std::string name = entry.path().filename().string();
    if (name.compare(0, prefix.size(), prefix) == 0) return name;
  }
  return "";
}

/// The trace that came with a lesson, for who cannot run it, or "".
std::string recorded(const std::string& prefix) {
  const std::string name = lesson_name(prefix);
  std::error_code error;
  const fs::path path = fs::path(project_folder()) / "lessons" / name / "recorded.lanes";
  return !name.empty() && fs::exists(path, error) ? path.string() : "";
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 4 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// What somebody typed for a trace: a lesson, a file, or why it is neither.
struct Target {
  int number = -1;  // of a lesson
  std::string problem;
};

Target read_target(const std::string& word) {
  std::error_code error;
  if (word.empty() || fs::exists(word, error)) return {};
  if (is_number(word)) return {std::atoi(word.c_str()), {}};
  const MeantLesson lesson = meant_lesson(word);
  if (lesson.number > 0) return {lesson.number, {}};
  if (lesson.several) return {-1, lesson.problem};
  const bool may_be_name = word.find_first_of("./") == std::string::npos;
  if (const std::string gone = missing_checkout(); may_be_name && !gone.empty())
    return {-1, fmt::format("{} is no file, and {}", word, gone)};
  if (lesson.near.empty()) return {};
  return {-1, fmt::format("{} is neither a file nor a part of a lesson's name; did you mean {}?",
                          word, lesson.near)};
}

/// No such file, and no lesson either. Whether it is there in a folder that is closed to us nobody
/// knows: whoever opens it says so.
bool is_missing(const std::string& target) {
  std::error_code error;
  return !fs::exists(target, error) && !error;
}

FoundTrace as_trace_file(const std::string& target) {
  if (!is_missing(target)) return {target, {}};
  return {{},
          fmt::format("{} is neither a trace file nor a lesson's number or name; `lanescope lesson "
                      "1` writes a trace, `lanescope view 1` shows it",
                      target)};
}

}  // namespace

std::string project_folder() {
  const char* folder = std::getenv("LANESCOPE_PROJECT");
  return folder != nullptr && *folder != '\0' ? folder : LANESCOPE_SOURCE_DIR;
}

bool has_project() {
  std::error_code error;
  return fs::is_directory(project_folder(), error);
}

std::string traces_folder() { return has_project() ? project_folder() + "/traces" : "."; }

std::string missing_checkout() {
  const std::string folder = project_folder();
  if (!guide::course(folder + "/lessons").empty()) return {};
  if (folder != LANESCOPE_SOURCE_DIR)
    return fmt::format("{} has no lessons; LANESCOPE_PROJECT wants a checkout of Lanescope",
                       viz::shell_word(folder));
  return fmt::format(
      "the checkout that this was built from is not in {} any more, and the lessons were there; "
      "`LANESCOPE_PROJECT=FOLDER lanescope ...` names another one, built by its own ./learn",
      viz::shell_word(folder));
}

/// Why there is no lesson of a number, "" where there is one.
static std::string no_lesson(int number) {
  if (!lesson_name(fmt::format("{:02}_", number)).empty()) return "";
  return fmt::format("there is no lesson {}; `lanescope progress` lists them", number);
}

FoundTrace find_trace(const std::string& target) {
  const std::string gone = missing_checkout();
  if (target.empty()) {
    const std::string path = newest(traces_folder(), "");
    if (!path.empty()) return {path, {}};
    if (!gone.empty()) return {{}, gone};
    return {{},
            fmt::format("no trace in {} yet; run `lanescope lesson 1` first, or look at the one "
                        "that came with it: `lanescope view 1`",
                        traces_folder())};
  }
  const Target meant = read_target(target);
  if (!meant.problem.empty()) return {{}, meant.problem};
  if (const int number = meant.number; number >= 0) {
    const std::string prefix = fmt::format("{:02}_", number);
    std::string path = newest(traces_folder(), prefix);
    if (path.empty()) path = recorded(prefix);
    if (!path.empty()) return {path, {}};
    if (!gone.empty()) return {{}, gone};
    if (std::string none = no_lesson(number); !none.empty()) return {{}, std::move(none)};
    return {{},
            fmt::format("no trace of lesson {0} in {1} yet; run `lanescope lesson {0}` first",
                        number, traces_folder())};
  }
  return as_trace_file(target);
}

FoundTrace find_numbered(const std::string& target) {
  const Target meant = read_target(target);
  if (meant.number >= 0) return find_trace(target);
  return meant.problem.empty() ? as_trace_file(target) : FoundTrace{target, meant.problem};
}

FoundTrace find_checked(const std::string& target) {
  const Target meant = read_target(target);
  if (!meant.problem.empty()) return {target, meant.problem};
  if (meant.number < 0 && is_missing(target))
    return {{},
            fmt::format("{} is neither a trace file nor an exercise's number or name; `lanescope "
                        "run --steps all --trace t.lanes PROGRAM` records one of any program, "
                        "`lanescope check 1` checks an exercise",
                        target)};
  if (meant.number < 0) return {target, {}};
  std::string path = newest(traces_folder() + "/check", fmt::format("{:02}_", meant.number));
  if (!path.empty()) return {std::move(path), {}};
  if (std::string gone = missing_checkout(); !gone.empty()) return {{}, std::move(gone)};
  if (std::string none = no_lesson(meant.number); !none.empty()) return {{}, std::move(none)};
  return {{},
          fmt::format("{0} is no file, and exercise {1} has left no trace: `lanescope check {1}` "
                      "says what is wrong and, where lanes hold a matrix, records it",
                      target, meant.number)};
}

}  // namespace lanescope::cli
