// SPDX-License-Identifier: MIT
// `layout --list`: the entries of the atlas that words, a family, a type and a target leave.
#pragma once

#include "cli/commands.hpp"

namespace lanescope::cli {

/// The exit code; why there are none is said on stderr.
int list_instructions(const LayoutOptions& options);

}  // namespace lanescope::cli
