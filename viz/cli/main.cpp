// SPDX-License-Identifier: MIT
// The `lanescope` command: reads the command line, calls what it asks for. What the commands take
// is written down in the *_commands.cpp of this room, what they do in its *_command.cpp.
#include <fcntl.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"

namespace {

using namespace lanescope::cli;

std::vector<Command> all_commands(const std::vector<std::string>& program) {
  std::vector<Command> all = course_commands();
  for (std::vector<Command> more : {look_commands(), run_commands(program)})
    std::move(more.begin(), more.end(), std::back_inserter(all));
  return all;
}

/// Output that could not be written (a full disk) must not look like success.
int after_output(int result) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return result;
  return refuse(std::string("the output cannot be written: ") + std::strerror(errno));
}

/// A stream that the caller has closed (`>&-`) must not become the first file that is opened: what
/// is printed would go into it. Opened the wrong way round it fails as a closed one does.
void take_closed_streams() {
  for (const int stream : {0, 1, 2})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  take_closed_streams();
  std::signal(SIGCHLD, SIG_DFL);  // who ignores it, and hands that on, would hide how children end
  std::vector<std::string> program;
  const std::vector<Command> commands = all_commands(program);
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "help") {  // `help layout` as well as `layout --help`
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (!words.empty() && words[0].substr(0, 1) != "-") {
    std::vector<std::string> names;
    for (const Command& command : commands) names.emplace_back(command.name);
    const std::string problem = unknown_command(words[0], names);
    if (!problem.empty()) return refuse(problem);
  }
  program = cut_program(commands, words);
  const CommandLine line = parse_command_line(commands, words);
  if (!line.problem.empty()) return refuse(line.problem);
  write_lines(line.printed);
  try {
    if (!line.printed.empty()) return after_output(0);
    return after_output(line.command == nullptr ? progress() : line.command->run());
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return after_output(2);  // fmt throws then, and says less of it
    return refuse(error.what());
  }
}
