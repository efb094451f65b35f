// SPDX-License-Identifier: MIT
// What the text of a PTX file says of its kernels, as far as one needs it to launch them. Whether
// the text is right is the driver's to say.
//
// Source: PTX ISA 9.2, 11.1 (.entry), 11.4 (.reqntid).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::launcher {

struct KernelText {
  std::string name;
  std::array<unsigned, 3> block{};  // .reqntid, else .maxntid; 0: it does not say
};

struct PtxText {
  std::string version;              // 9.0
  std::string target;               // sm_90a
  bool has_dynamic_shared = false;  // .extern .shared
  std::vector<KernelText> kernels;
};

PtxText read_ptx(std::string_view text);

/// What a text says in its first line of how it is launched, "// run: --grid 2 f16:16x16=random":
/// the words; those with blanks stand in ''. None where it does not say.
std::vector<std::string> words_in(std::string_view text);

}  // namespace lanescope::launcher
