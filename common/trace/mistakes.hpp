// SPDX-License-Identifier: MIT
// The mistakes that diagnose knows. Most are a map: where in the matrix the element of every slot
// (lane, register, part) came from, if this was the mistake. The first map that explains every slot
// is the answer. Where single lanes name wrong rows to ldmatrix there is no such map; what each
// address fetched is looked for then (lane_address.cpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/compared.hpp"

namespace lanescope::trace {

struct Mistake {
  const char* kind;           // short, for known_mistakes()
  std::string words, advice;  // what is wrong; what to do about it
  Places places;              // nullptr: found in another way
};

/// Whether `places` explains every slot.
bool explains(const Case& c, const Places& places, const Matrix& matrix);

/// Those that are possible with this fragment, the likeliest first.
std::vector<Mistake> mistakes_for(const Case& c);

/// Of these, those of a wrong distance between registers or lanes (wrong_step.cpp).
std::vector<Mistake> wrong_steps(const Case& c);

/// Those that a symmetric matrix hides.
std::vector<Mistake> hidden_by_symmetry(const Case& c);

/// Every wrong element came from an address that some lane got wrong, or nothing.
std::optional<Mistake> wrong_addresses(const Case& c);

inline int part_of(const Case& c, const layout::Held& slot) {
  return slot.holder.value % c.parts();
}

}  // namespace lanescope::trace
