// SPDX-License-Identifier: MIT
// cuBLASLt beside a kernel of ours, on the same buffers: the yardstick of a benchmark. It is loaded
// while the program runs, so that no program needs it to link or to start.
//
//     bench::Cublas cublas(buffers);
//     if (cublas.there()) cublas.launch(set); else say(cublas.why_not());
//
// Source: cuBLAS documentation, cublasLtMatmul, cublasLtMatmulAlgoGetHeuristic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#include <dlfcn.h>
#define LANESCOPE_HAS_CUBLASLT 1
#endif

#include "bench_gemm.cuh"

namespace bench {

#ifdef LANESCOPE_HAS_CUBLASLT
/// C = A*B by the fastest of the eight plans that cuBLASLt itself thinks best, with 64 MiB to work
/// in. cuBLAS counts by columns: a row-major C is its C-transposed, B-transposed times
/// A-transposed.
class Cublas {
 public:
  static constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;
  static constexpr int kPlans = 8;

  /// Each plan runs for trial_seconds before one is chosen. A card that is warm and at its power
  /// limit may prefer another one than a cold card: then longer is fairer.
  explicit Cublas(const GemmBuffers& buffers, double trial_seconds = 0.02)
      : buffers_(&buffers), trial_seconds_(trial_seconds) {
    void* library = dlopen("libcublasLt.so.13", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) library = dlopen("libcublasLt.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      why_ = "libcublasLt is not installed";
      return;
    }
#define LANESCOPE_FIND(name) \
  name##_ = reinterpret_cast<decltype(&cublasLt##name)>(dlsym(library, "cublasLt" #name))
    LANESCOPE_FIND(Create);
    LANESCOPE_FIND(Matmul);
    LANESCOPE_FIND(MatmulDescCreate);
    LANESCOPE_FIND(MatmulDescSetAttribute);
    LANESCOPE_FIND(MatrixLayoutCreate);
    LANESCOPE_FIND(MatmulPreferenceCreate);
    LANESCOPE_FIND(MatmulPreferenceSetAttribute);
    LANESCOPE_FIND(MatmulAlgoGetHeuristic);
#undef LANESCOPE_FIND
    if (Create_ == nullptr || Matmul_ == nullptr || Create_(&handle_) != CUBLAS_STATUS_SUCCESS) {
      why_ = "libcublasLt does not start";
      return;
    }
    describe();
    choose();
  }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;
  ~Cublas() { cudaFree(workspace_); }

  bool there() const { return why_.empty(); }
  const std::string& why_not() const { return why_; }
  int plans() const { return static_cast<int>(plans_.size()); }
  void launch(int set) { launch(plans_[best_].algo, set); }

 private:
  bool launch(const cublasLtMatmulAlgo_t& plan, int set) {
    const float one = 1, zero = 0;
    return Matmul_(handle_, operation_, &one, buffers_->B(set), layout_b_, buffers_->A(set),
                   layout_a_, &zero, buffers_->C(set), layout_c_, buffers_->C(set), layout_c_,
                   &plan, workspace_, kWorkspaceBytes, nullptr) == CUBLAS_STATUS_SUCCESS;
  }

  void describe() {
    const Problem p = buffers_->problem();
    const bool columns = buffers_->order() == Order::kColumns;
    const cudaDataType type = buffers_->type() == Type::kF16 ? CUDA_R_16F : CUDA_R_16BF;
    const auto M = static_cast<std::uint64_t>(p.M), N = static_cast<std::uint64_t>(p.N),
               K = static_cast<std::uint64_t>(p.K);
    const cublasOperation_t b_operation = columns ? CUBLAS_OP_T : CUBLAS_OP_N;
    MatmulDescCreate_(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    MatmulDescSetAttribute_(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &b_operation,
                            sizeof b_operation);
    MatrixLayoutCreate_(&layout_b_, type, columns ? K : N, columns ? N : K,
                        static_cast<std::int64_t>(columns ? K : N));
    MatrixLayoutCreate_(&layout_a_, type, K, M, static_cast<std::int64_t>(K));
    MatrixLayoutCreate_(&layout_c_, type, N, M, static_cast<std::int64_t>(N));
    CUDA_CHECK(cudaMalloc(&workspace_, kWorkspaceBytes));
  }

  void choose() {
    cublasLtMatmulPreference_t preference = nullptr;
    MatmulPreferenceCreate_(&preference);
    MatmulPreferenceSetAttribute_(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                  &kWorkspaceBytes, sizeof kWorkspaceBytes);
    plans_.resize(kPlans);
    int found = 0;
    MatmulAlgoGetHeuristic_(handle_, operation_, layout_b_, layout_a_, layout_c_, layout_c_,
                            preference, kPlans, plans_.data(), &found);
    plans_.resize(static_cast<std::size_t>(found));
    // There and back again, behind a first run that only warms up: what ran before counts for as
    // much in the sum of one plan as in that of another.
    const std::size_t count = plans_.size();
    std::vector<double> seconds(count);
    for (std::size_t turn = 0; count > 0 && turn <= 2 * count; ++turn) {
      const std::size_t place = turn == 0 ? 0 : turn - 1;
      const std::size_t i = place < count ? place : 2 * count - 1 - place;
      if (!launch(plans_[i].algo, 0)) continue;  // also loads the code
      const Contestant one{"", [&](int set) { launch(plans_[i].algo, set); }};
      const int launches = static_cast<int>(std::max(3.0, trial_seconds_ / time_launches(one, 2)));
      const double taken = time_launches(one, launches);
      if (turn > 0) seconds[i] += taken;
    }
    double least = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (seconds[i] > 0 && (least == 0 || seconds[i] < least)) least = seconds[i], best_ = i;
    if (least == 0) why_ = "cublasLt has no plan for this size";
  }

  const GemmBuffers* buffers_;
  double trial_seconds_;
  std::string why_;
  decltype(&cublasLtCreate) Create_ = nullptr;
  decltype(&cublasLtMatmul) Matmul_ = nullptr;
  decltype(&cublasLtMatmulDescCreate) MatmulDescCreate_ = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) MatmulDescSetAttribute_ = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) MatrixLayoutCreate_ = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) MatmulPreferenceCreate_ = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) MatmulPreferenceSetAttribute_ = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) MatmulAlgoGetHeuristic_ = nullptr;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t layout_a_ = nullptr, layout_b_ = nullptr, layout_c_ = nullptr;
  std::vector<cublasLtMatmulHeuristicResult_t> plans_;
  std::size_t best_ = 0;
  void* workspace_ = nullptr;
};
#else
class Cublas {
 public:
  explicit Cublas(const GemmBuffers&, double = 0) {}
  bool there() const { return false; }
  std::string why_not() const { return "compiled without cublasLt.h"; }
  int plans() const { return 0; }
  void launch(int) {}
};
#endif

}  // namespace bench
