// SPDX-License-Identifier: MIT
// What machine code says about its kernels, without running it: how many registers a thread of each
// has. The only thing that PTX cannot tell and a program with SASS in it knows exactly.
//
// A cubin is an ELF file. Its section .nv.info is a list of attributes; 0x2f is a kernel's symbol
// and its registers. Source: no public document; observed in what ptxas 13.0 writes, and equal to
// what ptxas -v says.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace lanescope::cudart {

/// By the kernel's (mangled) name. Damaged files give what could be read.
std::map<std::string, int> registers_in_cubin(std::span<const std::byte> cubin);

}  // namespace lanescope::cudart
