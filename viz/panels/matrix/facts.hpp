// SPDX-License-Identifier: MIT
// All that is to be said about a selection: who holds it, its bits, why, what it makes, the code.
// Gathered once, here; the inspector draws it, the terminal and Ctrl+C print it.
// Pure model, no Dear ImGui. Formulas come from common/layout, values from common/numeric.
#pragma once

#include <string>
#include <vector>

#include "panels/matrix/selection.hpp"

namespace lanescope::viz {

/// One element in a register.
struct Part {
  layout::Holder holder;
  layout::Element element;
  std::string name;   // "A[13][11]"
  std::string place;  // "13,11"; of several matrices "m2 3,1", counted from 1
  std::string label;  // "lo", "hi", "b2", or "" when it fills the register
  std::string bits;   // "0x5a48", "" when not in the trace
  std::string value;  // "201"
};

/// A register of a lane, split.
struct RegisterFacts {
  char operand = '?';
  int thread = 0;
  int index = 0;
  int register_bits = 32;
  std::string name;  // "A.r3"
  std::string bits;  // "0x5a485a40"; "" when not in the trace
  std::uint64_t pattern = 0;
  std::vector<Part> parts;         // from the low bits up
  std::vector<std::string> notes;  // of metadata, of scales: what they say
};

struct Facts {
  std::string title;         // "A[13][11]", "lane 21", "lane 21 A.r3", "A.r3 in every lane"
  std::string where;         // "lane 21, A.r3, high half"
  std::string type;          // "f16, 16 x 16 matrix A"
  std::string scale;         // "SFA[9][2] = 0.0625, lane 5 SFA.r0, byte 2"; "" where it has none
  std::string scale_search;  // what finds that in the map of scales
  std::vector<RegisterFacts> registers;  // the selected register; of a lane, all it has
  int part = -1;                  // which part of registers[0] the selected element is, or -1
  std::vector<std::string> cute;  // the same as CuTe writes it
  std::vector<std::string> why;   // the formula, then the same with the numbers filled in
  std::string source;             // "PTX ISA 9.1, 9.7.14.5.8 ..."
  std::string standing;           // "verified on sm_90a", "derived, not verified on a card"
  std::string agreement;          // emulator: what agreeing with the table is worth; else ""
  std::string note;               // what to know before trusting the map, or ""
  bool verified = false;
  std::vector<std::string> makes;  // "D[13][n] += A[13][11] * B[11][n]"
  std::vector<std::string> code;   // C++ to paste
};

/// `hover` may name the partner: a hovered D of the same row makes "makes" one concrete product.
Facts facts(const Model& model, const Multiplication& in, const Selection& selection,
            const Hover& hover = {});

/// "A[13][11]", of several matrices "A[3][1] of matrix 2".
std::string element_name(const layout::Fragment& map, const layout::Element& element);
RegisterFacts register_facts(const Multiplication& in, char operand, int thread, int index);
/// The registers of a lane: A, B, C, D, in that order, those the map has; then the metadata and
/// the scales, where the trace has some.
std::vector<RegisterFacts> lane_registers(const Multiplication& in, int thread);

/// The facts as lines of text, for Ctrl+C and the terminal. Ends with a newline; "" for nothing.
std::string to_text(const Facts& facts);
std::string selection_text(const Model& model, const Multiplication& in,
                           const Selection& selection);

/// How much a map is proved: "verified on sm_90a" or "derived, not verified on a card"; and, for a
/// trace of the emulator, that it agrees by construction.
std::string standing_text(layout::Standing standing);
std::string standing_text(const layout::Instruction& instruction);
std::string agreement_text(const Model& model);

}  // namespace lanescope::viz
