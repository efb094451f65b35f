// SPDX-License-Identifier: MIT
// What a tensor copy out of shared memory writes where a row of the tensor ends within 16 bytes;
// which reductions by tensor maps there are, for every type; and which pointers the driver wants
// for a map.
//
// PTX ISA 9.2, 9.7.9.25.5. The answer is docs/experiments/ragged_rows.md.
#include "../tensor_map.cuh"
#include "one_by_one.cuh"

enum Operation { kStore, kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor, kOperations };
const char* const kOperationNames[] = {"store", "add", "min", "max", "inc",
                                       "dec",   "and", "or",  "xor"};
constexpr int kTypes = 13, kBytes[kTypes] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4}, kArea = 4096;
const char* const kTypeNames[kTypes] = {"u8",  "u16", "u32",  "s32",     "u64",  "s64",     "f16",
                                        "f32", "f64", "bf16", "f32_ftz", "tf32", "tf32_ftz"};

#define REDUCE(name)                                                     \
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." name \
               ".tile.bulk_group [%0, {%1, 0}], [%2];" ::"l"(&map),      \
               "r"(column), "r"(box)                                     \
               : "memory")

__global__ void put(const __grid_constant__ CUtensorMap map, const unsigned char* data, int bytes,
                    int column, Operation operation) {
  __shared__ __align__(1024) unsigned char tile[kArea];
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) tile[i] = data[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0) return;
  const std::uint32_t box = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile));
  switch (operation) {
    case kAdd:
      REDUCE("add");
      break;
    case kMin:
      REDUCE("min");
      break;
    case kMax:
      REDUCE("max");
      break;
    case kInc:
      REDUCE("inc");
      break;
    case kDec:
      REDUCE("dec");
      break;
    case kAnd:
      REDUCE("and");
      break;
    case kOr:
      REDUCE("or");
      break;
    case kXor:
      REDUCE("xor");
      break;
    default:
      asm volatile(
          "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, 0}], [%2];" ::"l"(
              &map),
          "r"(column), "r"(box)
          : "memory");
  }
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

CUresult make(CUtensorMap& map, int type, void* tensor, std::uint64_t cols, std::uint64_t rows,
              std::uint64_t stride, std::uint32_t box_cols, std::uint32_t box_rows) {
  const std::uint64_t size[2] = {cols, rows}, strides[1] = {stride};
  const std::uint32_t box[2] = {box_cols, box_rows}, step[2] = {1, 1};
  return tensor_map_encoder()(&map, static_cast<CUtensorMapDataType>(type), 2, tensor, size,
                              strides, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                              CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

// Every operation of every type, of random bits.
bool ask_operation(int k) {
  const int type = k / kOperations;
  const auto operation = static_cast<Operation>(k % kOperations);
  std::vector<unsigned char> data(kArea), old(kArea);
  std::uint32_t state = 7;
  for (int i = 0; i < kArea; ++i)
    for (auto* to : {&data, &old})
      (*to)[i] = static_cast<unsigned char>((state = state * 1664525u + 1013904223u) >> 24);
  unsigned char* tensor = to_device(old);
  CUtensorMap map;
  make(map, type, tensor, 64 / kBytes[type], 64, 64, 64 / kBytes[type], 64);
  put<<<1, 128>>>(map, to_device(data), kArea, 0, operation);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s of %s: ", kOperationNames[operation], kTypeNames[type]);
  if (error == cudaSuccess)
    print_bits(from_device(tensor, kArea));
  else
    std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

// Two rows of a tensor in memory of zeros, 256 bytes apart: which bytes are not zero any more.
void ask_row(Operation operation, int type, int cols, int column) {
  const int each = kBytes[type];
  std::vector<unsigned char> data(128);
  for (int i = 0; i < 128; ++i) data[i] = static_cast<unsigned char>(1 + i % each * 16);
  unsigned char* tensor = to_device(std::vector<unsigned char>(kArea));
  CUtensorMap map;
  make(map, type, tensor, cols, 3, 256, 64 / each, 2);
  put<<<1, 128>>>(map, to_device(data), 128, column, operation);
  CHECK(cudaDeviceSynchronize());
  const std::vector<unsigned char> now = from_device(tensor, kArea);
  std::printf("%s of %s, rows of %d bytes, from byte %d on: written", kOperationNames[operation],
              kTypeNames[type], cols * each, column * each);
  for (int i = 0; i < kArea; ++i) {
    if (now[i] != 0 && (i == 0 || now[i - 1] == 0)) std::printf(" %d to ", i);
    if (now[i] != 0 && (i + 1 == kArea || now[i + 1] == 0)) std::printf("%d", i);
  }
  std::printf("\n");
}

void ask_pointers(void* tensor) {
  static const char* const kMissing[] = {"nothing", "sizes", "strides", "box", "steps", "address"};
  const std::uint64_t size[2] = {64, 4}, strides[1] = {256};
  const std::uint32_t box[2] = {16, 1}, step[2] = {1, 1};
  for (int rank = 1; rank <= 2; ++rank)
    for (int k = 0; k < 6; ++k) {
      CUtensorMap map;
      const CUresult result = tensor_map_encoder()(
          &map, CU_TENSOR_MAP_DATA_TYPE_UINT32, static_cast<std::uint32_t>(rank),
          k == 5 ? nullptr : tensor, k == 1 ? nullptr : size, k == 2 ? nullptr : strides,
          k == 3 ? nullptr : box, k == 4 ? nullptr : step, CU_TENSOR_MAP_INTERLEAVE_NONE,
          CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
      std::printf("a map of %d dimensions without %s: %d\n", rank, kMissing[k],
                  static_cast<int>(result));
    }
}

bool ask(int k) {
  if (k < kTypes * kOperations) return ask_operation(k);
  for (const Operation operation : {kStore, kAdd})
    for (const int type : {0, 1, 2, 4, 6, 7, 8, 9})
      for (const int cols : {1, 2, 3, 5, 7, 9, 13, 17, 21})
        for (const int column : {0, 16 / kBytes[type]})
          if (operation == kStore || type == 2 || type == 4) ask_row(operation, type, cols, column);
  void* tensor = nullptr;
  CHECK(cudaMalloc(&tensor, kArea));
  ask_pointers(tensor);
  return true;
}

int main(int argc, char** argv) {
  return ask_one_by_one(argc, argv, kTypes * kOperations + 1, ask);
}
