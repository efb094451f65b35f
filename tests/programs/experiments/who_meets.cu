// SPDX-License-Identifier: MIT
// Whom does a shfl.sync, vote, match, redux, elect or bar.warp.sync wait for, and whose registers
// does it see? The lanes of one warp
//
//     together   all of them, at one instruction
//
//     branches   lanes 0 to 15 at one instruction, 16 to 31 at another of the kind; all name all 32
//
//     exited     lanes 0 to 7 have exited; the others name all 32
//
//     some       lanes 0 to 15 alone are there and name all 32; the others go on to the end
//
//     outside    lanes 0 to 15 name themselves, and ask others, who sleep in another branch
//
// Every lane's number is 100 + lane; it asks `shfl` for that of lane ^ 16, and in `exited` of lane
// ^ 8. PTX ISA 9.2, 9.7.9.6, 9.7.13. The answer is docs/experiments/who_meets.md.
#include "one_by_one.cuh"

enum Where { kTogether, kBranches, kExited, kSome, kOutside };
constexpr const char* kWheres[] = {"together", "branches", "exited", "some", "outside"};
constexpr const char* kWhats[] = {"shfl",      "ballot",    "any",   "match.any", "match.all",
                                  "redux.add", "redux.min", "elect", "bar.warp"};
constexpr int kWays = 5, kKinds = 9;

/// What lane `lane` learns; the number that distinguishes two asks makes two instructions of them.
template <int kPlace>
__device__ unsigned ask(int what, unsigned value, unsigned other, unsigned* shared,
                        unsigned all = 0xffffffffu) {
  unsigned answer = 0xdead;
  const unsigned lane = threadIdx.x;
  switch (what) {
    case 0:
      asm volatile("{ // %4\n shfl.sync.idx.b32 %0, %1, %2, 31, %3; }"
                   : "=r"(answer)
                   : "r"(value), "r"(other), "r"(all), "n"(kPlace));
      break;
    case 1:
      asm volatile("{ // %3\n .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                   : "=r"(answer)
                   : "r"(value & 1), "r"(all), "n"(kPlace));
      break;
    case 2:
      asm volatile(
          "{ // %3\n .reg .pred p; setp.gt.u32 p, %1, 125; vote.sync.any.pred p, p, %2; selp.u32 "
          "%0, 1, 0, p; }"
          : "=r"(answer)
          : "r"(value), "r"(all), "n"(kPlace));
      break;
    case 3:
      asm volatile("{ // %3\n match.any.sync.b32 %0, %1, %2; }"
                   : "=r"(answer)
                   : "r"(value & 3), "r"(all), "n"(kPlace));
      break;
    case 4:
      asm volatile("{ // %3\n match.all.sync.b32 %0, %1, %2; }"
                   : "=r"(answer)
                   : "r"(value & 64), "r"(all), "n"(kPlace));
      break;
    case 5:
      asm volatile("{ // %3\n redux.sync.add.u32 %0, %1, %2; }"
                   : "=r"(answer)
                   : "r"(value), "r"(all), "n"(kPlace));
      break;
    case 6:
      asm volatile("{ // %3\n redux.sync.min.u32 %0, %1, %2; }"
                   : "=r"(answer)
                   : "r"(value), "r"(all), "n"(kPlace));
      break;
    case 7:
      asm volatile("{ // %2\n .reg .pred p; elect.sync %0|p, %1; @p add.u32 %0, %0, 1000; }"
                   : "=r"(answer)
                   : "r"(all), "n"(kPlace));
      break;
    default:
      shared[lane] = value;
      asm volatile("{ // %1\n bar.warp.sync %0; }" : : "r"(all), "n"(kPlace) : "memory");
      answer = *static_cast<volatile unsigned*>(shared + other);
  }
  return answer;
}

template <int kWhat>
__global__ void meet(int where, unsigned* out) {
  __shared__ unsigned shared[32];
  const unsigned lane = threadIdx.x, value = 100 + lane;
  shared[lane] = 7;
  __syncwarp();
  if (where == kExited) {
    if (lane < 8) return;
    out[lane] = ask<0>(kWhat, value, lane ^ 8, shared);
  } else if (where == kTogether) {
    out[lane] = ask<1>(kWhat, value, lane ^ 16, shared);
  } else if (lane < 16) {
    out[lane] = ask<2>(kWhat, value, lane ^ 16, shared, where == kOutside ? 0xffff : ~0u);
  } else if (where == kOutside) {
    __nanosleep(2000);
    out[lane] = value;
  } else if (where == kBranches) {
    __nanosleep(2000);
    const unsigned answer = ask<3>(kWhat, value, lane ^ 16, shared);
    out[lane] = answer;
  }
}

using Kernel = void (*)(int, unsigned*);
constexpr Kernel kMeets[] = {meet<0>, meet<1>, meet<2>, meet<3>, meet<4>,
                             meet<5>, meet<6>, meet<7>, meet<8>};

int main(int argc, char** argv) {
  return ask_one_by_one(argc, argv, kWays * kKinds, [](int k) {
    const int where = k / kKinds, what = k % kKinds;
    alarm(4);
    std::printf("%s, %s:", kWhats[what], kWheres[where]);
    std::fflush(stdout);
    unsigned* out = to_device(std::vector<unsigned>(32, 0xffff));
    kMeets[what]<<<1, 32>>>(where, out);
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
      std::printf(" %s\n", cudaGetErrorString(error));
      return false;
    }
    for (const unsigned answer : from_device(out, 32)) std::printf(" %x", answer);
    std::printf("\n");
    CHECK(cudaFree(out));
    return true;
  });
}
