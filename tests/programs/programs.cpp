// SPDX-License-Identifier: MIT
// How a program is run, and what is right of a kernel.
#include "tests/programs/programs.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/build_folder.hpp"

namespace lanescope::tests::programs {

const std::string kLanescope = build_folder() / "bin/lanescope";
const std::string kPrograms = build_folder() / "tests/programs/built/";

Finished emulate(const std::string& program, const std::vector<std::string>& arguments,
                 const std::string& arch) {
  std::vector<std::string> options;
  if (!arch.empty()) options = {"--arch", arch};
  return tests::emulate(kPrograms + program, options, arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

void check_right(const Finished& run, const std::string& out) {
  CHECK(run.exit_code == 0);
  CHECK(run.out == out);
  CHECK(run.err == "");
}

void check_kernel(const std::string& name, const std::string& bits, const std::string& arch) {
  CAPTURE(name);
  const Finished run = emulate(name, {}, arch);
  CHECK(run.exit_code == 0);
  CHECK(run.err == "");
  CHECK(contains(run.out, "bits: " + bits));
  CHECK(contains(run.out, "\n" + name + ": ok\n"));
  for (const char* how : {"--check", "--strict"}) {
    const Finished checked =
        run_process({kLanescope, "run", "--arch", arch, how, "--", kPrograms + name});
    CHECK(checked.exit_code == 0);
    CHECK(checked.out == run.out);
    CHECK(checked.err == "lanescope: 1 launch checked, nothing to report\n");
  }
}

}  // namespace lanescope::tests::programs
