// SPDX-License-Identifier: MIT
// Starts the real `lanescope` and waits: what it printed, how it ended. A program that hangs is
// killed after a minute and counts as signal 9.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lanescope::test {

struct Outcome {
  int code = -1;   // exit code, or -1
  int signal = 0;  // what ended it instead
  std::string out;
  std::string err;
};

struct Setting {
  std::map<std::string, std::string> environment;  // added; "" removes
  std::string stdout_path;                         // goes there instead of into `out`
  bool terminal = false;                           // stdout is a pseudo terminal
  unsigned short columns = 0;                      // so wide; 0: it does not say
  std::vector<int> closed = {};                    // of 0, 1 and 2, as `>&-` closes them
  std::string input_path = {};                     // stdin is this file
};

/// Whether a text, `out` or `err`, has this in it.
inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Outcome run_lanescope(const std::vector<std::string>& arguments, const Setting& setting = {});

/// The words of a command line as a shell takes it: up to a comment or the next command; quotes
/// hold words together.
std::vector<std::string> shell_words(const std::string& command);

/// A folder of its own for a test, removed afterwards. Its name has a blank in it on purpose.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  /// Writes a file, with the folders above it, and returns its path.
  std::string put(const std::string& name, const std::string& bytes) const;

 private:
  std::string path_;
};

}  // namespace lanescope::test
