// SPDX-License-Identifier: MIT
// The command line as data: which commands there are, which options each takes, what is checked of
// their values, and what is called in the end. The commands are written down in
// course_commands.cpp, look_commands.cpp and run_commands.cpp; parse_command_line.cpp alone knows
// CLI11, which reads them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::cli {

/// "" or what is wrong with a value: "'x' is not ...".
using Check = std::function<std::string(const std::string&)>;
Check whole_number(const std::string& what, int low, int high);
Check number_from(double low, double high);

struct Option {
  std::string name;   // "--seed"; "number": known by its place
  std::string what;   // in the help
  std::string value;  // "SEED", in the help; "" of a flag
  Check check{};      // of each word
  std::function<void(const std::vector<std::string>&)> take{};  // the words, already checked
  int least = 1, most = 1;                                      // words; of a flag 0
  bool required = false, hidden = false;
  std::vector<std::string> excludes{};  // others that cannot be given, too
  bool may_be_empty = false;            // "" is a value of it
  std::string choices{};                // the values that there are, where they are few
};

/// An option whose value goes into a variable, which has to live until the command has run.
Option option(const char* name, std::string& into, const char* what, const char* value,
              Check check = {});
Option option(const char* name, int& into, const char* what, const char* value, Check check);
Option option(const char* name, float& into, const char* what, const char* value, Check check);
Option option(const char* name, std::optional<int>& into, const char* what, const char* value,
              Check check);
Option option(const char* name, std::vector<std::string>& into, const char* what,
              const char* value);
/// One of a few values: "auto gpu cpu".
Option choice(const char* name, std::string& into, const char* what, const char* value,
              const std::string& choices);
Option flag(const char* name, bool& into, const char* what);
Option required(Option option);

struct Command {
  const char* group;  // of the help
  const char* name;
  const char* what;
  std::vector<Option> options{};
  std::function<int()> run{};
  std::function<std::string()> missing{};  // what has to be given besides, or ""
  const char* footer = "";
};

inline constexpr const char* kCourse = "The course";
inline constexpr const char* kLook = "Looking";
inline constexpr const char* kRun = "Running";
std::vector<Command> course_commands();
std::vector<Command> look_commands();
/// `program`: what cut_program has cut off, before `run` is called.
std::vector<Command> run_commands(const std::vector<std::string>& program);

/// `run`'s options end at the program, whose own options are none of ours: cuts the program and its
/// arguments off `words` ("run", options, "--" or PROGRAM, ...).
std::vector<std::string> cut_program(const std::vector<Command>& commands,
                                     std::vector<std::string>& words);

/// Which command the words ask for, its options taken; nullptr and `problem`, or `printed`: the
/// help or the version. Without words: nullptr, and nothing else.
struct CommandLine {
  const Command* command = nullptr;
  std::string problem, printed;
};
CommandLine parse_command_line(const std::vector<Command>& commands,
                               std::vector<std::string> words);

}  // namespace lanescope::cli
