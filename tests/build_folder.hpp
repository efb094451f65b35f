// SPDX-License-Identifier: MIT
// Where this was built. A call, not a definition: the tests are the same to the letter in every
// configuration then, and ccache compiles them once.
#pragma once

#include <filesystem>

namespace lanescope::tests {

std::filesystem::path build_folder();

}  // namespace lanescope::tests
