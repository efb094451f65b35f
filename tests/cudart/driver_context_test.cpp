// SPDX-License-Identifier: MIT
// Contexts of the driver: a thread has none until it makes one its own, and the runtime's functions
// make it the primary one. What an H200 answered is the source (tests/golden/driver_calls).
#include <doctest/doctest.h>

#include <thread>

#include "cudart/api/api.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/driver/driver_current.hpp"
#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

constexpr CUresult kNoContext = 201;
constexpr unsigned kSpins = 1, kYields = 2, kMaps = 8;  // CU_CTX_...

CUhandle primary() {
  CUhandle made = nullptr;
  REQUIRE(cuDevicePrimaryCtxRetain(&made, 0) == 0);
  return made;
}

CUhandle current() {
  CUhandle found = nullptr;
  CHECK(cuCtxGetCurrent(&found) == 0);
  return found;
}

/// As a program begins: no context is this thread's.
template <class Body>
void in_new_thread(Body body) {
  std::thread(body).join();
}

}  // namespace

TEST_CASE("a thread has no context, and what needs one is refused to it") {
  const Fresh fresh;
  in_new_thread([] {
    CHECK(current() == nullptr);
    CUdeviceptr memory = 77;
    CUhandle module = nullptr, popped = nullptr;
    CUdevice device = 0;
    CHECK(cuMemAlloc_v2(&memory, 64) == kNoContext);
    CHECK(cuModuleLoadData(&module, lanescope::tests::kStorePtx) == kNoContext);
    CHECK(cuCtxGetDevice(&device) == kNoContext);
    CHECK(cuCtxSynchronize() == kNoContext);
    CHECK(cuCtxPopCurrent_v2(&popped) == kNoContext);
    CHECK(cuCtxSetCurrent(primary()) == 0);
    CHECK(current() == primary());
    CHECK(cuMemAlloc_v2(&memory, 64) == 0);
    CHECK(cuMemFree_v2(memory) == 0);
    CHECK(cuCtxSetCurrent(nullptr) == 0);
    CHECK(cuMemAlloc_v2(&memory, 64) == kNoContext);
  });
}

TEST_CASE("the runtime's functions give a thread the primary context, where it has none") {
  const Fresh fresh;
  in_new_thread([] {
    CHECK(current() == nullptr);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(current() == primary());
    CUhandle made = nullptr;
    REQUIRE(cuCtxCreate_v2(&made, 0, 0) == 0);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(current() == made);
    CHECK(cuCtxDestroy_v2(made) == 0);
    CHECK(current() == primary());
  });
}

TEST_CASE("contexts are pushed and popped, each with its flags") {
  const Fresh fresh;
  in_new_thread([] {
    CUhandle first = nullptr, second = nullptr, popped = nullptr;
    unsigned flags = 0;
    REQUIRE(cuCtxCreate_v2(&first, kSpins | kMaps, 0) == 0);
    REQUIRE(cuCtxCreate_v2(&second, kYields, 0) == 0);
    CHECK(first != second);
    CHECK(cuCtxGetFlags(&flags) == 0);
    CHECK(flags == kYields);
    CHECK(cuCtxPushCurrent_v2(first) == 0);
    CHECK(cuCtxGetFlags(&flags) == 0);
    CHECK(flags == (kSpins | kMaps));
    for (const CUhandle expected : {first, second, first}) {
      CHECK(cuCtxPopCurrent_v2(&popped) == 0);
      CHECK(popped == expected);
    }
    CHECK(cuCtxPopCurrent_v2(&popped) == kNoContext);
    CHECK(cuCtxDestroy_v2(second) == 0);
    CHECK(cuCtxPushCurrent_v2(second) == kNoContext);
    CHECK(cuCtxSetCurrent(second) == kNoContext);
    CHECK(cuCtxDestroy_v2(first) == 0);
    CHECK(cuCtxCreate_v2(&first, kSpins | kYields, 0) == 1);  // waits in one way
    CHECK(cuCtxCreate_v2(&first, 0, 1) == 101);
  });
}

TEST_CASE("another thread's context is not this one's") {
  const Fresh fresh;
  in_new_thread([] {
    REQUIRE(cuCtxSetCurrent(primary()) == 0);
    in_new_thread([] { CHECK(current() == nullptr); });
    CHECK(current() == primary());
  });
}
