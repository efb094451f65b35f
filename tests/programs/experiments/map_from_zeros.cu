// SPDX-License-Identifier: MIT
// Tensor maps that no driver made: 128 bytes of zeros, or of something else, in which a kernel
// replaces every field by tensormap.replace, or every field but one. What does a copy by it bring?
// Compilers make their maps so. Numbers only, to be compared with diff.
//
// PTX ISA 9.2, 9.7.9.28 (tensormap.replace). The answer is docs/experiments/map_from_zeros.md.
#include <string>

#include "../hopper.cuh"
#include "one_by_one.cuh"

constexpr int kCols = 64, kRows = 32;       // the tensor: floats that are their own numbers
constexpr int kBoxCols = 16, kBoxRows = 8;  // the box, which begins at column 56: half hangs over
constexpr int kWords = kBoxCols * kBoxRows;
constexpr std::uint32_t kPoison = 0xabababab;

enum Field {
  kAddress,
  kRank,
  kBox0,
  kBox1,
  kSize0,
  kSize1,
  kStride,
  kStep0,
  kStep1,
  kType,
  kInterleave,
  kSwizzle,
  kFill,
  kFields
};
constexpr const char* kNames[kFields] = {
    "global_address",    "rank",          "box_dim 0",        "box_dim 1",        "global_dim 0",
    "global_dim 1",      "global_stride", "element_stride 0", "element_stride 1", "elemtype",
    "interleave_layout", "swizzle_mode",  "fill_mode"};
constexpr std::uint32_t kAll = (1u << kFields) - 1;

struct Question {
  std::uint32_t before;    // every word of the 128 bytes
  std::uint32_t replaced;  // which fields, a bit each
  int swizzle, fills_nan;
  bool is_made;  // by the driver, and nothing replaced
};

struct Answer {
  std::uint32_t words[kWords];
  std::uint32_t is_complete;
};

// Those of tensormap.replace whose value stands in the instruction are written out.
__device__ void replace_fields(std::uint32_t map, const Question& q, const float* tensor) {
  const auto wants = [&](Field field) { return (q.replaced >> field & 1) != 0; };
#define REPLACE(field, value) \
  asm volatile("tensormap.replace.tile." field ", %1;" ::"r"(map), value : "memory")
  if (wants(kAddress)) REPLACE("global_address.shared::cta.b1024.b64 [%0]", "l"(tensor));
  if (wants(kRank)) REPLACE("rank.shared::cta.b1024.b32 [%0]", "n"(1));
  if (wants(kBox0)) REPLACE("box_dim.shared::cta.b1024.b32 [%0], 0", "r"(kBoxCols));
  if (wants(kBox1)) REPLACE("box_dim.shared::cta.b1024.b32 [%0], 1", "r"(kBoxRows));
  if (wants(kSize0)) REPLACE("global_dim.shared::cta.b1024.b32 [%0], 0", "r"(kCols));
  if (wants(kSize1)) REPLACE("global_dim.shared::cta.b1024.b32 [%0], 1", "r"(kRows));
  if (wants(kStride))
    REPLACE("global_stride.shared::cta.b1024.b64 [%0], 0", "l"(std::uint64_t{kCols * 4}));
  if (wants(kStep0)) REPLACE("element_stride.shared::cta.b1024.b32 [%0], 0", "r"(1));
  if (wants(kStep1)) REPLACE("element_stride.shared::cta.b1024.b32 [%0], 1", "r"(1));
  if (wants(kType)) REPLACE("elemtype.shared::cta.b1024.b32 [%0]", "n"(7));
  if (wants(kInterleave)) REPLACE("interleave_layout.shared::cta.b1024.b32 [%0]", "n"(0));
  if (wants(kSwizzle) && q.swizzle == 0) REPLACE("swizzle_mode.shared::cta.b1024.b32 [%0]", "n"(0));
  if (wants(kSwizzle) && q.swizzle == 2) REPLACE("swizzle_mode.shared::cta.b1024.b32 [%0]", "n"(2));
  if (wants(kFill) && q.fills_nan == 0) REPLACE("fill_mode.shared::cta.b1024.b32 [%0]", "n"(0));
  if (wants(kFill) && q.fills_nan == 1) REPLACE("fill_mode.shared::cta.b1024.b32 [%0]", "n"(1));
#undef REPLACE
}

__global__ void copy(Question q, const __grid_constant__ CUtensorMap made, CUtensorMap* map,
                     const float* tensor, Answer* answer) {
  __shared__ __align__(1024) std::uint32_t box[kWords];
  __shared__ __align__(128) std::uint32_t bytes[32];
  __shared__ __align__(8) std::uint64_t full;
  const int lane = static_cast<int>(threadIdx.x);
  bytes[lane] = q.is_made ? reinterpret_cast<const std::uint32_t*>(&made)[lane] : q.before;
  for (int i = lane; i < kWords; i += 32) box[i] = kPoison;
  if (lane == 0) {
    init(&full, 1);
    fence_init();
  }
  __syncwarp();
  if (lane == 0 && !q.is_made) replace_fields(shared_address(bytes), q, tensor);
  __syncwarp();
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%0], [%1], 128;" ::"l"(map),
      "r"(shared_address(bytes))
      : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
  fence_async_proxy();
  if (lane == 0) {
    expect_bytes(&full, kWords * 4);
    fetch_2d(box, map, 56, 4, &full);
  }
  // A map that brings another number of bytes must not hang the program.
  std::uint32_t is_complete = 0;
  for (int turn = 0; turn < 100 && is_complete == 0; ++turn)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(is_complete)
        : "r"(shared_address(&full))
        : "memory");
  for (int i = lane; i < kWords; i += 32) answer->words[i] = box[i];
  if (lane == 0) answer->is_complete = is_complete;
}

std::vector<std::pair<std::string, Question>> questions() {
  std::vector<std::pair<std::string, Question>> all;
  for (const int swizzle : {0, 2})
    for (const int fills_nan : {0, 1}) {
      const std::string mode = " (swizzle_mode " + std::to_string(swizzle) + ", fill_mode " +
                               std::to_string(fills_nan) + ")";
      all.push_back({"the driver's" + mode, {0, 0, swizzle, fills_nan, true}});
      for (const std::uint32_t before : {0u, 0xffffffffu, 0xa5a5a5a5u, 0x12345678u}) {
        char words[32];
        std::snprintf(words, sizeof words, "%08x", before);
        all.push_back({"all fields, in words of " + std::string(words) + mode,
                       {before, kAll, swizzle, fills_nan, false}});
      }
    }
  for (int field = 0; field < kFields; ++field)
    all.push_back({std::string("all but ") + kNames[field] + ", in zeros",
                   {0, kAll & ~(1u << field), 0, 0, false}});
  return all;
}

int main(int argc, char** argv) {
  const auto all = questions();
  return ask_one_by_one(argc, argv, static_cast<int>(all.size()), [&](int k) {
    const auto& [name, q] = all[static_cast<std::size_t>(k)];
    std::vector<float> numbers(kCols * kRows);
    for (int i = 0; i < kCols * kRows; ++i) numbers[i] = static_cast<float>(i + 1);
    float* tensor = to_device(numbers);
    CUtensorMap made;
    const std::uint64_t size[2] = {kCols, kRows}, stride[1] = {kCols * 4};
    const std::uint32_t box[2] = {kBoxCols, kBoxRows}, steps[2] = {1, 1};
    if (tensor_map_encoder()(
            &made, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, tensor, size, stride, box, steps,
            CU_TENSOR_MAP_INTERLEAVE_NONE,
            q.swizzle == 2 ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_NONE,
            CU_TENSOR_MAP_L2_PROMOTION_NONE,
            q.fills_nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                        : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
      std::exit(1);
    auto* map = to_device(std::vector<CUtensorMap>(1));
    auto* answer = to_device(std::vector<Answer>(1));
    std::printf("%s: ", name.c_str());
    copy<<<1, 32>>>(q, made, map, tensor, answer);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      std::printf("%s\n", cudaGetErrorString(error));
      return false;
    }
    const Answer got = from_device(answer, 1)[0];
    int written = 0;
    for (const std::uint32_t word : got.words) written += word != kPoison;
    std::uint64_t hash = 14695981039346656037ull;
    for (const std::uint32_t word : got.words) hash = (hash ^ word) * 1099511628211ull;
    std::printf("%s, %d words, %016llx\n", got.is_complete != 0 ? "complete" : "not complete",
                written, static_cast<unsigned long long>(hash));
    return true;
  });
}
