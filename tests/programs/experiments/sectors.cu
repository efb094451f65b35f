// SPDX-License-Identifier: MIT
// How many sectors of global memory does a warp's access go to? One launch for each pattern of
// addresses and each kind of access, one warp that makes it once: ncu counts, launch by launch,
// what this program cannot see. Which launch is what it prints:
//
//     sectors [KIND]     kind,family,sectors as predicted,byte of each lane ("-": takes no part)
//     ncu --csv --page raw --metrics METRIC,... sectors KIND
//
// The answer, and the metrics that were asked for, is docs/experiments/sectors.md.
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../program.cuh"

constexpr std::uint32_t kBytes = 1 << 20;   // that lanes may name
constexpr std::uint32_t kOff = 0xffffffff;  // the address of a lane that takes no part
constexpr std::uint32_t kSector = 32;
constexpr int kBlocks = 132;  // ncu does not look at every multiprocessor each time

enum class Kind {
  load8,
  load16,
  load32,
  load64,
  load128,
  load_nc128,
  load_cg128,
  store8,
  store16,
  store32,
  store64,
  store128,
  red32,
  red64,
  red_f32,
  atom32,
  copy4,
  copy8,
  copy_ca16,
  copy16
};
struct KindOf {
  Kind kind;
  const char* name;
  std::uint32_t bytes;
};
constexpr KindOf kKinds[] = {{Kind::load8, "ld.global.u8", 1},
                             {Kind::load16, "ld.global.u16", 2},
                             {Kind::load32, "ld.global.u32", 4},
                             {Kind::load64, "ld.global.v2.u32", 8},
                             {Kind::load128, "ld.global.v4.u32", 16},
                             {Kind::load_nc128, "ld.global.nc.v4.u32", 16},
                             {Kind::load_cg128, "ld.global.cg.v4.u32", 16},
                             {Kind::store8, "st.global.u8", 1},
                             {Kind::store16, "st.global.u16", 2},
                             {Kind::store32, "st.global.u32", 4},
                             {Kind::store64, "st.global.v2.u32", 8},
                             {Kind::store128, "st.global.v4.u32", 16},
                             {Kind::red32, "red.global.add.u32", 4},
                             {Kind::red64, "red.global.add.u64", 8},
                             {Kind::red_f32, "red.global.add.f32", 4},
                             {Kind::atom32, "atom.global.add.u32", 4},
                             {Kind::copy4, "cp.async.ca 4", 4},
                             {Kind::copy8, "cp.async.ca 8", 8},
                             {Kind::copy_ca16, "cp.async.ca 16", 16},
                             {Kind::copy16, "cp.async.cg 16", 16}};

struct Places {
  std::uint32_t at[32];
};

template <Kind kKind>
__global__ void access(unsigned char* memory, const __grid_constant__ Places places,
                       std::uint32_t* sink) {
  __shared__ alignas(16) unsigned char tile[32 * 16];
  const std::uint32_t place = places.at[threadIdx.x];
  if (place == kOff) return;
  unsigned char* at = memory + place;
  std::uint32_t r[4] = {};
  std::uint16_t half = 0;
  const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile + threadIdx.x * 16));
  if (kKind == Kind::load8) asm volatile("ld.global.u8 %0, [%1];" : "=r"(r[0]) : "l"(at));
  if (kKind == Kind::load16) asm volatile("ld.global.u16 %0, [%1];" : "=h"(half) : "l"(at));
  if (kKind == Kind::load32) asm volatile("ld.global.u32 %0, [%1];" : "=r"(r[0]) : "l"(at));
  if (kKind == Kind::load64)
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "l"(at));
  if (kKind == Kind::load128)
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "l"(at));
  if (kKind == Kind::load_nc128)
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "l"(at));
  if (kKind == Kind::load_cg128)
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "l"(at));
  if (kKind == Kind::store8) asm volatile("st.global.u8 [%0], %1;" ::"l"(at), "r"(r[0]));
  if (kKind == Kind::store16) asm volatile("st.global.u16 [%0], %1;" ::"l"(at), "h"(half));
  if (kKind == Kind::store32) asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(r[0]));
  if (kKind == Kind::store64)
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(r[0]), "r"(r[1]));
  if (kKind == Kind::store128)
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(r[0]), "r"(r[1]),
                 "r"(r[2]), "r"(r[3]));
  if (kKind == Kind::red32) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(1));
  if (kKind == Kind::red64) asm volatile("red.global.add.u64 [%0], %1;" ::"l"(at), "l"(1ull));
  if (kKind == Kind::red_f32) asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(1.0f));
  if (kKind == Kind::atom32)
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(r[0]) : "l"(at), "r"(1));
  if (kKind == Kind::copy4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(at));
  if (kKind == Kind::copy8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(at));
  if (kKind == Kind::copy_ca16)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(at));
  if (kKind == Kind::copy16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(at));
  if (kKind >= Kind::copy4) asm volatile("cp.async.wait_all;");
  // ptxas leaves out a load of which nobody wants to know, volatile or not.
  if (kKind <= Kind::load_cg128) *sink = r[0] ^ r[1] ^ r[2] ^ r[3] ^ half;
}

struct Pattern {
  std::string family;
  std::array<std::uint32_t, 32> at{};
};

// Addresses in the width of the kind.
std::vector<Pattern> patterns_of(std::uint32_t width, int random_ones) {
  std::vector<Pattern> all;
  const auto add = [&](const std::string& family, const auto& place) {
    Pattern p{family, {}};
    for (int lane = 0; lane < 32; ++lane) {
      const long at = place(lane);
      p.at[static_cast<std::size_t>(lane)] =
          at < 0 ? kOff : static_cast<std::uint32_t>(at) * width % kBytes;
    }
    all.push_back(p);
  };
  for (const int shared : {1, 2, 4, 8, 16, 32}) {
    add("lanes / " + std::to_string(shared), [&](int lane) { return lane / shared; });
    add("lanes % " + std::to_string(shared), [&](int lane) { return lane % shared; });
  }
  for (const int stride : {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 31, 32, 33, 64, 100, 1024})
    add("stride " + std::to_string(stride), [&](int lane) { return lane * stride; });
  for (const int begin : {1, 2, 3, 4, 7, 8, 12, 16, 20, 31})
    add("from " + std::to_string(begin), [&](int lane) { return lane + begin; });
  for (const int flip : {1, 2, 4, 8, 16, 31})
    add("lane ^ " + std::to_string(flip), [&](int lane) { return lane ^ flip; });
  // Rows of a matrix: so many lanes a row, rows 4096 bytes apart.
  for (const int of_row : {1, 2, 4, 8, 16}) {
    const int apart = 4096 / static_cast<int>(width);
    add("rows " + std::to_string(of_row),
        [&](int lane) { return lane / of_row * apart + lane % of_row; });
    add("columns " + std::to_string(of_row),
        [&](int lane) { return lane % (32 / of_row) * apart + lane / (32 / of_row); });
  }
  Numbers numbers;
  const auto below = [&numbers](int end) { return (numbers.next(1 << 20) + (1 << 20)) % end; };
  for (int n = 0; n < random_ones; ++n) {
    const int window = 64 << below(12);  // bytes
    std::array<int, 32> any{};
    for (int& each : any) each = below(window / static_cast<int>(width));
    const int apart = 1 << below(5);
    const auto number = [&any](int lane) { return any[static_cast<std::size_t>(lane)]; };
    add("random in " + std::to_string(window), number);
    add("pairs " + std::to_string(apart), [&](int lane) { return number(lane & ~apart); });
    add("off one of " + std::to_string(apart),
        [&](int lane) { return (lane & apart) != 0 ? -1 : number(lane); });
    add("off some", [&](int lane) { return below(4) == 0 ? -1 : number(lane); });
  }
  return all;
}

// The sectors that any lane has a byte of.
int predicted(const KindOf& kind, const Pattern& p) {
  std::set<std::uint32_t> sectors;
  for (const std::uint32_t at : p.at)
    if (at != kOff) sectors.insert(at / kSector);
  (void)kind;  // no access is wider than a sector, and each begins at a multiple of its width
  return static_cast<int>(sectors.size());
}

template <int kIndex = 0>
void launch(std::size_t index, unsigned char* memory, const Places& places, std::uint32_t* sink) {
  constexpr int kCount = sizeof(kKinds) / sizeof(kKinds[0]);
  if constexpr (kIndex < kCount) {
    if (index == kIndex) return access<kKinds[kIndex].kind><<<kBlocks, 32>>>(memory, places, sink);
    launch<kIndex + 1>(index, memory, places, sink);
  }
}

int main(int argc, char** argv) {
  const std::string asked = argc > 1 ? argv[1] : "";
  const int random_ones = asked == "small" ? 2 : 16;
  unsigned char* memory = nullptr;
  CHECK(cudaMalloc(&memory, kBytes));
  CHECK(cudaMemset(memory, 0, kBytes));
  std::uint32_t* sink = to_device(std::vector<std::uint32_t>(1));
  for (std::size_t k = 0; k < sizeof(kKinds) / sizeof(kKinds[0]); ++k) {
    if (!asked.empty() && asked != "small" && asked != kKinds[k].name) continue;
    for (const Pattern& p : patterns_of(kKinds[k].bytes, random_ones)) {
      Places places;
      for (std::size_t lane = 0; lane < 32; ++lane) places.at[lane] = p.at[lane];
      launch(k, memory, places, sink);
      CHECK(cudaGetLastError());
      std::printf("%s,%s,%d", kKinds[k].name, p.family.c_str(), predicted(kKinds[k], p));
      for (const std::uint32_t at : p.at) std::printf(at == kOff ? ",-" : ",%u", at);
      std::printf("\n");
    }
  }
  CHECK(cudaDeviceSynchronize());
  return 0;
}
