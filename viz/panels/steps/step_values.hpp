// SPDX-License-Identifier: MIT
// The bits that an instruction wrote, as people read them: what type they are of, which its opcode
// says, and their value in it. Strings only; who reads them is in step_reads.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/event.hpp"

namespace lanescope::viz {

/// How a register's bits are best read, by what the instruction is: "f32", "s32", "f16", "pred"...;
/// "" where the bits say it best.
std::string_view value_type(const trace::Step& step, std::size_t write);
/// A lane's value in that type; hexadecimal where there is none.
std::string value_text(std::string_view type, int bits, std::uint64_t pattern);

}  // namespace lanescope::viz
