// SPDX-License-Identifier: MIT
// See user_object.hpp.
#include "cudart/graph/user_object.hpp"

#include <utility>

namespace lanescope::cudart {

bool UserObjects::retain(std::uint64_t object, std::uint64_t count) {
  const auto found = objects.find(object);
  if (found == objects.end()) return false;
  found->second.references += count;
  return true;
}

bool UserObjects::release(std::uint64_t object, std::uint64_t count) {
  const auto found = objects.find(object);
  if (found == objects.end() || found->second.references < count) return false;
  found->second.references -= count;
  if (found->second.references != 0) return true;
  const UserObject gone = found->second;
  objects.erase(found);
  gone.destroy(gone.what);
  return true;
}

void UserObjects::share(std::uint64_t keeper, std::uint64_t other) {
  const auto found = kept.find(keeper);
  if (found == kept.end()) return;
  const auto references = found->second;
  for (const auto& [object, count] : references)
    if (retain(object, 1)) ++kept[other][object];
}

void UserObjects::drop(std::uint64_t keeper) {
  const auto found = kept.find(keeper);
  if (found == kept.end()) return;
  const auto references = std::move(found->second);
  kept.erase(found);
  for (const auto& [object, count] : references) release(object, count);
}

}  // namespace lanescope::cudart
