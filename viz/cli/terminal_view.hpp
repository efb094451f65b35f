// SPDX-License-Identifier: MIT
// What `view --text` prints of a trace, a panel at a time; the pages of the atlas are printed by
// `layout`, `swizzle` and `descriptor`.
#pragma once

#include <string>

#include "cli/commands.hpp"

namespace lanescope::cli {

/// The exit code; a trace that cannot be read and words that mean nothing are said on stderr.
int view_text(const std::string& path, const ViewOptions& options);

/// --product: a number from 1 on, kFirstProduct where none is given, kAllProducts for "all".
int product_number(const std::string& product);
/// The second of two, "1,3"; 0 where there is none.
int second_product(const std::string& product);

}  // namespace lanescope::cli
