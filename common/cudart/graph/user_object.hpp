// SPDX-License-Identifier: MIT
// Objects of the program's that graphs, and what was made of them, keep alive: counted references;
// when the last one goes, the program's own function destroys the object.
// Source: CUDA C++ Programming Guide 13.0, "CUDA User Objects".
#pragma once

#include <cstdint>
#include <map>

#include "cudart/abi.hpp"

namespace lanescope::cudart {

struct UserObject {
  void* what = nullptr;
  cudaHostFn_t destroy = nullptr;
  std::uint64_t references = 0;
};

struct UserObjects {
  std::map<std::uint64_t, UserObject> objects;  // by handle
  /// How many references to which object a graph or an executable has.
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> kept;
  /// False: there is no such object.
  bool retain(std::uint64_t object, std::uint64_t count);
  bool release(std::uint64_t object, std::uint64_t count);
  /// `other` has a reference to all that `keeper` keeps, too.
  void share(std::uint64_t keeper, std::uint64_t other);
  /// The keeper is no more.
  void drop(std::uint64_t keeper);
};

}  // namespace lanescope::cudart
