// SPDX-License-Identifier: MIT
// Markdown as far as a lesson uses it, made into words for the window. No HTML, no images, no
// nesting. Pure text, no Dear ImGui.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::viz {

/// Words of one kind: between the marks of a line.
enum class Ink { text, strong, code };
struct Span {
  std::string words;
  Ink ink = Ink::text;
};
/// A line or a paragraph in its kinds of words, without marks. *Stressed* words and those of a link
/// are text.
std::vector<Span> spans_of(std::string_view words);

/// Words without marks: `code`, **strong** and *stressed* lose them, [a link](address) its address.
/// A star between letters is a product, A*B, and brackets without an address are an element's.
std::string plain(std::string_view words);

/// The cells of a line of a table: "| a | b |" -> {"a", "b"}.
std::vector<std::string> cells_of(std::string_view line);

/// All but the first of a line's cells as a sentence, each behind its column's name where that has
/// one: "LBO: to the next 8 of k; SBO: to the next 8 rows".
std::string behind_first(const std::vector<std::string>& cells,
                         const std::vector<std::string>& columns);

/// Whether a line begins an item of a numbered list: "1. ".
bool is_numbered(std::string_view line);

}  // namespace lanescope::viz
