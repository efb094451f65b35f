// SPDX-License-Identifier: MIT
// A cp.async with a cache policy (.L2::cache_hint), in the forms in which a thread may name the
// place that it copies to. How many of 128 pieces are there behind the wait? 128, says the ISA.
//
// PTX ISA 9.2, 9.7.9.25.3.1 (cp.async), 9.7.9.18 (createpolicy). The answer is in
// docs/experiments/ptxas_mistakes.md.
#include <utility>

#include "one_by_one.cuh"
#include "ptx/shared_address.cuh"

constexpr int kThreads = 128;

enum class Form {
  array,        // place = array + 16 * thread: what many kernels write
  no_policy,    // the same without a policy
  stage,        // in a loop, another stage each time
  launch,       // the launch's shared memory
  one_thread,   // all lanes have the same place
  four_bytes,   // .ca, 4 bytes of each 16
  source_size,  // 8 bytes, the rest zeros
  guarded,      // where a register of the lane is not 0
  no_choice,    // a policy of 0
  written,      // the place is stored to before, by an ordinary store
  opaque,       // an addition of zero that the compiler cannot know
};
constexpr const char* kForms[] = {
    "array",       "array, no policy", "stages of an array", "shared memory of the launch",
    "one thread",  "4 bytes",          "source size",        "guarded",
    "policy of 0", "stored to before", "zero added"};
constexpr int kFormCount = sizeof(kForms) / sizeof(kForms[0]);

template <Form kForm>
__global__ void copies(const int4* from, int4* to, int zero) {
  extern __shared__ int4 of_launch[];
  __shared__ int4 array[2 * kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  std::uint64_t policy = 0;
  if (kForm != Form::no_choice && kForm != Form::no_policy)
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  int4* const tile = kForm == Form::launch ? of_launch : array;
  std::uint32_t place = ptx::shared_address(&tile[thread]);
  if (kForm == Form::opaque) place += static_cast<std::uint32_t>(zero);
  if (kForm == Form::written) {
    tile[thread] = make_int4(0, 0, 0, 0);
    __syncthreads();
  }
  if (kForm == Form::no_policy)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from + thread));
  else if (kForm == Form::four_bytes)
    asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, %2;" ::"r"(place),
                 "l"(from + thread), "l"(policy));
  else if (kForm == Form::source_size)
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, 8, %2;" ::"r"(place),
                 "l"(from + thread), "l"(policy));
  else if (kForm == Form::guarded)
    asm volatile(
        "{ .reg .pred p; setp.eq.s32 p, %3, 0;\n"
        "@p cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2; }" ::"r"(place),
        "l"(from + thread), "l"(policy), "r"(zero));
  else if (kForm == Form::one_thread) {
    if (thread == 5)
      for (int k = 0; k < kThreads; ++k)
        asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(
                         ptx::shared_address(&tile[k])),
                     "l"(from + k), "l"(policy));
  } else
    for (int k = 0; k < (kForm == Form::stage ? 2 + zero : 1); ++k)
      asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(
                       place + static_cast<std::uint32_t>(k * kThreads * 16)),
                   "l"(from + thread), "l"(policy));
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  to[thread] = tile[thread ^ 1];
}

template <Form kForm>
bool ask() {
  std::vector<int4> values;
  for (int k = 0; k < kThreads; ++k) values.push_back({k + 1, 3 * k + 1, 5 * k + 1, 7 * k + 1});
  int4* from = to_device(values);
  int4* to = to_device(std::vector<int4>(kThreads));
  copies<kForm><<<1, kThreads, kThreads * sizeof(int4)>>>(from, to, 0);
  std::printf("%s: ", kForms[static_cast<int>(kForm)]);
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return false;
  }
  const std::vector<int4> got = from_device(to, kThreads);
  int right = 0;
  for (int k = 0; k < kThreads; ++k) {
    const int4 want = values[static_cast<std::size_t>(k ^ 1)],
               is = got[static_cast<std::size_t>(k)];
    right += kForm == Form::four_bytes ? is.x == want.x
             : kForm == Form::source_size
                 ? is.x == want.x && is.y == want.y && is.z == 0 && is.w == 0
                 : is.x == want.x && is.y == want.y && is.z == want.z && is.w == want.w;
  }
  std::printf("%d of %d\n", right, kThreads);
  return true;
}

template <int... kForm>
bool ask(int form, std::integer_sequence<int, kForm...>) {
  bool good = false;
  (void)((form == kForm && (good = ask<static_cast<Form>(kForm)>(), true)) || ...);
  return good;
}

int main(int argc, char** argv) {
  return ask_one_by_one(argc, argv, kFormCount, [](int form) {
    return ask(form, std::make_integer_sequence<int, kFormCount>());
  });
}
