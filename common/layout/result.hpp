// SPDX-License-Identifier: MIT
// D of tcgen05.mma in tensor memory, in words. Inside the room only: others ask mover.hpp.
#pragma once

#include <string>
#include <string_view>

#include "layout/mover.hpp"

namespace lanescope::layout {

/// A picture of what tcgen05.mma has in tensor memory: what it is, where which of it is (in which
/// CTA of a pair), `body`, and how to ask for one.
std::string tensor_picture(const Mover& mover, std::string_view what, std::string_view where,
                           std::string_view body);
std::string result_picture(const Mover& mover);

}  // namespace lanescope::layout
