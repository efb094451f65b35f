// SPDX-License-Identifier: MIT
// See answers.hpp.
#include "tests/lessons/answers.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <sstream>

#include "guide/course.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/workshop.hpp"

namespace lanescope::lessons_test {

namespace fs = std::filesystem;

namespace {

/// Where the host's half of an exercise begins.
constexpr const char* kHost = "\n// check.cpp calls this";

/// "answer_05_017": of one length, so that one answer's PTX becomes another's letter by letter.
std::string space_of(const std::string& lesson, std::size_t answer) {
  char number[8];
  std::snprintf(number, sizeof number, "%03d", static_cast<int>(answer));
  return "answer_" + lesson.substr(0, 2) + "_" + number;
}

/// Sources in one file, each in a namespace of its own. What they include comes first.
class Together {
 public:
  void add(const std::string& space, const std::string& source) {
    bodies_ += "namespace " + space + " {\n";
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
      const bool include = line.rfind("#include", 0) == 0;
      if (!include)
        bodies_ += line + "\n";
      else if (includes_.find(line + "\n") == std::string::npos)
        includes_ += line + "\n";
    }
    bodies_ += "}\n";
  }
  std::string text(const std::string& between = "") const { return includes_ + between + bodies_; }

 private:
  std::string includes_, bodies_;
};

fs::path compiled(const Together& sources, const std::string& name, const std::string& lesson,
                  const std::string& options, const std::string& between = "") {
  const fs::path source = scratch() / (name + ".cu"), to = scratch() / (name + ".out");
  write(source, sources.text(between));
  const Ran ran = compile_answers(source, to, lesson, options);
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  CHECK_MESSAGE(ran.output.empty(), "nvcc has something to say: " << ran.output);
  return to;
}

/// The host's halves of the exercises whose gap is in a kernel. Their PTX is nobody's: it is that
/// of the oldest architecture, and knows no clusters.
const fs::path& hosts() {
  static const fs::path object = [] {
    Together sources;
    for (const guide::Lesson& one : guide::course(fs::path(LANESCOPE_SOURCE_DIR) / "lessons")) {
      const auto [before, gap, after] = take_apart(shipped("lessons/" + one.name + "/solution.cu"));
      if (after.find(kHost) != std::string::npos)
        sources.add(space_of(one.name, 0), before + gap + after);
    }
    return compiled(sources, "hosts", "", "-c",
                    "#undef __cluster_dims__\n#define __cluster_dims__(...)\n");
  }();
  return object;
}

/// The symbol of an object file that begins so.
std::string symbol(const fs::path& object, const std::string& begins) {
  std::istringstream words(run("nm " + shell_word(object)).output);
  for (std::string word; words >> word;)
    if (word.rfind(begins, 0) == 0) return word;
  FAIL("no symbol " << begins << " in " << object.string());
  return "";
}

/// Links a lesson's check with `object`: what check.cpp calls is the function in `space`.
void link(const std::string& lesson, const std::string& function, const fs::path& object,
          const std::string& space, const fs::path& program) {
  const fs::path check = tests::build_folder() / "lessons" / "CMakeFiles" /
                         (lesson + "_check.dir") / lesson / "check.cpp.o";
  const auto mangled = [](const std::string& name) { return std::to_string(name.size()) + name; };
  const std::string called = symbol(check, "_Z" + mangled(function)),
                    there = symbol(object, "_ZN" + mangled(space) + mangled(function));
  const Ran ran = link_check(check, object, "-Wl,--defsym=" + called + "=" + there, program);
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
}

/// Some lines of PTX, and the space of the answer that they belong to; "": they are everybody's.
struct Piece {
  std::string space, lines;
};

/// PTX taken apart, once for all answers: it has all of them, and some have hundreds of kB.
/// `begins` are the letters that the names of their spaces, `length` letters long, have in common.
std::vector<Piece> taken_apart(const std::string& ptx, const std::string& begins,
                               std::size_t length) {
  std::vector<Piece> pieces(1);
  long depth = 0;  // of a function's braces
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    if (pieces.back().space.empty()) {
      const std::size_t named = line[0] == '.' ? line.find(begins) : std::string::npos;
      if (named != std::string::npos) pieces.push_back({line.substr(named, length), ""});
      pieces.back().lines += line + "\n";
      // A variable is one line.
      if (named != std::string::npos && line.back() == ';') pieces.emplace_back();
      continue;
    }
    pieces.back().lines += line + "\n";
    for (const char letter : line) depth += letter == '{' ? 1 : letter == '}' ? -1 : 0;
    if (depth == 0 && (line == "}" || line == ";")) pieces.emplace_back();
  }
  return pieces;
}

/// The part of the answer in `space`: without functions and variables of the others.
std::string part_of(const std::vector<Piece>& ptx, const std::string& space) {
  std::string part;
  for (const Piece& piece : ptx)
    if (piece.space.empty() || piece.space == space) part += piece.lines;
  return part;
}

std::string renamed(std::string ptx, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = ptx.find(from, at)) != std::string::npos; at += to.size())
    ptx.replace(at, from.size(), to);
  return ptx;
}

}  // namespace

Answers::Answers(const std::string& lesson, const std::string& function,
                 const std::vector<std::pair<std::string, std::string>>& sources) {
  const std::string first = space_of(lesson, 0);
  const bool of_kernels = take_apart(sources.at(0).second).after.find(kHost) != std::string::npos;
  Together all;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string& source = sources[i].second;
    all.add(space_of(lesson, i), of_kernels ? source.substr(0, source.find(kHost)) : source);
  }
  // 177: never referenced; the host's half is what refers to some constants.
  const fs::path made =
      compiled(all, "answers_" + lesson, lesson, of_kernels ? "-ptx -diag-suppress 177" : "-c");
  if (of_kernels) link(lesson, function, hosts(), first, scratch() / ("check_" + lesson));
  const std::vector<Piece> ptx =
      taken_apart(of_kernels ? read(made) : "", first.substr(0, first.size() - 3), first.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& [name, source] = sources[i];
    REQUIRE_MESSAGE(answers_.count(name) == 0, "two answers are called " << name);
    const std::string space = space_of(lesson, i);
    Answer& answer = answers_[name];
    answer.program = scratch() / ("check_" + lesson);
    if (of_kernels) {
      answer.ptx = scratch() / ("kernels_" + lesson) / name;
      fs::create_directories(answer.ptx);
      write(answer.ptx / "0.ptx", renamed(part_of(ptx, space), space, first));
    } else {
      answer.program += "_" + name;
      link(lesson, function, made, space, answer.program);
    }
  }
}

std::string Answers::command(const std::string& name, const std::string& how) const {
  const Answer& answer = answers_.at(name);
  return (answer.ptx.empty() ? "" : "LANESCOPE_PTX=" + shell_word(answer.ptx) + " ") +
         lanescope_command() + " run " + how + " -- " + shell_word(answer.program);
}

}  // namespace lanescope::lessons_test
