// SPDX-License-Identifier: MIT
// See ask_ptxas.hpp.
#include "cudart/binary/ask_ptxas.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>

extern char** environ;

namespace lanescope::cudart {

namespace {

/// A file of no folder, which ends with its last descriptor.
class NamelessFile {
 public:
  NamelessFile() : descriptor_(memfd_create("lanescope", MFD_CLOEXEC)) {}
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  ~NamelessFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

  bool write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = write(descriptor_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  std::string read_all() const {
    std::string text;
    char part[4096];
    lseek(descriptor_, 0, SEEK_SET);
    for (;;) {
      const ssize_t count = read(descriptor_, part, sizeof part);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(part, static_cast<std::size_t>(count));
    }
  }

 private:
  int descriptor_;
};

/// The child's environment: ptxas runs without this library under it.
std::vector<char*> environment_without_preload() {
  std::vector<char*> kept;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "LD_PRELOAD=", 11) != 0) kept.push_back(*entry);
  kept.push_back(nullptr);
  return kept;
}

/// Both ends of ptxas are files without a name, which it opens as this process's: one that fails
/// deletes what it was to write.
AskedRegisters run_ptxas(const std::string& ptx, std::vector<std::string> words) {
  const NamelessFile input, output, said;
  if (said.descriptor() < 0 || !input.write_all(ptx))
    return {0, fmt::format("no room for its PTX: {}", std::strerror(errno))};
  const auto path = [](const NamelessFile& file) {
    return fmt::format("/proc/{}/fd/{}", getpid(), file.descriptor());
  };
  words.insert(words.end(), {path(input), "-o", path(output)});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int to : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_adddup2(&actions, said.descriptor(), to);
  pid_t child = 0;
  std::vector<char*> environment = environment_without_preload();
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return {0, fmt::format("cannot run ptxas: {}; put the CUDA toolkit's bin folder on PATH",
                           std::strerror(error))};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return registers_said(said.read_all());
}

/// "9.0" in "Unsupported .version 9.1; current version is '9.0'"; "": that was not said.
std::string newest_version(const std::string& said) {
  constexpr std::string_view kWords = "current version is '";
  const std::size_t at = said.find(kWords);
  if (at == std::string::npos) return "";
  const std::size_t from = at + kWords.size();
  return said.substr(from, said.find('\'', from) - from);
}

std::string with_version(const std::string& ptx, const std::string& version) {
  constexpr std::string_view kDirective = ".version";
  const std::size_t at = ptx.find(kDirective);
  if (at == std::string::npos) return ptx;
  const std::size_t from =
      std::min(ptx.find_first_not_of(" \t", at + kDirective.size()), ptx.size());
  const std::size_t end = std::min(ptx.find_first_of(" \t\r\n", from), ptx.size());
  return ptx.substr(0, from) + version + ptx.substr(end);
}

}  // namespace

std::vector<std::string> words_for_ptxas(Target arch, const std::string& kernel,
                                         const std::string& options) {
  std::vector<std::string> words{"ptxas", "-v", "-arch=" + to_string(arch), "-e", kernel};
  std::istringstream rest(options);
  for (std::string word; rest >> word;) words.push_back(word);
  return words;
}

AskedRegisters registers_said(const std::string& said) {
  constexpr std::string_view kUsed = "Used ";
  const std::size_t at = said.rfind(kUsed);
  if (at != std::string::npos) {
    AskedRegisters found;
    const char* from = said.data() + at + kUsed.size();
    const auto [end, error] = std::from_chars(from, said.data() + said.size(), found.count);
    if (error == std::errc() && found.count > 0 &&
        std::string_view(end).substr(0, 10) == " registers")
      return found;
  }
  std::string line = said.substr(0, said.find('\n'));
  return {0, line.empty() ? "ptxas said nothing" : line};
}

AskedRegisters ask_ptxas(const std::string& ptx, Target arch, const std::string& kernel,
                         const std::string& options) {
  const std::vector<std::string> words = words_for_ptxas(arch, kernel, options);
  const AskedRegisters found = run_ptxas(ptx, words);
  const std::string newest = newest_version(found.problem);
  return newest.empty() ? found : run_ptxas(with_version(ptx, newest), words);
}

}  // namespace lanescope::cudart
