// SPDX-License-Identifier: MIT
// Lesson 10, descriptors: 64 bits tell wgmma where a matrix lies in shared memory. Predict the byte
// of every element from the five fields, then look which byte the hardware fetched: in every
// swizzle mode, K- and MN-major. Then a wrong LBO, and the slices of a tile along K.
//
// How to look: every element of shared memory is a number of its own, A is the identity, so D is B
// as wgmma found it:  D[k][n] = sum over j of A[k][j] * B[j][n] = B[k][n].
//
//   By hand:  nvcc -gencode arch=compute_90a,code=sm_90a -I ../../common/device lesson.cu
//   Source:   PTX ISA 9.2, 9.7.15.5.1.2 (shared memory layout), .2.2 (the descriptor).
//   Steps:    kernel=fetch
#include <cstdlib>
#include <vector>

#include "device_array.cuh"
#include "element.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "record.cuh"
#include "tables.cuh"
#include "this_device.cuh"

// ---- The descriptor, and the byte that it leads to ----------------------------------------------

struct Descriptor {
  int start_bytes, lbo_bytes, sbo_bytes;  // multiples of 16
  int mode;                               // 0 none, 1 = 128 B, 2 = 64 B, 3 = 32 B: backwards
};

//   63 62 | 61 .. 52 | 51 49 | 48 46 | 45 .. 32 | 31 30 | 29 .. 16 | 15 14 | 13 .. 0
//   mode  |          | base  |       |   SBO    |       |   LBO    |       |  start    in 16 bytes
__host__ __device__ uint64_t encode(const Descriptor& d) {
  const auto field = [](int bytes) { return static_cast<uint64_t>((bytes & 0x3ffff) >> 4); };
  return field(d.start_bytes) | field(d.lbo_bytes) << 16 | field(d.sbo_bytes) << 32 |
         static_cast<uint64_t>(d.mode) << 62;
}

// The byte where element (n, k) begins; an element has 2 bytes, so a unit of 16 bytes has 8. A row
// of an atom is `units` units long: 1, 2, 4 or 8.
int predicted_byte(const Descriptor& d, bool n_major, int n, int k) {
  const int units = d.mode == 0 ? 1 : 16 >> d.mode, row = 16 * units, wide = 8 * units;
  int byte = d.start_bytes;
  if (!n_major && d.mode == 0)  // rows of 8 along k; LBO to the next 8 of k, SBO to the next 8 of n
    byte += n % 8 * 16 + n / 8 * d.sbo_bytes + k % 8 * 2 + k / 8 * d.lbo_bytes;
  else if (!n_major)  // LBO is not used: k stays within a row
    byte += n % 8 * row + n / 8 * d.sbo_bytes + k * 2;
  else if (d.mode == 0)  // rows of 8 along n; LBO to the next 8 of k, SBO to the next 8 of n
    byte += n % 8 * 2 + n / 8 * d.sbo_bytes + k % 8 * 16 + k / 8 * d.lbo_bytes;
  else  // here they change places: LBO to the next atom, `wide` of n on, SBO to the next 8 of k
    byte += n % wide * 2 + n / wide * d.lbo_bytes + k % 8 * row + k / 8 * d.sbo_bytes;
  return byte ^ (byte / 128 % units) * 16;  // the swizzle: address bits 7, 8, 9 onto 4, 5, 6
}

// ---- Looking ------------------------------------------------------------------------------------

constexpr int kMemory = 4096;  // elements; B is 16 x 64, kK x kN (tables.cuh)

// f16 counts to 2048 only: an element's number goes in two halves, upper (number / 64) and lower.
template <bool kNMajor>
__global__ void fetch(Descriptor of_b, bool upper, float* out, DeviceRecorder recorder) {
  __shared__ __align__(1024) uint16_t memory[kMemory];
  __shared__ __align__(128) uint16_t identity[64 * 16];
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kMemory; i += 128)
    memory[i] = static_cast<uint16_t>(F16::encode(upper ? i / 64 : i % 64));
  for (int i = thread; i < 64 * 16; i += 128) {  // no swizzle, K-major: LBO 128, SBO 256
    const int m = i / 16, k = i % 16;
    identity[m / 8 * 128 + k / 8 * 64 + m % 8 * 8 + k % 8] =
        static_cast<uint16_t>(F16::encode(m == k));
  }
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
  const uint64_t a = ptx::matrix_descriptor(identity, 128, 256, 0);
  Descriptor b = of_b;  // counted from `memory` so far
  b.start_bytes += static_cast<int>(ptx::shared_address(memory));
  float d[kN / 2];
  ptx::wgmma_fence_sync_aligned();
  ptx::wgmma_mma_async_sync_aligned_m64n64k16_f32_f16_f16<1, 1, 0, kNMajor>(d, a, encode(b), 0);
  ptx::wgmma_commit_group_sync_aligned();
  ptx::wgmma_wait_group_sync_aligned<0>();
  RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", d);
  if (thread < 32)  // D's rows 0 to 15: k
    for (int i = 0; i < kN / 2; ++i) {
      const int k = thread / 4 + i / 2 % 2 * 8, n = i / 4 * 8 + thread % 4 * 2 + i % 2;
      out[k * kN + n] = d[i];
    }
}

// The byte from which each element of B was fetched.
Fetched look(const Descriptor& b, bool n_major, Recorder& recorder, bool record = false) {
  DeviceArray<float> out(kK * kN);
  Fetched fetched;
  for (const bool upper : {true, false}) {
    DeviceRecorder on = recorder.launch("fetch", 1, 128);
    if (!record || upper) on = DeviceRecorder{};
    if (n_major)
      fetch<true><<<1, 128>>>(b, upper, out.data(), on);
    else
      fetch<false><<<1, 128>>>(b, upper, out.data(), on);
    const std::vector<float> d = out.get();
    for (size_t i = 0; i < d.size(); ++i)
      fetched.bytes[i] += static_cast<int>(d[i]) * (upper ? 128 : 2);
  }
  return fetched;
}

int count_right(const Fetched& fetched, const Descriptor& b, bool n_major) {
  int right = 0;
  for (int k = 0; k < kK; ++k)
    for (int n = 0; n < kN; ++n) right += fetched.at(k, n) == predicted_byte(b, n_major, n, k);
  return right;
}

// ---- 1. Every mode ------------------------------------------------------------------------------

struct Case {
  const char* name;
  bool n_major;
  Descriptor b;
};
// Packed tiles: nothing between one atom and the next.
constexpr Case kCases[] = {
    {"none  K-major", false, {0, 128, 256, 0}}, {"32B   K-major", false, {0, 16, 256, 3}},
    {"64B   K-major", false, {0, 16, 512, 2}},  {"128B  K-major", false, {0, 16, 1024, 1}},
    {"none  N-major", true, {0, 1024, 128, 0}}, {"32B   N-major", true, {0, 256, 1024, 3}},
    {"64B   N-major", true, {0, 512, 1024, 2}}, {"128B  N-major", true, {0, 1024, 1024, 1}},
};

bool every_mode(Recorder& recorder) {
  print_head_of_modes();
  bool good = true;
  for (const Case& c : kCases) {
    const Fetched fetched = look(c.b, c.n_major, recorder, c.b.mode == 1 && !c.n_major);
    const int right = count_right(fetched, c.b, c.n_major);
    good = print_mode(c.name, c.b.lbo_bytes, c.b.sbo_bytes, encode(c.b), fetched, right) && good;
  }
  return good;
}

// ---- 2. A wrong LBO -----------------------------------------------------------------------------

bool wrong_lbo(int lbo_bytes, Recorder& recorder) {
  const Descriptor right_one{0, 128, 256, 0}, b{0, lbo_bytes, 256, 0};
  const Fetched fetched = look(b, false, recorder);
  return print_wrong_lbo(lbo_bytes, fetched, count_right(fetched, right_one, false));
}

// ---- 3. Slices along K --------------------------------------------------------------------------

// A tile of 64 n x 64 k, 128 B swizzle, K-major: 8 KB, four times K = 16. The next slice begins 32
// bytes further on in the same rows. The start address is not swizzled; what it leads to is.
bool slices(Recorder& recorder) {
  bool good = true;
  std::vector<Fetched> all;
  for (int slice = 0; slice < 4; ++slice) {
    const Descriptor b{32 * slice, 16, 1024, 1};
    all.push_back(look(b, false, recorder));
    good = good && count_right(all.back(), b, false) == 1024;
  }
  return print_slices(all, good);
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace", "--lbo"});
  const int lbo_bytes = argument_number(argc, argv, "--lbo", 256, 0, 4096);
  if (lbo_bytes % 16 != 0) {
    std::fprintf(stderr, "lesson: --lbo %d: wanted is a multiple of 16\n", lbo_bytes);
    return 2;
  }
  Recorder recorder(argc, argv, "10_descriptors");
  recorder.view("10 descriptors", {"fragments", "lanes"}, "D 3,5",
                "D is B as wgmma fetched it: the number of every element in its row of 128 bytes.");
  const ThisDevice device = introduce("Descriptors");
  if (device.arch != "sm_90a") return device.lacks("wgmma is an instruction of sm_90a alone", 10);
  bool good = every_mode(recorder);
  good = wrong_lbo(lbo_bytes, recorder) && good;
  good = slices(recorder) && good;
  return recorder.write() && good ? 0 : 1;
}
