// SPDX-License-Identifier: MIT
// Paths in messages: as they are typed in the folder where the program was started.
#include "cudart/shown.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace lanescope::cudart;

TEST_CASE("what lies below the folder is named from there, everything else as it is") {
  const auto shown = [](const char* text) { return from_folder(text, "/opt/mine/gpu"); };
  CHECK(shown("/opt/mine/gpu/gemm.cu:12") == "gemm.cu:12");
  CHECK(shown("`ld`, /opt/mine/gpu/a/b.cu:3, check it (/opt/mine/gpu/c.ptx:1:2)") ==
        "`ld`, a/b.cu:3, check it (c.ptx:1:2)");
  CHECK(shown("/opt/mine/gpu/x /opt/mine/gpu/y") == "x y");
  // Not below it: above, beside, in the middle of another path.
  CHECK(shown("/opt/mine/gpus/gemm.cu:12") == "/opt/mine/gpus/gemm.cu:12");
  CHECK(shown("/opt/mine/other.cu") == "/opt/mine/other.cu");
  CHECK(shown("/mnt/opt/mine/gpu/gemm.cu") == "/mnt/opt/mine/gpu/gemm.cu");
  CHECK(shown("in /opt/mine/gpu there is nothing") == "in /opt/mine/gpu there is nothing");
  CHECK(from_folder("/a/b", "/") == "/a/b");
  CHECK(from_folder("/a/b", "") == "/a/b");
}

TEST_CASE("the folder is that of the start") {
  const std::filesystem::path started = std::filesystem::current_path();
  const std::string whole = (started / "gemm.cu").string();
  std::filesystem::current_path("/");
  CHECK(from_here(whole + ":1") == "gemm.cu:1");
  std::filesystem::current_path(started);
}
