// SPDX-License-Identifier: MIT
// See run_process.hpp.
#include "tests/programs/run_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "tests/build_folder.hpp"

namespace lanescope::tests {

namespace {

std::string read_all(std::FILE* file) {
  std::string text;
  std::rewind(file);
  std::array<char, 4096> chunk;
  while (const std::size_t bytes = std::fread(chunk.data(), 1, chunk.size(), file))
    text.append(chunk.data(), bytes);
  std::fclose(file);
  return text;
}

}  // namespace

Finished run_process(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment) {
  std::FILE* out = std::tmpfile();
  std::FILE* err = std::tmpfile();
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Finished finished;
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.out = read_all(out);
  finished.err = read_all(err);
  return finished;
}

Finished emulate(const std::filesystem::path& program, const std::vector<std::string>& options,
                 const std::vector<std::string>& arguments) {
  std::vector<std::string> command{build_folder() / "bin/lanescope", "run"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", program});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_process(command);
}

}  // namespace lanescope::tests
