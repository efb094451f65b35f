// SPDX-License-Identifier: MIT
// In how many passes does a warp's access to shared memory go to the banks? Patterns of addresses,
// strides, words that lanes share, permutations and random ones, are read and written in every
// width, by ldmatrix and stmatrix, and timed: sixteen warps of one block do the same again and
// again, so that nothing but shared memory is waited for. The cycles of one access should be the
// passes that predicted() says (common/layout/banks.hpp has the same rule).
//
//     bank_passes [small | sample]     sample: some patterns of each family, with their cycles
//
// The answer is docs/experiments/bank_passes.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../program.cuh"

constexpr int kWarps = 16, kUnrolled = 16, kBytes = 16384;
constexpr int kNext = 128;                  // bytes to the next access: the same banks
constexpr std::uint32_t kOff = 0xffffffff;  // the address of a lane that takes no part

enum class Kind {
  load8,
  load16,
  load32,
  load64,
  load128,
  store8,
  store16,
  store32,
  store64,
  store128,
  ldmatrix1,
  ldmatrix2,
  ldmatrix4,
  ldmatrix4_trans,
  stmatrix4
};
struct KindOf {
  Kind kind;
  const char* name;
  int bytes;  // that a lane's address stands for
  int lanes;  // whose addresses count
};
constexpr KindOf kKinds[] = {{Kind::load8, "ld.shared.u8", 1, 32},
                             {Kind::load16, "ld.shared.u16", 2, 32},
                             {Kind::load32, "ld.shared.u32", 4, 32},
                             {Kind::load64, "ld.shared.v2.u32", 8, 32},
                             {Kind::load128, "ld.shared.v4.u32", 16, 32},
                             {Kind::store8, "st.shared.u8", 1, 32},
                             {Kind::store16, "st.shared.u16", 2, 32},
                             {Kind::store32, "st.shared.u32", 4, 32},
                             {Kind::store64, "st.shared.v2.u32", 8, 32},
                             {Kind::store128, "st.shared.v4.u32", 16, 32},
                             {Kind::ldmatrix1, "ldmatrix.x1", 16, 8},
                             {Kind::ldmatrix2, "ldmatrix.x2", 16, 16},
                             {Kind::ldmatrix4, "ldmatrix.x4", 16, 32},
                             {Kind::ldmatrix4_trans, "ldmatrix.x4.trans", 16, 32},
                             {Kind::stmatrix4, "stmatrix.x4", 16, 32}};

template <Kind kKind>
__device__ __forceinline__ void access(std::uint32_t at, std::uint32_t (&r)[4]) {
  if (kKind == Kind::load8) asm volatile("ld.shared.u8 %0, [%1];" : "=r"(r[0]) : "r"(at));
  if (kKind == Kind::load16) {
    std::uint16_t half;
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(half) : "r"(at));
    r[0] = half;
  }
  if (kKind == Kind::load32) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(at));
  if (kKind == Kind::load64)
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at));
  if (kKind == Kind::load128)
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  if (kKind == Kind::store8) asm volatile("st.shared.u8 [%0], %1;" ::"r"(at), "r"(r[0]));
  if (kKind == Kind::store16)
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(at), "h"(static_cast<std::uint16_t>(r[0])));
  if (kKind == Kind::store32) asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(r[0]));
  if (kKind == Kind::store64)
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1]));
  if (kKind == Kind::store128)
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]),
                 "r"(r[2]), "r"(r[3]));
  if (kKind == Kind::ldmatrix1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
  if (kKind == Kind::ldmatrix2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(at));
  if (kKind == Kind::ldmatrix4)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  if (kKind == Kind::ldmatrix4_trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  if (kKind == Kind::stmatrix4)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at),
                 "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
}

// cycles[p]: from the first warp's begin to the last one's end, all accesses of pattern p. ptxas
// makes one of two that have the same address: so each has another, in the same banks, and from
// round to round they are `zero` apart, which it cannot know to be nothing.
template <Kind kKind>
__global__ void time_patterns(const std::uint32_t* patterns, int count, int rounds, int zero,
                              long long* cycles, std::uint32_t* sink) {
  __shared__ alignas(128) unsigned char memory[kBytes + kUnrolled * kNext];
  __shared__ long long first, last;
  for (int i = static_cast<int>(threadIdx.x); i < kBytes + kUnrolled * kNext;
       i += static_cast<int>(blockDim.x))
    memory[i] = 0;
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
  std::uint32_t sum = 0;
  for (int p = 0; p < count; ++p) {
    const std::uint32_t place = patterns[p * 32 + static_cast<int>(threadIdx.x) % 32];
    const std::uint32_t at = base + place;
    if (threadIdx.x == 0) first = 0x7fffffffffffffffll, last = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round) {
      std::uint32_t r[kUnrolled][4];
#pragma unroll
      for (int i = 0; i < kUnrolled; ++i)
        for (int k = 0; k < 4; ++k) r[i][k] = 0;
#pragma unroll
      for (int i = 0; i < kUnrolled; ++i)
        if (kKind >= Kind::ldmatrix1 || place != kOff)
          access<kKind>(at + static_cast<std::uint32_t>(round * zero + i * kNext), r[i]);
#pragma unroll
      for (int i = 0; i < kUnrolled; ++i)
        for (int k = 0; k < 4; ++k) sum ^= r[i][k];
    }
    const long long end = clock64();
    if (threadIdx.x % 32 == 0) atomicMin(&first, begin), atomicMax(&last, end);
    __syncthreads();
    if (threadIdx.x == 0) cycles[p] = last - first;
    __syncthreads();
  }
  sink[threadIdx.x] = sum;
}

struct Pattern {
  std::string family;
  std::array<std::uint32_t, 32> at{};
};

// Addresses in the width of the kind: whoever shares a word, strides, permutations, random ones.
// `some_off`: lanes may take no part.
std::vector<Pattern> patterns_of(int width, int random_ones, bool some_off) {
  std::vector<Pattern> all;
  const auto add = [&](const std::string& family, const auto& place) {
    Pattern p{family, {}};
    for (int lane = 0; lane < 32; ++lane) {
      const int at = place(lane);
      p.at[static_cast<std::size_t>(lane)] =
          at < 0 ? kOff : static_cast<std::uint32_t>(at * width % kBytes);
    }
    all.push_back(p);
  };
  for (int shared = 1; shared <= 32; shared *= 2) {
    add("lanes / " + std::to_string(shared), [&](int lane) { return lane / shared; });
    add("lanes % " + std::to_string(shared), [&](int lane) { return lane % shared; });
  }
  for (int stride = 1; stride <= 40; ++stride)
    add("stride " + std::to_string(stride), [&](int lane) { return lane * stride; });
  for (int flip = 1; flip < 32; ++flip)
    add("lane ^ " + std::to_string(flip), [&](int lane) { return lane ^ flip; });
  Numbers numbers;
  const auto below = [&numbers](int end) { return (numbers.next(1 << 20) + (1 << 20)) % end; };
  for (int n = 0; n < random_ones; ++n) {
    std::array<int, 32> any{}, places{};
    for (int lane = 0; lane < 32; ++lane) places[static_cast<std::size_t>(lane)] = lane;
    for (int lane = 31; lane > 0; --lane)
      std::swap(places[static_cast<std::size_t>(lane)],
                places[static_cast<std::size_t>(below(lane + 1))]);
    for (int& each : any) each = below(kBytes / width);
    const int some = 1 + below(16), odd_one = below(32), apart = 1 << below(5);
    const auto number = [&any](int lane) { return any[static_cast<std::size_t>(lane)]; };
    add("permutation", [&](int lane) { return places[static_cast<std::size_t>(lane)]; });
    add("few words", [&](int) { return number(below(some)); });
    add("random", number);
    // Two lanes `apart` from each other want the same.
    add("pairs " + std::to_string(apart), [&](int lane) { return number(lane & ~apart); });
    add("pairs but one " + std::to_string(apart),
        [&](int lane) { return lane == odd_one ? below(kBytes / width) : number(lane & ~apart); });
    add("pairs 1 and 2", [&](int lane) { return number(lane & ~(lane < 16 ? 1 : 2)); });
    if (!some_off) continue;
    add("off one of " + std::to_string(apart),
        [&](int lane) { return (lane & apart) != 0 ? -1 : number(lane); });
    add("off half", [&](int lane) { return (lane & 16) != 0 ? -1 : number(lane); });
    add("off some", [&](int lane) { return below(4) == 0 ? -1 : number(lane); });
    add("off some pairs", [&](int lane) { return below(4) == 0 ? -1 : number(lane & ~apart); });
  }
  return all;
}

// Whether each lane wants the same as the one `apart` from it, where both take part.
bool in_pairs(const Pattern& p, int apart) {
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint32_t one = p.at[static_cast<std::size_t>(lane)],
                        other = p.at[static_cast<std::size_t>(lane ^ apart)];
    if (one != other && one != kOff && other != kOff) return false;
  }
  return true;
}

// So many lanes after one another are served together, and a bank gives one word a pass.
int predicted(const KindOf& kind, const Pattern& p) {
  int together = kind.bytes == 16 ? 8 : kind.bytes == 8 ? 16 : 32;
  const bool wide_load = kind.kind == Kind::load64 || kind.kind == Kind::load128;
  if (wide_load && (in_pairs(p, 1) || in_pairs(p, 2))) together *= 2;
  int passes = 0;
  for (int first = 0; first < kind.lanes; first += together) {
    std::array<std::set<std::uint32_t>, 32> words;  // of each bank
    std::size_t most = 0;
    for (int lane = first; lane < std::min(first + together, kind.lanes); ++lane) {
      const std::uint32_t at = p.at[static_cast<std::size_t>(lane)];
      for (std::uint32_t word = at / 4; at != kOff && word * 4 < at + kind.bytes; ++word) {
        words[word % 32].insert(word);
        most = std::max(most, words[word % 32].size());
      }
    }
    passes += static_cast<int>(most);
  }
  return passes;
}

template <Kind kKind>
std::vector<long long> measure(const std::vector<Pattern>& patterns, int rounds) {
  std::vector<std::uint32_t> places;
  for (const Pattern& p : patterns) places.insert(places.end(), p.at.begin(), p.at.end());
  std::uint32_t* device = to_device(places);
  long long* cycles = to_device(std::vector<long long>(patterns.size()));
  std::uint32_t* sink = to_device(std::vector<std::uint32_t>(kWarps * 32));
  time_patterns<kKind>
      <<<1, kWarps * 32>>>(device, static_cast<int>(patterns.size()), rounds, 0, cycles, sink);
  CHECK(cudaGetLastError());
  std::vector<long long> result = from_device(cycles, patterns.size());
  CHECK(cudaFree(device));
  CHECK(cudaFree(cycles));
  CHECK(cudaFree(sink));
  return result;
}

template <int kIndex = 0>
std::vector<long long> measure(std::size_t index, const std::vector<Pattern>& all, int rounds) {
  constexpr int kCount = sizeof(kKinds) / sizeof(kKinds[0]);
  if constexpr (kIndex < kCount) {
    if (index == kIndex) return measure<kKinds[kIndex].kind>(all, rounds);
    return measure<kIndex + 1>(index, all, rounds);
  }
  return {};
}

// A line for each family whose cycles are not those of the passes, below one for all.
void summarise(const KindOf& kind, const std::vector<Pattern>& all,
               const std::vector<double>& cycles) {
  struct Seen {
    int patterns = 0, as_said = 0;
    double least = 1e9, most = -1e9;  // cycles less passes
  };
  std::map<std::string, Seen> families;
  Seen whole;
  for (std::size_t p = 0; p < all.size(); ++p) {
    const double apart = cycles[p] - predicted(kind, all[p]);
    const std::string family = all[p].family.substr(0, all[p].family.find_last_of(' '));
    for (Seen* seen : {&families[family], &whole}) {
      ++seen->patterns;
      seen->as_said += std::fabs(apart) < 0.5;
      seen->least = std::min(seen->least, apart);
      seen->most = std::max(seen->most, apart);
    }
  }
  std::printf("%-18s %4d of %4d as said, cycles less passes %+.2f to %+.2f\n", kind.name,
              whole.as_said, whole.patterns, whole.least, whole.most);
  for (const auto& [family, seen] : families)
    if (seen.as_said != seen.patterns)
      std::printf("  %-16s %4d of %4d, %+.2f to %+.2f\n", family.c_str(), seen.as_said,
                  seen.patterns, seen.least, seen.most);
}

// The kind, the family, the cycles of one access, and the lanes' addresses; "-": takes no part.
void list(const KindOf& kind, const Pattern& p, double cycles) {
  std::printf("%s,%s,%.2f", kind.name, p.family.c_str(), cycles);
  for (int lane = 0; lane < kind.lanes; ++lane) {
    const std::uint32_t at = p.at[static_cast<std::size_t>(lane)];
    std::printf(at == kOff ? ",-" : ",%u", at);
  }
  std::printf("\n");
}

int main(int argc, char** argv) {
  const std::string asked = argc > 1 ? argv[1] : "";
  const int rounds = asked == "small" ? 2 : 64;
  const int random_ones = asked == "small" ? 1 : asked == "sample" ? 3 : 400;
  for (std::size_t k = 0; k < sizeof(kKinds) / sizeof(kKinds[0]); ++k) {
    const KindOf& kind = kKinds[k];
    const std::vector<Pattern> all =
        patterns_of(kind.bytes, random_ones, kind.kind < Kind::ldmatrix1);
    std::vector<double> each;
    for (const long long cycles : measure(k, all, rounds))
      each.push_back(static_cast<double>(cycles) / (rounds * kUnrolled * kWarps));
    if (asked != "sample") summarise(kind, all, each);
    for (std::size_t p = 0; asked == "sample" && p < all.size(); ++p) list(kind, all[p], each[p]);
  }
  return 0;
}
