// SPDX-License-Identifier: MIT
// See tcgen05_product.hpp: runs the kernel (tcgen05_kernel.cpp) on its memories
// (tcgen05_image.cpp). What D must be is tcgen05_expected.cpp.
#include "tests/emulator/tcgen05_product.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "emulator/machine.hpp"
#include "tests/emulator/tcgen05_parts.hpp"

namespace lanescope::emulator::test {
namespace {

struct Ran {
  Error error;
  Words d;  // [CTA][lane][column]
};

// Pairs are two side by side, in a cluster of four.
Ran run(const Product& p, const std::vector<std::byte>& image, const Words& in) {
  Machine machine({.arch = "sm_100a"});
  int columns = 32;
  while (columns < p.N || ((p.a_in_tensor || p.vectors > 0 || p.sparse) && columns < 512))
    columns *= 2;
  const auto module = machine.load(kernel_of(p, columns), "tcgen05");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto copy = [&](const void* from, std::size_t bytes) {
    const auto made = machine.allocate(bytes);
    std::memcpy(reinterpret_cast<void*>(made.value), from, bytes);
    return made.value;
  };
  Ran ran{{}, Words(in.size() * static_cast<std::size_t>(p.ctas))};
  const std::uint64_t parameters[] = {copy(image.data(), image.size()),
                                      copy(in.data(), in.size() * 4),
                                      copy(ran.d.data(), ran.d.size() * 4)};
  LaunchRequest request;
  request.kernel = machine.find_kernel(module.value, "k");
  request.block = {kLanesOfMemory, 1, 1};
  request.grid = request.cluster = {p.ctas * p.ctas, 1, 1};
  request.dynamic_shared_bytes = kSharedBytes;
  request.seed = p.order;
  request.parameters = std::as_bytes(std::span(parameters));
  ran.error = machine.launch(request).error;
  std::memcpy(ran.d.data(), reinterpret_cast<const void*>(parameters[2]), ran.d.size() * 4);
  return ran;
}

}  // namespace

void check(const Product& p, unsigned seed) {
  CAPTURE(p.kind);
  CAPTURE(p.M);
  CAPTURE(p.N);
  CAPTURE(static_cast<int>(p.mode));
  CAPTURE(static_cast<int>(p.a));
  const int K = k_of(p);
  std::mt19937 random(seed);
  Words a(static_cast<std::size_t>(p.M * K)),
      b(static_cast<std::size_t>(columns_of_b(p) * k_of_b(p)));
  const bool has_a_twice = p.ctas == 2 && p.M == 128 && !p.sparse;
  const int copies = !p.a_in_tensor ? 1 : p.stationary ? kLanesOfMemory / p.M : has_a_twice ? 2 : 1;
  Words in(static_cast<std::size_t>(p.ctas * kLanesOfMemory * p.N));
  const auto fill = [&](Words& all, int bits) {
    for (std::uint32_t& value : all)
      value = static_cast<std::uint32_t>(random()) & (bits == 32 ? ~0u : (1u << bits) - 1);
  };
  fill(a, bits_of(p.a));
  fill(b, bits_of(p.b));
  fill(in, 32);
  std::vector<Words> others(static_cast<std::size_t>(copies - 1), a);  // for the lanes of each
  for (Words& other : others)
    if (p.copies_differ) fill(other, bits_of(p.a));
  if (p.saturates)  // close to the ends: some sums go over either
    for (std::uint32_t& value : in)
      value = (value & 1) != 0 ? 0x7fffffff - value % 1024 : 0x80000000 + value % 1024;
  Words factors = random_factors(p, random);
  const Words kept = draw_kept(p, factors, random);
  for (std::uint32_t& value : in)  // with a middling exponent, so that there is room below
    if (p.input_shift != 0)
      value = p.d == TensorType::f16 ? (value & 0xffff83ff) | 0x5000
                                     : (value & 0x83ffffff) | 0x40000000;
  std::vector<std::byte> images;
  for (int cta = 0; cta < p.ctas; ++cta) {
    std::vector<std::byte> image(kImageBytes);
    const auto half = [&](const Words& all) {
      const auto each = static_cast<std::ptrdiff_t>(all.size()) / p.ctas;
      return Words(all.begin() + cta * each, all.begin() + (cta + 1) * each);
    };
    const auto half_of_a = [&](const Words& all) {
      return has_two_a_byte(p) ? in_bytes(half(all)) : half(all);
    };
    if (!p.a_in_tensor) put(image, 0, p, true, half_of_a(a));
    if (p.a_in_tensor) put_in_lanes(image, p, half_of_a(a), 0);
    for (int copy = 1; copy < copies; ++copy)
      put_in_lanes(image, p, half_of_a(others[static_cast<std::size_t>(copy - 1)]),
                   kLanesOfMemory / copies * copy);
    put(image, kStartB, p, false, has_two_a_byte(p) ? in_bytes(half(b)) : half(b));
    std::memcpy(&image[kSharedBytes], half(factors).data(), kImageBytes - kSharedBytes);
    images.insert(images.end(), image.begin(), image.end());
  }
  const Ran ran = run(p, images, in);
  REQUIRE_MESSAGE(!ran.error, ran.error.message);
  Words expected = expected_of(p, a, b, factors, kept, in);
  for (int copy = 1; copy < copies; ++copy) {
    const Words other =
        expected_of(p, others[static_cast<std::size_t>(copy - 1)], b, factors, kept, in);
    for (std::size_t k = 0; k < expected.size(); ++k)
      if (static_cast<int>(k / static_cast<std::size_t>(p.N)) % kLanesOfMemory /
              (kLanesOfMemory / copies) ==
          copy)
        expected[k] = other[k];
  }
  for (const std::uint32_t end : {0x7fffffffu, 0x80000000u})
    if (p.saturates) CHECK(std::count(expected.begin(), expected.end(), end) > 100);
  if (p.ctas == 2) expected.insert(expected.end(), expected.begin(), expected.end());
  CHECK(ran.d == expected);
}

}  // namespace lanescope::emulator::test
