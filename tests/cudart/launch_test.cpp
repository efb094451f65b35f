// SPDX-License-Identifier: MIT
// Launches through the API: parameters, what is refused with which error, faults that stay.
#include <doctest/doctest.h>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::FatBinaryBuilder;
using lanescope::tests::Fresh;
using lanescope::tests::kStorePtx;
using lanescope::tests::module_for;
using lanescope::tests::Packing;
using lanescope::tests::Program;

namespace {

cudaError store(const Program& program, void* where, unsigned value, dim3 grid, dim3 block,
                std::size_t shared_bytes = 0) {
  void* arguments[] = {&where, &value};
  return cudaLaunchKernel(&program.store_stub, grid, block, arguments, shared_bytes, nullptr);
}

}  // namespace

TEST_CASE("a kernel gets its parameters and writes its results") {
  const Fresh fresh;
  Program program;
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4 * 40) == cudaSuccess);
  CHECK(store(program, memory, 1000, {1}, {40}) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  unsigned values[40] = {};
  CHECK(cudaMemcpy(values, memory, sizeof values, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (unsigned index = 0; index < 40; ++index) CHECK(values[index] == 1000 + index);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("the triple chevron: push, pop, launch by handle") {
  const Fresh fresh;
  Program program;
  cudaKernel_t kernel = nullptr;
  REQUIRE(__cudaGetKernel(&kernel, &program.store_stub) == cudaSuccess);
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  CHECK(__cudaPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, nullptr) == 0);
  CHECK(__cudaPushCallConfiguration({1}, {1}, 0, nullptr) == 0);
  dim3 grid, block;
  std::size_t shared_bytes = 99;
  cudaStream_t stream = &memory;
  REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream) == cudaSuccess);
  CHECK(shared_bytes == 0);
  CHECK(stream == nullptr);
  unsigned value = 31;
  void* arguments[] = {&memory, &value};
  CHECK(__cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream) == cudaSuccess);
  unsigned found = 0;
  CHECK(cudaMemcpy(&found, memory, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(found == 31);
  REQUIRE(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream) == cudaSuccess);
  CHECK(grid.z == 3);
  CHECK(block.y == 5);
  CHECK(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream) ==
        cudaErrorMissingConfiguration);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("impossible launches are refused and nothing runs") {
  const Fresh fresh;
  Program program;
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4 * 1024) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, 4 * 1024) == cudaSuccess);
  const struct {
    dim3 grid, block;
    std::size_t shared_bytes;
    cudaError error;
  } launches[] = {
      {{0}, {1}, 0, cudaErrorInvalidValue},
      {{1}, {0}, 0, cudaErrorInvalidValue},
      {{1}, {1025}, 0, cudaErrorInvalidValue},
      {{1}, {32, 33}, 0, cudaErrorInvalidValue},
      {{1}, {1, 1, 65}, 0, cudaErrorInvalidValue},
      {{1, 65536}, {1}, 0, cudaErrorInvalidValue},
      {{1, 1, 65536}, {1}, 0, cudaErrorInvalidValue},
      {{0x80000000u}, {1}, 0, cudaErrorInvalidValue},
      {{~0u, ~0u, ~0u}, {~0u, ~0u, ~0u}, SIZE_MAX, cudaErrorInvalidValue},
      {{1}, {1}, 48 * 1024 + 1, cudaErrorInvalidValue},
      {{1}, {1}, SIZE_MAX, cudaErrorInvalidValue},
  };
  for (const auto& launch : launches) {
    CAPTURE(launch.grid.x);
    CAPTURE(launch.block.x);
    CHECK(store(program, memory, 5, launch.grid, launch.block, launch.shared_bytes) ==
          launch.error);
    CHECK(cudaPeekAtLastError() == launch.error);
    CHECK(cudaGetLastError() == launch.error);
    CHECK(cudaGetLastError() == cudaSuccess);
  }
  unsigned first = 1;
  CHECK(cudaMemcpy(&first, memory, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(first == 0);
  CHECK(cudaLaunchKernel(&program.bounded_stub, {1}, {64}, nullptr, 0, nullptr) == cudaSuccess);
  CHECK(cudaLaunchKernel(&program.bounded_stub, {1}, {65}, nullptr, 0, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("kernels, streams and arguments that are none") {
  const Fresh fresh;
  Program program;
  CHECK(cudaLaunchKernel(nullptr, {1}, {1}, nullptr, 0, nullptr) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaLaunchKernel(&fresh, {1}, {1}, nullptr, 0, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernel(&program.missing_stub, {1}, {1}, nullptr, 0, nullptr) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(cudaLaunchKernel(&program.store_stub, {1}, {1}, nullptr, 0, nullptr) ==
        cudaErrorInvalidValue);
  void* arguments[] = {nullptr, reinterpret_cast<void*>(8)};
  CHECK(cudaLaunchKernel(&program.store_stub, {1}, {1}, arguments, 0, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaLaunchKernel(&program.bounded_stub, {1}, {1}, nullptr, 0, const_cast<Fresh*>(&fresh)) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernelExC(nullptr, &program.bounded_stub, nullptr) == cudaErrorInvalidValue);
  cudaLaunchConfig_t config{{1}, {1}, 0, nullptr, nullptr, 3};
  CHECK(cudaLaunchKernelExC(&config, &program.bounded_stub, nullptr) == cudaErrorInvalidValue);
  config.numAttrs = 0;
  CHECK(cudaLaunchKernelExC(&config, &program.bounded_stub, nullptr) == cudaSuccess);
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  config.attrs = &cooperative;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelExC(&config, &program.bounded_stub, nullptr) == cudaSuccess);
  config.gridDim = {1000000, 1, 1};
  CHECK(cudaLaunchKernelExC(&config, &program.bounded_stub, nullptr) ==
        cudaErrorCooperativeLaunchTooLarge);
}

TEST_CASE("a fault shows at the next call and stays") {
  const Fresh fresh;
  Program program;
  CHECK(store(program, nullptr, 1, {1}, {1}) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 4) == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset() == cudaErrorIllegalAddress);
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
}

TEST_CASE("dynamic shared memory beyond 48 KiB has to be asked for") {
  const Fresh fresh;
  Program program;
  cudaFuncAttributes attributes{};
  CHECK(cudaFuncGetAttributes(&attributes, &program.store_stub) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 48 * 1024);
  CHECK(attributes.ptxVersion == 80);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  const auto limit = cudaFuncAttributeMaxDynamicSharedMemorySize;
  const int most = context().card->shared_bytes_per_block_optin();
  CHECK(most == 227 * 1024);
  CHECK(cudaFuncSetAttribute(&program.store_stub, limit, most + 1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(&program.store_stub, limit, -1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(&program.store_stub, limit, most) == cudaSuccess);
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  CHECK(store(program, memory, 1, {1}, {1}, static_cast<std::size_t>(most)) == cudaSuccess);
  CHECK(store(program, memory, 1, {1}, {1}, static_cast<std::size_t>(most) + 1) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(&program.store_stub, static_cast<cudaFuncAttribute>(77), 0) ==
        cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("programs without usable PTX") {
  const Fresh fresh;
  const auto error_of = [](std::vector<std::byte> bytes) {
    Program program(std::move(bytes));
    return cudaLaunchKernel(&program.bounded_stub, {1}, {1}, nullptr, 0, nullptr);
  };
  CHECK(error_of(FatBinaryBuilder().build()) == cudaErrorNoKernelImageForDevice);
  CHECK(error_of(FatBinaryBuilder().sass(90).build()) == cudaErrorNoKernelImageForDevice);
  CHECK(error_of(FatBinaryBuilder().ptx(100, module_for("sm_100a"), Packing::lz4).build()) ==
        cudaErrorNoKernelImageForDevice);
  CHECK(error_of(FatBinaryBuilder().put<std::uint32_t>(0, 0).build()) ==
        cudaErrorInvalidKernelImage);
  CHECK(error_of(
            FatBinaryBuilder()
                .ptx(80, ".version 9.0\n.target sm_80\n.address_size 64\n.entry {", Packing::none)
                .build()) == cudaErrorInvalidPtx);
}

TEST_CASE("registration shrugs off nonsense") {
  const Fresh fresh;
  __cudaUnregisterFatBinary(nullptr);
  void* handle = __cudaRegisterFatBinary(nullptr);
  char stub = 0;
  __cudaRegisterFunction(static_cast<void**>(handle), &stub, nullptr, nullptr, -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterFunction(static_cast<void**>(handle), &stub, nullptr, "f", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterFunction(nullptr, &stub, nullptr, "f", -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  __cudaRegisterVar(nullptr, &stub, nullptr, "v", 0, 4, 0, 0);
  CHECK(__cudaInitModule(nullptr) == 1);
  CHECK(cudaLaunchKernel(&stub, {1}, {1}, nullptr, 0, nullptr) == cudaErrorInvalidKernelImage);
  __cudaUnregisterFatBinary(static_cast<void**>(handle));
  CHECK(cudaLaunchKernel(&stub, {1}, {1}, nullptr, 0, nullptr) == cudaErrorInvalidResourceHandle);
  __cudaUnregisterFatBinary(static_cast<void**>(handle));
}

TEST_CASE("a kernel that is not modelled is found by whoever looks at the next synchronization") {
  const Fresh fresh;
  std::string ptx = kStorePtx;
  ptx.replace(ptx.find(".target sm_80"), 13, ".target sm_90");
  ptx.replace(ptx.find("add.s32"), 0, "multimem.ld_reduce.global.add.u32 %r3, [%rd2];\n\t");
  const Program program(FatBinaryBuilder().ptx(90, ptx, Packing::none).build());
  int* device = nullptr;
  int value = 40, got = 0;
  void* arguments[] = {&device, &value};
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 16) == cudaSuccess);
  CHECK(cudaLaunchKernel(&program.store_stub, {1, 1, 1}, {4, 1, 1}, arguments, 0, nullptr) ==
        cudaErrorNotSupported);
  CHECK(cudaMemcpy(&got, device, 4, cudaMemcpyDeviceToHost) == cudaErrorNotSupported);
  CHECK(cudaDeviceSynchronize() == cudaErrorNotSupported);
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);  // the program knows
  cudaFree(device);
}

// What a library holds is read kernel by kernel; smaller programs at once (above).
TEST_CASE("of a program's megabytes of PTX the kernels run that nothing is wrong with") {
  const Fresh fresh;
  std::string text =
      std::string(kStorePtx) + ".visible .entry missing() { .reg .f32 %f; mov.u32 %f, 1; ret; }\n";
  const std::string comment = "// " + std::string(100, '{') + "\n";
  while (text.size() <= std::size_t{1} << 20) text += comment;
  Program program(FatBinaryBuilder().ptx(80, text, Packing::zstd).build());
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4) == cudaSuccess);
  for (int time = 0; time < 2; ++time) {
    CHECK(cudaLaunchKernel(&program.missing_stub, {1}, {1}, nullptr, 0, nullptr) ==
          cudaErrorInvalidPtx);
    CHECK(cudaGetLastError() == cudaErrorInvalidPtx);
    CHECK(store(program, memory, 1000, {1}, {1}) == cudaSuccess);
  }
  unsigned value = 0;
  CHECK(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 1000);
  CHECK(cudaFree(memory) == cudaSuccess);
}
