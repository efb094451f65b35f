// SPDX-License-Identifier: MIT
// The expressions that `layout --explain` gives to paste, compiled and run: for every map of the
// atlas a C++ program walks the elements, there and back, and must find what the table says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "layout/explain.hpp"
#include "layout/formula.hpp"
#include "layout/rows.hpp"
#include "layout/svg.hpp"
#include "tests/build_folder.hpp"
#include "tests/layout/maps.hpp"

using namespace lanescope::layout;

namespace {

// A line that starts with `words`, from what explain() printed, without the trailing semicolon.
std::string pasted(const std::string& text, const std::string& words) {
  const std::size_t at = text.find("    " + words);
  REQUIRE_MESSAGE(at != std::string::npos, words << " in\n" << text);
  const std::size_t from = at + 4 + words.size();
  return text.substr(from, text.find(';', from) - from);
}

struct Map {
  const Fragment* fragment;
  std::string code;      // one function of the program
  std::string expected;  // one line of its output
};

// Sums over all places, weighted so that a swap of two elements shows.
Map map_of(const Instruction& i, const OperandMap& operand, std::size_t number) {
  const Fragment& f = *operand.fragment;
  const std::string text = explain(i, 0, 0, f.operand);
  const std::string word = f.thread.count > 5 ? "thread" : "lane";
  // of E the paste is printed selector by selector: take this one's
  std::string own = text;
  if (operand.selector >= 0)
    own = text.substr(text.find(fmt::format("with selector {}", operand.selector)));
  const std::string row = pasted(own, "int row = "), col = pasted(own, "int col = ");
  const std::string matrix = f.matrices > 1 ? pasted(own, "int matrix = ") : "0";
  const std::string back = pasted(own, fmt::format("int {} = ", word));
  const std::string value = pasted(own, "int i = ");
  std::string where = "int reg = i, bit = 0;";
  if (f.values_per_register() > 1) where = "int reg = " + pasted(own, "int reg = ") + ";";
  int copies = 0;  // value bits that only make copies: the way back leads to the first
  for (int bit = 0; bit < f.value.count; ++bit)
    if (f.value.bits[static_cast<std::size_t>(bit)] == stay()) copies |= 1 << bit;
  Map map{&f, "", ""};
  map.code = fmt::format(
      "static void map{}() {{\n  unsigned long long sum = 0, wrong = 0;\n"
      "  for (int {} = 0; {} < {}; ++{}) {{\n    if (({} & {}) != {}) continue;\n"
      "    for (int i = 0; i < {}; ++i) {{\n      const int row = {};\n      const int col = {};\n"
      "      const int matrix = {};\n      {}\n"
      "      sum = sum * 31 + (((matrix * 512ull + row) * 512 + col) * 256 + reg) * 64 + bit;\n"
      "      const int from = {}, number = i & ~{};\n"
      "      {{ const int {} = {}; const int i = {}; wrong += {} != from || i != number; }}\n"
      "      (void)matrix;\n    }}\n  }}\n  std::printf(\"%llu %llu\\n\", sum, wrong);\n}}\n",
      number, word, word, f.threads(), word, word, f.thread_mask, f.thread_match, f.values, row,
      col, matrix, where, word, copies, word, back, value, word);
  unsigned long long sum = 0;
  for (const auto& [h, e] : register_layout(f)) {
    const auto place =
        (static_cast<unsigned long long>(e.matrix) * 512 + static_cast<unsigned>(e.row)) * 512 +
        static_cast<unsigned>(e.col);
    sum = sum * 31 + (place * 256 + static_cast<unsigned>(h.register_index)) * 64 +
          static_cast<unsigned>(h.bit);
  }
  map.expected = fmt::format("{} 0", sum);
  return map;
}

}  // namespace

TEST_CASE("what --explain gives to paste compiles and is the map, there and back, for every map") {
  std::vector<Map> maps;
  std::set<std::string> seen;
  for (const Instruction& i : instructions())
    for (const OperandMap& operand : operands(i))
      if (seen.insert(fingerprint(*operand.fragment)).second)
        maps.push_back(map_of(i, operand, maps.size()));
  REQUIRE(maps.size() > 150);

  const std::filesystem::path folder = lanescope::tests::build_folder() / "tests";
  const std::string source = (folder / "layout_paste.cpp").string();
  const std::string program = (folder / "layout_paste").string();
  {
    std::ofstream out(source);
    out << "#include <cstdio>\n";
    for (const Map& map : maps) out << map.code;
    out << "int main() {\n";
    for (std::size_t n = 0; n < maps.size(); ++n) out << "  map" << n << "();\n";
    out << "}\n";
  }
  const std::string compile =
      fmt::format("'{}' -std=c++17 -O1 -w '{}' -o '{}'", LANESCOPE_CXX, source, program);
  REQUIRE_MESSAGE(std::system(compile.c_str()) == 0, compile);
  FILE* pipe = popen(("'" + program + "'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char line[128];
  for (const Map& map : maps) {
    REQUIRE(std::fgets(line, sizeof line, pipe) != nullptr);
    std::string found(line);
    found.pop_back();
    CHECK_MESSAGE(found == map.expected, fingerprint(*map.fragment) << "\n" << map.code);
  }
  CHECK(pclose(pipe) == 0);
}

TEST_CASE("explain: the derivation says the ISA's words with the numbers filled in") {
  const Instruction* i = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(i != nullptr);
  const std::string text = explain(*i, 9, 5, 'A');
  CHECK(text.find("lane 6 r1.hi, value i = 3, bits 16 to 31") != std::string::npos);
  CHECK(text.find("groupID = 6 >> 2 = 1, threadID_in_group = 6 % 4 = 2") != std::string::npos);
  CHECK(text.find("row = groupID + ((i >> 1) & 1)*8 = 1 + ((3 >> 1) & 1)*8 = 9") !=
        std::string::npos);
  CHECK(text.find("B[9][5]") == std::string::npos);
}

TEST_CASE("output: every product of the sum, with both registers") {
  const Instruction* i = find("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
  REQUIRE(i != nullptr);
  const std::string text = output_terms(*i, 3, 4);
  CHECK(text.find("D[3][4] (lane 14 r0) =") != std::string::npos);
  CHECK(text.find("C[3][4] (lane 14 r0)") != std::string::npos);
  CHECK(text.find("+ A[3][6] (lane 14 r2) * B[6][4] (lane 18 r1)") != std::string::npos);
  std::size_t terms = 0;
  for (std::size_t at = text.find("+ A["); at != std::string::npos; at = text.find("+ A[", at + 1))
    ++terms;
  CHECK(terms == 8);
  // a sparse sum has half as many, and each says which of its chunk the metadata picks
  const Instruction* sparse = find("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
  REQUIRE(sparse != nullptr);
  const std::string picked = output_terms(*sparse, 3, 4);
  CHECK(picked.find("A[3][5] (lane 14 r0.hi) * B[k][4], k in 8..11 as E[3][5] says (lane 12 r0.b5, "
                    "selector 0)") != std::string::npos);
  // the four multiplications of m8n8k4 .f16
  const Instruction* quads = find("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32");
  REQUIRE(quads != nullptr);
  CHECK(output_terms(*quads, 0, 0).find("matrix 3, quad-pair 3") != std::string::npos);
  // wgmma has B in shared memory
  const Instruction* group = find("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
  REQUIRE(group != nullptr);
  CHECK(output_terms(*group, 33, 5).find("B[15][5] (shared memory)") != std::string::npos);
}

TEST_CASE("what metadata means is what the sum says, for every sparse instruction") {
  std::set<std::string> meanings;
  for (const Instruction& i : instructions()) {
    const std::string meaning = metadata_means(i);
    CHECK(meaning.empty() == i.E.empty());
    if (meaning.empty()) continue;
    CAPTURE(i.mnemonic);
    meanings.insert(meaning);
    CHECK(explain(i, 0, 0, 'E').find("\n  " + meaning + "\n") != std::string::npos);
    const bool one_of_two = meaning.find("row 2*col of B") != std::string::npos;
    const bool pairs = meaning.find("8*(col/2) + 2*value") != std::string::npos;
    if (!one_of_two && !pairs) CHECK(meaning.find("4*(col/2) + value") != std::string::npos);
    const std::string sum = output_terms(i, 3, 4);
    for (int element = 0; element < i.K / 2; ++element) {
      const int col = pairs ? element / 2 : element;
      const int first = one_of_two ? 2 * col : pairs ? col / 2 * 8 : col / 2 * 4;
      const int last = first + (one_of_two ? 1 : pairs ? 7 : 3);
      const std::string term = "* B[k][4], k in " + std::to_string(first) + ".." +
                               std::to_string(last) + " as E[3][" + std::to_string(col) + "]";
      CHECK_MESSAGE(sum.find(term) != std::string::npos, term);
    }
  }
  CHECK(meanings.size() == 3);
}

TEST_CASE("svg: a rectangle an element") {
  const Instruction* i = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(i != nullptr);
  const std::string drawing = svg(*i, 'A');
  std::size_t cells = 0;
  for (std::size_t at = drawing.find("<rect x="); at != std::string::npos;
       at = drawing.find("<rect x=", at + 1))
    ++cells;
  CHECK(cells == 256);
  CHECK(drawing.find("&amp; 1)") != std::string::npos);  // the formula's & is escaped
  CHECK(svg(*i, 'E').empty());
}

TEST_CASE("svg of a mover: memory and registers") {
  const Mover* m = find_mover("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16");
  REQUIRE(m != nullptr);
  const std::string drawing = svg(*m);
  CHECK(drawing.find("Shared memory, matrix 1") != std::string::npos);
  CHECK(drawing.find(">lane 31</text>") != std::string::npos);
  CHECK(drawing.find(">m1 7,7</text>") != std::string::npos);
}
