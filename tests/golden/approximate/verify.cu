// SPDX-License-Identifier: MIT
// Compares the model of the approximate functions (common/numeric/approximate.hpp) with this
// machine's card, both computed there: all 2^32 operands of every f32 form, all pairs of halves,
// all 2^32 upper words of an f64 with three lower ones, and 2^36 quotients of each division. Prints
// how many differ, and the first of them; the exit code is 1 where one does.
//
//     nvcc -std=c++17 -arch=sm_90a -I common -o verify tests/golden/approximate/verify.cu
//     ./verify [MNEMONIC's beginning]
//
// nvcc alone builds it. docs/experiments/approximate.md has what an H200 said.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../check_cuda.cuh"
#include "forms.cuh"
#include "numeric/approximate.hpp"

namespace model = lanescope::numeric::approximate;
using namespace lanescope::golden::approximate;

struct Found {
  unsigned long long differences, a, b, card, model;
};

// What the model says, by the form's name.
#define MODEL(name, call)                                                                        \
  struct Model_##name {                                                                          \
    static __device__ Long at([[maybe_unused]] Long a, [[maybe_unused]] Word b) { return call; } \
  };
#define MODEL_single(name) MODEL(name, model::name(static_cast<Word>(a)))
#define MODEL_two(name) MODEL(name, model::name(static_cast<Word>(a), b))
#define MODEL_packed(name, half) \
  MODEL(name, model::half(static_cast<Word>(a)) | model::half(static_cast<Word>(a >> 16)) << 16)
#define MODEL_wide(name) MODEL(name, model::name(a))
MODEL_single(ex2) MODEL_single(ex2_ftz) MODEL_single(lg2) MODEL_single(lg2_ftz) MODEL_single(rcp)
    MODEL_single(rcp_ftz) MODEL_single(rsqrt) MODEL_single(rsqrt_ftz) MODEL_single(sqrt)
        MODEL_single(sqrt_ftz) MODEL_single(sin) MODEL_single(cos) MODEL_single(tanh)
            MODEL(sin_ftz, model::sin(static_cast<Word>(a)))
                MODEL(cos_ftz, model::cos(static_cast<Word>(a))) MODEL_two(div_approx)
                    MODEL_two(div_approx_ftz) MODEL_two(div_full) MODEL_two(div_full_ftz)
                        MODEL_single(ex2_f16) MODEL_single(tanh_f16) MODEL_single(ex2_bf16)
                            MODEL_single(tanh_bf16) MODEL_packed(ex2_f16x2, ex2_f16)
                                MODEL_packed(tanh_f16x2, tanh_f16)
                                    MODEL_packed(ex2_bf16x2, ex2_bf16)
                                        MODEL_packed(tanh_bf16x2, tanh_bf16) MODEL_wide(rcp_f64)
                                            MODEL_wide(rsqrt_f64) MODEL_wide(rsqrt_ftz_f64)

                                                __device__ Long scrambled(Long v) {  // splitmix64
  v += 0x9e3779b97f4a7c15ull;
  v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9ull;
  v = (v ^ v >> 27) * 0x94d049bb133111ebull;
  return v ^ v >> 31;
}

/// Question `i` of a form. Of quotients a third have any operands, a third have both near 1, and a
/// third divide by something close to an end of the range.
template <class Form>
__device__ void question(Long i, Long& a, Word& b) {
  a = i, b = 0;
  if (Form::kShape == Shape::wide) {
    const Long low = i >> 32;
    a = i << 32 | (low == 0 ? 0u : low == 1 ? 0xffffffffu : static_cast<Word>(scrambled(i)));
  }
  if (Form::kShape != Shape::two) return;
  const Long drawn = scrambled(i);
  a = static_cast<Word>(drawn), b = static_cast<Word>(drawn >> 32);
  if (i % 3 == 1) a = (a & 0x80ffffffu) | 0x3f000000u, b = (b & 0x80ffffffu) | 0x3f000000u;
  if (i % 3 == 2) b = (b & 0x83ffffffu) | ((b >> 26 & 1u) != 0 ? 0x7c000000u : 0u);
}

template <class Form, class Model>
__global__ void compare(Long count, Found* found) {
  const Long threads = Long{gridDim.x} * blockDim.x;
  for (Long i = Long{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
    Long a;
    Word b;
    question<Form>(i, a, b);
    const Long card = Form::at(a, b), made = Model::at(a, b);
    if (card == made || atomicAdd(&found->differences, 1ull) != 0) continue;
    found->a = a, found->b = b, found->card = card, found->model = made;
  }
}

template <class Form, class Model>
bool verify(const char* mnemonic, const char* wanted, Found* device) {
  if (std::strncmp(mnemonic, wanted, std::strlen(wanted)) != 0) return true;
  const Long count = Form::kShape == Shape::two    ? Long{1} << 36
                     : Form::kShape == Shape::half ? Long{1} << 16
                     : Form::kShape == Shape::wide ? Long{3} << 32
                                                   : Long{1} << 32;
  CHECK_CUDA(cudaMemset(device, 0, sizeof *device));
  compare<Form, Model><<<2048, 256>>>(count, device);
  Found found{};
  CHECK_CUDA(cudaMemcpy(&found, device, sizeof found, cudaMemcpyDeviceToHost));
  std::printf("%-24s %14llu inputs  %llu differences\n", mnemonic,
              static_cast<unsigned long long>(count), found.differences);
  if (found.differences != 0)
    std::printf("    %016llx, %08llx: card %016llx, model %016llx\n", found.a, found.b, found.card,
                found.model);
  std::fflush(stdout);
  return found.differences == 0;
}

int main(int argc, char** argv) {
  Found* device = nullptr;
  CHECK_CUDA(cudaMalloc(&device, sizeof *device));
  bool same = true;
#define VERIFY(shape, name, mnemonic) \
  same &= verify<Form_##name, Model_##name>(mnemonic, argc > 1 ? argv[1] : "", device);
  LANESCOPE_APPROXIMATE_FORMS(VERIFY)
  return same ? 0 : 1;
}
