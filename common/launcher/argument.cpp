// SPDX-License-Identifier: MIT
#include "launcher/argument.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>

namespace lanescope::launcher {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
constexpr const char* kForms =
    "write f16:64x128=random for memory, u32=5 for a number, map:f16:64x128:64x64:128B for a "
    "tensor map";

// What stands before the next `mark`; it and the mark are taken away.
std::string_view take_until(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

// 64x128, the slowest dimension first; false where it is none.
template <class Size>
bool read_sizes(std::string_view text, std::vector<Size>& sizes) {
  if (text.empty() || text.back() == 'x') return false;
  while (!text.empty()) {
    const std::string_view part = take_until(text, 'x');
    Size size = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), size);
    if (error != std::errc{} || end != part.data() + part.size() || size == 0) return false;
    sizes.push_back(size);
  }
  return true;
}

std::string read_contents(std::string_view text, const Element& element, Contents& contents) {
  if (text.substr(0, 1) == "@") {
    contents = {Contents::Kind::file, 0, std::string(text.substr(1))};
    return "";
  }
  if (text == "index") return contents.kind = Contents::Kind::index, "";
  std::string_view rest = text;
  const std::string_view kind = take_until(rest, ':');
  if (kind == "random" || kind == "whole") {
    contents.kind = kind == "whole" ? Contents::Kind::whole : Contents::Kind::random;
    if (text == kind) return "";
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), contents.value);
    const bool is_seed = error == std::errc{} && end == rest.data() + rest.size();
    return is_seed ? "" : fmt::format("'{}' is no seed; write {}:7", rest, kind);
  }
  const auto number = read_number(element, text);
  if (!number)
    return fmt::format("'{}' is no {}; write a number, index, random, whole, random:7 or @FILE",
                       text, element.name);
  contents.value = *number;
  return "";
}

std::string read_shape(std::string_view text, Argument& argument) {
  if (!read_sizes(text, argument.shape))
    return fmt::format("'{}' is no shape; write 64x128, or 4096", text);
  std::uint64_t bytes = static_cast<std::uint64_t>(argument.element->bytes);
  for (const std::uint64_t size : argument.shape) {
    if (size > kMostBytes / bytes) return "more than 4 GiB; ask for less";
    bytes *= size;
  }
  return "";
}

std::string read_map(std::string_view text, Argument& argument) {
  constexpr std::array<std::string_view, 4> kSwizzles{"none", "32B", "64B", "128B"};
  if (const std::string why = read_shape(take_until(text, ':'), argument); !why.empty()) return why;
  const std::string_view box = take_until(text, ':');
  if (!read_sizes(box, argument.box) || argument.box.size() != argument.shape.size() ||
      argument.shape.size() > 5)
    return fmt::format("'{}' is no box in {} dimension{}; write map:f16:64x128:64x64", box,
                       argument.shape.size(), argument.shape.size() == 1 ? "" : "s");
  if (text.empty()) return "";
  for (std::size_t mode = 0; mode < kSwizzles.size(); ++mode)
    if (text == kSwizzles[mode]) return argument.swizzle = static_cast<int>(mode), "";
  return fmt::format("'{}' is no swizzle; write none, 32B, 64B or 128B", text);
}

// Where a struct's next member ends: at a comma behind which another begins, so that a file may
// have commas in its name.
std::size_t end_of_member(std::string_view text) {
  for (std::size_t comma = text.find(','); comma != text.npos; comma = text.find(',', comma + 1)) {
    const std::string_view behind = text.substr(comma + 1);
    const std::size_t end = behind.find_first_of(":=,");
    const std::string_view type = behind.substr(0, end);
    if (end != behind.npos && (type == "map" || find_element(type) != nullptr)) return comma;
  }
  return text.size();
}

}  // namespace

std::uint64_t Argument::count() const {
  std::uint64_t product = 1;
  for (const std::uint64_t size : shape) product *= size;
  return product;
}

std::size_t Argument::parameter_bytes() const {
  return kind == Kind::number   ? static_cast<std::size_t>(element->bytes)
         : kind == Kind::memory ? sizeof(std::uint64_t)
                                : 128;
}

std::string read_argument(std::string_view word, Argument& argument) {
  argument = {};
  const std::size_t equals = word.find('=');
  std::string_view rest = word.substr(0, equals);
  argument.word = rest;
  std::string_view type = take_until(rest, ':');
  const bool is_map = type == "map";
  if (is_map) type = take_until(rest, ':');
  argument.element = find_element(type);
  if (argument.element == nullptr)
    return type.empty() || (equals == word.npos && argument.word.find(':') == word.npos)
               ? std::string(kForms)
               : fmt::format("'{}' is no type; there are {}", type, element_names());
  const bool has_shape = argument.word.size() > type.size();
  argument.kind = is_map      ? Argument::Kind::tensor_map
                  : has_shape ? Argument::Kind::memory
                              : Argument::Kind::number;
  if (argument.kind == Argument::Kind::number) {
    if (equals == word.npos) return fmt::format("which number? write {}=5", type);
    const auto number = read_number(*argument.element, word.substr(equals + 1));
    if (number) argument.number = *number;
    return number ? "" : fmt::format("'{}' is no {}", word.substr(equals + 1), type);
  }
  const std::string why = is_map ? read_map(rest, argument) : read_shape(rest, argument);
  if (!why.empty() || equals == word.npos) return why;
  return read_contents(word.substr(equals + 1), *argument.element, argument.contents);
}

std::string read_parameter(std::string_view word, std::size_t number, Parameter& parameter) {
  parameter = {};
  parameter.word = word;
  if (word.substr(0, 1) == "@") {
    parameter.file = word.substr(1);
    return parameter.file.empty()
               ? fmt::format("parameter {}, '@': which file? write @FILE", number)
               : "";
  }
  for (std::string_view rest = word;;) {
    const std::size_t end = end_of_member(rest);
    const std::string_view member = rest.substr(0, end);
    const std::string why = read_argument(member, parameter.members.emplace_back());
    const bool is_last = end == rest.size();
    if (!why.empty())
      return fmt::format("parameter {}{}, '{}': {}", number,
                         is_last && parameter.members.size() == 1
                             ? ""
                             : fmt::format(".{}", parameter.members.size() - 1),
                         member, why);
    if (is_last) return "";
    rest.remove_prefix(end + 1);
  }
}

std::string name_of(const Parameter& parameter, std::size_t number, std::size_t member) {
  return parameter.members.size() == 1 ? fmt::format("parameter {}", number)
                                       : fmt::format("parameter {}.{}", number, member);
}

std::vector<std::size_t> Parameter::offsets() const {
  std::vector<std::size_t> all;
  std::size_t end = 0, widest = 1;
  const auto round_up = [](std::size_t at, std::size_t to) { return (at + to - 1) / to * to; };
  for (const Argument& member : members) {
    all.push_back(round_up(end, member.alignment()));
    end = all.back() + member.parameter_bytes();
    widest = std::max(widest, member.alignment());
  }
  all.push_back(round_up(end, widest));
  return all;
}

std::string read_file(const std::string& file, std::string_view word,
                      std::vector<std::byte>& bytes) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) return fmt::format("there is no file {}", file);
  if (size != bytes.size())
    return fmt::format("{} has {} bytes, {} are {}", file, size, word, bytes.size());
  std::FILE* in = std::fopen(file.c_str(), "rb");
  const std::size_t read = in == nullptr ? 0 : std::fread(bytes.data(), 1, bytes.size(), in);
  if (in != nullptr) std::fclose(in);
  return read == bytes.size() ? "" : fmt::format("{} cannot be read", file);
}

std::string fill(const Argument& argument, int number, std::vector<std::byte>& bytes) {
  const Element& element = *argument.element;
  const Contents& contents = argument.contents;
  bytes.assign(static_cast<std::size_t>(argument.bytes()), std::byte{0});
  if (contents.kind == Contents::Kind::file) return read_file(contents.file, argument.word, bytes);
  if (contents.kind == Contents::Kind::number && contents.value == 0) return "";
  const std::uint64_t seed =
      contents.value != 0 ? contents.value : static_cast<std::uint64_t>(number) + 1;
  std::byte* to = bytes.data();
  for (std::uint64_t place = 0; place < argument.count(); ++place, to += element.bytes)
    store(element,
          contents.kind == Contents::Kind::random  ? random_pattern(element, seed, place)
          : contents.kind == Contents::Kind::whole ? whole_pattern(element, seed, place)
          : contents.kind == Contents::Kind::index ? index_pattern(element, place)
                                                   : contents.value,
          to);
  return "";
}

}  // namespace lanescope::launcher
