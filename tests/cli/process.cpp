// SPDX-License-Identifier: MIT
#include "tests/cli/process.hpp"
#include "tests/build_folder.hpp"
#include "tests/contents.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;
constexpr unsigned kSeconds = 60;

[[noreturn]] void become(const std::vector<std::string>& arguments, const Setting& setting) {
  for (const auto& entry : setting.environment)
    entry.second.empty() ? unsetenv(entry.first.c_str())
                         : setenv(entry.first.c_str(), entry.second.c_str(), 1);
  std::string program = tests::build_folder() / "bin/lanescope";
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{program.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  alarm(kSeconds);  // survives execv
  execv(program.c_str(), argv.data());
  _exit(127);
}

void redirect(int to, const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, to);
  close(file);
}

// Until the other end is closed; Linux reports that as an error on a terminal.
std::string read_all(int from) {
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(from, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

}  // namespace

Outcome run_lanescope(const std::vector<std::string>& arguments, const Setting& setting) {
  const Folder folder;
  const std::string out = setting.stdout_path.empty() ? folder / "out" : setting.stdout_path;
  int terminal = -1;
  winsize size{};
  size.ws_col = setting.columns;
  const pid_t child = setting.terminal ? forkpty(&terminal, nullptr, nullptr, &size) : fork();
  if (child == 0) {
    if (!setting.terminal) redirect(STDOUT_FILENO, out);
    redirect(STDERR_FILENO, folder / "err");
    if (!setting.input_path.empty())
      dup2(open(setting.input_path.c_str(), O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    for (const int stream : setting.closed) close(stream);
    become(arguments, setting);
  }
  Outcome outcome;
  if (setting.terminal) outcome.out = read_all(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  if (setting.terminal) close(terminal);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (!setting.terminal && setting.stdout_path.empty()) outcome.out = tests::contents_of(out);
  outcome.err = tests::contents_of(folder / "err");
  return outcome;
}

std::vector<std::string> shell_words(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (std::size_t at = 0; at <= command.size(); ++at) {
    const char c = at < command.size() ? command[at] : ' ';
    if (c == '"') {
      quoted = !quoted;
      any = true;
    } else if (quoted || c != ' ') {
      if (!quoted && (c == '#' || c == '|' || c == ';' || c == '&' || c == '>')) break;
      word += c;
    } else {
      if (any || !word.empty()) words.push_back(word);
      if (command.compare(at, 3, "   ") == 0) break;  // words about it follow
      word.clear();
      any = false;
    }
  }
  return words;
}

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "lanescope cli XXXXXX").string();
  path_ = mkdtemp(name.data());
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Folder::put(const std::string& name, const std::string& bytes) const {
  const std::string path = *this / name;
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace lanescope::test
