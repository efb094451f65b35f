// SPDX-License-Identifier: MIT
// Lesson 04, banks and swizzles: shared memory has 32 banks, and each hands out one word (4 bytes)
// at a time. Lanes that want different words of one bank wait for each other. The same tile, laid
// out in four ways, takes 32, 8 or 4 passes to load; the last way costs no memory for it.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   CUDA C++ Programming Guide, "Shared Memory" (compute capability 5.x and later); that
//             ldmatrix serves eight lanes at a time is measured below, not in the PTX ISA.
//   Steps:    kernel=load
#include <algorithm>
#include <set>
#include <vector>

#include "device_array.cuh"
#include "passes.cuh"
#include "ptx/ldmatrix.cuh"
#include "record.cuh"
#include "this_device.cuh"

// ---- The rule -----------------------------------------------------------------------------------

constexpr int kBanks = 32, kWordBytes = 4;

// The passes that lanes served together need: how many different words the fullest bank is asked
// for. `addresses` are the first bytes of what each lane wants.
int passes(const std::vector<int>& addresses, int bytes_per_lane) {
  std::set<int> words[kBanks];
  for (const int address : addresses)
    for (int at = address; at < address + bytes_per_lane; at += kWordBytes)
      words[at / kWordBytes % kBanks].insert(at / kWordBytes);
  std::size_t most = 0;
  for (const std::set<int>& bank : words) most = std::max(most, bank.size());
  return static_cast<int>(most);
}

// ---- 1. 32 lanes, a word each -------------------------------------------------------------------

void words(bool gpu) {
  std::printf("1. Each of 32 lanes reads a word. They lie `stride` words apart:\n");
  Line strides{"\n  stride  "}, counted{"\n  passes  "}, timed{"\n  cycles  "};
  for (const int stride : {1, 2, 3, 4, 8, 16, 32, 33}) {
    std::vector<int> addresses;
    for (int lane = 0; lane < 32; ++lane) addresses.push_back(lane * stride * kWordBytes);
    strides.add("%6.0f", stride);
    counted.add("%6.0f", passes(addresses, kWordBytes));
    if (gpu) timed.add("%6.1f", cycles_of<read_word>(addresses));
  }
  std::printf("%s%s%s\n\n", strides.text.c_str(), counted.text.c_str(),
              gpu ? timed.text.c_str() : "");
}

// ---- 2. A tile, laid out in four ways -----------------------------------------------------------

// A is kRows x kCols, 16 x 64 f16: each row is kUnits, 8 units of 16 bytes, what a lane names to
// ldmatrix. A layout says at which byte of shared memory the unit of a row lies.
constexpr int kMostBytes = 16 * 144;

using Layout = int (*)(int row, int unit);
__host__ __device__ constexpr int plain(int row, int unit) { return row * 128 + unit * 16; }
__host__ __device__ constexpr int narrow(int row, int unit) {  // four tiles of 16 columns
  return unit / 2 * 512 + row * 32 + unit % 2 * 16;
}
__host__ __device__ constexpr int padded(int row, int unit) { return row * 144 + unit * 16; }
__host__ __device__ constexpr int swizzled(int row, int unit) {
  return row * 128 + (unit ^ row % 8) * 16;
}

// Stores the tile, and loads A's fragment for k = 0 to 15 from it, as in lesson 03.
template <Layout kPlace>
__global__ void load(const uint4* A, uint32_t* registers, int stride_bytes,
                     DeviceRecorder recorder) {
  __shared__ __align__(128) unsigned char tile[kMostBytes];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < kRows * kUnits; i += 32)
    *reinterpret_cast<uint4*>(tile + kPlace(i / kUnits, i % kUnits)) = A[i];
  __syncwarp();
  uint32_t a[4];
  const unsigned char* row = tile + kPlace(lane % 16, lane / 16);
  ptx::ldmatrix_sync_aligned_m8n8_x4_shared_b16(a, row);
  const int row_bytes = min(stride_bytes, 128);
  RECORD_TILE(recorder, "tile", "f16", kRows * 128 / row_bytes, row_bytes / 2, tile, row_bytes,
              stride_bytes);
  RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
  for (int reg = 0; reg < 4; ++reg) registers[lane * 4 + reg] = a[reg];
}

// Of one instruction: eight lanes are a phase, and a phase of 16 bytes a lane is 128 bytes.
int sum_of_passes(const std::vector<int>& addresses, std::vector<int>* phases = nullptr) {
  int sum = 0;
  for (std::size_t first = 0; first < addresses.size(); first += 8) {
    const int count = passes({&addresses[first], &addresses[first] + 8}, 16);
    if (phases != nullptr) phases->push_back(count);
    sum += count;
  }
  return sum;
}

template <Layout kPlace>
bool study(const char* name, int stride_bytes, int bytes, bool gpu, Recorder& recorder) {
  std::vector<int> loads, stores, phases;
  for (int lane = 0; lane < 32; ++lane) loads.push_back(kPlace(lane % 16, lane / 16));
  for (int i = 0; i < kRows * kUnits; ++i) stores.push_back(kPlace(i / kUnits, i % kUnits));
  std::printf("  %-26s", name);
  for (int lane = 0; lane < 8; ++lane) std::printf("%3d", loads[lane] / kWordBytes % kBanks);
  const int sum = sum_of_passes(loads, &phases);
  std::printf("   %d+%d+%d+%d = %2d  %5d  %5d", phases[0], phases[1], phases[2], phases[3], sum,
              sum_of_passes(stores), bytes);

  DeviceArray<uint4> A(units_of_a());
  DeviceArray<uint32_t> registers(128);
  load<kPlace><<<1, 32>>>(A.data(), registers.data(), stride_bytes, recorder.launch(name, 1, 32));
  const int right = count_right(registers.get());
  if (gpu) std::printf("  %6.1f", cycles_of<load_rows>(loads));
  std::printf("\n");
  if (right != 128) std::printf("  ^ %d of 128 registers are right\n", right);
  return right == 128;
}

int main(int argc, char** argv) {
  only_arguments(argc, argv, {"--trace"});
  Recorder recorder(argc, argv, "04_banks_and_swizzle");
  recorder.view("04 Banks and swizzles", {"memory", "fragments", "lanes"}, "A 9,5",
                "One tile, four layouts: the fragment is the same, the way to it is not.");
  const ThisDevice device = introduce("32 banks");
  const bool gpu = !device.emulator;
  words(gpu);
  print_head_of_layouts(gpu);
  bool good = study<plain>("rows of 128 bytes", 128, 16 * 128, gpu, recorder);
  good = study<narrow>("rows of 32 bytes", 32, 16 * 128, gpu, recorder) && good;
  good = study<padded>("128, and 16 of padding", 144, 16 * 144, gpu, recorder) && good;
  good = study<swizzled>("128, unit ^ row % 8", 128, 16 * 128, gpu, recorder) && good;
  std::printf("\n%s\n", good ? "All four load the same fragment, register for register."
                             : "Not every layout loads the fragment: see the ^ above.");
  if (!gpu)
    std::printf("Passes are counted by the rule. The emulator has no clock; a GPU is timed.\n");
  return recorder.write() && good ? 0 : 1;
}
