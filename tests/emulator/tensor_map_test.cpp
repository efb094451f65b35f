// SPDX-License-Identifier: MIT
// Tensor maps that a kernel makes of another: a copy in shared memory, fields replaced, the result
// put into global memory and used (PTX ISA 9.2, 9.7.9.28).
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <numeric>

#include "emulator/execute/tensor_map.hpp"
#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

// Copies the map at [map] to shared memory, changes it, publishes it at [fresh], and loads a box.
constexpr std::string_view kKernel = R"(.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 tensor, .param .u64 fresh,
                  .param .u64 out)
{
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
  .shared .align 128 .b8 copy[128]; .shared .align 128 .b8 box[512]; .shared .align 8 .b64 bar;
  mov.u32 %r0, %laneid; setp.eq.u32 %p1, %r0, 0;
  ld.param.u64 %rd1, [tensor]; ld.param.u64 %rd2, [fresh]; ld.param.u64 %rd3, [out];
  mov.u64 %rd4, map; cvta.param.u64 %rd4, %rd4;
  mov.u32 %r2, copy; mad.lo.u32 %r3, %r0, 4, %r2; mad.wide.u32 %rd5, %r0, 4, %rd4;
  ld.u32 %r4, [%rd5]; st.shared.u32 [%r3], %r4; bar.warp.sync -1;
  mov.u32 %r1, bar; @%p1 mbarrier.init.shared.b64 [%r1], 1;
  @!%p1 bra CHANGED;
  tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r2], %rd1;
  tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r2], 1;
  tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r2], 0, 8;
  mov.u32 %r5, 6; tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r2], 1, %r5;
  mov.u64 %rd6, 64; tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r2], 0, %rd6;
  tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r2], 0, 8;
  tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r2], 1, 4;
  tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r2], 1, 2;
  tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r2], 7;
  tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%r2], 0;
  tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r2], 0;
  tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r2], 0;
CHANGED: bar.warp.sync -1;
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd2], [copy], 128;
  fence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;
  mov.u32 %r6, box; mov.u32 %r7, 0; mov.u32 %r8, 3;
  @%p1 mbarrier.arrive.expect_tx.shared.b64 %rd7, [%r1], 64;
  @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%rd2, {%r7, %r8}], [%r1];
W: mbarrier.try_wait.parity.shared.b64 %p2, [%r1], 0; @!%p2 bra W;
  mad.lo.u32 %r9, %r0, 4, %r6; setp.lt.u32 %p3, %r0, 16; mov.u32 %r10, 0; @%p3 ld.shared.u32 %r10, [%r9];
  mad.wide.u32 %rd8, %r0, 4, %rd3; st.global.u32 [%rd8], %r10; ret;
}
)";

}  // namespace

TEST_CASE("a kernel replaces the fields of a tensor map and copies with it") {
  Machine machine({});
  const auto module = machine.load(kKernel, "replace");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const std::uint64_t tensor = machine.allocate(16 * 16 * 4).value;
  const std::uint64_t fresh = machine.allocate(128).value;
  const std::uint64_t out = machine.allocate(128).value;
  auto* words = reinterpret_cast<std::uint32_t*>(tensor);
  std::iota(words, words + 256, 0u);
  TensorMap map;  // another tensor altogether: every field of it is replaced
  map.type = TensorMapType::u8;
  map.rank = 1;
  map.swizzle = layout::Swizzle::b128;
  map.fills_nan = true;
  map.address = out;
  map.size[0] = 128;
  map.box[0] = 16;
  std::byte parameters[152];
  const TensorMapBytes bytes = encode(map);
  std::memcpy(parameters, bytes.data(), 128);
  std::memcpy(parameters + 128, &tensor, 8);
  std::memcpy(parameters + 136, &fresh, 8);
  std::memcpy(parameters + 144, &out, 8);
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {32, 1, 1};
  request.parameters = parameters;
  const Error error = machine.launch(request).error;
  CHECK(error.message == "");
  const auto* found = reinterpret_cast<const std::uint32_t*>(out);
  for (std::uint32_t k = 0; k < 8; ++k) {
    CHECK(found[k] == 3 * 16 + k);      // row 3 of the tensor
    CHECK(found[8 + k] == 5 * 16 + k);  // and the second one after it
  }
}

TEST_CASE("sums by a map of f32 keep subnormals, and by one of f32.ftz do not") {
  constexpr std::string_view kAdd = R"(.version 9.0
.target sm_90a
.address_size 64
.visible .entry add(.param .align 64 .b8 map[128])
{
  .reg .b32 %r<4>; .reg .b64 %rd<2>; .shared .align 128 .b8 box[16];
  mov.u32 %r0, box; mov.u32 %r1, 0; mov.u64 %rd0, map; cvta.param.u64 %rd0, %rd0;
  st.shared.v4.b32 [%r0], {0x87a3c40f, 0x1, 0x80800001, 0x3f800000};
  fence.proxy.async.shared::cta;
  cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%rd0, {%r1}], [%r0];
  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;
}
)";
  const auto sums = [&](TensorMapType type) {
    Machine machine({});
    const auto module = machine.load(kAdd, "add");
    REQUIRE_MESSAGE(module.ok(), module.error.message);
    TensorMap map;
    map.type = type;
    map.rank = 1;
    map.address = machine.allocate(16).value;
    map.size[0] = map.box[0] = 4;
    const std::array<std::uint32_t, 4> old{0x801f6fbd, 0x1, 0x00800000, 0x3f800000};
    std::memcpy(reinterpret_cast<void*>(map.address), old.data(), sizeof old);
    TensorMapBytes parameters = encode(map);
    LaunchRequest request;
    request.kernel = machine.find_kernel(module.value, "add");
    request.parameters = parameters;
    CHECK(machine.launch(request).error.message == "");
    std::array<std::uint32_t, 4> made;
    std::memcpy(made.data(), reinterpret_cast<const void*>(map.address), sizeof made);
    return made;
  };
  const std::array<std::uint32_t, 4> kept{0x87a3c48d, 0x2, 0x80000001, 0x40000000};
  const std::array<std::uint32_t, 4> flushed{0x87a3c40f, 0x0, 0x80000000, 0x40000000};
  CHECK(sums(TensorMapType::f32) == kept);
  CHECK(sums(TensorMapType::tf32) == kept);
  CHECK(sums(TensorMapType::f32_ftz) == flushed);
  CHECK(sums(TensorMapType::tf32_ftz) == flushed);
}

// As random kernel k100082_4 does, which an H200 runs.
TEST_CASE("a kernel gives a tensor map a box that the driver would not, by its way to count") {
  TensorMap map;
  map.type = TensorMapType::s32;
  map.rank = 4;
  map.interleave_bytes = 32;
  map.size = {11, 4, 4, 5, 1};
  map.stride_bytes = {32, 416, 1728, 6656, 0};
  map.element_stride = {2, 1, 1, 1, 1};
  map.box = {8, 8, 49, 10, 1};
  CHECK(problem(map) == "");
  TensorMapBytes bytes = encode(map);
  REQUIRE(replace_field(bytes.data(), TensorMapField::box, 2, 219) == "");
  map.box[2] = 219;
  CHECK(problem(map) == "the box has 280320 bytes, it must have at most 233472");
  const auto found = decode_tensor_map(bytes.data());
  REQUIRE(found.has_value());
  CHECK(found->box_bytes() == 4 * 8 * 10 * 32);  // the last dimension but one is the slice's
}

TEST_CASE("fields of a tensor map that cannot be are named") {
  TensorMap map;
  map.address = 4096;
  map.box[0] = 16;
  TensorMapBytes bytes = encode(map);
  CHECK(replace_field(bytes.data(), TensorMapField::rank, 0, 5) != "");
  CHECK(replace_field(bytes.data(), TensorMapField::box, 5, 5) != "");
  CHECK(replace_field(bytes.data(), TensorMapField::stride, 4, 16) != "");
  CHECK(replace_field(bytes.data(), TensorMapField::interleave, 0, 3) != "");
  CHECK(replace_field(bytes.data(), TensorMapField::swizzle, 0, 4) != "");
  CHECK(decode_tensor_map(bytes.data()).has_value());
  CHECK(replace_field(bytes.data(), TensorMapField::address, 0, 8) == "");
  CHECK(!decode_tensor_map(bytes.data()).has_value());
  CHECK(map_problem(bytes.data()).what.find("globalAddress is 0x8") != std::string::npos);
  bytes[0] = std::byte{0};
  CHECK(replace_field(bytes.data(), TensorMapField::rank, 0, 1).find("neither are zeros") !=
        std::string::npos);
}

// What an H200 makes of them: docs/experiments/map_from_zeros.md.
TEST_CASE("a kernel makes a tensor map of zeros by replacing its fields") {
  TensorMapBytes bytes{};
  CHECK(!decode_tensor_map(bytes.data()).has_value());  // nothing replaced: no map
  const auto replace = [&](TensorMapField field, std::uint32_t ordinal, std::uint64_t value) {
    REQUIRE(replace_field(bytes.data(), field, ordinal, value) == "");
  };
  replace(TensorMapField::rank, 0, 1);
  CHECK(!decode_tensor_map(bytes.data()).has_value());  // boxes of one byte are none
  replace(TensorMapField::box, 0, 16);
  replace(TensorMapField::address, 0, 4096);
  replace(TensorMapField::stride, 0, 64);
  replace(TensorMapField::size, 0, 40);
  const auto found = decode_tensor_map(bytes.data());
  REQUIRE(found.has_value());
  CHECK(found->rank == 2);
  CHECK(found->type == TensorMapType::u8);
  CHECK(found->address == 4096);
  CHECK(found->size[0] == 40);
  CHECK(found->size[1] == 1);
  CHECK(found->box_bytes() == 16);
  CHECK(found->element_stride[1] == 1);
  CHECK(found->stride_bytes[1] == 64);
}

}  // namespace lanescope::emulator::test
