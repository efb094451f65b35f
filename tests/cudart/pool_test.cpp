// SPDX-License-Identifier: MIT
// What a pool counts, and what is said of managed memory: the answers are an H200's (driver
// 580.159.04, CUDA 13.0) to the same calls.
#include <doctest/doctest.h>

#include <array>

#include "tests/cudart/program.hpp"

using namespace lanescope::cudart;
using lanescope::tests::Fresh;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;
using Counts = std::array<std::uint64_t, 4>;  // reserved, the most; used, the most

Counts counts(cudaMemPool_t pool) {
  Counts got{};
  for (int k = 0; k < 4; ++k)
    REQUIRE(cudaMemPoolGetAttribute(pool, 5 + k, &got[static_cast<std::size_t>(k)]) == cudaSuccess);
  return got;
}

constexpr int kThreshold = 4, kUsedNow = 7, kUsedMost = 8;

/// The eight attributes of a range; two places are asked of the third.
using Said = std::array<int, 9>;

Said said(const void* range, std::size_t bytes) {
  Said got{};
  for (int asked = 1, at = 0; asked <= 8; ++asked) {
    const std::size_t places = asked == 3 ? 2 : 1;
    CHECK(cudaMemRangeGetAttribute(&got[static_cast<std::size_t>(at)], 4 * places, asked, range,
                                   bytes) == cudaSuccess);
    at += static_cast<int>(places);
  }
  return got;
}

}  // namespace

TEST_CASE("a pool reserves pieces of 32 MiB and gives back at a synchronization") {
  Fresh fresh;
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  void *other = nullptr, *a = nullptr, *b = nullptr, *c = nullptr;
  REQUIRE(cudaMalloc(&other, kMiB) == cudaSuccess);
  CHECK(counts(pool) == Counts{0, 0, 0, 0});
  REQUIRE(cudaMallocAsync(&a, 1000, nullptr) == cudaSuccess);
  CHECK(counts(pool) == Counts{32 * kMiB, 32 * kMiB, 1000, 1000});
  REQUIRE(cudaMallocAsync(&b, 5 * kMiB, nullptr) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&c, 100 * kMiB, nullptr) == cudaSuccess);
  CHECK(counts(pool) == Counts{128 * kMiB, 128 * kMiB, 110101480, 110101480});
  REQUIRE(cudaFreeAsync(b, nullptr) == cudaSuccess);
  REQUIRE(cudaFreeAsync(c, nullptr) == cudaSuccess);
  CHECK(counts(pool) == Counts{128 * kMiB, 128 * kMiB, 1000, 110101480});
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(counts(pool) == Counts{32 * kMiB, 128 * kMiB, 1000, 110101480});

  std::uint64_t value = 0;
  CHECK(cudaMemPoolSetAttribute(pool, kUsedMost, &value) == cudaSuccess);
  CHECK(cudaMemPoolSetAttribute(pool, kUsedNow, &value) == cudaErrorInvalidValue);
  value = 5;
  CHECK(cudaMemPoolSetAttribute(pool, kUsedMost, &value) == cudaErrorInvalidValue);
  CHECK(counts(pool) == Counts{32 * kMiB, 128 * kMiB, 1000, 1000});
  value = ~std::uint64_t{0};
  REQUIRE(cudaMemPoolSetAttribute(pool, kThreshold, &value) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&b, 40 * kMiB, nullptr) == cudaSuccess);
  REQUIRE(cudaFreeAsync(b, nullptr) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(counts(pool)[0] == 64 * kMiB);
  REQUIRE(cudaMemPoolTrimTo(pool, 33 * kMiB) == cudaSuccess);
  CHECK(counts(pool)[0] == 64 * kMiB);
  REQUIRE(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(counts(pool)[0] == 32 * kMiB);
  value = 0;
  REQUIRE(cudaMemPoolSetAttribute(pool, kThreshold, &value) == cudaSuccess);
  REQUIRE(cudaFreeAsync(a, nullptr) == cudaSuccess);
  cudaFree(other);
}

TEST_CASE("cudaMallocAsync takes from the pool that was set, until it is destroyed") {
  Fresh fresh;
  cudaMemPool_t standard = nullptr, mine = nullptr, now = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&standard, 0) == cudaSuccess);
  const cudaMemPoolProps properties{1, 0, {1, 0}, nullptr, 0, 0, {}};
  REQUIRE(cudaMemPoolCreate(&mine, &properties) == cudaSuccess);
  REQUIRE(cudaDeviceSetMemPool(0, mine) == cudaSuccess);
  REQUIRE(cudaDeviceGetMemPool(&now, 0) == cudaSuccess);
  CHECK(now == mine);
  void *one = nullptr, *two = nullptr;
  REQUIRE(cudaMallocAsync(&one, 2 * kMiB, nullptr) == cudaSuccess);
  REQUIRE(cudaMallocFromPoolAsync(&two, 3 * kMiB, mine, nullptr) == cudaSuccess);
  CHECK(counts(mine) == Counts{32 * kMiB, 32 * kMiB, 5 * kMiB, 5 * kMiB});
  REQUIRE(cudaFreeAsync(one, nullptr) == cudaSuccess);
  REQUIRE(cudaFreeAsync(two, nullptr) == cudaSuccess);
  REQUIRE(cudaMemPoolDestroy(mine) == cudaSuccess);
  REQUIRE(cudaDeviceGetMemPool(&now, 0) == cudaSuccess);
  CHECK(now == standard);
}

TEST_CASE("what was advised and prefetched is remembered by page") {
  Fresh fresh;
  constexpr cudaMemLocation kCard{1, 0}, kHost{2, 0}, kNone{0, 0}, kOtherCard{1, 1}, kNuma{3, 0};
  constexpr std::size_t kBytes = kMiB;
  void* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, kBytes, 1) == cudaSuccess);
  char* const bytes = static_cast<char*>(memory);
  const auto advise = [&](int advice, cudaMemLocation place) {
    CHECK(cudaMemAdvise(memory, kBytes, advice, place) == cudaSuccess);
    return said(memory, kBytes);
  };
  const auto prefetch = [&](cudaMemLocation place) {
    CHECK(cudaMemPrefetchAsync(memory, kBytes, place, 0, nullptr) == cudaSuccess);
    return said(memory, kBytes);
  };
  CHECK(said(memory, kBytes) == Said{0, -2, -2, -2, -2, 0, -2, 0, -2});
  CHECK(advise(1, kCard) == Said{1, -2, -2, -2, -2, 0, -2, 0, -2});
  CHECK(advise(3, kCard) == Said{1, 0, -2, -2, -2, 1, 0, 0, -2});
  CHECK(advise(5, kHost) == Said{1, 0, -1, -2, -2, 1, 0, 0, -2});
  CHECK(advise(5, kCard) == Said{1, 0, 0, -1, -2, 1, 0, 0, -2});
  CHECK(prefetch(kCard) == Said{1, 0, 0, -1, 0, 1, 0, 1, 0});
  CHECK(prefetch(kHost) == Said{1, 0, 0, -1, -1, 1, 0, 2, -1});
  CHECK(advise(3, kHost) == Said{1, -1, 0, -1, -1, 2, -1, 2, -1});
  CHECK(advise(2, kCard) == Said{0, -1, 0, -1, -1, 2, -1, 2, -1});
  CHECK(advise(6, kHost) == Said{0, -1, 0, -2, -1, 2, -1, 2, -1});
  CHECK(advise(6, kCard) == Said{0, -1, -2, -2, -1, 2, -1, 2, -1});
  CHECK(advise(4, kCard) == Said{0, -2, -2, -2, -1, 0, -2, 2, -1});
  // Half of it, a page of it, a quarter of it: the whole has no answer then.
  CHECK(cudaMemAdvise(memory, kBytes / 2, 3, kCard) == cudaSuccess);
  CHECK(cudaMemAdvise(bytes + 5, 10, 5, kCard) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(memory, kBytes / 4, kCard, 0, nullptr) == cudaSuccess);
  CHECK(said(memory, kBytes) == Said{0, -2, -2, -2, -2, 0, -2, 0, -2});
  CHECK(said(memory, kBytes / 4) == Said{0, 0, -2, -2, 0, 1, 0, 1, 0});
  CHECK(advise(3, kNuma) == Said{0, -2, -2, -2, -2, 0, -2, 0, -2});
  CHECK(prefetch(kNuma) == Said{0, -2, -2, -2, -1, 0, -2, 3, 0});

  CHECK(cudaMemAdvise(memory, kBytes, 1, kNone) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(memory, kBytes, 3, kOtherCard) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(memory, kBytes, 9, kCard) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(memory, 0, 1, kCard) == cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(memory, kBytes + 1, 1, kCard) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(memory, kBytes, kOtherCard, 0, nullptr) == cudaErrorInvalidDevice);
  CHECK(cudaMemPrefetchAsync(memory, kBytes, kNone, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(memory, kBytes, kCard, 1, nullptr) == cudaErrorInvalidValue);
  int four[4] = {};
  CHECK(cudaMemRangeGetAttribute(four, 8, 1, memory, kBytes) == cudaErrorInvalidValue);
  CHECK(cudaMemRangeGetAttribute(four, 2, 3, memory, kBytes) == cudaErrorInvalidValue);
  CHECK(cudaMemRangeGetAttribute(four, 4, 9, memory, kBytes) == cudaErrorInvalidValue);
  CHECK(cudaMemRangeGetAttribute(nullptr, 4, 1, memory, kBytes) == cudaErrorInvalidValue);
  void* both[] = {four, four + 1};
  std::size_t sizes[] = {4, 4};
  int asked[] = {1, 4};
  CHECK(cudaMemRangeGetAttributes(both, sizes, asked, 2, memory, kBytes) == cudaSuccess);
  CHECK(four[1] == -1);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&memory, kBytes, 1) == cudaSuccess);
  CHECK(said(memory, kBytes) == Said{0, -2, -2, -2, -2, 0, -2, 0, -2});  // nothing of the old
  cudaFree(memory);
}

TEST_CASE("advice holds from the first page to the last that it touches, and no further") {
  constexpr std::uint64_t kPage = 4096, kFirst = 100 * kPage;
  AdviceTable table;
  const auto read_mostly = [&](std::uint64_t page) {
    bool said = false;
    table.each(kFirst + page * kPage, 1,
               [&](const PageAdvice& advice) { said = advice.read_mostly; });
    return said;
  };
  const auto pages = [&] {
    return std::array<bool, 6>{read_mostly(0), read_mostly(1), read_mostly(2),
                               read_mostly(3), read_mostly(4), read_mostly(5)};
  };
  const auto say = [](bool what) {
    return [what](PageAdvice& advice) { advice.read_mostly = what; };
  };
  table.forget(kFirst, kPage);
  CHECK(pages() == std::array<bool, 6>{});
  table.change(kFirst + 2 * kPage - 1, 2, say(true));  // the last byte of page 1, the first of 2
  CHECK(pages() == std::array<bool, 6>{false, true, true, false, false, false});
  table.change(kFirst + 2 * kPage, 3 * kPage, say(true));
  table.change(kFirst + 3 * kPage, kPage, say(false));
  CHECK(pages() == std::array<bool, 6>{false, true, true, false, true, false});
  int runs = 0;
  table.each(kFirst, 6 * kPage, [&](const PageAdvice&) { ++runs; });
  CHECK(runs <= 6);
  table.forget(kFirst + 2 * kPage, 2 * kPage);
  CHECK(pages() == std::array<bool, 6>{false, true, false, false, true, false});
}

TEST_CASE("a pool says that its card reads and writes it, and of nobody else") {
  const Fresh fresh;
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  int access = 0;
  cudaMemLocation where{1, 0};
  CHECK(cudaMemPoolGetAccess(&access, pool, &where) == cudaSuccess);
  CHECK(access == 3);
  where.id = 1;
  CHECK(cudaMemPoolGetAccess(&access, pool, &where) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAccess(&access, nullptr, &where) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAccess(nullptr, pool, &where) == cudaErrorInvalidValue);
}
