// SPDX-License-Identifier: MIT
// Listings of documents, held to what the commands print.
#pragma once

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace lanescope::tests {

/// A listing is a ```console block: `$ COMMAND` and what it prints, where a line of three dots
/// stands for lines left out. `prompt` is what stands before a command that is run ("$ "), `run`
/// gives what it prints. How many commands there were.
template <class Run>
int check_listings(const std::string& document, const std::string& prompt, Run run) {
  std::istringstream lines(document);
  int listings = 0;
  bool inside = false, skipping = false;
  std::string output, command;
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(command);
    CAPTURE(line);
    if (line == "```console") {
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside && line.rfind(prompt, 0) == 0) {
      ++listings;
      skipping = false;
      command = line.substr(prompt.size());
      output = run(command);
    } else if (inside && line == "...") {
      skipping = true;
    } else if (inside) {
      const std::size_t at = skipping ? output.find("\n" + line + "\n") : 0;
      CAPTURE(output);
      REQUIRE(at != std::string::npos);
      if (skipping) output.erase(0, at + 1);
      REQUIRE(output.substr(0, line.size() + 1) == line + "\n");
      output.erase(0, line.size() + 1);
      skipping = false;
    }
  }
  return listings;
}

}  // namespace lanescope::tests
