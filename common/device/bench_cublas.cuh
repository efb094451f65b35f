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

  /// The plan is chosen as it will race: two rounds of `like.seconds` each, settled before. What
  /// needs more power than the others is ahead for a tenth of a second, until the clock falls: on
  /// an H200 such a plan was chosen at 4096, and was the fifth of eight in the race.
  explicit Cublas(const GemmBuffers& buffers, const Options& like = {}) : buffers_(&buffers) {
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
    choose(like);
  }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;
  ~Cublas() { cudaFree(workspace_); }

  bool there() const { return why_.empty(); }
  const std::string& why_not() const { return why_; }
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

  void choose(Options like) {
    find_plans();
    std::vector<double> seconds;  // in a trial of 0.02 s; 0: it does not run
    for (const cublasLtMatmulHeuristicResult_t& plan : plans_) {
      const bool runs = launch(plan.algo, 0);  // also loads the code
      const double one = runs ? time_launches(named(plan), 2) : 0;
      seconds.push_back(runs ? time_launches(named(plan), std::max(3, int(0.02 / one))) : 0);
    }
    double least = 0;
    for (const double one : seconds)
      if (one > 0 && (least == 0 || one < least)) least = one;
    if (least == 0) {
      why_ = "cublasLt has no plan for this size";
      return;
    }
    std::vector<Contestant> fast;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (seconds[i] == 0 || seconds[i] > 1.1 * least) continue;
      fast.push_back(named(plans_[i]));
      which.push_back(i);
    }
    like.rounds = 2;  // there and back
    const std::vector<Measured> results = race(fast, like, Monitor());
    std::size_t best = 0;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i].seconds.median < results[best].seconds.median) best = i;
    best_ = which[best];
  }

  Contestant named(const cublasLtMatmulHeuristicResult_t& plan) {
    return {"", [this, &plan](int set) { launch(plan.algo, set); }};
  }

  void find_plans() {
    cublasLtMatmulPreference_t preference = nullptr;
    MatmulPreferenceCreate_(&preference);
    MatmulPreferenceSetAttribute_(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                  &kWorkspaceBytes, sizeof kWorkspaceBytes);
    plans_.resize(kPlans);
    int found = 0;
    MatmulAlgoGetHeuristic_(handle_, operation_, layout_b_, layout_a_, layout_c_, layout_c_,
                            preference, kPlans, plans_.data(), &found);
    plans_.resize(static_cast<std::size_t>(found));
  }

  const GemmBuffers* buffers_;
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
  explicit Cublas(const GemmBuffers&, const Options& = {}) {}
  bool there() const { return false; }
  std::string why_not() const { return "compiled without cublasLt.h"; }
  void launch(int) {}
};
#endif

}  // namespace bench
