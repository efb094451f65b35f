// SPDX-License-Identifier: MIT
#include "cudart/binary/edited_ptx.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "cudart/context.hpp"
#include "cudart/environment.hpp"

namespace lanescope::cudart {

std::string edited_ptx(const std::string& text) {
  const std::string folder = setting(kPtxVariable);
  if (folder.empty()) return text;
  static int loaded = 0;  // under the context's lock
  const std::string path = fmt::format("{}/{}.ptx", folder, loaded++);
  if (std::ifstream in(path, std::ios::binary); in) {
    std::ostringstream edited;
    edited << in.rdbuf();
    return edited.str();
  }
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) say(fmt::format("{}={}: cannot write {}", kPtxVariable, folder, path));
  return text;
}

}  // namespace lanescope::cudart
