// SPDX-License-Identifier: MIT
// wgmma's shared-memory descriptor, read back: from which place of shared memory does the hardware
// take element (row, k) of an operand? 64 KB are filled with bit j of every element's own index;
// the other operand has ones in one k only; the products spell the index. Nothing of what the ISA
// says about majors, strides, swizzles or the base offset is used, only the way D is spread over
// the registers, which probe_places found.
//
//   descriptor INSTRUCTION operand=A major=K mode=128B start=0 lbo=16 sbo=1024 base=0 : index ...
//
// One index for every (row, k), k fastest: elements of the operand's width from the beginning of
// the 64 KB (which lie at a multiple of 1024); 65535 * 32 / width and the like may be out of it.
#pragma once

#include "probe_wgmma.cuh"

struct Config {
  bool of_a;
  bool mn_major;
  int mode;  // the descriptor's bits 63:62
  std::uint32_t start, lbo, sbo;
  int base;
};

constexpr int kAreaBytes = 65536;

template <class I>
__global__ void __launch_bounds__(128)
    probe_descriptor(const Config* configs, const std::uint32_t* place, std::uint32_t* taken,
                     int* bad) {
  using S = Sizes<I>;
  extern __shared__ unsigned char dynamic[];
  __shared__ alignas(1024) unsigned char known[64 * 32];
  unsigned char* area = dynamic + (1024 - shared_address(dynamic) % 1024) % 1024;
  const Config config = configs[blockIdx.x];
  const int thread = threadIdx.x;
  const std::uint64_t probed = descriptor(shared_address(area) + config.start, config.lbo,
                                          config.sbo, config.base, config.mode);
  const std::uint64_t other = descriptor(shared_address(known), 128, 256, 0, 0);
  const Type type = config.of_a ? I::AT : I::BT, other_type = config.of_a ? I::BT : I::AT;
  std::uint32_t* out = taken + static_cast<std::size_t>(blockIdx.x) * 64 * I::K;
  const std::uint32_t unused[4] = {};
  int wrong = 0;
  for (int bit = 0; bit < log2_of(kAreaBytes * 8 / I::bits); ++bit) {
    for (int at = 4 * thread; at < kAreaBytes; at += 4 * blockDim.x) {
      std::uint32_t word = 0;
      for (int p = 0; p < 32 / I::bits; ++p)
        if (((at * 8 / I::bits + p) >> bit) & 1)
          word |= static_cast<std::uint32_t>(one(type)) << (p * I::bits % 32);
      *reinterpret_cast<std::uint32_t*>(area + at) = word;
    }
    for (int k = 0; k < I::K; ++k) {
      fill_tile<I::bits>(known, 64, 32, one(other_type), [&](int, int kk) { return kk == k; });
      written();
      std::uint32_t d[I::DR] = {};
      issue<I>(0, d, unused, config.of_a ? probed : other, config.of_a ? other : probed, 0, 0,
               config.mn_major ? (config.of_a ? 2 : 1) : 0);
      for (int i = 0; i < S::kD; ++i) {
        const int v = result<I>(d, i);
        wrong += v != 0 && v != 1;
        const std::uint32_t* at = place + (thread * S::kD + i) * 3;
        if (at[config.of_a ? 1 : 0] == 0)
          out[at[config.of_a ? 0 : 1] * I::K + k] |= static_cast<std::uint32_t>(v & 1) << bit;
      }
    }
  }
  if (wrong) atomicAdd(bad, wrong);
}

inline std::vector<Config> descriptor_configs(int bits) {
  std::vector<Config> all;
  constexpr std::uint32_t kUnits[] = {1, 8, 4, 2};  // 16-byte units in a row of an atom, by mode
  for (bool of_a : {true, false})
    for (bool mn : {false, true})
      for (int mode = 0; mode < 4; ++mode) {
        if (mn && bits != 16) continue;
        const std::uint32_t atom = 128 * kUnits[mode], T = 128 / bits;
        // nothing between the atoms, along M or N first
        const std::uint32_t column = atom * (mn ? 64 / (kUnits[mode] * T) : 8);
        const std::uint32_t sbo = mn && mode != 0 ? column : atom, lbo = mn && mode != 0 ? atom
                                                                         : mode == 0     ? column
                                                                                         : 16;
        const auto add = [&](std::uint32_t start, std::uint32_t l, std::uint32_t s, int base) {
          all.push_back({of_a, mn, mode, start, l, s, base});
        };
        add(0, lbo, sbo, 0);
        if (bits == 1) {
          add(32, lbo, sbo, 0), add(128, lbo, sbo, 1);
          continue;
        }
        for (std::uint32_t start :
             {16u, 32u, 64u, 128u, 256u, 384u, 512u, 640u, 1024u, 1056u, 8192u})
          add(start, lbo, sbo, 0);
        for (int base = 1; base < 8; ++base) add(0, lbo, sbo, base);
        for (std::uint32_t row = 1; row < 8; ++row) add(128 * row, lbo, sbo, static_cast<int>(row));
        add(256, lbo, sbo, 1), add(160, lbo, sbo, 1), add(160, lbo, sbo, 5);
        add(0, 2 * lbo, sbo, 0), add(0, lbo, 2 * sbo, 0), add(0, 4096, sbo, 0),
            add(0, lbo, 2048, 0), add(0, 0, sbo, 0), add(0, lbo, 0, 0);
        add(0, lbo, sbo + 128, 0), add(0, lbo + 128, sbo, 0), add(0, lbo, sbo + 16, 0);
      }
  return all;
}

template <class I>
void record_descriptors() {
  using S = Sizes<I>;
  const std::vector<Config> configs = descriptor_configs(I::bits);
  Buffer<int> bad(1);
  Buffer<std::uint32_t> place(128 * S::kD * 3);
  probe_places<I><<<1, 128>>>(place.device, bad.device);
  finish();
  Buffer<Config> list(configs.size());
  OK(cudaMemcpy(list.device, configs.data(), configs.size() * sizeof(Config),
                cudaMemcpyHostToDevice));
  Buffer<std::uint32_t> taken(configs.size() * 64 * I::K);
  OK(cudaFuncSetAttribute(probe_descriptor<I>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                          kAreaBytes + 1024));
  probe_descriptor<I><<<static_cast<unsigned>(configs.size()), 128, kAreaBytes + 1024>>>(
      list.device, place.device, taken.device, bad.device);
  finish();
  if (bad.read()[0] != 0) fail(I::name, "a result that is neither 0 nor 1");
  const std::vector<std::uint32_t> found = taken.read();
  const char* modes[] = {"none", "128B", "64B", "32B"};
  for (std::size_t c = 0; c < configs.size(); ++c) {
    const Config& g = configs[c];
    std::printf(
        "descriptor %s operand=%c major=%s mode=%s start=%u lbo=%u sbo=%u base=%d :", I::name,
        g.of_a ? 'A' : 'B', g.mn_major ? "MN" : "K", modes[g.mode], g.start, g.lbo, g.sbo, g.base);
    for (int n = 0; n < 64 * I::K; ++n) std::printf(" %u", found[c * 64 * I::K + n]);
    std::printf("\n");
  }
}
