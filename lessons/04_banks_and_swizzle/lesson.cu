// SPDX-License-Identifier: MIT
// Lesson 04, banks and swizzles: shared memory has 32 banks, and each hands out one word (4 bytes)
// at a time. Lanes that want different words of one bank wait for each other. The same tile, laid
// out in four ways, takes 32 passes or 4 to load; the last way costs nothing.
//
//   By hand:  nvcc -arch=native -cudart shared -lineinfo -I ../../common/device lesson.cu
//   Source:   CUDA C++ Programming Guide, "Shared Memory" (compute capability 5.x and later); that
//             ldmatrix serves eight lanes at a time is measured below, not in the PTX ISA.
//   Steps:    kernel=load
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "check.cuh"
#include "device_array.cuh"
#include "element.cuh"
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

// Cycles that a GPU takes for one such instruction of a warp. 32 warps keep the banks busy, so that
// it is passes that count and not how long the way is; `chained` hides from the compiler that every
// turn does the same, and is 0.
constexpr int kWarps = 32, kTimes = 256;
using Access = uint32_t (*)(uint32_t address);

template <Access kAccess>
__global__ void clock_access(const int* addresses, uint32_t chained, long long* cycles) {
  __shared__ __align__(128) uint32_t memory[33 * 32];
  for (uint32_t i = threadIdx.x; i < 33 * 32; i += blockDim.x) memory[i] = i;
  __syncthreads();
  uint32_t address =
      ptx::shared_address(memory) + static_cast<uint32_t>(addresses[threadIdx.x % 32]);
  const long long begin = clock64();
  for (int i = 0; i < kTimes; ++i) address += kAccess(address) & chained;
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin + (address & chained);
}

template <Access kAccess>
double cycles_of(const std::vector<int>& lanes) {
  DeviceArray<int> addresses(lanes);
  DeviceArray<long long> cycles(1);
  clock_access<kAccess><<<1, kWarps * 32>>>(addresses.data(), 0, cycles.data());
  return static_cast<double>(cycles.get()[0]) / (kTimes * kWarps);
}

// ---- 1. 32 lanes, a word each -------------------------------------------------------------------

__device__ uint32_t read_word(uint32_t address) {
  uint32_t word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}

void words(bool gpu) {
  const int strides[] = {1, 2, 3, 4, 8, 16, 32, 33};
  std::string counted = "\n  passes  ", timed = "\n  cycles  ";
  std::printf("1. Each of 32 lanes reads a word. They lie `stride` words apart:\n\n  stride  ");
  for (const int stride : strides) {
    std::vector<int> addresses;
    for (int lane = 0; lane < 32; ++lane) addresses.push_back(lane * stride * kWordBytes);
    std::printf("%6d", stride);
    char text[16];
    std::snprintf(text, sizeof text, "%6d", passes(addresses, kWordBytes));
    counted += text;
    std::snprintf(text, sizeof text, "%6.1f", gpu ? cycles_of<read_word>(addresses) : 0.0);
    timed += text;
  }
  std::printf("%s%s\n\n", counted.c_str(), gpu ? timed.c_str() : "");
}

// ---- 2. A tile, laid out in four ways -----------------------------------------------------------

// 16 rows of 64 f16: each row is 8 units of 16 bytes, what a lane names to ldmatrix. A layout says
// at which byte of shared memory the unit of a row lies.
constexpr int kRows = 16, kCols = 64, kUnits = 8, kMostBytes = 16 * 144;

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

__device__ uint32_t load_rows(uint32_t address) {
  uint32_t a[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(address)
               : "memory");
  return a[0] ^ a[1] ^ a[2] ^ a[3];
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

  std::vector<uint4> A(kRows * kUnits);
  const auto element = [](int row, int col) { return F16::encode(100 * row + col); };
  for (int row = 0; row < kRows; ++row)
    for (int col = 0; col < kCols; col += 2)
      (&A[row * kUnits + col / 8].x)[col % 8 / 2] = element(row, col) | element(row, col + 1) << 16;
  DeviceArray<uint4> device_a(A);
  DeviceArray<uint32_t> registers(128);
  load<kPlace>
      <<<1, 32>>>(device_a.data(), registers.data(), stride_bytes, recorder.launch(name, 1, 32));
  const std::vector<uint32_t> a = registers.get();
  int right = 0;  // as lesson 01 has it
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg) {
      const int row = (lane >> 2) + reg % 2 * 8, col = lane % 4 * 2 + reg / 2 * 8;
      right += a[lane * 4 + reg] == (element(row, col) | element(row, col + 1) << 16);
    }
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
  std::printf(
      "2. ldmatrix.x4 of rows 0..15, columns 0..15 of a 16 x 64 tile of f16. A phase is eight "
      "lanes:\n\n"
      "                             first bank of lane       passes of       to     bytes%s\n"
      "                              0  1  2  3  4  5  6  7   four phases    store  used%s\n",
      gpu ? "   cycles" : "", gpu ? "   a load" : "");
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
