// SPDX-License-Identifier: MIT
// Names the mistake: compares the fragments of a trace with the matrices that the trace also holds,
// by the atlas's maps, and where they differ looks for the one slip that explains every element.
//
//     memory "A in shared memory"   16 x 16      what should be where
//     fragment "A", every lane's registers       what is where
//     table: which lane and register an element belongs to
//         -> "registers 1 and 2 are exchanged", or an honest "not one of the known mistakes"
//
// A matrix belongs to a fragment when its name begins with the operand's letter ("A", "a_t", "B in
// shared memory"); one in global memory counts more than one in shared memory. A name that ends in
// "_t" is stored transposed, one with the word "swizzled" in it as a swizzle has it. "A k=16" is
// the fragment that begins at column 16 (B: row 16). It proves nothing about the maps themselves:
// it takes them from the atlas.
#pragma once

#include <string>
#include <vector>

#include "layout/fragment.hpp"
#include "trace/event.hpp"

namespace lanescope::trace {

enum class Verdict {
  right,         // every element is where the table says
  mistake,       // and one of the known ones explains it
  unknown,       // not one of the known mistakes
  not_compared,  // the trace has no matrix, or the atlas no map, for it
};

struct Diagnosis {
  int fragment = -1;  // index of the event
  int matrix = -1;    // index of the memory event it was compared with
  Verdict verdict = Verdict::not_compared;
  std::string kind;     // of the mistake, short: "registers-exchanged"
  std::string mistake;  // in words: what is wrong; why it was not compared
  std::string advice;   // what to do about it
  std::string first;    // the first element that is wrong: lane, register, expected, found
  std::string note;     // what this comparison cannot tell, or ""
  int wrong = 0, elements = 0;
  int lane = -1, register_index = -1;      // of the first
  std::vector<layout::Element> misplaced;  // of the fragment, the first one first
};

/// One for every fragment of the trace, in its order.
std::vector<Diagnosis> diagnose(const Trace& trace);

/// Of one of them, by a map that the atlas need not have.
Diagnosis diagnose(const Trace& trace, int fragment, const layout::Fragment& map);

/// The kinds of mistakes it knows, with what each is called. For `--list` and the documents.
struct KnownMistake {
  const char* kind;
  const char* words;
};
const std::vector<KnownMistake>& known_mistakes();

}  // namespace lanescope::trace
