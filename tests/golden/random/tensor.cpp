// SPDX-License-Identifier: MIT
// Tensor instructions whose operands are whatever the registers hold. How many registers they have
// follows from shape and types (tests/golden/generate.py).
#include <algorithm>
#include <cstdlib>
#include <map>

#include "builder.hpp"

namespace lanescope::golden::random {
namespace {

int bits_of(const std::string& type) {
  static const std::map<std::string, int> kBits = {
      {"f64", 64}, {"f32", 32}, {"tf32", 32}, {"f16", 16}, {"bf16", 16}, {"e4m3", 8}, {"e5m2", 8},
      {"s32", 32}, {"s8", 8},   {"u8", 8},    {"s4", 4},   {"u4", 4},    {"b1", 1}};
  return kBits.at(type);
}

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    words.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "{" : ",") + name;
  return text + "}";
}

}  // namespace

Node matrix(Builder& b) {
  const std::string& name = b.random.of(b.forms.matrix);
  const std::vector<std::string> words = split(name);
  const bool sparse = words[1].rfind("sp", 0) == 0;
  std::size_t at = 0;
  while (words[at].size() < 4 || words[at][0] != 'm' || words[at].find('n') == std::string::npos ||
         words[at].find('k') == std::string::npos)
    ++at;
  const std::string& shape = words[at];
  const int M = std::atoi(shape.c_str() + 1), N = std::atoi(shape.c_str() + shape.find('n') + 1);
  const int K = std::atoi(shape.c_str() + shape.find('k') + 1);
  const std::string D_type = words[at + 3], A_type = words[at + 4], B_type = words[at + 5],
                    C_type = words[at + 6];
  const int many = M == 8 && N == 8 && K == 4 && A_type == "f16" ? 4 : 1;
  const int word = D_type == "f64" ? 64 : 32;
  const auto registers = [&](int elements, const std::string& type) {
    return std::max(1, elements * bits_of(type) / 32 / word);
  };
  const std::vector<std::string> D = b.targets(word, registers(many * M * N, D_type));
  // fp8 is two instructions of the card's here: what is said of C goes for A and B, too.
  const bool apart = A_type[0] == 'e';
  const auto sources = [&](int count) {
    std::string text;
    for (int n = 0; n < count; ++n) {
      std::string name = b.source(word);
      while (apart && std::find(D.begin(), D.end(), name) != D.end()) name = b.source(word);
      text += (n == 0 ? "{" : ",") + name;
    }
    return text + "}";
  };
  const std::string A = sources(registers(many * M * K / (sparse ? 2 : 1), A_type));
  const std::string B = sources(registers(many * K * N, B_type));
  const std::vector<std::string> C = b.addends(word, D, registers(many * M * N, C_type));
  std::string text, last;
  if (sparse) {  // which two of four, or which one of two
    static const std::vector<int> kPairs = {4, 8, 12, 9, 13, 14}, kOnes = {4, 14};
    static const std::map<int, int> kSelectors = {{1616, 4}, {3216, 2}, {832, 4},  {1632, 2},
                                                  {3208, 2}, {6408, 1}, {6404, 2}, {12804, 1}};
    std::uint32_t choice = 0;
    for (int n = 0; n < 8; ++n)
      choice =
          choice << 4 | static_cast<std::uint32_t>(b.random.of(A_type == "tf32" ? kOnes : kPairs));
    const int selector = b.random.below(kSelectors.at(K * 100 + bits_of(A_type)));
    text = fmt::format("mov.b32 %t7,{};\n", choice);
    last = fmt::format(",%t7,{}", selector);
  }
  return b.node(text + fmt::format("{} {},{},{},{}{};\n", name, list(D), A, B, list(C), last));
}

// wmma: a warp's tile as A and as B, some registers as C.
Node fragments(Builder& b, const Scope& scope) {
  static const std::vector<std::string> kShapes = {"m16n16k16", "m32n8k16", "m8n32k16"};
  static const std::vector<std::string> kLayouts = {"row", "col"};
  const std::string shape = b.random.of(kShapes);
  std::string a = b.random.of(kLayouts), other = b.random.of(kLayouts);
  if (shape == "m32n8k16") a = "col";  // the tile has 256 elements: no 32 of 8 and more
  if (shape == "m8n32k16") other = "row";
  const int stride = shape == "m16n16k16" ? 8 + 8 * b.random.below(2) : 8;
  const bool wide_d = b.random.one_in(2), wide_c = b.random.one_in(2);
  const std::vector<std::string> D = b.targets(32, wide_d ? 8 : 4);
  const std::vector<std::string> C = b.addends(32, D, wide_c ? 8 : 4);
  const std::string meet = fmt::format("bar.warp.sync {};\n", scope.mask);
  std::string A = "{%f0", B = "{%f8";
  for (int n = 1; n < 8; ++n) A += fmt::format(",%f{}", n), B += fmt::format(",%f{}", n + 8);
  std::string text =
      meet + fmt::format("st.shared.v4.b32 [%W],{};\n", list(b.targets(32, 4))) + meet;
  text +=
      fmt::format("wmma.load.a.sync.aligned.{}.{}.shared.f16 {}}},[%V],{};\n", a, shape, A, stride);
  text += fmt::format("wmma.load.b.sync.aligned.{}.{}.shared.f16 {}}},[%V],{};\n", other, shape, B,
                      stride);
  return b.node(text + fmt::format("wmma.mma.sync.aligned.{}.{}.{}.{}.{} {},{}}},{}}},{};\n", a,
                                   other, shape, wide_d ? "f32" : "f16", wide_c ? "f32" : "f16",
                                   list(D), A, B, list(C)));
}

Node transposed(Builder& b) {
  const std::string target = b.r32(), value = b.r32();
  return b.node(fmt::format("movmatrix.sync.aligned.m8n8.trans.b16 {},{};\n", target, value));
}

}  // namespace lanescope::golden::random
