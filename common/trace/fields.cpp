// SPDX-License-Identifier: MIT
#include "trace/fields.hpp"

#include <fmt/format.h>

#include <optional>

#include "trace/hex.hpp"

namespace lanescope::trace {

using simdjson::dom::element;
using simdjson::dom::element_type;

std::string_view type_name(element value) {
  switch (value.type()) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::INT64:
    case element_type::UINT64:
      return "a whole number";
    case element_type::DOUBLE:
      return "a fraction";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "true or false";
    case element_type::NULL_VALUE:
      return "null";
    default:  // simdjson 4 has one more: beyond 64 bits
      return "a whole number";
  }
}

void Fields::fail(std::string reason) {
  if (problem_.empty()) problem_ = std::move(reason);
}

void Fields::take(element value, std::string_view what) {
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS)
    return fail(fmt::format("{} is {}, not an object", what, type_name(value)));
  for (const auto field : object) {
    if (count_ == Limits::kKeys)
      return fail(fmt::format("{} has more than {} keys", what, Limits::kKeys));
    for (int i = 0; i < count_; ++i)
      if (fields_[static_cast<std::size_t>(i)].key == field.key)
        return fail(fmt::format("\"{}\" is there twice", field.key));
    fields_[static_cast<std::size_t>(count_++)] = {field.key, field.value};
  }
}

const element* Fields::find(std::string_view key, Need need) {
  if (!good()) return nullptr;
  for (int i = 0; i < count_; ++i) {
    const int at = (next_ + i) % count_;
    const Field& field = fields_[static_cast<std::size_t>(at)];
    if (field.key != key) continue;
    next_ = at + 1;
    return &field.value;
  }
  if (need == Need::required) fail(fmt::format("\"{}\" is missing", key));
  return nullptr;
}

bool Fields::has(std::string_view key) { return find(key, Need::optional) != nullptr; }

std::string_view Fields::text(std::string_view key, Need need) {
  const element* value = find(key, need);
  std::string_view text;
  if (value != nullptr && value->get(text) != simdjson::SUCCESS)
    fail(fmt::format("\"{}\" is {}, not a string", key, type_name(*value)));
  return text;
}

std::int64_t Fields::integer(std::string_view key, std::int64_t low, std::int64_t high, Need need) {
  const element* value = find(key, need);
  std::int64_t number = 0;
  if (value == nullptr) return number;
  if (value->type() != element_type::INT64 && value->type() != element_type::UINT64)
    fail(fmt::format("\"{}\" is {}, not a whole number", key, type_name(*value)));
  else if (value->get(number) != simdjson::SUCCESS || number < low || number > high)
    fail(fmt::format("\"{}\" is not from {} to {}", key, low, high));
  return number;
}

std::uint32_t Fields::lanes(std::string_view key) {
  const std::string_view bits = text(key);
  const std::optional<std::uint64_t> mask = parse_hex(bits);
  if (bits.size() != 8 || !mask)
    fail(fmt::format("\"{}\" is not eight lower-case hexadecimal digits", key));
  return static_cast<std::uint32_t>(mask.value_or(0));
}

std::uint64_t Fields::address(std::string_view key, std::uint64_t high) {
  const std::string_view written = text(key);
  const std::optional<std::uint64_t> found =
      written.substr(0, 2) == "0x" ? parse_hex(written.substr(2)) : std::nullopt;
  if (!found || *found > high)
    fail(fmt::format("\"{}\" is not 0x and 1 to 16 lower-case hexadecimal digits", key));
  return found.value_or(0);
}

std::vector<std::int64_t> Fields::integers(std::string_view key, int most, std::int64_t low,
                                           std::int64_t high) {
  std::vector<std::int64_t> numbers;
  for (const element& value : elements(key, most)) {
    std::int64_t& number = numbers.emplace_back();
    if (value.get(number) != simdjson::SUCCESS || number < low || number > high)
      fail(fmt::format("\"{}\" has a value that is no whole number from {} to {}", key, low, high));
  }
  return numbers;
}

std::array<int, 3> Fields::triple(std::string_view key, std::int64_t low, std::int64_t high) {
  std::array<int, 3> numbers{low > 0 ? 1 : 0, low > 0 ? 1 : 0, low > 0 ? 1 : 0};
  const std::vector<std::int64_t> values = integers(key, 3, low, high);
  if (good() && values.size() != 3)
    fail(fmt::format("\"{}\" has {} numbers, not 3", key, values.size()));
  for (std::size_t i = 0; good() && i < 3; ++i) numbers[i] = static_cast<int>(values[i]);
  return numbers;
}

std::vector<std::string> Fields::texts(std::string_view key, int most, Need need) {
  std::vector<std::string> all;
  for (const element& value : elements(key, most, need)) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS)
      fail(fmt::format("\"{}\" has {} where a string belongs", key, type_name(value)));
    all.emplace_back(text);
  }
  return all;
}

std::vector<element> Fields::elements(std::string_view key, int most, Need need) {
  std::vector<element> all;
  const element* value = find(key, need);
  if (value == nullptr) return all;
  simdjson::dom::array array;
  if (value->get(array) != simdjson::SUCCESS) {
    fail(fmt::format("\"{}\" is {}, not a list", key, type_name(*value)));
    return all;
  }
  if (array.size() > static_cast<std::size_t>(most)) {
    fail(fmt::format("\"{}\" has {} entries, more than {}", key, array.size(), most));
    return all;
  }
  all.reserve(array.size());
  for (const element entry : array) all.push_back(entry);
  return all;
}

}  // namespace lanescope::trace
