// SPDX-License-Identifier: MIT
// The recorded files, read: maps.txt.zst, descriptors.txt.zst and tiles.txt.zst (README.md). A map
// is kept as the text it was recorded as: what should equal it is written out the same way.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lanescope::golden {

struct Recording {
  std::vector<std::string> provenance;  // "card: ..."
  std::vector<std::string> maps;
  /// Name -> operand -> number of its map ("products", "wrong" and the like: the number itself).
  std::map<std::string, std::map<std::string, int>> entries;

  /// The map of an operand, or nullptr.
  const std::string* map_of(const std::string& name, const std::string& operand) const;
};

/// Reads tests/golden/`file`; a broken file stops the test.
Recording read_recording(const std::string& file);

/// "mode=128B" of a name made of words, as text; "" when there is none.
std::string field(const std::string& name, const std::string& key);
int number(const std::string& name, const std::string& key);

}  // namespace lanescope::golden
