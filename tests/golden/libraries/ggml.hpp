// SPDX-License-Identifier: MIT
// What is used of ggml, the library below llama.cpp and whisper.cpp: declarations of our own, so
// that nothing but its shared objects is needed. Tensors are nameless here: nobody looks inside.
#pragma once

#include <cstddef>
#include <cstdint>

using Tensor = void*;
using Context = void*;
using Backend = void*;

enum Type : int {
  kF32 = 0,
  kF16 = 1,
  kQ4_0 = 2,
  kQ4_1 = 3,
  kQ5_0 = 6,
  kQ5_1 = 7,
  kQ8_0 = 8,
  kQ2_K = 10,
  kQ3_K = 11,
  kQ4_K = 12,
  kQ5_K = 13,
  kQ6_K = 14,
  kIQ3_XXS = 18,
  kIQ4_NL = 20,
  kIQ3_S = 21,
  kIQ2_S = 22,
  kIQ4_XS = 23,
  kI32 = 26,
  kI64 = 27,
  kBF16 = 30,
  kMXFP4 = 39,
  kNVFP4 = 40
};

extern "C" {
struct ggml_init_params {
  std::size_t mem_size;
  void* mem_buffer;
  bool no_alloc;
};
Context ggml_init(ggml_init_params);
void ggml_free(Context);
void* ggml_new_graph(Context);
void ggml_build_forward_expand(void* graph, Tensor);
Backend ggml_backend_cuda_init(int device);
void* ggml_backend_alloc_ctx_tensors(Context, Backend);
void ggml_backend_buffer_free(void*);
void ggml_backend_tensor_set(Tensor, const void*, std::size_t offset, std::size_t bytes);
void ggml_backend_tensor_get(Tensor, void*, std::size_t offset, std::size_t bytes);
int ggml_backend_graph_compute(Backend, void* graph);
bool ggml_backend_supports_op(Backend, Tensor);
std::size_t ggml_nbytes(Tensor);
std::int64_t ggml_nelements(Tensor);
const char* ggml_type_name(int);
std::size_t ggml_quantize_chunk(int type, const float*, void*, std::int64_t start,
                                std::int64_t rows, std::int64_t row, const float* importance);
void ggml_fp32_to_fp16_row(const float*, std::uint16_t*, std::int64_t);
void ggml_fp32_to_bf16_row(const float*, std::uint16_t*, std::int64_t);

Tensor ggml_new_tensor_4d(Context, int type, std::int64_t, std::int64_t, std::int64_t,
                          std::int64_t);
Tensor ggml_view_4d(Context, Tensor, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                    std::size_t, std::size_t, std::size_t, std::size_t offset);
Tensor ggml_transpose(Context, Tensor);
Tensor ggml_permute(Context, Tensor, int, int, int, int);
Tensor ggml_cont(Context, Tensor);
Tensor ggml_cpy(Context, Tensor from, Tensor to);

Tensor ggml_mul_mat(Context, Tensor a, Tensor b);
Tensor ggml_mul_mat_id(Context, Tensor a, Tensor b, Tensor experts);
Tensor ggml_out_prod(Context, Tensor, Tensor);
Tensor ggml_flash_attn_ext(Context, Tensor q, Tensor k, Tensor v, Tensor mask, float scale,
                           float max_bias, float softcap);
void ggml_flash_attn_ext_set_prec(Tensor, int);
void ggml_flash_attn_ext_add_sinks(Tensor, Tensor);

Tensor ggml_soft_max_ext(Context, Tensor, Tensor mask, float scale, float max_bias);
Tensor ggml_rms_norm(Context, Tensor, float);
Tensor ggml_norm(Context, Tensor, float);
Tensor ggml_l2_norm(Context, Tensor, float);
Tensor ggml_add(Context, Tensor, Tensor);
Tensor ggml_mul(Context, Tensor, Tensor);
Tensor ggml_sub(Context, Tensor, Tensor);
Tensor ggml_div(Context, Tensor, Tensor);
Tensor ggml_argsort(Context, Tensor, int descending);
Tensor ggml_cumsum(Context, Tensor);
Tensor ggml_sum_rows(Context, Tensor);
Tensor ggml_mean(Context, Tensor);
Tensor ggml_argmax(Context, Tensor);
Tensor ggml_cross_entropy_loss(Context, Tensor, Tensor);
Tensor ggml_get_rows(Context, Tensor, Tensor);
Tensor ggml_set_rows(Context, Tensor, Tensor, Tensor);
Tensor ggml_rope_ext(Context, Tensor, Tensor positions, Tensor factors, int dims, int mode,
                     int context, float base, float scale, float ext, float attention, float fast,
                     float slow);
Tensor ggml_conv_2d_direct(Context, Tensor, Tensor, int, int, int, int, int, int);
Tensor ggml_im2col(Context, Tensor, Tensor, int, int, int, int, int, int, bool, int type);
Tensor ggml_pool_2d(Context, Tensor, int op, int, int, int, int, float, float);
Tensor ggml_upscale(Context, Tensor, int factor, int mode);
Tensor ggml_concat(Context, Tensor, Tensor, int dim);
Tensor ggml_repeat(Context, Tensor, Tensor);
Tensor ggml_ssm_conv(Context, Tensor, Tensor);
Tensor ggml_rwkv_wkv6(Context, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor);
Tensor ggml_gated_linear_attn(Context, Tensor, Tensor, Tensor, Tensor, Tensor, float scale);
Tensor ggml_timestep_embedding(Context, Tensor, int dims, int period);

// clang-format off
#define LANESCOPE_GGML_UNARY(X)                                                              \
  X(gelu) X(silu) X(relu) X(tanh) X(sigmoid) X(gelu_erf) X(gelu_quick) X(exp) X(sin) X(cos)  \
  X(sqr) X(elu) X(hardswish) X(softplus) X(expm1) X(sgn) X(step) X(round) X(floor)           \
  X(swiglu) X(geglu) X(reglu) X(geglu_erf) X(geglu_quick)
// clang-format on
#define LANESCOPE_DECLARE(name) Tensor ggml_##name(Context, Tensor);
LANESCOPE_GGML_UNARY(LANESCOPE_DECLARE)
#undef LANESCOPE_DECLARE
}
