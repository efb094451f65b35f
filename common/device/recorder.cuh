// SPDX-License-Identifier: MIT
// The recorder, as the host sees it: owns the buffer that RECORD fills and writes the trace, in
// plain stdio, so that a lesson needs nothing but the CUDA toolkit. It does not read traces:
// common/trace does. Without --trace it is off: it allocates nothing and writes nothing.
//
// Source: docs/trace_format.md.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include "architecture.cuh"
#include "arguments.cuh"
#include "check.cuh"
#include "record.cuh"

namespace recording {
struct Line;
}

class Recorder {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{16} << 20;

  /// On when the command line has --trace FILE. `program` is the lesson's name.
  Recorder(int argc, char** argv, const char* program, std::size_t buffer_bytes = kBufferBytes);
  /// On when `path` is not nullptr.
  Recorder(const char* path, const char* program, std::size_t buffer_bytes = kBufferBytes);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  bool on() const { return !path_.empty(); }

  /// Announces the next launch and gives what to hand to its kernel. Announce every launch of the
  /// program, also of kernels that record nothing, so that the launches are counted right.
  DeviceRecorder launch(const char* kernel, dim3 grid, dim3 block, std::size_t shared_bytes = 0);

  /// How the lesson wants to be looked at. `panels` most important first; `selection` as the search
  /// box takes it: "A 9,5".
  void view(const std::string& title, const std::vector<std::string>& panels,
            const std::string& selection, const std::string& caption);

  /// A tile of global memory as it is after the last launch: `rows` rows of `row_bytes` bytes each,
  /// `row_stride_bytes` apart, from `device` on. `type` is the elements' PTX name.
  void memory(const std::string& name, const std::string& type, int rows, int cols,
              const void* device, std::size_t row_bytes, std::size_t row_stride_bytes);

  /// Waits for the kernels and writes the file: true when all of it is there. Called once; the
  /// destructor calls it for who forgot, but where nothing was announced: of a program that ends
  /// before its first launch nothing is to replace the trace of a better day.
  bool write();

 private:
  std::string header() const;
  /// Makes lines of the records; false when the buffer was too small for all of them.
  bool collect();
  /// 0, or the errno of what failed first.
  int write_lines(const std::string& path) const;
  /// Says so, here and in the trace.
  bool incomplete(const char* kind, const std::string& message);
  bool cannot_write(int why) const;

  std::string path_;  // empty: off
  std::string program_;
  std::string command_;
  std::uint32_t* buffer_ = nullptr;  // on the device
  std::uint32_t capacity_words_ = 0;
  int launches_ = 0;
  bool written_ = false;
  std::string view_;
  std::vector<recording::Line> lines_;
};

// nvcc reads every header once more for each architecture's kernels: how a trace is written is the
// host's alone.
#ifndef __CUDA_ARCH__

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "trace_lines.cuh"

inline Recorder::Recorder(int argc, char** argv, const char* program, std::size_t buffer_bytes)
    : Recorder(argument_value(argc, argv, "--trace"), program, buffer_bytes) {
  if (argc > 0) command_ = argv[0];
  for (int i = 1; i < argc; ++i) command_ += std::string(" ") + argv[i];
}

inline Recorder::Recorder(const char* path, const char* program, std::size_t buffer_bytes)
    : path_(path == nullptr ? "" : path), program_(program), command_(program) {
  if (path_.empty()) return;
  capacity_words_ = static_cast<std::uint32_t>(buffer_bytes / 4 - 1);
  CUDA_CHECK(cudaMalloc(&buffer_, buffer_bytes));
  CUDA_CHECK(cudaMemset(buffer_, 0, buffer_bytes));
}

inline Recorder::~Recorder() {
  if (!lines_.empty()) write();
  if (buffer_ != nullptr) cudaFree(buffer_);
}

inline DeviceRecorder Recorder::launch(const char* kernel, dim3 grid, dim3 block,
                                       std::size_t shared_bytes) {
  const std::uint32_t number = static_cast<std::uint32_t>(launches_++);
  if (!on()) return {};
  lines_.push_back({{{number, recording::kLaunch, 0, 0, 0, 0, 0}},
                    "{\"event\":\"launch\",\"launch\":" + std::to_string(number) +
                        ",\"kernel\":" + recording::json(kernel) +
                        ",\"grid\":" + recording::json(grid.x, grid.y, grid.z) +
                        ",\"block\":" + recording::json(block.x, block.y, block.z) +
                        ",\"shared_bytes\":" + std::to_string(shared_bytes) + "}"});
  return {buffer_, capacity_words_, static_cast<int>(number)};
}

inline void Recorder::view(const std::string& title, const std::vector<std::string>& panels,
                           const std::string& selection, const std::string& caption) {
  view_ = "{\"event\":\"view\",\"title\":" + recording::json(title);
  for (std::size_t i = 0; i < panels.size(); ++i)
    view_ += (i == 0 ? ",\"panels\":[" : ",") + recording::json(panels[i]);
  if (!panels.empty()) view_ += "]";
  if (!selection.empty()) view_ += ",\"selection\":" + recording::json(selection);
  if (!caption.empty()) view_ += ",\"caption\":" + recording::json(caption);
  view_ += "}";
}

inline void Recorder::memory(const std::string& name, const std::string& type, int rows, int cols,
                             const void* device, std::size_t row_bytes,
                             std::size_t row_stride_bytes) {
  if (!on()) return;
  std::vector<unsigned char> bytes(row_bytes * static_cast<std::size_t>(rows));
  CUDA_CHECK(cudaMemcpy2D(bytes.data(), row_bytes, device, row_stride_bytes, row_bytes,
                          static_cast<std::size_t>(rows), cudaMemcpyDeviceToHost));
  const std::uint32_t number = static_cast<std::uint32_t>(std::max(launches_ - 1, 0));
  const std::uint32_t block[3] = {0, 0, 0};
  const std::string line =
      recording::memory_text(recording::place(number, block, 0), name, "global", type, rows, cols,
                             reinterpret_cast<std::uintptr_t>(device), row_stride_bytes) +
      recording::json_rows(bytes.data(), bytes.size(), row_bytes) + "}";
  lines_.push_back(
      {{{number, recording::kMemory, 0, 0, 0, 0, static_cast<std::uint32_t>(lines_.size())}},
       line});
}

inline bool Recorder::write() {
  if (!on() || written_) return true;
  written_ = true;
  const bool complete = collect();
  std::sort(lines_.begin(), lines_.end(),
            [](const auto& left, const auto& right) { return left.key < right.key; });
  // Beside it first, by a name of this process: a reader never sees half a file, nor one that two
  // have written. But a rename would replace /dev/null.
  struct stat info {};
  const bool special = stat(path_.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  const std::string temporary = special ? path_ : path_ + "." + std::to_string(getpid()) + ".tmp";
  int why = write_lines(temporary);
  if (why == 0 && !special && std::rename(temporary.c_str(), path_.c_str()) != 0) why = errno;
  if (why == 0) return complete;
  if (!special) std::remove(temporary.c_str());
  return cannot_write(why);
}

inline std::string Recorder::header() const {
  cudaDeviceProp properties{};
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  return std::string("{\"lanescope_trace\":1,\"producer\":") +
         (is_emulator(properties) ? "\"emulator\"" : "\"gpu\"") +
         ",\"device\":" + recording::json(properties.name) +
         ",\"arch\":" + recording::json(architecture(properties)) +
         ",\"program\":" + recording::json(program_) + ",\"command\":" + recording::json(command_) +
         "}";
}

inline bool Recorder::collect() {
  CUDA_CHECK(cudaDeviceSynchronize());
  std::uint32_t taken_words = 0;
  CUDA_CHECK(cudaMemcpy(&taken_words, buffer_, 4, cudaMemcpyDeviceToHost));
  const std::uint32_t used_words = std::min(taken_words, capacity_words_);
  std::vector<std::uint32_t> words(used_words);
  if (used_words > 0)
    CUDA_CHECK(
        cudaMemcpy(words.data(), buffer_ + 1, std::size_t{used_words} * 4, cudaMemcpyDeviceToHost));
  recording::Warpgroups warpgroups;
  std::uint32_t at = 0;
  while (at + recording::kHeaderWords <= used_words && words[at] != 0 &&
         words[at] <= used_words - at) {
    const recording::Record record = recording::read_record(words.data() + at, at);
    if (record.header.warps == recording::kWarpgroupWarps)
      warpgroups.add(record);
    else
      lines_.push_back(recording::record_line({record}));
    at += words[at];
  }
  const std::string unfinished = warpgroups.finish(lines_);
  if (at == taken_words) return unfinished.empty() || incomplete("recorder-incomplete", unfinished);
  return incomplete("recorder-full",
                    "the recorder's buffer is full: " + std::to_string(at * 4ull) + " of " +
                        std::to_string(taken_words * 4ull) +
                        " bytes were recorded; record fewer warps, or give Recorder a larger "
                        "buffer_bytes");
}

inline int Recorder::write_lines(const std::string& path) const {
  const std::string first = header();
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return errno;
  int why = 0;
  const auto put = [&](const std::string& line) {
    if (why == 0 && std::fprintf(file, "%s\n", line.c_str()) < 0) why = errno;
  };
  put(first);
  if (!view_.empty()) put(view_);
  for (const recording::Line& line : lines_) put(line.text);
  if (std::fclose(file) != 0 && why == 0) why = errno;
  return why;
}

inline bool Recorder::incomplete(const char* kind, const std::string& message) {
  std::fprintf(stderr, "lesson: %s\n", message.c_str());
  const std::uint32_t block[3] = {0, 0, 0};
  const std::uint32_t last = static_cast<std::uint32_t>(std::max(launches_ - 1, 0));
  lines_.push_back({{{last, recording::kDiagnostic, 0, 0, 0, 0, 0}},
                    "{\"event\":\"diagnostic\"," + recording::place(last, block, 0) + ",\"kind\":" +
                        recording::json(kind) + ",\"message\":" + recording::json(message) + "}"});
  return false;
}

inline bool Recorder::cannot_write(int why) const {
  const char* what_to_do = why == ENOENT   ? "make its folder first"
                           : why == ENOSPC ? "make room there"
                                           : "name another file";
  std::fprintf(stderr, "lesson: cannot write %s: %s; %s\n", path_.c_str(), std::strerror(why),
               what_to_do);
  return false;
}

#endif  // __CUDA_ARCH__
