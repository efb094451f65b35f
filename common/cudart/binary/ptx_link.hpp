// SPDX-License-Identifier: MIT
// A linker for PTX text: the files of a program built with nvcc -rdc=true become one, in which
// functions and variables of other files are found.
//
//   prototypes of all functions, variables, functions and kernels, what .file says
//
// Symbols that are not .visible, .weak, .common or .extern belong to their file and are renamed
// where another file has one of that name; of .weak and .common ones the first counts. It is no
// check: what is missing or there twice the emulator's parser says. Source: PTX ISA 9.2, 11.6.
#pragma once

#include <string>
#include <vector>

namespace lanescope::cudart {

std::string link_ptx(const std::vector<std::string>& files);

}  // namespace lanescope::cudart
