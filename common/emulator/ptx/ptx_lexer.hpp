// SPDX-License-Identifier: MIT
// PTX text, cut into tokens. Not a parser: it knows no opcode and no directive.
//
//     @%p1 ld.global.u32 %r1, [%rd2+4];   ->   @ %p1 ld .global .u32 %r1 , [ %rd2 + 4 ] ;
//
// Comments vanish, but for one: `//@watch NAME REGISTER` is a token, because it names a register
// for the learner (common/device/record.cuh writes it, ptxas ignores it).
//
// Source: PTX ISA 9.2, 4.1 to 4.5.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/machine.hpp"

namespace lanescope::emulator {

enum class TokenKind : std::uint8_t {
  end,
  word,      // add, %r1, $L__BB0_1, %tid
  dot_word,  // .u32, .shared::cta, .x
  number,    // 12, -: not included, 0x1f, 0f3F800000, 1.5
  string,    // "file.cu", without the quotes; unescaped() has what it says
  mark,      // one of ()[]{}<>,;:@!|+-=*
  watch,     // the text after //@watch
  body,      // the braces of a kernel and all between them, to be cut later (outline_of)
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  int line = 0;
  int col = 0;
};

/// Why PTX was refused. Thrown inside the emulator only: Machine::load returns it as an Error.
struct Refusal : std::runtime_error {
  Refusal(ErrorCode why, const std::string& what_, int line_, int col_)
      : std::runtime_error(what_), code(why), line(line_), col(col_) {}
  ErrorCode code;
  int line;
  int col;
};

/// What nvcc's string says: \303\251 are the bytes of an e with an accent, \" and \\ the character.
std::string unescaped(std::string_view text);

/// All tokens of `text`, the last one TokenKind::end. They point into `text`, which begins at this
/// place of a module. Throws Refusal.
std::vector<Token> tokens_of(std::string_view text, int line = 1, int col = 1);

/// The same of a module, each kernel's body as one token: those of a large one are nearly all of
/// it.
std::vector<Token> outline_of(std::string_view text);

}  // namespace lanescope::emulator
