// SPDX-License-Identifier: MIT
// The recorder, as a kernel sees it: RECORD copies the registers of all 32 lanes into a buffer,
// from which the host (recorder.cuh, included below) writes a trace.
//
//     __global__ void kernel(DeviceRecorder recorder) {
//       std::uint32_t a[4] = ...;
//       RECORD(recorder, "A", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", a);
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
//   name         a string literal. Its first letter is the operand: A, B, C or D.
//   instruction  the PTX mnemonic whose operand this is.
//   registers    an array of up to 16 std::uint32_t or float, in the order of the operand list.
//
// Why a macro: besides the copy it leaves comments in the PTX, `//@watch A.r0 %r7`, by which the
// emulator knows what the learner calls register %r7. They are no instructions and cost nothing,
// but the text of an asm statement must be a literal, which no function can be given.
#define RECORD(recorder, name, instruction, registers)                                          \
  do {                                                                                          \
    using RecorderType = std::decay_t<decltype(recorder)>;                                      \
    if constexpr (!std::is_same_v<RecorderType, NoRecorder>) {                                  \
      RECORD_WATCH_FOUR(name, registers, 0, "0", "1", "2", "3")                                 \
      RECORD_WATCH_FOUR(name, registers, 4, "4", "5", "6", "7")                                 \
      RECORD_WATCH_FOUR(name, registers, 8, "8", "9", "10", "11")                               \
      RECORD_WATCH_FOUR(name, registers, 12, "12", "13", "14", "15")                            \
      if ((recorder).on())                                                                      \
        recording::store(recorder, name, instruction, recording::file_name(__FILE__), __LINE__, \
                         registers);                                                            \
    }                                                                                           \
  } while (false)

#define RECORD_WATCH_FOUR(name, registers, first, r0, r1, r2, r3) \
  RECORD_WATCH(name, registers, first, r0)                        \
  RECORD_WATCH(name, registers, first + 1, r1)                    \
  RECORD_WATCH(name, registers, first + 2, r2)                    \
  RECORD_WATCH(name, registers, first + 3, r3)

// A float register is named as the float it is: "f", not a copy in an integer register.
#define RECORD_WATCH(name, registers, index, digits)                                              \
  if constexpr ((index) < recording::count(registers)) {                                          \
    constexpr int kIndex = (index) < recording::count(registers) ? (index) : 0;                   \
    if constexpr (recording::is_float(registers))                                                 \
      asm volatile("//@watch " name ".r" digits                                                   \
                   " %0" ::"f"(recording::as_float(registers[kIndex])));                          \
    else                                                                                          \
      asm volatile("//@watch " name ".r" digits " %0" ::"r"(recording::bits(registers[kIndex]))); \
  }

namespace recording {

// A record, word by word: this header, the three texts (bytes, padded to a word), then the
// registers: 32 words of register 0, lane 0 first, 32 words of register 1, ...
struct RecordHeader {
  std::uint32_t words;  // of the whole record; 0 where nothing was written
  std::uint32_t launch;
  std::uint32_t block[3];
  std::uint32_t warp;
  std::uint32_t line;
  std::uint32_t registers;
  std::uint32_t name_bytes;
  std::uint32_t instruction_bytes;
  std::uint32_t file_bytes;
};
constexpr std::uint32_t kHeaderWords = sizeof(RecordHeader) / 4;

template <class Word, std::size_t kCount>
__host__ __device__ constexpr std::size_t count(const Word (&)[kCount]) {
  return kCount;
}
template <class Word, std::size_t kCount>
__host__ __device__ constexpr bool is_float(const Word (&)[kCount]) {
  return std::is_same_v<std::remove_cv_t<Word>, float>;
}
__device__ inline std::uint32_t bits(std::uint32_t word) { return word; }
__device__ inline std::uint32_t bits(float word) { return __float_as_uint(word); }
__device__ inline float as_float(std::uint32_t word) { return __uint_as_float(word); }
__device__ inline float as_float(float word) { return word; }

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

/// Copies `registers` of all lanes. One atomic addition takes the place, so warps never wait for
/// each other; a record that no longer fits is left out, and the counter tells the host by how
/// much.
template <class Word, std::size_t kCount>
__device__ void store(const DeviceRecorder& recorder, const char* name, const char* instruction,
                      const char* file, int line, const Word (&registers)[kCount]) {
  static_assert(sizeof(Word) == 4, "RECORD takes 32-bit registers");
  static_assert(kCount <= 16, "RECORD names up to 16 registers; add lines to the macro for more");
  const std::uint32_t thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const std::uint32_t lane = thread % 32;
  const std::uint32_t name_bytes = text_bytes(name);
  const std::uint32_t instruction_bytes = text_bytes(instruction);
  const std::uint32_t file_bytes = text_bytes(file);
  const std::uint32_t text_words = (name_bytes + instruction_bytes + file_bytes + 3) / 4;
  const std::uint32_t words = kHeaderWords + text_words + static_cast<std::uint32_t>(kCount) * 32;

  std::uint32_t first = 0;
  if (lane == 0) first = atomicAdd(recorder.buffer, words);
  first = __shfl_sync(0xffffffffu, first, 0);
  if (first + words > recorder.capacity_words || first + words < first) return;

  std::uint32_t* record = recorder.buffer + 1 + first;
  char* text = reinterpret_cast<char*>(record + kHeaderWords);
  copy_text(text, name, name_bytes, lane);
  copy_text(text + name_bytes, instruction, instruction_bytes, lane);
  copy_text(text + name_bytes + instruction_bytes, file, file_bytes, lane);
  for (std::size_t i = 0; i < kCount; ++i)
    record[kHeaderWords + text_words + i * 32 + lane] = bits(registers[i]);
  if (lane == 0) {
    RecordHeader* header = reinterpret_cast<RecordHeader*>(record);
    header->launch = static_cast<std::uint32_t>(recorder.launch);
    header->block[0] = blockIdx.x;
    header->block[1] = blockIdx.y;
    header->block[2] = blockIdx.z;
    header->warp = thread / 32;
    header->line = static_cast<std::uint32_t>(line);
    header->registers = static_cast<std::uint32_t>(kCount);
    header->name_bytes = name_bytes;
    header->instruction_bytes = instruction_bytes;
    header->file_bytes = file_bytes;
    header->words = words;
  }
}

}  // namespace recording

#include "recorder.cuh"
