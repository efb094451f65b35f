// SPDX-License-Identifier: MIT
// What does mma.sync give, and ldmatrix, stmatrix, movmatrix, when lanes of the warp are missing?
// All of these are .aligned: all threads of the warp must execute them, says the ISA, else it is
// undefined.
//
//     never there   the block has fewer threads
//     exited        they had the same registers as ever, and have exited
//     apart         they are alive, in the other branch of an `if`
//
// Every lane's registers were filled before. Compared is with what all 32 lanes get together, and
// with what they get when the missing ones have zeros in A and B. PTX ISA 9.2, 9.7.14.5. The answer
// is docs/experiments/missing_lanes.md.
#include <cuda_fp16.h>

#include "one_by_one.cuh"

constexpr const char* kWhats[] = {"mma",      "mma.s8",   "ldmatrix", "ldmatrix.trans",
                                  "stmatrix", "movmatrix"};
enum How { kTogether, kNeverThere, kExited, kApart };
constexpr const char* kHows[] = {"together", "never there", "exited", "apart"};
constexpr unsigned kMissing[] = {0xffff0000u, 0xfff00000u, 0x80000000u, 0xaaaaaaaau, 1u << 5};
constexpr const char* kNames[] = {"16 to 31", "20 to 31", "31", "the odd ones", "5"};
constexpr int kKinds = 6, kCases = 13;
constexpr unsigned kOther = 0x07e40000;  // what lanes in the other branch leave

__device__ void execute(int what, unsigned (&r)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                        unsigned row, unsigned* place) {
  switch (what) {
    case 0:
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
          "{%8, %9}, {%0, %1, %2, %3};"
          : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
      break;
    case 1:
      asm volatile(
          "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
          "{%8, %9}, {%0, %1, %2, %3};"
          : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
      break;
    case 2:
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                   : "r"(row)
                   : "memory");
      break;
    case 3:
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                   : "r"(row)
                   : "memory");
      break;
    case 4:
      asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                   :
                   : "r"(row), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
                   : "memory");
      for (int k = 0; k < 4; ++k) r[k] = place[threadIdx.x * 4 + k];
      break;
    default:
      for (int k = 0; k < 4; ++k)
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[k]) : "r"(a[k]));
  }
}

template <int kWhat>
__global__ void run(How how, unsigned missing, bool has_zeros, uint4* out) {
  __shared__ __align__(128) unsigned place[128];
  const unsigned lane = threadIdx.x;
  const bool is_missing = missing >> lane & 1;
  unsigned a[4], b[2], r[4];
  for (unsigned k = 0; k < 4; ++k) {
    for (unsigned n = lane; n < 32; n += blockDim.x) place[n * 4 + k] = n * 4 + k;
    // halves of 1 to 2, bytes of any size
    a[k] = has_zeros && is_missing ? 0 : 0x3c003c00u + (lane * 8 + k * 2) * 0x10003u;
    r[k] = kWhat == 0 ? __float_as_uint(static_cast<float>(lane * 4 + k)) : lane * 4 + k;
    if (k < 2) b[k] = has_zeros && is_missing ? 0 : 0x3c003c00u + (lane * 4 + k * 131) * 0x10001u;
  }
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(place)) + lane * 16;
  for (unsigned k = 0; k < 4; ++k) asm volatile("" : "+r"(a[k]), "+r"(r[k]), "+r"(b[k & 1]));
  __syncwarp();
  if (how == kApart) {
    if (is_missing) {
      asm volatile("" : "+r"(a[0]));  // this branch has something of its own to do
      out[lane] = make_uint4(kOther, kOther, kOther, a[0]);
    } else {
      execute(kWhat, r, a, b, row, place);
      out[lane] = make_uint4(r[0], r[1], r[2], r[3]);
    }
    return;
  }
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p exit; }"
               :
               : "r"(how == kExited && is_missing ? 1 : 0));
  execute(kWhat, r, a, b, row, place);
  out[lane] = make_uint4(r[0], r[1], r[2], r[3]);
}

using Kernel = void (*)(How, unsigned, bool, uint4*);
constexpr Kernel kRuns[] = {run<0>, run<1>, run<2>, run<3>, run<4>, run<5>};

static std::vector<uint4> results(int what, How how, unsigned missing, bool has_zeros,
                                  cudaError_t& error) {
  uint4* out = to_device(std::vector<uint4>(32, uint4{0xffff, 0xffff, 0xffff, 0xffff}));
  const int threads = how == kNeverThere ? __builtin_ctz(missing) : 32;
  kRuns[what]<<<1, threads>>>(how, missing, has_zeros, out);
  error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return {};
  std::vector<uint4> all = from_device(out, 32);
  CHECK(cudaFree(out));
  return all;
}

int main(int argc, char** argv) {
  return ask_one_by_one(argc, argv, kKinds * kCases, [](int k) {
    const int what = k / kCases, which = k % kCases;
    const How how = which < 3 ? kNeverThere : which < 8 ? kExited : kApart;
    const int who = which < 3 ? which : (which - 3) % 5;
    alarm(4);
    std::printf("%s, %s: %s:", kWhats[what], kHows[how], kNames[who]);
    std::fflush(stdout);
    cudaError_t error;
    const std::vector<uint4> all = results(what, kTogether, 0, false, error);
    const std::vector<uint4> zeros = results(what, kTogether, kMissing[who], true, error);
    const std::vector<uint4> some = results(what, how, kMissing[who], false, error);
    if (error != cudaSuccess) {
      std::printf(" %s\n", cudaGetErrorString(error));
      return false;
    }
    int registers = 0, same = 0, as_zeros = 0, zero = 0, other = 0;
    for (int lane = 0; lane < 32; ++lane) {
      if (kMissing[who] >> lane & 1) continue;
      const unsigned* got = &some[static_cast<std::size_t>(lane)].x;
      const unsigned* wanted = &all[static_cast<std::size_t>(lane)].x;
      const unsigned* with_zeros = &zeros[static_cast<std::size_t>(lane)].x;
      other += got[0] == kOther;
      for (int r = 0; r < 4; ++r)
        ++registers, same += got[r] == wanted[r], as_zeros += got[r] == with_zeros[r],
            zero += got[r] == 0;
    }
    std::printf(" of %d registers %d as with all lanes, %d as with zeros in theirs, %d are 0",
                registers, same, as_zeros, zero);
    if (other > 0) std::printf("; %d lanes took the other branch", other);
    std::printf("\n");
    for (const int lane : {0, 2, 8}) {
      const uint4 got = some[static_cast<std::size_t>(lane)],
                  wanted = all[static_cast<std::size_t>(lane)];
      std::printf("  lane %d: %x %x %x %x, with all lanes %x %x %x %x\n", lane, got.x, got.y, got.z,
                  got.w, wanted.x, wanted.y, wanted.z, wanted.w);
    }
    return true;
  });
}
