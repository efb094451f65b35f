// SPDX-License-Identifier: MIT
// The printed matrices, cell by cell, against the ISA's formulas written out here once more.
#include "cli/trace_text.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "numeric/format.hpp"
#include "tests/lines_of.hpp"
#include "tests/trace/mistaken.hpp"
#include "tests/trace/sample.hpp"
#include "tests/viz/recorded.hpp"

using namespace lanescope;
using lanescope::tests::lines_of;

namespace {

const char* const kF16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
const char* const kE4m3 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// The cells of a printed matrix: [row][col] -> "13.r2" and "201".
struct Printed {
  std::vector<std::vector<std::string>> labels, values;
};

Printed parse(const std::string& text, int rows) {
  Printed printed;
  printed.labels.resize(static_cast<std::size_t>(rows));
  printed.values.resize(static_cast<std::size_t>(rows));
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t at = 1; at + 1 < lines.size(); ++at) {
    const std::vector<std::string> labels = words_of(lines[at]);
    if (labels.empty() || labels[0].find(".r") == std::string::npos) continue;
    const std::vector<std::string> values = words_of(lines[at + 1]);
    REQUIRE(values.size() == labels.size() + 1);
    const auto row = static_cast<std::size_t>(std::stoi(values[0]));
    REQUIRE(row < printed.labels.size());
    auto& label_row = printed.labels[row];
    auto& value_row = printed.values[row];
    label_row.insert(label_row.end(), labels.begin(), labels.end());
    value_row.insert(value_row.end(), values.begin() + 1, values.end());
  }
  return printed;
}

viz::Model model_of(const char* instruction, const char* operand, std::size_t registers) {
  trace::Trace trace;
  trace::Fragment f;
  f.name = f.operand = operand;
  f.instruction = instruction;
  for (std::size_t r = 0; r < registers; ++r)
    f.registers.push_back(trace::sample::counted(32, 0x4a004000u + 0x40u * r, 0x00010001u));
  trace.events = {f};
  return viz::make_model(std::move(trace));
}

// What lane `lane` keeps in register `r`, `bits` bits from `shift` on.
std::string value_in(const viz::Model& model, int lane, int r, int shift, int bits,
                     const char* type) {
  const auto& f = std::get<trace::Fragment>(model.trace.events[0]);
  const std::uint64_t word =
      f.registers[static_cast<std::size_t>(r)][static_cast<std::size_t>(lane)];
  return numeric::to_text(type, word >> shift & ((std::uint64_t{1} << bits) - 1)).value();
}

struct Place {
  int lane, r, shift;
};

template <class Formula>
void check_cells(const viz::Model& model, char operand, int rows, int cols, int bits,
                 const char* type, const Formula& formula) {
  REQUIRE(model.multiplications.size() == 1);
  const std::string text = cli::operand_text(model.multiplications[0], operand, {});
  for (const std::string& line : lines_of(text)) CHECK(line.size() <= 100);
  const Printed printed = parse(text, rows);
  for (int row = 0; row < rows; ++row) {
    REQUIRE(printed.labels[static_cast<std::size_t>(row)].size() == static_cast<std::size_t>(cols));
    for (int col = 0; col < cols; ++col) {
      CAPTURE(row);
      CAPTURE(col);
      const Place place = formula(row, col);
      const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(col);
      CHECK(printed.labels[r][c] == std::to_string(place.lane) + ".r" + std::to_string(place.r));
      CHECK(printed.values[r][c] == value_in(model, place.lane, place.r, place.shift, bits, type));
    }
  }
}

}  // namespace

TEST_CASE("A of m16n8k16: every cell's lane, register and value") {
  check_cells(model_of(kF16, "A", 4), 'A', 16, 16, 16, "f16", [](int row, int col) {
    return Place{row % 8 * 4 + col % 8 / 2, row / 8 + 2 * (col / 8), 16 * (col % 2)};
  });
}

TEST_CASE("B of m16n8k16: row is k, column is n") {
  check_cells(model_of(kF16, "B", 2), 'B', 16, 8, 16, "f16", [](int row, int col) {
    return Place{col * 4 + row % 8 / 2, row / 8, 16 * (row % 2)};
  });
}

TEST_CASE("D of m16n8k16: a register an element") {
  check_cells(model_of(kF16, "D", 4), 'D', 16, 8, 32, "f32", [](int row, int col) {
    return Place{row % 8 * 4 + col / 2, col % 2 + 2 * (row / 8), 0};
  });
}

TEST_CASE("A of m16n8k32 in e4m3 is wider than the terminal and printed in pieces") {
  check_cells(model_of(kE4m3, "A", 4), 'A', 16, 32, 8, "e4m3", [](int row, int col) {
    return Place{row % 8 * 4 + col % 16 / 4, row / 8 + 2 * (col / 16), 8 * (col % 4)};
  });
}

TEST_CASE("an operand that is not in the trace prints nothing") {
  const viz::Model model = model_of(kF16, "A", 4);
  CHECK(cli::operand_text(model.multiplications[0], 'B', {}) == "");
}

TEST_CASE("registers of an unknown instruction are printed as they are") {
  const std::string text = cli::raw_text(trace::sample::warpgroup_fragment(), {});
  const std::vector<std::string> lines = lines_of(text);
  REQUIRE(lines.size() == 130);
  CHECK(words_of(lines[1]) == std::vector<std::string>{"lane", "r0"});
  CHECK(words_of(lines[2]) == std::vector<std::string>{"0", "fedcba9876543210"});
  CHECK(words_of(lines[129]) == std::vector<std::string>{"127", "fedcba987654328f"});
}

TEST_CASE("the whole trace shows fragments that are not in the atlas, and tiles") {
  const viz::Model model = viz::make_model(trace::sample::trace());
  const std::string text = cli::trace_text(model, 2, {});
  CHECK(text.find("2 events of a kind that this Lanescope does not know, left out\n") !=
        std::string::npos);
  CHECK(text.find("fedcba9876543210") != std::string::npos);
  REQUIRE(model.remarks.size() >= 1);  // and why, each in a line of its own
  for (const std::string& remark : model.remarks)
    CHECK(text.find("\n" + remark + "\n") != std::string::npos);
  CHECK(text.find("tile tile  3 x 5, bf16, shared memory at 0x410, -64 bytes from row to row") !=
        std::string::npos);
}

TEST_CASE("tiles: little-endian values, dense and in bytes") {
  trace::Memory m;
  m.name = "t";
  m.space = "shared";
  m.type = "f16";
  m.rows = 2;
  m.cols = 2;
  m.bytes = {0x00, 0x3c, 0x00, 0x40, 0x00, 0xc0, 0x01, 0x3c};  // 1 2, -2 and 1 + 2^-10
  std::vector<std::string> lines = lines_of(cli::tile_text(m, {}));
  REQUIRE(lines.size() == 4);
  CHECK(words_of(lines[2]) == std::vector<std::string>{"0", "1", "2"});
  CHECK(words_of(lines[3])[1] == "-2");
  CHECK(words_of(lines[3])[2] == numeric::to_text("f16", 0x3c01).value());

  m.type = "u4";
  m.cols = 4;
  m.bytes = {0x21, 0x43, 0x65, 0x87};
  lines = lines_of(cli::tile_text(m, {}));
  CHECK(words_of(lines[2]) == std::vector<std::string>{"0", "1", "2", "3", "4"});
  CHECK(words_of(lines[3]) == std::vector<std::string>{"1", "5", "6", "7", "8"});

  m.type = "b1";
  m.rows = 1;
  m.cols = 9;
  m.bytes = {0x05, 0x01};
  CHECK(words_of(lines_of(cli::tile_text(m, {}))[2]) ==
        std::vector<std::string>{"0", "1", "0", "1", "0", "0", "0", "0", "0", "1"});

  m.type = "a type of tomorrow";
  m.cols = 1;
  m.bytes = {0x34, 0x12};
  CHECK(words_of(lines_of(cli::tile_text(m, {}))[2]) == std::vector<std::string>{"0", "0x1234"});
}

TEST_CASE("a large tile is cut, and says so") {
  trace::Memory m;
  m.type = "u8";
  m.rows = 100;
  m.cols = 70;
  m.bytes.resize(7000, 7);
  const std::string text = cli::tile_text(m, {});
  CHECK(text.find("(the first 64 x 64 of 100 x 70; the file has the rest)\n") != std::string::npos);
  for (const std::string& line : lines_of(text)) CHECK(line.size() <= 100);
}

TEST_CASE("colour changes no character of the text") {
  const viz::Model model = model_of(kF16, "A", 4);
  const std::string plain = cli::operand_text(model.multiplications[0], 'A', {});
  std::string colour = cli::operand_text(model.multiplications[0], 'A', {true, 100});
  CHECK(colour != plain);
  for (std::size_t start = 0; (start = colour.find('\x1b')) != std::string::npos;)
    colour.erase(start, colour.find('m', start) + 1 - start);
  CHECK(colour == plain);
}

TEST_CASE("what is selected has its diagnosis, in the words of the window and of diagnose") {
  trace::Trace trace;
  trace.events.emplace_back(
      trace_test::fragment(kF16, 'A', [](int lane, int reg, int part, layout::Element) {
        return layout::find(kF16)->A.element(lane, (reg % 2 * 2 + reg / 2) * 2 + part);
      }));
  trace.events.emplace_back(trace_test::matrix("A", layout::find(kF16)->A, 16, 16));
  const viz::Model model = viz::make_model(std::move(trace));
  const std::string text = cli::selected_text(model, "A 9,5").text;
  CHECK(text.find("  diagnosis of A\n"
                  "    registers A.r1 and A.r2 are exchanged\n"
                  "    128 of 256 elements are not where \"A\" has them\n"
                  "    the first: lane 0, A.r1, low half: ") != std::string::npos);
  CHECK(text.find("\n    What to do: which block of the matrix") != std::string::npos);
  CHECK(cli::selected_text(model, "lane 3").text.find("diagnosis") == std::string::npos);
  // A tile with a name as long as a line may be: nothing is said in longer lines.
  trace::Trace named = model.trace;
  for (trace::Event& event : named.events)
    if (auto* tile = std::get_if<trace::Memory>(&event)) tile->name = "A" + std::string(60, '-');
  const std::string broken = cli::selected_text(viz::make_model(std::move(named)), "A 9,5").text;
  const std::size_t from = broken.find("  diagnosis of A\n");
  REQUIRE(from != std::string::npos);
  CHECK(broken.find("A-----", from) != std::string::npos);
  for (std::size_t at = from, end = 0; (end = broken.find('\n', at)) != std::string::npos;
       at = end + 1)
    CHECK(end - at <= 100);
}

TEST_CASE("the way of an element is no wider than the matrices; what is broken off hangs below") {
  const std::string text = cli::selected_text(viz::make_model(viz::recorded::way()), "A 9,5").text;
  const std::size_t from = text.find("  its way\n");
  REQUIRE(from != std::string::npos);
  CHECK(text.find("\n    step 4  ldmatrix: from byte 0x52a of shared memory, lane 9's address, to "
                  "lane 6, %r11 (A.r1),\n            bits 16 to 31\n",
                  from) != std::string::npos);
  for (const std::string& line : lines_of(text.substr(from))) CHECK(line.size() <= 100);
}
