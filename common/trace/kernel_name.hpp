// SPDX-License-Identifier: MIT
// Names for people: of kernels, which PTX has as the compiler mangled them, and of sources, which
// it has as the build came to them. The disk is not asked.
//
//     _Z8multiplyILi3ELi2EEvPKtS1_PfiPx14DeviceRecorder   ->   multiply<3, 2>
//     /repo/build/lessons/../../lessons/05/lesson.cu      ->   /repo/lessons/05/lesson.cu
//     ld.param.u64 %rd4, [_Z4ringPi_param_0];             ->   ld.param.u64 %rd4, [param_0];
#pragma once

#include <string>
#include <string_view>

namespace lanescope::trace {

/// As in its source, without namespaces that have no name and without parameters; a name that is
/// not mangled as it is.
std::string as_written(const std::string& mangled);

/// An instruction with the names of parameters and variables as their source has them, and masks in
/// hexadecimal (bit_operands.hpp).
std::string plain_ptx(const std::string& ptx);

/// A path without "." and, as far as it names what they lead out of, without "..".
std::string plain_path(std::string_view path);

}  // namespace lanescope::trace
