// SPDX-License-Identifier: MIT
// The front door, ./learn, as a script: where it cannot build, and what of it is the command's.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <string>

#include "tests/repo/files.hpp"

using namespace lanescope::repo;

TEST_CASE(
    "learn says in one line where CMake cannot build; what else is in a folder's name is nothing") {
  const std::string begin =
      "folder=$(mktemp -d) && trap 'rm -r \"$folder\"' EXIT && mkdir \"$folder/$NAME\" && "
      "cp learn \"$folder/$NAME\" && cd \"$folder/$NAME\" && ";
  for (const std::string name : {"a;b", "a\"b", "a#b", "a|b", "a*b", "a\\b"}) {
    CAPTURE(name);
    int status = 0;
    const std::string said =
        output_of("NAME='" + name + "'; " + begin + "./learn --no-install build 2>&1", &status);
    CHECK(WEXITSTATUS(status) == 2);
    CHECK(said.rfind("learn: CMake builds nowhere below a folder with ", 0) == 0);
    CHECK(std::count(said.begin(), said.end(), '\n') == 1);
  }
  // It comes as far as the packages, or CMake, which finds no project there.
  const std::string said = output_of("NAME=\"it's \\$HOME\"; " + begin +
                                     "PATH=/usr/bin:/bin ./learn --no-install build 2>&1");
  CHECK(said.find("CMake builds nowhere") == said.npos);
  CHECK(said != "");
}

TEST_CASE("what learn builds on the way is not in what the command prints") {
  // A project of one step, whose command prints a line; the packages are all there.
  const std::string project =
      "folder=$(mktemp -d) && trap 'rm -r \"$folder\"' EXIT && cp learn \"$folder\" && "
      "cd \"$folder\" && mkdir -p build/bin tools && "
      "printf '#!/bin/sh\\nshift 3; for p; do echo \"installed $p\"; done\\n' >tools/dpkg-query && "
      "printf '#!/bin/sh\\necho A,0,0\\n' >build/bin/lanescope && "
      "chmod +x tools/dpkg-query build/bin/lanescope && "
      "printf 'rule make\\n  command = touch $out\\nbuild made: make\\n"
      "build common/all: phony made\\nbuild viz/all: phony made\\n' >build/build.ninja && "
      "echo \"CMAKE_HOME_DIRECTORY:INTERNAL=$folder\" >build/CMakeCache.txt && "
      "PATH=\"$folder/tools:$PATH\" ./learn --no-install layout ";
  CHECK(output_of(project + "2>/dev/null") == "A,0,0\n");
  const std::string both = output_of(project + "2>&1");
  CHECK(both.rfind("Building ...\n", 0) == 0);
  CHECK(both.find("A,0,0\n") != both.npos);
}

TEST_CASE("learn --help neither installs nor builds") {
  // Nothing is there but the script: no packages, no project, no build.
  const std::string begin =
      "folder=$(mktemp -d) && trap 'rm -r \"$folder\"' EXIT && cp learn \"$folder\" && "
      "cd \"$folder\" && ";
  for (const std::string asked : {"--help", "-h", "--no-install --help"}) {
    CAPTURE(asked);
    int status = 0;
    const std::string said = output_of(begin + "./learn " + asked + " 2>&1 && ls", &status);
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(said.rfind("  ./learn ", 0) == 0);
    CHECK(said.find("./learn test --all") != said.npos);
    CHECK(said.find("README.md.\nlearn\n") != said.npos);  // and no folder build
  }
  // Once it is built, lanescope's commands stand below.
  const std::string built =
      output_of(begin +
                "mkdir -p build/bin && printf '#!/bin/sh\necho \"commands by $1\"\n' "
                ">build/bin/lanescope && chmod +x build/bin/lanescope && ./learn --help 2>&1");
  CHECK(built.find("./learn test --all") != built.npos);
  CHECK(built.find("\ncommands by --help\n") != built.npos);
}
