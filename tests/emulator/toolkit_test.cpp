// SPDX-License-Identifier: MIT
// Every instruction that <cuda/ptx> of the toolkit can write is taken, but for those that
// docs/emulator.md names: the header's asm statements, each in a kernel of its own, with registers
// for its operands. What the instructions do is asked elsewhere.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "emulator/machine.hpp"

namespace lanescope::emulator {
namespace {

/// asm("add %0, %1;" : "=r"(x) : "r"(y) : "memory") is {"add %0, %1;", "rr"}.
struct Asm {
  std::string text, kinds;
  bool operator<(const Asm& other) const {
    return text != other.text ? text < other.text : kinds < other.kinds;
  }
};

/// The literal that opens at `at`, which then stands behind it.
std::string literal(std::string_view source, std::size_t& at) {
  std::string found;
  for (++at; at < source.size() && source[at] != '"'; ++at) {
    if (source[at] != '\\') {
      found += source[at];
      continue;
    }
    ++at;
    found += source[at] == 'n' ? '\n' : source[at] == 't' ? '\t' : source[at];
  }
  ++at;
  return found;
}

/// From behind the parenthesis of asm( to the one that closes it.
Asm statement(std::string_view source, std::size_t at) {
  Asm made;
  bool is_text = true;
  for (int depth = 1; at < source.size() && depth > 0;) {
    const char c = source[at];
    if (c == '"') {
      const std::string found = literal(source, at);
      if (is_text) made.text += found;
      if (!is_text && depth == 1 && found != "memory") made.kinds += found.back();
      continue;
    }
    is_text = is_text && c != ':';
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    ++at;
  }
  return made;
}

std::set<Asm> statements_of(std::string_view source) {
  std::set<Asm> found;
  for (std::size_t at = source.find("asm"); at != std::string_view::npos;
       at = source.find("asm", at + 3)) {
    const std::size_t open = source.find_first_not_of(" volatile", at + 3);
    if (open != std::string_view::npos && source[open] == '(')
      found.insert(statement(source, open + 1));
  }
  return found;
}

/// `number` stands where the header wants a constant.
std::string module_of(const Asm& found, std::string_view arch, int number) {
  constexpr std::string_view kLetters = "rlhfdq";
  constexpr std::string_view kTypes[] = {"b32", "b64", "b16", "f32", "f64", "b128"};
  std::string text =
      fmt::format(".version 9.0\n.target {}\n.address_size 64\n.visible .entry k() {{\n", arch);
  for (std::size_t k = 0; k < found.kinds.size(); ++k)
    if (const std::size_t type = kLetters.find(found.kinds[k]); type != std::string_view::npos)
      text += fmt::format(".reg .{} operand{};\n", kTypes[type], k);
  for (std::size_t at = 0; at < found.text.size(); ++at) {
    if (found.text[at] != '%') {
      text += found.text[at];
    } else if (found.text[++at] == '%') {
      text += '%';
    } else {
      std::size_t digits = 0;
      const int k = std::stoi(found.text.substr(at), &digits);
      const bool is_constant = found.kinds.at(static_cast<std::size_t>(k)) == 'n';
      text += is_constant ? std::to_string(number) : fmt::format("operand{}", k);
      at += digits - 1;
    }
  }
  return text + "\nret;\n}\n";
}

/// Empty, or what the last of the cards said.
std::string refusal(const Asm& found) {
  std::string message;
  for (const std::string arch : {"sm_90a", "sm_100a"})
    for (const int number : {0, 8, 16, 32, 128}) {
      Machine machine({.arch = arch, .memory_bytes = 1 << 20});
      message = machine.load(module_of(found, arch, number), "cuda_ptx").error.message;
      if (message.empty()) return message;
    }
  return message;
}

bool is_not_modelled(const std::string& message) {
  for (const char* what :
       {"'multimem' is not modelled", "tcgen05.shift", "tensormap.replace.tile.swizzle_atomicity"})
    if (message.find(what) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("every instruction of <cuda/ptx> is taken, but for those that the document names") {
  const std::filesystem::path folder =
      LANESCOPE_CUDA_ROOT "/include/cccl/cuda/__ptx/instructions/generated";
  if (!std::filesystem::is_directory(folder)) {
    MESSAGE("no libcu++ of CUDA 13 here: <cuda/ptx> is not looked at");
    return;
  }
  std::set<Asm> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    all.merge(statements_of(text.str()));
  }
  CHECK(all.size() > 1500);
  std::size_t missing = 0;
  for (const Asm& found : all) {
    const std::string message = refusal(found);
    missing += message.empty() ? 0 : 1;
    if (message.empty() || is_not_modelled(message)) continue;
    CAPTURE(found.text);
    CHECK(message == "");
  }
  CHECK(missing < all.size() / 3);
  MESSAGE(all.size(), " statements, of which ", missing, " are not modelled");
}

}  // namespace lanescope::emulator
