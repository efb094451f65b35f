// SPDX-License-Identifier: MIT
// The recorder, as a kernel sees it: RECORD copies the registers of all 32 lanes of a warp (or of
// the 128 of a warpgroup) into a buffer, from which the host (recorder.cuh, included below) writes
// a trace.
//
//     __global__ void kernel(DeviceRecorder recorder) {
//       std::uint32_t a[4] = ...;
//       RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
//
//       RECORD_WARPGROUP(recorder, "D", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", d);
//       RECORD_TILE(recorder, "a", "f16", 16, 16, tile, 32, 48);   // rows of 32 bytes, 48 apart
//
//     Recorder recorder(argc, argv, "01_fragment_layout");           // reads --trace FILE
//     kernel<<<1, 32>>>(recorder.launch("kernel", 1, 32));
//     recorder.write();
//
// All 32 lanes of a warp must arrive at a RECORD together. Without --trace it costs one branch that
// every lane takes the same way; with a NoRecorder in the DeviceRecorder's place, nothing.
//
// Source: docs/trace_format.md; CUDA C++ Programming Guide (atomic functions, warp shuffle).
#pragma once

#include <cstdint>
#include <type_traits>

/// What a kernel is given, by value. `buffer[0]` counts the words taken, the records follow.
struct DeviceRecorder {
  std::uint32_t* buffer = nullptr;  // nullptr: do not record
  std::uint32_t capacity_words = 0;
  int launch = 0;
  __device__ bool on() const { return buffer != nullptr; }
};

/// For kernels whose speed counts: RECORD compiles to nothing.
struct NoRecorder {
  __device__ static constexpr bool on() { return false; }
};

// RECORD(recorder, name, instruction, registers)
//   name         a string literal. Its first letter is the operand: A, B, C, D or E (metadata:
//                "E", or "E selector 1"); of scale factors three: "SFA", "SFB", or
//                "SFA thread-id 1 byte-id 2".
//   instruction  the PTX mnemonic whose operand this is.
//   registers    an array of up to 20 std::uint32_t, std::int32_t, float or double, in the order of
//                the operand list.
//
// Why a macro: besides the copy it leaves comments in the PTX, `//@watch A.r0 %r7`, by which the
// emulator knows what the learner calls register %r7. They are no instructions and cost nothing,
// but the text of an asm statement must be a literal, which no function can be given.
#define RECORD(recorder, name, instruction, registers)                                             \
  do {                                                                                             \
    using RecorderType = std::decay_t<decltype(recorder)>;                                         \
    if constexpr (!std::is_same_v<RecorderType, NoRecorder>) {                                     \
      RECORD_WATCH_TEN(name, registers, )                                                          \
      RECORD_WATCH_TEN(name, registers, 1)                                                         \
      if ((recorder).on())                                                                         \
        recording::store<1>(recorder, name, instruction, recording::file_name(__FILE__), __LINE__, \
                            registers);                                                            \
    }                                                                                              \
  } while (false)

// RECORD_WARPGROUP(recorder, name, instruction, registers)
// The same for the four warps of a warpgroup: one fragment of 128 lanes, of up to 128 registers.
// Each warp records its quarter when it comes by, and the host puts the four together: nobody
// waits. So the four must do the same RECORD_WARPGROUPs in the same order. Accumulators of wgmma
// belong to the tensor core until wgmma.wait_group: record them after it.
#define RECORD_WARPGROUP(recorder, name, instruction, registers)                               \
  do {                                                                                         \
    using RecorderType = std::decay_t<decltype(recorder)>;                                     \
    if constexpr (!std::is_same_v<RecorderType, NoRecorder>) {                                 \
      RECORD_WATCH_TEN(name, registers, )                                                      \
      RECORD_WATCH_TEN(name, registers, 1)                                                     \
      RECORD_WATCH_TEN(name, registers, 2)                                                     \
      RECORD_WATCH_TEN(name, registers, 3)                                                     \
      RECORD_WATCH_TEN(name, registers, 4)                                                     \
      RECORD_WATCH_TEN(name, registers, 5)                                                     \
      RECORD_WATCH_TEN(name, registers, 6)                                                     \
      RECORD_WATCH_TEN(name, registers, 7)                                                     \
      RECORD_WATCH_TEN(name, registers, 8)                                                     \
      RECORD_WATCH_TEN(name, registers, 9)                                                     \
      RECORD_WATCH_TEN(name, registers, 10)                                                    \
      RECORD_WATCH_TEN(name, registers, 11)                                                    \
      RECORD_WATCH_TEN(name, registers, 12)                                                    \
      if ((recorder).on())                                                                     \
        recording::store<recording::kWarpgroupWarps>(                                          \
            recorder, name, instruction, recording::file_name(__FILE__), __LINE__, registers); \
    }                                                                                          \
  } while (false)

// RECORD_TILE(recorder, name, type, rows, cols, pointer, row_bytes, row_stride_bytes)
// A tile of shared memory as it is when the warp comes by: `rows` rows of `row_bytes` bytes each,
// `row_stride_bytes` apart, from `pointer` on. `type` is the elements' PTX name. Wait for who
// writes it first.
#define RECORD_TILE(recorder, name, type, rows, cols, pointer, row_bytes, row_stride_bytes)     \
  do {                                                                                          \
    if ((recorder).on())                                                                        \
      recording::store_tile(recorder, name, type, recording::file_name(__FILE__), __LINE__,     \
                            recording::Tile{rows, cols, row_bytes, row_stride_bytes}, pointer); \
  } while (false)

// `tens` is the index without its last digit.
#define RECORD_WATCH_TEN(name, registers, tens) \
  RECORD_WATCH(name, registers, tens##0)        \
  RECORD_WATCH(name, registers, tens##1)        \
  RECORD_WATCH(name, registers, tens##2)        \
  RECORD_WATCH(name, registers, tens##3)        \
  RECORD_WATCH(name, registers, tens##4)        \
  RECORD_WATCH(name, registers, tens##5)        \
  RECORD_WATCH(name, registers, tens##6)        \
  RECORD_WATCH(name, registers, tens##7)        \
  RECORD_WATCH(name, registers, tens##8)        \
  RECORD_WATCH(name, registers, tens##9)

// A register is named as what it is, "f" or "d", not as a copy in an integer register.
#define RECORD_WATCH(name, registers, index)                                    \
  if constexpr ((index) < recording::count(registers)) {                        \
    constexpr int kIndex = (index) < recording::count(registers) ? (index) : 0; \
    if constexpr (recording::is_float(registers))                               \
      asm volatile("//@watch " name ".r" #index                                 \
                   " %0" ::"f"(recording::as_float(registers[kIndex])));        \
    else if constexpr (sizeof(registers[0]) == 8)                               \
      asm volatile("//@watch " name ".r" #index                                 \
                   " %0" ::"d"(recording::as_double(registers[kIndex])));       \
    else                                                                        \
      asm volatile("//@watch " name ".r" #index                                 \
                   " %0" ::"r"(recording::low_word(registers[kIndex])));        \
  }

namespace recording {

constexpr int kWarpgroupWarps = 4;

// A record, word by word: this header, the three texts (bytes, padded to a word), then the data.
// Of a fragment: 32 words of register 0, lane 0 first, 32 words of register 1, ...; a 64-bit
// register has its low halves first, then its high halves. Of a tile: its bytes, row after row.
struct RecordHeader {
  std::uint32_t words;  // of the whole record; 0 where nothing was written
  std::uint32_t launch;
  std::uint32_t block[3];
  std::uint32_t warp;
  std::uint32_t warps;  // that this is a part of one fragment of: 1 or 4
  std::uint32_t line;
  std::uint32_t data_words;
  std::uint32_t register_bits;                                     // 32 or 64; 0: a tile
  std::uint32_t rows, cols, row_bytes, row_stride_bytes, address;  // of a tile
  std::uint32_t name_bytes;
  std::uint32_t instruction_bytes;  // of a tile: its type
  std::uint32_t file_bytes;
};
constexpr std::uint32_t kHeaderWords = sizeof(RecordHeader) / 4;

struct Tile {
  int rows, cols, row_bytes, row_stride_bytes;
};

template <class Word, std::size_t kCount>
__host__ __device__ constexpr std::size_t count(const Word (&)[kCount]) {
  return kCount;
}
template <class Word, std::size_t kCount>
__host__ __device__ constexpr bool is_float(const Word (&)[kCount]) {
  return std::is_same_v<std::remove_cv_t<Word>, float>;
}
__device__ inline std::uint32_t bits(std::uint32_t word) { return word; }
__device__ inline std::uint32_t bits(std::int32_t word) { return static_cast<std::uint32_t>(word); }
__device__ inline std::uint32_t bits(float word) { return __float_as_uint(word); }
__device__ inline std::uint64_t bits(double word) {
  return static_cast<std::uint64_t>(__double_as_longlong(word));
}
// For the branches of RECORD that are not taken, but compiled, whatever the type.
template <class Word>
__device__ std::uint32_t low_word(Word word) {
  return static_cast<std::uint32_t>(bits(word));
}
template <class Word>
__device__ float as_float(Word word) {
  return static_cast<float>(word);
}
template <class Word>
__device__ double as_double(Word word) {
  return static_cast<double>(word);
}

__host__ __device__ constexpr std::uint32_t text_bytes(const char* text) {
  std::uint32_t bytes = 0;
  while (text[bytes] != '\0') ++bytes;
  return bytes;
}

/// The path's last part: a trace must not depend on where the source lay.
__host__ __device__ constexpr const char* file_name(const char* path) {
  const char* name = path;
  for (const char* at = path; *at != '\0'; ++at)
    if (*at == '/' || *at == '\\') name = at + 1;
  return name;
}

/// Each lane copies every 32nd character.
__device__ inline void copy_text(char* to, const char* from, std::uint32_t bytes,
                                 std::uint32_t lane) {
  for (std::uint32_t i = lane; i < bytes; i += 32) to[i] = from[i];
}

/// Takes room for a record, writes its texts and (lane 0) its header, and gives the place of its
/// data. One atomic addition takes the place, so warps never wait for each other; a record that no
/// longer fits is left out (nullptr), and the counter tells the host by how much.
__device__ inline std::uint32_t* open_record(const DeviceRecorder& recorder, const char* name,
                                             const char* instruction, const char* file, int line,
                                             RecordHeader header) {
  const std::uint32_t thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const std::uint32_t lane = thread % 32;
  header.name_bytes = text_bytes(name);
  header.instruction_bytes = text_bytes(instruction);
  header.file_bytes = text_bytes(file);
  const std::uint32_t text_words =
      (header.name_bytes + header.instruction_bytes + header.file_bytes + 3) / 4;
  header.words = kHeaderWords + text_words + header.data_words;

  std::uint32_t first = 0;
  if (lane == 0) first = atomicAdd(recorder.buffer, header.words);
  first = __shfl_sync(0xffffffffu, first, 0);
  if (first + header.words > recorder.capacity_words || first + header.words < first)
    return nullptr;

  std::uint32_t* record = recorder.buffer + 1 + first;
  char* text = reinterpret_cast<char*>(record + kHeaderWords);
  copy_text(text, name, header.name_bytes, lane);
  copy_text(text + header.name_bytes, instruction, header.instruction_bytes, lane);
  copy_text(text + header.name_bytes + header.instruction_bytes, file, header.file_bytes, lane);
  if (lane == 0) {
    header.launch = static_cast<std::uint32_t>(recorder.launch);
    header.block[0] = blockIdx.x;
    header.block[1] = blockIdx.y;
    header.block[2] = blockIdx.z;
    header.warp = thread / 32;
    header.line = static_cast<std::uint32_t>(line);
    *reinterpret_cast<RecordHeader*>(record) = header;
  }
  return record + kHeaderWords + text_words;
}

/// Copies `registers` of all lanes of the warp.
template <int kWarps, class Word, std::size_t kCount>
__device__ void store(const DeviceRecorder& recorder, const char* name, const char* instruction,
                      const char* file, int line, const Word (&registers)[kCount]) {
  static_assert(sizeof(Word) == 4 || sizeof(Word) == 8, "RECORD takes 32- and 64-bit registers");
  static_assert(kCount <= (kWarps == 1 ? 20 : 128),
                "RECORD takes up to 20 registers, RECORD_WARPGROUP up to 128");
  const std::uint32_t thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  RecordHeader header{};
  header.warps = kWarps;
  header.register_bits = sizeof(Word) * 8;
  header.data_words = static_cast<std::uint32_t>(kCount) * 32 * (sizeof(Word) / 4);
  std::uint32_t* data = open_record(recorder, name, instruction, file, line, header);
  if (data == nullptr) return;
  for (std::size_t i = 0; i < kCount; ++i, data += header.register_bits) {
    const std::uint64_t word = bits(registers[i]);
    data[thread % 32] = static_cast<std::uint32_t>(word);
    if (sizeof(Word) == 8) data[32 + thread % 32] = static_cast<std::uint32_t>(word >> 32);
  }
}

/// Copies a tile of shared memory, each lane every 32nd byte.
__device__ inline void store_tile(const DeviceRecorder& recorder, const char* name,
                                  const char* type, const char* file, int line, const Tile& tile,
                                  const void* pointer) {
  const std::uint32_t thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  RecordHeader header{};
  header.rows = static_cast<std::uint32_t>(tile.rows);
  header.cols = static_cast<std::uint32_t>(tile.cols);
  header.row_bytes = static_cast<std::uint32_t>(tile.row_bytes);
  header.row_stride_bytes = static_cast<std::uint32_t>(tile.row_stride_bytes);
  header.address = static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
  header.data_words = (header.rows * header.row_bytes + 3) / 4;
  std::uint32_t* data = open_record(recorder, name, type, file, line, header);
  if (data == nullptr) return;
  unsigned char* to = reinterpret_cast<unsigned char*>(data);
  const unsigned char* from = static_cast<const unsigned char*>(pointer);
  for (int i = static_cast<int>(thread % 32); i < tile.rows * tile.row_bytes; i += 32)
    to[i] = from[i / tile.row_bytes * tile.row_stride_bytes + i % tile.row_bytes];
}

}  // namespace recording

#include "recorder.cuh"
