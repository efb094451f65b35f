// SPDX-License-Identifier: MIT
// The keys of one JSON object, taken out with their types and ranges checked. The first thing that
// is wrong is kept in `problem`; what is taken out after that has no meaning.
//
// Internal to common/trace, and the only header that knows of simdjson (two seconds an include).
#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/reader.hpp"

namespace lanescope::trace {

enum class Need { required, optional };

class Fields {
 public:
  explicit Fields(std::string& problem) : problem_(problem) {}

  void take(simdjson::dom::element element, std::string_view what);

  bool good() const { return problem_.empty(); }
  void fail(std::string reason);

  bool has(std::string_view key);
  std::string_view text(std::string_view key, Need need = Need::required);
  std::string string(std::string_view key, Need need = Need::required) {
    return std::string(text(key, need));
  }
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                       Need need = Need::required);
  int natural(std::string_view key, std::int64_t high, Need need = Need::required) {
    return static_cast<int>(integer(key, 0, high, need));
  }
  /// "0000ffff": lane 0 is the lowest bit.
  std::uint32_t lanes(std::string_view key);
  /// "0x400".
  std::uint64_t address(std::string_view key, std::uint64_t high = ~std::uint64_t{0});
  std::array<int, 3> triple(std::string_view key, std::int64_t low, std::int64_t high);
  std::vector<std::int64_t> integers(std::string_view key, int most, std::int64_t low,
                                     std::int64_t high);
  std::vector<std::string> texts(std::string_view key, int most, Need need = Need::required);
  std::vector<simdjson::dom::element> elements(std::string_view key, int most,
                                               Need need = Need::required);

 private:
  struct Field {
    std::string_view key;
    simdjson::dom::element value;
  };
  const simdjson::dom::element* find(std::string_view key, Need need);

  std::string& problem_;
  std::array<Field, Limits::kKeys> fields_;
  int count_ = 0;
  int next_ = 0;  // where writers put the next key: saves the search
};

/// "string", "number" ...: for messages.
std::string_view type_name(simdjson::dom::element element);

}  // namespace lanescope::trace
