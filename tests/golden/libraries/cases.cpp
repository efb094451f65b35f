// SPDX-License-Identifier: MIT
// Operations of ggml whose results a card and the emulator must have in common. A name is followed
// by the type and by the size that decides which kernel runs.
#include "cases.hpp"

#include <cmath>

namespace {

std::vector<Case> cases;

template <class Make>
void add(const std::string& name, Make make) {
  cases.push_back({name, make});
}

std::string with(const char* name, int type) {
  return std::string(name) + " " + ggml_type_name(type);
}
std::string with(const std::string& name, const char* what, int n) {
  return name + " " + what + " " + std::to_string(n);
}

constexpr int kWeights[] = {kF32,    kF16,   kBF16,  kQ4_0,   kQ4_1,  kQ5_0, kQ5_1,
                            kQ8_0,   kQ2_K,  kQ3_K,  kQ4_K,   kQ5_K,  kQ6_K, kIQ3_XXS,
                            kIQ4_NL, kIQ3_S, kIQ2_S, kIQ4_XS, kMXFP4, kNVFP4};

// Columns of B decide: a vector kernel for few, mma for more, tiles of several widths for many.
void add_products() {
  for (const int type : kWeights) {
    for (const int n : {1, 2, 3, 5, 8, 9, 17, 33, 64, 100, 129}) {
      add(with(with("mul_mat", type), "n", n), [=](Inputs& in) {
        const Tensor a = in(type, 512, 72), b = in(kF32, 512, n);
        return ggml_mul_mat(in.context, a, b);
      });
      if (n != 9 && n != 33) continue;
      add(with(with("mul_mat ragged", type), "n", n), [=](Inputs& in) {
        const Tensor a = in(type, 768, 131), b = in(kF32, 768, n);
        return ggml_mul_mat(in.context, a, b);
      });
    }
    for (const int n : {1, 9, 17, 33, 100})
      add(with(with("mul_mat_id", type), "n", n), [=](Inputs& in) {
        const Tensor a = in(type, 512, 96, 8), b = in(kF32, 512, 1, n);
        return ggml_mul_mat_id(in.context, a, b, in.counted(kI32, 4, n, 8));
      });
  }
  for (const int type : {kF32, kF16, kBF16})
    add(with("mul_mat permuted", type), [=](Inputs& in) {
      const Tensor a = in(type, 64, 4, 48), b = in(kF32, 64, 4, 20);
      return ggml_mul_mat(in.context, ggml_permute(in.context, a, 0, 2, 1, 3),
                          ggml_permute(in.context, b, 0, 2, 1, 3));
    });
}

// Of `heads` x `group` heads of Q, each `group` share one of K and V.
Tensor attention(Inputs& in, int size, int n, int type, int group) {
  constexpr int kKeys = 256, kLatent = 576, kLatentValue = 512;
  const bool latent = size == kLatent;  // V is the first part of K
  const int heads = latent ? 1 : 2, value = size == 192 ? 128 : size;
  const Tensor q = in(kF32, size, n, heads * group), k = in(type, size, kKeys, heads);
  constexpr std::size_t kRow = 2 * kLatent, kAll = kRow * kKeys;
  const Tensor v = latent
                       ? ggml_view_4d(in.context, k, kLatentValue, kKeys, 1, 1, kRow, kAll, kAll, 0)
                       : in(type, value, kKeys, heads);
  const Tensor mask = in(kF16, kKeys, (n + 63) / 64 * 64, 1, 1, -1, 1, Input::mask);
  const Tensor out =
      ggml_flash_attn_ext(in.context, q, k, v, mask, 1 / std::sqrt(float(size)), 0, 0);
  constexpr int kSumsInF32 = 10;
  ggml_flash_attn_ext_set_prec(out, kSumsInF32);
  return out;
}

void add_attention() {
  for (const int size : {40, 64, 80, 96, 112, 128, 192, 256, 512, 576})
    for (const int n : {1, 3, 20, 70})
      for (const int group : {1, 4, 16}) {
        if ((size == 576 && group != 16) || (size == 192 && group == 1)) continue;
        add(with(with(with("flash", "size", size), "n", n), "group", group),
            [=](Inputs& in) { return attention(in, size, n, kF16, group); });
      }
  for (const int type : {kF32, kBF16, kQ8_0, kQ4_0})
    for (const int n : {1, 3, 20, 70})
      add(with(with("flash", type), "n", n),
          [=](Inputs& in) { return attention(in, 128, n, type, 4); });
  for (const int size : {64, 128})
    for (const int n : {1, 8, 40}) {
      const auto plain = [=](Inputs& in, bool masked, float bias) {
        const int heads = masked ? 4 : 8;
        const Tensor q = in(kF32, size, n, 8), k = in(kF16, size, 512, heads),
                     v = in(kF16, size, 512, heads);
        const Tensor mask = masked ? in(kF16, 512, 64) : nullptr;
        return ggml_flash_attn_ext(in.context, q, k, v, mask, 0.1f, bias, 0);
      };
      const std::string at = with(std::to_string(size), "n", n);
      add("flash sums in f16 " + at, [=](Inputs& in) { return plain(in, true, 0); });
      add("flash slopes " + at, [=](Inputs& in) { return plain(in, true, 8); });
      add("flash no mask " + at, [=](Inputs& in) { return plain(in, false, 0); });
      add("flash sinks " + at, [=](Inputs& in) {
        const Tensor out = plain(in, true, 0);
        ggml_flash_attn_ext_add_sinks(out, in(kF32, 8));
        return out;
      });
    }
}

void add_elementwise() {
#define LANESCOPE_UNARY(name)                                                              \
  add(#name " f32", [](Inputs& in) { return ggml_##name(in.context, in(kF32, 130, 7)); }); \
  add(#name " f16", [](Inputs& in) { return ggml_##name(in.context, in(kF16, 130, 7)); });
  LANESCOPE_GGML_UNARY(LANESCOPE_UNARY)
#undef LANESCOPE_UNARY
  using Binary = Tensor (*)(Context, Tensor, Tensor);
  const std::pair<const char*, Binary> binary[] = {
      {"add", ggml_add}, {"mul", ggml_mul}, {"sub", ggml_sub}, {"div", ggml_div}};
  for (const int type : {kF32, kF16}) {
    for (const auto& [name, function] : binary)
      add(with(name, type), [type, function = function](Inputs& in) {
        const Tensor a = in(type, 64, 5, 3, 2), b = in(type, 64, 5, 1, 1, 1, 2);
        return function(in.context, a, b);
      });
    add(with("cont transposed", type), [=](Inputs& in) {
      return ggml_cont(in.context, ggml_transpose(in.context, in(type, 70, 33, 2)));
    });
    add(with("concat", type), [=](Inputs& in) {
      const Tensor a = in(type, 20, 3, 4), b = in(type, 20, 5, 4);
      return ggml_concat(in.context, a, b, 1);
    });
    add(with("repeat", type), [=](Inputs& in) {
      const Tensor a = in(type, 10, 3), b = in(type, 20, 9, 2);
      return ggml_repeat(in.context, a, b);
    });
    for (const int mode : {0, 2})
      add(with(with("rope", type), "mode", mode), [=](Inputs& in) {
        const Tensor a = in(type, 64, 4, 5), at = in.counted(kI32, 5, 1, 100);
        return ggml_rope_ext(in.context, a, at, nullptr, 64, mode, 512, 10000, 1, 0.3f, 1, 32, 1);
      });
    add(with("conv_2d", type), [=](Inputs& in) {
      const Tensor a = in(type, 3, 3, 6, 8), b = in(kF32, 20, 19, 6, 2);
      return ggml_conv_2d_direct(in.context, a, b, 1, 1, 1, 1, 1, 1);
    });
  }
}

void add_copies() {
  for (const int from : {kF32, kF16, kBF16, kQ4_0, kQ8_0})
    for (const int to : {kF32, kF16, kBF16, kQ4_0, kQ4_1, kQ5_0, kQ5_1, kQ8_0, kIQ4_NL})
      add(with(with("cpy", from).c_str(), to), [=](Inputs& in) {
        const Tensor a = in(from, 256, 4), b = in(to, 256, 4);
        return ggml_cpy(in.context, a, b);
      });
  for (const int type : kWeights)
    add(with("get_rows", type), [=](Inputs& in) {
      const Tensor a = in(type, 256, 20), rows = in.counted(kI32, 7, 1, 20);
      return ggml_get_rows(in.context, a, rows);
    });
  for (const int type : {kF32, kF16, kBF16, kQ4_0, kQ4_1, kQ5_0, kQ5_1, kQ8_0, kIQ4_NL})
    add(with("set_rows", type), [=](Inputs& in) {
      const Tensor a = in(type, 256, 20), b = in(kF32, 256, 7);
      return ggml_set_rows(in.context, a, b, in.counted(kI64, 7, 1, 20));
    });
}

void add_rows() {
  for (const int width : {10, 100, 500, 1100, 3000}) {
    using Unary = Tensor (*)(Context, Tensor);
    const std::pair<const char*, Unary> unary[] = {{"cumsum", ggml_cumsum},
                                                   {"sum_rows", ggml_sum_rows},
                                                   {"mean", ggml_mean},
                                                   {"argmax", ggml_argmax}};
    for (const auto& [name, function] : unary)
      add(with(name, "width", width), [width, function = function](Inputs& in) {
        return function(in.context, in(kF32, width, 3));
      });
    using Norm = Tensor (*)(Context, Tensor, float);
    const std::pair<const char*, Norm> norms[] = {
        {"rms_norm", ggml_rms_norm}, {"norm", ggml_norm}, {"l2_norm", ggml_l2_norm}};
    for (const auto& [name, function] : norms)
      add(with(name, "width", width), [width, function = function](Inputs& in) {
        return function(in.context, in(kF32, width, 5), 1e-5f);
      });
    add(with("rms_norm mul add", "width", width), [=](Inputs& in) {
      const Tensor a = in(kF32, width, 5), b = in(kF32, width), c = in(kF32, width, 5);
      return ggml_add(in.context, ggml_mul(in.context, ggml_rms_norm(in.context, a, 1e-5f), b), c);
    });
    add(with("soft_max", "width", width), [=](Inputs& in) {
      const Tensor a = in(kF32, width, 5, 4), mask = in(kF16, width, 5);
      return ggml_soft_max_ext(in.context, a, mask, 0.3f, 8);
    });
    add(with("argsort", "width", width),
        [=](Inputs& in) { return ggml_argsort(in.context, in(kF32, width, 3), 1); });
    add(with("cross_entropy_loss", "width", width), [=](Inputs& in) {
      const Tensor a = in(kF32, width, 3), b = in(kF32, width, 3, 1, 1, 0, 0.01);
      return ggml_cross_entropy_loss(in.context, a, b);
    });
  }
}

void add_others() {
  add("im2col", [](Inputs& in) {
    const Tensor a = in(kF16, 3, 3, 4, 5), b = in(kF32, 12, 11, 4, 2);
    return ggml_im2col(in.context, a, b, 1, 1, 1, 1, 1, 1, true, kF16);
  });
  for (const int op : {0, 1})
    add(with("pool_2d", "op", op), [=](Inputs& in) {
      return ggml_pool_2d(in.context, in(kF32, 12, 11, 4), op, 3, 3, 2, 2, 1, 1);
    });
  for (const int mode : {0, 1, 2})
    add(with("upscale", "mode", mode),
        [=](Inputs& in) { return ggml_upscale(in.context, in(kF32, 9, 8, 3), 2, mode); });
  add("ssm_conv", [](Inputs& in) {
    const Tensor a = in(kF32, 8, 128, 2), b = in(kF32, 4, 128);
    return ggml_ssm_conv(in.context, a, b);
  });
  add("rwkv_wkv6", [](Inputs& in) {
    const Tensor k = in(kF32, 64, 2, 6), v = in(kF32, 64, 2, 6), r = in(kF32, 64, 2, 6);
    const Tensor first = in(kF32, 64, 2), decay = in(kF32, 64, 2, 6, 1, 0, 1);
    return ggml_rwkv_wkv6(in.context, k, v, r, first, decay, in(kF32, 64 * 64 * 2, 2));
  });
  add("gated_linear_attn", [](Inputs& in) {
    const Tensor k = in(kF32, 64, 2, 6), v = in(kF32, 64, 2, 6), q = in(kF32, 64, 2, 6);
    const Tensor gates = in(kF32, 64, 2, 6);
    return ggml_gated_linear_attn(in.context, k, v, q, gates, in(kF32, 64 * 64 * 2, 2), 0.125f);
  });
  add("timestep_embedding", [](Inputs& in) {
    return ggml_timestep_embedding(in.context, in(kF32, 5, 1, 1, 1, 0, 1000), 64, 10000);
  });
}

}  // namespace

std::vector<Case> all_cases() {
  if (cases.empty()) {
    add_elementwise();
    add_copies();
    add_rows();
    add_others();
    add_products();
    add_attention();
  }
  return cases;
}
