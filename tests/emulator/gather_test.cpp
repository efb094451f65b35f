// SPDX-License-Identifier: MIT
// Tensor copies of four rows that the instruction names: .tile::gather4 into shared memory and
// .tile::scatter4 out of it (PTX ISA 9.2, 5.5.3.2 and 9.7.9.25.5). No card has been asked.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <string>

#include "emulator/execute/tensor_map.hpp"
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr std::uint32_t kRows = 16, kColumns = 24, kBox = 8;

// Gathers rows r1 to r4 from column 8 on, scatters them to rows 3, 0, 20 (there is none) and 9.
std::string kernel(const std::string& rows, const std::string& to) {
  return R"(.version 9.0
.target sm_100a
.address_size 64
.visible .entry k(.param .align 64 .b8 from[128], .param .align 64 .b8 into[128])
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  .shared .align 1024 .b8 box[128]; .shared .align 8 .b64 bar;
  mov.u64 %rd1, from; cvta.param.u64 %rd1, %rd1; mov.u64 %rd2, into; cvta.param.u64 %rd2, %rd2;
  mov.u32 %r1, bar; mov.u32 %r2, box; mbarrier.init.shared.b64 [%r1], 1;
  mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r1], 128;
  cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes
    [%r2], [%rd1, )" +
         rows + R"(], [%r1];
W: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0; @!%p1 bra W;
  cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd2, )" +
         to + R"(], [%r2];
  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;
}
)";
}

struct Moved {
  std::string error;
  std::array<std::uint32_t, kRows * kColumns> into{};
};

Moved move(const std::string& rows, const std::string& to, std::uint32_t box_rows = 1,
           layout::Swizzle swizzle = layout::Swizzle::none) {
  Machine machine({.arch = "sm_100a"});
  const auto module = machine.load(kernel(rows, to), "four");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  TensorMap map;
  map.type = TensorMapType::u32;
  map.rank = 2;
  map.swizzle = swizzle;
  map.size = {kColumns, kRows, 1, 1, 1};
  map.stride_bytes = {4, 4 * kColumns, 0, 0, 0};
  map.box = {kBox, box_rows, 1, 1, 1};
  map.address = machine.allocate(4 * kRows * kColumns).value;
  auto* words = reinterpret_cast<std::uint32_t*>(map.address);
  std::iota(words, words + kRows * kColumns, 1000u);
  std::array<std::byte, 256> parameters;
  std::memcpy(parameters.data(), encode(map).data(), 128);
  map.address = machine.allocate(4 * kRows * kColumns).value;
  Moved moved;
  std::memset(reinterpret_cast<void*>(map.address), 0, sizeof moved.into);
  std::memcpy(parameters.data() + 128, encode(map).data(), 128);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.parameters = parameters;
  moved.error = machine.launch(request).error.message;
  std::memcpy(moved.into.data(), reinterpret_cast<const void*>(map.address), sizeof moved.into);
  return moved;
}

}  // namespace

TEST_CASE("gather4 brings four rows in the order named, scatter4 takes them to four others") {
  for (const layout::Swizzle swizzle : {layout::Swizzle::none, layout::Swizzle::b32}) {
    const Moved moved = move("{8, 5, 15, 5, 16}", "{16, 3, 0, 20, 9}", 1, swizzle);
    CHECK(moved.error == "");
    for (std::uint32_t row = 0; row < kRows; ++row)
      for (std::uint32_t col = 0; col < kColumns; ++col) {
        // Row 16 lies outside: zeros, as a box has there. Row 20 takes nothing.
        const int from = col < 16 ? -1 : row == 3 ? 5 : row == 0 ? 15 : -1;
        const std::uint32_t wanted =
            from < 0 ? 0 : 1000 + static_cast<std::uint32_t>(from) * kColumns + col - 8;
        CAPTURE(row);
        CAPTURE(col);
        CHECK(moved.into[row * kColumns + col] == wanted);
      }
  }
}

TEST_CASE("four rows want a tensor map whose box has one, and rows that are not below 0 to go to") {
  CHECK(contains(move("{0, 1, 2, 3, 4}", "{0, 1, 2, 3, 4}", 2).error,
                 "a copy of four rows with a tensor map of boxes of 2 rows"));
  CHECK(contains(move("{0, 1, 2, 3, 4}", "{0, 1, 2, -3, 4}").error, "a tensor store at row -3"));
  CHECK(contains(move("{1, 1, 2, 3, 4}", "{0, 1, 2, 3, 4}").error,
                 "the first coordinate must be a multiple of 16 bytes"));
}

TEST_CASE("of copies of four rows, what ptxas takes and nothing else") {
  const std::string in = "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::"
                         "complete_tx::bytes",
                    out = "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group",
                    five = "{%r1, %r2, %r3, %r4, %r5}";
  const std::string taken[] = {
      in + " [%r1], [%rd1, " + five + "], [%r2];",
      in + ".L2::cache_hint [%r1], [%rd1, " + five + "], [%r2], %rd2;",
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes."
      "multicast::cluster.cta_group::2 [%r1], [%rd1, " +
          five + "], [%r2], %h1;",
      out + " [%rd1, " + five + "], [%r2];",
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile::scatter4.bulk_group [%rd1, " +
          five + "], [%r2];",
      "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%rd1, " + five + "];"};
  const std::string refused[] = {
      in + " [%r1], [%rd1, {%r1, %r2}], [%r2];",
      "cp.async.bulk.tensor.5d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes "
      "[%r1], [%rd1, " +
          five + "], [%r2];",
      "cp.async.bulk.tensor.2d.shared::cta.global.tile::scatter4.mbarrier::complete_tx::bytes "
      "[%r1], [%rd1, " +
          five + "], [%r2];",
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::gather4.bulk_group [%rd1, " + five +
          "], [%r2];",
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.tile::scatter4.bulk_group [%rd1, " + five +
          "], [%r2];"};
  const auto is_taken = [](const std::string& body, const char* target) {
    return Machine({.arch = target}).load(module_of(body, target), "p").ok();
  };
  for (const std::string& body : taken) {
    CAPTURE(body);
    CHECK(is_taken(body, "sm_100a"));
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body, "sm_100a"), "sm_100a") == "");
  }
  for (const std::string& body : refused) {
    CAPTURE(body);
    CHECK(!is_taken(body, "sm_100a"));
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(body, "sm_100a"), "sm_100a") != "");
  }
  for (const char* target : {"sm_90a", "sm_100", "sm_120a"}) {
    CAPTURE(target);
    CHECK(is_taken(taken[0], target) == (std::string(target) != "sm_90a"));
    CHECK(!is_taken(taken[3], target));
    if (has_ptxas()) CHECK(refusal_of_ptxas(module_of(taken[3], target), target) != "");
  }
}

}  // namespace lanescope::emulator::test
