// SPDX-License-Identifier: MIT
// Which shapes tcgen05.mma has, by kind and form: what is wrong with one, in words, or "". Not
// here: what is done with it (tcgen05_form.hpp).
//
// Source: PTX ISA 9.2, 9.7.16.2.1 (table 39), 9.7.16.10.7 (block scaling), 9.7.16.10.8.4 (sparsity
// selector).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/execute/tcgen05_form.hpp"

namespace lanescope::emulator {

/// The field of that name; they are layout::instruction_fields().
const layout::DescriptorField& field(const std::vector<layout::DescriptorField>& all,
                                     std::string_view name);

/// M and N of the kinds without block scaling.
std::string shape_problem(const Tcgen05Asks& asks, int M, int N);
/// M, N and the bytes of the words that scale factors are.
std::string scaling_problem(const Tcgen05Asks& asks,
                            const std::vector<layout::DescriptorField>& fields, int M, int N);
/// sel, the column of the metadata.
std::string selector_problem(const Tcgen05Asks& asks, int selector);

}  // namespace lanescope::emulator
