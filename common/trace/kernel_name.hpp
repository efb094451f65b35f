// SPDX-License-Identifier: MIT
// The name of a kernel for people: traces and PTX have it as the compiler mangled it.
//
//     _Z8multiplyILi3ELi2EEvPKtS1_PfiPx14DeviceRecorder   ->   multiply<3, 2>
#pragma once

#include <string>

namespace lanescope::trace {

/// As in its source, without namespaces that have no name and without parameters; a name that is
/// not mangled as it is.
std::string as_written(const std::string& mangled);

}  // namespace lanescope::trace
