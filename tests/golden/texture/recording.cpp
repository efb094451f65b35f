// SPDX-License-Identifier: MIT
#include "tests/golden/texture/recording.hpp"

#include <cstdlib>
#include <cstring>

namespace lanescope::golden::texture {

Recording parse_recording(const std::string& bytes) {
  Recording result;
  std::size_t at = bytes.find('\n');
  result.header = bytes.substr(0, at);
  if (at == std::string::npos || result.header.rfind("lanescope texture 1|", 0) != 0) {
    result.problem = "not a recording of fetches";
    return result;
  }
  for (++at; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at), bar = bytes.find('|', at);
    if (end == std::string::npos || bar > end) {
      result.problem = "no form and its count at byte " + std::to_string(at);
      return result;
    }
    RecordedForm form;
    form.name = bytes.substr(at, bar - at);
    form.fetches = static_cast<Word>(std::strtoul(bytes.c_str() + bar + 1, nullptr, 10));
    const std::size_t size = std::size_t{form.fetches} * 4 * sizeof(Word);
    if (form.fetches == 0 || bytes.size() - end - 1 < size) {
      result.problem = "cut off in " + form.name;
      return result;
    }
    form.words.resize(size / sizeof(Word));
    std::memcpy(form.words.data(), bytes.data() + end + 1, size);
    at = end + 1 + size;
    result.forms.push_back(std::move(form));
  }
  return result;
}

}  // namespace lanescope::golden::texture
