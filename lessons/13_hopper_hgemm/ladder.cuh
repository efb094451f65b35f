// SPDX-License-Identifier: MIT
// The ten kernels in a row, each ready to be started on matrices of any size: what the lesson
// checks and --bench races.
#pragma once

#include <functional>

#include "rungs.cuh"

namespace hgemm {

struct Operands {
  Type type;
  Problem problem;
  std::uint16_t *A, *B, *D;
  int multiprocessors;  // for persistent kernels; 0: all

  CUtensorMap map(const std::uint16_t* matrix, int rows, int box_rows) const {
    return tensor_map_2d(
        type == Type::kF16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        const_cast<std::uint16_t*>(matrix), std::uint64_t(problem.K), std::uint64_t(rows),
        std::uint64_t(problem.K) * 2, kBlockK, std::uint32_t(box_rows), CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
  }
};

using Start = std::function<void()>;  // launches a kernel whose tensor maps are made

template <int kBlock, Type kType>
Start start_alternate(const Operands& o) {
  const auto [M, N, K] = o.problem;
  const dim3 grid(unsigned(divide_up(N, kBlock)), unsigned(divide_up(M, kBlock)));
  return [=, a = o.map(o.A, M, kBlock), b = o.map(o.B, N, kBlock)] {
    alternate<kType, kBlock><<<grid, 128>>>(a, b, o.D, o.problem, NoRecorder{});
  };
}

template <class R, Type kType>
Start start_pipelined(const Operands& o) {
  const auto [M, N, K] = o.problem;
  const int tiles = divide_up(M, R::kBlockM * R::kCluster) * divide_up(N, R::kBlockN);
  const int blocks = o.multiprocessors > 0 ? o.multiprocessors : multiprocessors();
  const int clusters = R::kPersistent ? std::min(tiles, blocks / R::kCluster) : tiles;
  CUDA_CHECK(cudaFuncSetAttribute(pipelined<R, kType>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(PipelinedShared<R>)));
  return [=, a = o.map(o.A, M, R::kBlockM), b = o.map(o.B, N, R::kBlockN / R::kCluster)] {
    pipelined<R, kType>
        <<<clusters * R::kCluster, R::kThreads, sizeof(PipelinedShared<R>)>>>(a, b, o.D, o.problem);
  };
}

template <class S>
Start start_gemm(const Operands& o, int band) {
  const Gemm gemm = Gemm::with<S>(o.type, o.problem, o.A, o.B, o.D, band, o.multiprocessors);
  return [gemm] { gemm.launch(); };
}

struct Kernel {
  const char* adds;
  const char* tile;
  Start (*start)(const Operands&);
};

#define BY_TYPE(start, shape)                                                                 \
  [](const Operands& o) {                                                                     \
    return o.type == Type::kF16 ? start<shape, Type::kF16>(o) : start<shape, Type::kBf16>(o); \
  }
const Kernel kRungs[] = {
    {"wgmma out of tiles that TMA brings", "64 x 64", BY_TYPE(start_alternate, 64)},
    {"a larger tile", "128 x 128", BY_TYPE(start_alternate, 128)},
    {"a producer and a ring of 4 stages", "128 x 128", BY_TYPE(start_pipelined, Rung3)},
    {"two consumers", "128 x 256", BY_TYPE(start_pipelined, Rung4)},
    {"persistent blocks", "128 x 256", BY_TYPE(start_pipelined, Rung5)},
    {"clusters of 2, B by multicast", "128 x 256", BY_TYPE(start_pipelined, Rung6)},
    {"setmaxnreg", "128 x 256", BY_TYPE(start_pipelined, Rung7)},
    {"stmatrix and TMA stores", "128 x 256",
     [](const Operands& o) { return start_gemm<Shape256Pair>(o, o.problem.M); }},
    {"tiles in bands", "128 x 256",
     [](const Operands& o) { return start_gemm<Shape256Pair>(o, Gemm::kBand<Shape256Pair>); }},
    {"ping-pong", "128 x 128",
     [](const Operands& o) { return start_gemm<ShapePingPong>(o, Gemm::kBand<ShapePingPong>); }},
};

}  // namespace hgemm
