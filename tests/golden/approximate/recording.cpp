// SPDX-License-Identifier: MIT
#include "tests/golden/approximate/recording.hpp"

#include <fmt/format.h>

#include <cstring>

namespace lanescope::golden::approximate {

Recording parse_recording(const std::string& bytes) {
  Recording result;
  std::size_t at = bytes.find('\n');
  result.header = bytes.substr(0, at);
  if (at == std::string::npos || result.header.rfind("lanescope approximate 1|", 0) != 0) {
    result.problem = "not a recording of the approximate functions";
    return result;
  }
  for (++at; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at), bar = bytes.find('|', at);
    if (end == std::string::npos || bar > end) {
      result.problem = fmt::format("no form and its count at byte {}", at);
      return result;
    }
    RecordedForm form;
    form.mnemonic = bytes.substr(at, bar - at);
    form.inputs = static_cast<Word>(std::strtoul(bytes.c_str() + bar + 1, nullptr, 10));
    form.words.resize(form.inputs / kBlock * 2);
    const std::size_t size = form.words.size() * sizeof(Word);
    if (form.inputs == 0 || form.inputs > 1u << 20 || bytes.size() - end - 1 < size) {
      result.problem = fmt::format("cut off in {}", form.mnemonic);
      return result;
    }
    std::memcpy(form.words.data(), bytes.data() + end + 1, size);
    at = end + 1 + size;
    result.forms.push_back(std::move(form));
  }
  return result;
}

}  // namespace lanescope::golden::approximate
