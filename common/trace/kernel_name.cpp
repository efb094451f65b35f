// SPDX-License-Identifier: MIT
// See kernel_name.hpp.
#include "trace/kernel_name.hpp"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "trace/bit_operands.hpp"
#include "trace/name_cost.hpp"

namespace lanescope::trace {
namespace {

constexpr std::uint64_t kMostCost = 1 << 17;  // a real kernel's: 20,000 at most, of 1,000 letters
constexpr std::size_t kLongestPtx = 1 << 16;  // no instruction is that long: it is left as it is

/// A name without the brackets that end it, its parameters: of "operator()(int)" the last alone.
void drop_parameters(std::string& name) {
  if (name.empty() || name.back() != ')') return;
  int depth = 0;
  for (std::size_t k = name.size(); k-- > 0;) {
    depth += name[k] == ')' ? 1 : name[k] == '(' ? -1 : 0;
    if (depth == 0) return name.resize(k);
  }
}

/// Without the scopes before it; those of its template's arguments stay.
std::string without_scopes(const std::string& name) {
  int depth = 0;
  for (std::size_t k = name.size(); k-- > 1;) {
    const char c = name[k];
    depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
    if (depth <= 0 && c == ':' && name[k - 1] == ':') return name.substr(k + 1);
  }
  return name;
}

}  // namespace

std::string as_written(const std::string& mangled) {
  // The demangler takes a type for a name, too: a kernel called f would be "float".
  if (mangled.compare(0, 2, "_Z") != 0 || name_cost(mangled) > kMostCost) return mangled;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || text == nullptr) return mangled;
  std::string name = text.get();
  drop_parameters(name);
  constexpr std::string_view kNothing = "void ";  // what a kernel, of a template, gives back
  if (name.compare(0, kNothing.size(), kNothing) == 0) name.erase(0, kNothing.size());
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(kUnnamed, at)) != std::string::npos;)
    name.erase(at, kUnnamed.size());
  return name;
}

std::string plain_ptx(const std::string& ptx) {
  std::string plain = ptx;
  if (ptx.size() > kLongestPtx) return plain;
  for (std::size_t at = 0; (at = plain.find("_Z", at)) != std::string::npos;) {
    std::size_t end = at;
    while (end < plain.size() &&
           (std::isalnum(static_cast<unsigned char>(plain[end])) != 0 || plain[end] == '_'))
      ++end;
    const std::string mangled = plain.substr(at, end - at);
    std::string name = as_written(mangled);
    if (const std::size_t param = mangled.rfind("_param_"); param != std::string::npos)
      name = mangled.substr(param + 1);
    else
      name = without_scopes(name);  // a __shared__ variable is one of its kernel's
    plain.replace(at, mangled.size(), name);
    at += name.size();
  }
  return bits_in_hex(std::move(plain));
}

std::string plain_path(std::string_view path) {
  if (path.find("./") == std::string_view::npos) return std::string(path);
  return std::filesystem::path(path).lexically_normal().string();
}

}  // namespace lanescope::trace
