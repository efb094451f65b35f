// SPDX-License-Identifier: MIT
// The words and signs of a layout's text, one after the other. Namespaces, braces and blanks are
// passed over. Inside the room only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::layout::cute {

class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// What is left, from the next sign that counts on.
  std::string_view rest();
  /// Whether this sign is next; then it is behind us.
  bool taken(std::string_view sign);
  /// The same; throws a Problem where it is not next.
  void expect(std::string_view sign, std::string_view behind);
  /// A name without the namespaces before it, or a number; "" where there is neither.
  std::string_view word();
  /// A number, which may be negative; throws a Problem where there is none.
  std::int64_t number();
  /// "8" and "_8"; throws a Problem where it has more than nine digits.
  static std::optional<std::int64_t> number_in(std::string_view word);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Without blanks, "cute::" and "auto " at its beginning.
std::string_view without_namespaces(std::string_view words);
/// What stands between the commas that are in no brackets, of "a, b<c,d>)": without the last
/// bracket; nothing where that is missing.
std::vector<std::string_view> arguments(std::string_view words);

}  // namespace lanescope::layout::cute
