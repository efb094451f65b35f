// SPDX-License-Identifier: MIT
// See tcgen05_product.hpp. The two descriptors and where the elements lie in shared memory are
// transcribed here a second time, from the ISA's tables and figures (9.7.16.4); no card has been
// asked. What D must be is tcgen05_expected.cpp.
#include "tests/emulator/tcgen05_product.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "emulator/machine.hpp"
#include "tests/emulator/matrix_image.hpp"
#include "tests/emulator/tcgen05_expected.hpp"

namespace lanescope::emulator::test {
namespace {

constexpr int kSharedBytes = 64 * 1024;
constexpr std::uint32_t kFirstByte = 1024;  // of shared memory: behind the driver's
constexpr std::uint32_t kStartB = 32 * 1024;
constexpr int kImageBytes = kSharedBytes + kLanesOfMemory * kFactorWords * 4;

// 9.7.16.10.8: of a chunk of K 2 of 4 are kept (or pairs, of 8; of tf32 1 of 2), in four bits each.
// In the words of CUTLASS (mma_traits_sm100_frag.hpp, tmem_e_frg) these are bits of a matrix: one
// for each k of 8-bit types, half a one of e2m1, of f16 one and of tf32 two, where 8 rows and 16
// bits are a square and the squares of a 16 x 32 block stand (0, 0), (0, 1) / (1, 0), (1, 1) turned
// over.
struct MetadataPlace {
  int lane, word, bit;
};
MetadataPlace place_of_chunk(const Product& p, int m, int chunk) {
  if (bits_of(p.a) <= 8) return {m, chunk / 8, chunk * 4 % 32};
  const int square = chunk * 4 / 16;  // of 16 bits along k
  return {m / 16 * 16 + square * 8 + m % 8, p.selector, (m & 8) * 2 + chunk * 4 % 16};
}
constexpr int kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// Tables 42, and 43 and 44, by hand.
std::uint32_t instruction(const Product& p) {
  const auto code = [](TensorType type) {
    switch (type) {
      case TensorType::bf16:
      case TensorType::e5m2:
      case TensorType::s8:
        return 1u;
      case TensorType::tf32:
        return 2u;
      case TensorType::e2m3:
        return 3u;
      case TensorType::e3m2:
        return 4u;
      case TensorType::e2m1:
        return 5u;
      default:
        return 0u;
    }
  };
  const std::uint32_t both = (p.negates_a ? 1u << 13 : 0) | (p.negates_b ? 1u << 14 : 0) |
                             (p.a_mn ? 1u << 15 : 0) | (p.b_mn ? 1u << 16 : 0) |
                             static_cast<std::uint32_t>(p.N / 8) << 17;
  if (p.vectors > 0)
    return both | static_cast<std::uint32_t>(p.b_byte) << 4 |
           (has_two_a_byte(p) ? 1u << 7 | 1u << 10 : code(p.a) << 7 | code(p.b) << 10) |
           (p.ue4m3 ? 0 : 1u << 23) | static_cast<std::uint32_t>(p.M / 128) << 27 |
           static_cast<std::uint32_t>(p.a_byte) << 29 | (p.sparse ? 4u : 0u);
  const std::uint32_t d = p.d == TensorType::f16 ? 0 : p.d == TensorType::f32 ? 1 : 2;
  return both | (p.sparse ? 4u | static_cast<std::uint32_t>(p.selector) : 0u) |
         (p.saturates ? 1u << 3 : 0) | d << 4 | code(p.a) << 7 | code(p.b) << 10 |
         static_cast<std::uint32_t>(p.M / 16) << 24;
}

// Table 40, by hand.
std::uint64_t descriptor(const Product& p, std::uint32_t start, bool mn_major, int mn, int k) {
  Strides strides = strides_of(p.mode, mn_major, mn, k);
  const bool is_wide = mn_major && p.a == TensorType::tf32;  // mode 1
  if (is_wide) strides = {512, static_cast<std::uint32_t>(mn / 32 * 512)};
  constexpr std::uint64_t kModes[] = {0, 6, 4, 2};
  return (kFirstByte + start) >> 4 | std::uint64_t{strides.lbo >> 4} << 16 |
         std::uint64_t{strides.sbo >> 4} << 32 | std::uint64_t{1} << 46 |
         (is_wide ? 1 : kModes[static_cast<int>(p.mode)]) << 61;
}

std::string program(const Product& p, int columns) {
  std::string text = fmt::format(
      ".version 8.8\n.target sm_100a\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n"
      ".visible .entry k(.param .u64 image, .param .u64 in, .param .u64 out)\n{{\n"
      ".reg .b32 %r<22>, %v<8>; .reg .b64 %rd<12>; .reg .pred %p<7>; .reg .b16 %h<2>;\n"
      "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd3, [out];\n"
      // Each CTA of a pair has its own image and its own lanes; each pair writes its own results.
      "mov.u32 %r16, %cluster_ctarank; and.b32 %r17, %r16, 1; mad.wide.u32 %rd1, %r17, {6}, %rd1; "
      "mad.wide.u32 %rd2, %r17, {3}, %rd2; mad.wide.u32 %rd3, %r16, {3}, %rd3; and.b32 %r18, %r16, "
      "2; shl.b32 %r18, 3, %r18; cvt.u16.u32 %h1, %r18;\n"
      "mov.u32 %r1, %tid.x; mad.wide.u32 %rd4, %r1, 4, %rd1; mov.u32 %r2, sm; mad.lo.u32 %r2, %r1, "
      "4, %r2; mov.u32 %r3, 0;\nL: ld.global.u32 %r4, [%rd4]; st.shared.u32 [%r2], %r4; add.u64 "
      "%rd4, %rd4, 512; add.u32 %r2, %r2, 512; add.u32 %r3, %r3, 512; setp.lt.u32 %p1, %r3, {0}; "
      "@%p1 bra L;\n"
      "mov.u32 %r5, sm; add.u32 %r6, %r5, 65032; add.u32 %r5, %r5, 65024; setp.eq.u32 %p5, %r1, 0; "
      "shr.u32 %r7, %r1, 5; "
      "setp.eq.u32 %p3, %r7, 0; setp.eq.and.u32 %p1, %r17, {4}, %p5;\n"
      "@%p5 mbarrier.init.shared::cta.b64 [%r5], 1;\n"
      "@%p3 tcgen05.alloc.cta_group::{5}.sync.aligned.shared::cta.b32 [%r6], {1};\n"
      "fence.proxy.async; bar.sync 0;\nld.shared.b32 %r8, [%r6];\n"
      "shl.b32 %r9, %r7, 21; add.u32 %r9, %r9, %r8;\n"
      "mul.lo.u32 %r10, %r1, {2}; mul.wide.u32 %rd5, %r10, 4; add.u64 %rd6, %rd5, %rd3; add.u64 "
      "%rd5, %rd5, %rd2;\n",
      kSharedBytes, columns, p.N, kLanesOfMemory * p.N * 4, p.issuer, p.ctas, kImageBytes);
  const std::string_view all =
      p.ctas == 1 ? "bar.sync 0;" : "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
  for (int c = 0; c < p.N; c += 8) {
    for (int k = 0; k < 8; ++k)
      text += fmt::format("ld.global.u32 %v{}, [%rd5+{}];\n", k, 4 * (c + k));
    text += fmt::format(
        "add.u32 %r11, %r9, {}; tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], "
        "{{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}};\n",
        c);
  }
  if (p.a_in_tensor)
    text += fmt::format(
        "mad.wide.u32 %rd9, %r1, 32, %rd1; add.u32 %r11, %r9, 256;\n"
        "ld.global.v4.b32 {{%v0,%v1,%v2,%v3}}, [%rd9]; ld.global.v4.b32 {{%v4,%v5,%v6,%v7}}, "
        "[%rd9+16];\ntcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], "
        "{{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}};\n");
  if (p.vectors > 0 || p.sparse)
    text += fmt::format(
        "mad.wide.u32 %rd9, %r1, {}, %rd1; add.u64 %rd9, %rd9, {}; add.u32 %r11, %r9, {};\n"
        "ld.global.v4.b32 {{%v0,%v1,%v2,%v3}}, [%rd9]; tcgen05.st.sync.aligned.32x32b.x4.b32 "
        "[%r11], {{%v0,%v1,%v2,%v3}};\n"
        "ld.global.v4.b32 {{%v0,%v1,%v2,%v3}}, [%rd9+16]; ld.global.v4.b32 {{%v4,%v5,%v6,%v7}}, "
        "[%rd9+32]; add.u32 %r11, %r11, 4;\n"
        "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], {{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}};\n"
        "ld.global.v2.b32 {{%v0,%v1}}, [%rd9+{}]; add.u32 %r11, %r9, {}; "
        "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r11], {{%v0,%v1}};\n",
        4 * kFactorWords, kSharedBytes, kFactorColumn, 4 * kMetadataWord, kMetadataColumn);
  const std::string factors =
      p.vectors > 0 ? fmt::format(", [%r8+{}], [%r8+{}]", kFactorColumn, kFactorColumn + 4) : "";
  // The warps' loads and stores are in flight side by side.
  text += fmt::format(
      "bar.sync 0; tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; {} "
      "tcgen05.fence::after_thread_sync;\n"
      "mov.b64 %rd7, {}; mov.b64 %rd8, {}; setp.ne.u32 %p4, {}, 0; add.u32 %r12, %r8, {};\n"
      "mov.u32 %r13, 0x0; mov.u32 %r14, 0xffff0001;\n"
      "add.u32 %r15, %r8, 256;\n"
      "@%p1 tcgen05.mma{}.cta_group::{}.kind::{} [%r12], {}, %rd8, {}0x{:x}{}{}, "
      "%p4{};\n{}\n{}\n"
      "tcgen05.fence::after_thread_sync;\n",
      all, descriptor(p, 0, p.a_mn, p.M / p.ctas, k_stored(p)),
      descriptor(p, kStartB, p.b_mn, p.N / p.ctas, k_stored(p) * (p.sparse ? 2 : 1)),
      p.adds ? 1 : 0, p.d_lane << 16,
      p.stationary ? ".ws"
      : p.sparse   ? ".sp"
                   : "",
      p.ctas, p.kind, p.a_in_tensor ? "[%r15]" : "%rd7",
      p.sparse ? fmt::format("[%r8+{}], ", kMetadataColumn) : "", instruction(p), factors,
      p.disabled, p.input_shift != 0 ? fmt::format(", {}", p.input_shift) : "",
      p.ctas == 1 ? p.commit : p.pair_commit, p.wait);
  for (int c = 0; c < p.N; c += 8) {
    text += fmt::format(
        "add.u32 %r11, %r9, {}; tcgen05.ld.sync.aligned.32x32b.x8.b32 "
        "{{%v0,%v1,%v2,%v3,%v4,%v5,%v6,%v7}}, [%r11]; bar.sync 0; tcgen05.wait::ld.sync.aligned;\n",
        c);
    for (int k = 0; k < 8; ++k)
      text += fmt::format("st.global.u32 [%rd6+{}], %v{};\n", 4 * (c + k), k);
  }
  return text + fmt::format(
                    "{}\n@%p3 tcgen05.dealloc.cta_group::{}.sync.aligned.b32 %r8, {};\n"
                    "ret;\n}}\n",
                    all, p.ctas, columns);
}

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
  const auto module = machine.load(program(p, columns), "tcgen05");
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

// Which k each kept element of each row stands for, drawn, and the metadata that says it, in the
// words behind the factors.
Words draw_kept(const Product& p, Words& factors, std::mt19937& random) {
  const int K = k_of(p);
  Words kept;
  for (int m = 0; m < p.M; ++m)
    for (int k = 0; k < K; ++k) kept.push_back(static_cast<std::uint32_t>(k));
  if (!p.sparse) return kept;
  const int together = has_two_a_byte(p) ? 2 : 1, each = p.a == TensorType::tf32 ? 1 : 2 * together;
  for (int m = 0; m < p.M; ++m)
    for (int chunk = 0; chunk < K / each; ++chunk) {
      const auto drawn = static_cast<std::uint32_t>(random());
      const int* pair = kPairs[drawn % 6];
      std::uint32_t bits = static_cast<std::uint32_t>(pair[0] | pair[1] << 2);
      for (int k = 0; k < each; ++k)
        kept[static_cast<std::size_t>(m * K + chunk * each + k)] =
            static_cast<std::uint32_t>((chunk * 4 + pair[k / together]) * together + k % together);
      if (each == 1) {
        bits = drawn % 2 == 0 ? 0b0100 : 0b1110;
        kept[static_cast<std::size_t>(m * K + chunk)] =
            static_cast<std::uint32_t>(2 * chunk) + drawn % 2;
      }
      const int rows = p.M / p.ctas;
      const MetadataPlace at = place_of_chunk(p, m % rows, chunk);
      const int lane = m / rows * kLanesOfMemory + at.lane;
      std::uint32_t& word =
          factors[static_cast<std::size_t>(lane * kFactorWords + kMetadataWord + at.word)];
      word = (word & ~(15u << at.bit)) | bits << at.bit;
    }
  return kept;
}

// As store(); where the first of sixteen elements would be a byte, all of them are.
void store_small(std::vector<std::byte>& shared, std::uint32_t start, const Words& matrix,
                 int mn_count, int K, int bits, layout::Swizzle mode) {
  for (int mn = 0; mn < mn_count; ++mn)
    for (int k = 0; k < K; ++k) {
      const std::size_t unit =
          start + place(mode, false, 8, mn, k / 16 * 16, strides_of(mode, false, mn_count));
      for (int bit = 0; bit < bits; ++bit) {
        const int at = k % 16 * bits + bit;
        const auto value = matrix[static_cast<std::size_t>(mn * K + k)] >> bit & 1;
        shared[unit + static_cast<std::size_t>(at / 8)] |= static_cast<std::byte>(value << at % 8);
      }
    }
}

// 128 bytes of an MN-major matrix of 32 bits, atoms of 32 bytes (tables 40 and 53): four columns of
// K make an atom of 512 bytes; along M or N the next ones, then the next four columns.
void store_wide(std::vector<std::byte>& shared, std::uint32_t start, const Words& matrix,
                int rows) {
  for (int mn = 0; mn < rows; ++mn)
    for (int k = 0; k < 8; ++k) {
      auto at = static_cast<std::uint32_t>(mn % 32 * 4 + k % 4 * 128 + mn / 32 * 512 +
                                           k / 4 * (rows / 32) * 512);
      at ^= (at / 128 & 3) * 32;
      std::memcpy(&shared[start + at], &matrix[static_cast<std::size_t>(mn * 8 + k)], 4);
    }
}

// Elements of 4 bits, the first in the low half.
Words in_bytes(const Words& nibbles) {
  Words bytes;
  for (std::size_t k = 0; k < nibbles.size(); k += 2)
    bytes.push_back(nibbles[k] | nibbles[k + 1] << 4);
  return bytes;
}

// A in tensor memory, row by row, where lane_of_a reads it: of a pair's M 128 twice.
void put_in_lanes(std::vector<std::byte>& image, const Product& p, const Words& matrix, int first) {
  const int bits = has_two_a_byte(p) ? 8 : bits_of(p.a);
  const int K = k_stored(p);
  for (int m = 0; m < p.M / p.ctas; ++m)
    for (int k = 0; k < K; ++k)
      std::memcpy(
          &image[static_cast<std::size_t>((place_of_d(p, m, 0).lane + first) * 32 + k * bits / 8)],
          &matrix[static_cast<std::size_t>(m * K + k)], static_cast<std::size_t>(bits / 8));
}

// The rows that one CTA has, in shared memory.
void put(std::vector<std::byte>& image, std::uint32_t start, const Product& p, bool is_a,
         const Words& matrix) {
  const int bits = has_two_a_byte(p) ? 8 : bits_of(is_a ? p.a : p.b);
  const int rows = (is_a ? p.M : p.N) / p.ctas;
  const bool mn_major = is_a ? p.a_mn : p.b_mn;
  const int K = k_stored(p) * (p.sparse && !is_a ? 2 : 1);
  if (bits < 8) {
    store_small(image, start, matrix, rows, K, bits, p.mode);
  } else if (bits == 32 && mn_major) {
    store_wide(image, start, matrix, rows);
  } else {
    store(image, start, matrix, rows, K, bits, p.mode, mn_major);
  }
}

// Every lane's words of scale factors, CTA after CTA: the same in each 32 lanes, as the ISA wants
// it, unless the test asks for others.
Words random_factors(const Product& p, std::mt19937& random) {
  Words all(static_cast<std::size_t>(p.ctas * kLanesOfMemory * kFactorWords));
  constexpr std::size_t kQuarter = 32 * kFactorWords;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (int byte = 0; byte < 4; ++byte) {
      const auto drawn = static_cast<std::uint32_t>(random());
      const bool any = p.ue4m3 || drawn % 64 == 0;
      all[k] |= (any ? drawn >> 8 & 0xff : 107 + (drawn >> 8) % 40) << 8 * byte;
    }
  if (!p.copies_differ)
    for (std::size_t k = 0; k < all.size(); ++k)
      all[k] = all[k / (4 * kQuarter) * (4 * kQuarter) + k % kQuarter];
  return all;
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
  Words a(static_cast<std::size_t>(p.M * K)), b(static_cast<std::size_t>(p.N * k_of_b(p)));
  const bool has_a_twice = p.a_in_tensor && p.ctas == 2 && p.M == 128;
  Words in(static_cast<std::size_t>(p.ctas * kLanesOfMemory * p.N));
  const auto fill = [&](Words& all, int bits) {
    for (std::uint32_t& value : all)
      value = static_cast<std::uint32_t>(random()) & (bits == 32 ? ~0u : (1u << bits) - 1);
  };
  fill(a, bits_of(p.a));
  fill(b, bits_of(p.b));
  fill(in, 32);
  Words upper_a = a;  // for the upper 64 lanes of D
  if (p.copies_differ && has_a_twice) fill(upper_a, bits_of(p.a));
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
    if (has_a_twice) put_in_lanes(image, p, half_of_a(upper_a), 64);
    put(image, kStartB, p, false, has_two_a_byte(p) ? in_bytes(half(b)) : half(b));
    std::memcpy(&image[kSharedBytes], half(factors).data(), kImageBytes - kSharedBytes);
    images.insert(images.end(), image.begin(), image.end());
  }
  const Ran ran = run(p, images, in);
  REQUIRE_MESSAGE(!ran.error, ran.error.message);
  Words expected = expected_of(p, a, b, factors, kept, in);
  if (has_a_twice) {
    const Words upper = expected_of(p, upper_a, b, factors, kept, in);
    for (std::size_t k = 0; k < expected.size(); ++k)
      if (k / static_cast<std::size_t>(p.N) % kLanesOfMemory >= 64) expected[k] = upper[k];
  }
  for (const std::uint32_t end : {0x7fffffffu, 0x80000000u})
    if (p.saturates) CHECK(std::count(expected.begin(), expected.end(), end) > 100);
  if (p.ctas == 2) expected.insert(expected.end(), expected.begin(), expected.end());
  CHECK(ran.d == expected);
}

}  // namespace lanescope::emulator::test
