// SPDX-License-Identifier: MIT
// Random kernels of who is where (parting/parting.py): lanes that part and meet, warps that hand
// over, blocks and clusters of every shape. Their PTX, as nvcc made it for the program that an H200
// ran, gives here what it gave there, in two orders of the warps, and the checker finds nothing.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/machine.hpp"
#include "tests/golden/unpack.hpp"

namespace lanescope::golden::random {
namespace {

typedef unsigned long long Word;
// clang-format off
#include "words.cuh"
#include "parting/input.cuh"
// clang-format on

// A line of h200.txt: HASH NAME GRID BLOCK CLUSTER, three numbers each.
struct Shape {
  Word hash = 0;
  std::string name;
  std::array<int, 3> grid{}, block{}, cluster{};
};

std::vector<Shape> read_shapes() {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/golden/random/parting/h200.txt");
  REQUIRE(file.good());
  std::vector<Shape> shapes;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind('#', 0) == 0) continue;
    std::istringstream words(line);
    Shape shape;
    words >> std::hex >> shape.hash >> std::dec >> shape.name;
    for (std::array<int, 3>* sizes : {&shape.grid, &shape.block, &shape.cluster})
      for (int& size : *sizes) words >> size;
    REQUIRE_MESSAGE(words, line);
    shapes.push_back(shape);
  }
  return shapes;
}

/// The same memory for all kernels, as in the program.
class Memory {
 public:
  explicit Memory(emulator::Machine& machine)
      : in_(machine.allocate(kInput * 8).value),
        out_(machine.allocate(kThreads * kWords * 8).value),
        cells_(machine.allocate(kCells * 4).value),
        workspace_(machine.allocate(8).value) {
    state = 12345;
    for (int n = 0; n < kInput; ++n) reinterpret_cast<Word*>(in_)[n] = input(n);
    for (Word& word : given_) word = parameter();
  }
  /// What the parameters of a kernel are, and memory as it finds it.
  std::vector<std::byte> fresh(const emulator::Kernel& kernel) {
    std::memset(reinterpret_cast<void*>(out_), 0, kThreads * kWords * 8);
    std::memset(reinterpret_cast<void*>(cells_), 0, kCells * 4);
    std::memset(reinterpret_cast<void*>(workspace_), 0, 8);
    const emulator::Kernel::Parameter last = kernel.parameters.at(3);
    std::vector<std::byte> bytes(static_cast<std::size_t>(last.offset_bytes + last.size_bytes));
    const std::array<std::uint64_t, 3> pointers{in_, out_, cells_};
    std::memcpy(bytes.data(), pointers.data(), sizeof(pointers));
    std::memcpy(bytes.data() + last.offset_bytes, given_,
                static_cast<std::size_t>(last.size_bytes));
    return bytes;
  }
  Word hash() const {
    return hash_of(reinterpret_cast<const void*>(cells_), kCells * 4,
                   hash_of(reinterpret_cast<const void*>(out_), kThreads * kWords * 8));
  }
  std::uint64_t workspace() const { return workspace_; }

 private:
  std::uint64_t in_, out_, cells_, workspace_;
  Word given_[64] = {};
};

void check_all(std::uint64_t seed, bool is_checked) {
  emulator::Machine machine(emulator::Options{});
  const Unpacked packed =
      unpacked(LANESCOPE_SOURCE_DIR "/tests/golden/random/parting/kernels.ptx.zst");
  REQUIRE_MESSAGE(packed.problem.empty(), packed.problem);
  const auto module = machine.load(packed.bytes, "kernels.ptx");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  Memory memory(machine);
  const std::vector<Shape> shapes = read_shapes();
  CHECK(shapes.size() == 8);
  for (const Shape& shape : shapes) {
    CAPTURE(shape.name);
    emulator::LaunchRequest request;
    const std::size_t length = shape.name.size();
    request.kernel =
        machine.find_kernel(module.value, "_Z" + std::to_string(length) + shape.name + "PKyPyPj" +
                                              std::to_string(length + 6) + "Given_" + shape.name);
    REQUIRE(request.kernel != nullptr);
    const std::vector<std::byte> parameters = memory.fresh(*request.kernel);
    request.grid = shape.grid, request.block = shape.block, request.cluster = shape.cluster;
    request.parameters = parameters;
    request.grid_workspace = memory.workspace();
    request.checks.races = is_checked;
    request.seed = seed;
    const emulator::LaunchReport report = machine.launch(request);
    CHECK_MESSAGE(report.error.message.empty(), report.error.message);
    for (const emulator::CheckReport& found : report.reports) FAIL_CHECK(found.diagnostic.message);
    CHECK(memory.hash() == shape.hash);
  }
}

}  // namespace

TEST_CASE("lanes that part and warps that hand over give an H200's bits") { check_all(0, false); }

TEST_CASE("they give them in another order of the warps, too, and the checker finds nothing") {
  check_all(7, true);
}

}  // namespace lanescope::golden::random
