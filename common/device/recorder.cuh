// SPDX-License-Identifier: MIT
// The recorder, as the host sees it: owns the buffer that RECORD fills and writes the trace, in
// plain stdio, so that a lesson needs nothing but the CUDA toolkit. It does not read traces:
// common/trace does. Without --trace it is off: it allocates nothing and writes nothing.
//
// Source: docs/trace_format.md.
#pragma once

#include <cuda_runtime.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "arguments.cuh"
#include "check.cuh"
#include "record.cuh"

namespace recording {

/// Text as JSON takes it, quotes included. The words of a lesson are UTF-8 already.
inline std::string json(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    char escape[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\t' || c == '\r' || c == '\b' || c == '\f') {
      out += '\\';
      out += c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : c == '\b' ? 'b' : 'f';
    } else if (byte < 0x20) {
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

inline std::string json(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return "[" + std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(c) + "]";
}

/// The keys that say where on the card something happened.
inline std::string place(std::uint32_t launch, const std::uint32_t (&block)[3],
                         std::uint32_t warp) {
  return "\"launch\":" + std::to_string(launch) +
         ",\"block\":" + json(block[0], block[1], block[2]) + ",\"warp\":" + std::to_string(warp);
}

/// A line of the trace, and where it belongs among the others.
struct Line {
  std::tuple<std::uint32_t, int, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
             std::uint32_t>
      key;  // launch, kind, block z, y, x, warp, order
  std::string text;
};
enum Kind { kLaunch, kFragment, kMemory, kDiagnostic };

/// A tile's bytes: one string a row.
inline std::string json_rows(const unsigned char* bytes, std::size_t size, std::size_t row_bytes) {
  std::string rows = "[";
  for (std::size_t i = 0; i < size; ++i) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    if (i % row_bytes == 0) rows += i == 0 ? "\"" : "\",\"";
    rows += digits;
  }
  return rows + (size == 0 ? "]" : "\"]");
}

inline std::string memory_text(const std::string& place, const std::string& name, const char* space,
                               const std::string& type, int rows, int cols, std::uint64_t address,
                               std::size_t row_stride_bytes) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "\"0x%llx\"", static_cast<unsigned long long>(address));
  return "{\"event\":\"memory\"," + place + ",\"name\":" + json(name) +
         ",\"space\":" + json(space) + ",\"type\":" + json(type) +
         ",\"rows\":" + std::to_string(rows) + ",\"cols\":" + std::to_string(cols) +
         ",\"address\":" + digits + ",\"row_stride_bytes\":" + std::to_string(row_stride_bytes) +
         ",\"bytes\":";
}

/// A record as it lies in the buffer.
struct Record {
  RecordHeader header;
  std::string name, instruction, file;
  const std::uint32_t* data;
  std::uint32_t order;  // its place in the buffer: within one warp that is the order of the program
};

inline Record read_record(const std::uint32_t* words, std::uint32_t order) {
  Record record;
  std::memcpy(&record.header, words, sizeof record.header);
  const RecordHeader& header = record.header;
  const char* text = reinterpret_cast<const char*>(words + kHeaderWords);
  record.name.assign(text, header.name_bytes);
  record.instruction.assign(text + header.name_bytes, header.instruction_bytes);
  record.file.assign(text + header.name_bytes + header.instruction_bytes, header.file_bytes);
  record.data = words + header.words - header.data_words;
  record.order = order;
  return record;
}

/// A fragment's registers: one string a register, one word a lane, the warps one after the other.
inline std::string json_registers(const std::vector<Record>& warps) {
  const std::uint32_t bits = warps[0].header.register_bits;
  std::string text = "[";
  for (std::uint32_t first = 0; first < warps[0].header.data_words; first += bits) {
    text += first == 0 ? "\"" : ",\"";
    for (std::uint32_t lane = 0; lane < 32 * warps.size(); ++lane) {
      const std::uint32_t* data = warps[lane / 32].data + first + lane % 32;
      char word[24];
      if (bits == 64)
        std::snprintf(word, sizeof word, "%08x%08x", data[32], data[0]);
      else
        std::snprintf(word, sizeof word, "%08x", data[0]);
      text += (lane == 0 ? "" : " ") + std::string(word);
    }
    text += '"';
  }
  return text + "]";
}

/// The records of one warp, or of the four of a warpgroup, as a line.
inline Line record_line(const std::vector<Record>& warps) {
  const Record& record = warps[0];
  const RecordHeader& header = record.header;
  const std::string where = place(header.launch, header.block, header.warp);
  const bool tile = header.register_bits == 0;
  // In a cluster the bits above are the rank of the block, which is known.
  const std::uint32_t offset = header.address & 0xffffffu;

  std::string line;
  if (tile)
    line =
        memory_text(where, record.name, "shared", record.instruction, static_cast<int>(header.rows),
                    static_cast<int>(header.cols), offset, header.row_stride_bytes) +
        json_rows(reinterpret_cast<const unsigned char*>(record.data),
                  std::size_t{header.rows} * header.row_bytes, header.row_bytes);
  else
    line = "{\"event\":\"fragment\"," + where + ",\"name\":" + json(record.name) +
           ",\"instruction\":" + json(record.instruction) +
           ",\"operand\":" + json(record.name.substr(0, 1)) +
           ",\"register_bits\":" + std::to_string(header.register_bits) +
           ",\"registers\":" + json_registers(warps);
  line += ",\"file\":" + json(record.file) + ",\"line\":" + std::to_string(header.line) + "}";
  return {{header.launch, tile ? kMemory : kFragment, header.block[2], header.block[1],
           header.block[0], header.warp, record.order},
          line};
}

/// Puts together what the four warps of a warpgroup have recorded: the nth RECORD_WARPGROUP of
/// each.
class Warpgroups {
 public:
  void add(const Record& record) {
    const RecordHeader& header = record.header;
    const std::uint32_t warpgroup = header.warp / kWarpgroupWarps;
    const Warp warp{header.launch, header.block[2], header.block[1], header.block[0], header.warp};
    const std::uint32_t nth = counts_[warp]++;
    fragments_[{header.launch, header.block[2], header.block[1], header.block[0], warpgroup, nth}]
        .push_back(record);
  }

  /// Appends the complete ones; "" or why one is not.
  std::string finish(std::vector<Line>& lines) {
    std::string problem;
    for (auto& [key, warps] : fragments_) {
      std::sort(warps.begin(), warps.end(), [](const Record& left, const Record& right) {
        return left.header.warp < right.header.warp;
      });
      bool same = warps.size() == kWarpgroupWarps;
      for (const Record& record : warps)
        same = same && record.header.line == warps[0].header.line && record.name == warps[0].name &&
               record.header.data_words == warps[0].header.data_words;
      if (same) {
        lines.push_back(record_line(warps));
      } else if (problem.empty()) {
        const Record& first = warps[0];
        problem = first.file + ":" + std::to_string(first.header.line) +
                  ": RECORD_WARPGROUP of \"" + first.name +
                  "\" was not done by all four warps of the warpgroup of warp " +
                  std::to_string(first.header.warp) +
                  "; all four must do the same ones in the same order";
      }
    }
    return problem;
  }

 private:
  using Warp = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                          std::uint32_t>;  // launch, block z, y, x, warp
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                         std::uint32_t>;  // launch, block z, y, x, warpgroup, nth
  std::map<Warp, std::uint32_t> counts_;
  std::map<Key, std::vector<Record>> fragments_;
};

}  // namespace recording

class Recorder {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{16} << 20;

  /// On when the command line has --trace FILE. `program` is the lesson's name.
  Recorder(int argc, char** argv, const char* program, std::size_t buffer_bytes = kBufferBytes)
      : Recorder(argument_value(argc, argv, "--trace"), program, buffer_bytes) {
    if (argc > 0) command_ = argv[0];
    for (int i = 1; i < argc; ++i) command_ += std::string(" ") + argv[i];
  }

  /// On when `path` is not nullptr.
  Recorder(const char* path, const char* program, std::size_t buffer_bytes = kBufferBytes)
      : path_(path == nullptr ? "" : path), program_(program), command_(program) {
    if (path_.empty()) return;
    capacity_words_ = static_cast<std::uint32_t>(buffer_bytes / 4 - 1);
    CUDA_CHECK(cudaMalloc(&buffer_, buffer_bytes));
    CUDA_CHECK(cudaMemset(buffer_, 0, buffer_bytes));
  }
  ~Recorder() {
    write();
    if (buffer_ != nullptr) cudaFree(buffer_);
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  bool on() const { return !path_.empty(); }

  /// Announces the next launch and gives what to hand to its kernel. Announce every launch of the
  /// program, also of kernels that record nothing, so that the launches are counted right.
  DeviceRecorder launch(const char* kernel, dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
    const std::uint32_t number = static_cast<std::uint32_t>(launches_++);
    if (!on()) return {};
    lines_.push_back({{number, recording::kLaunch, 0, 0, 0, 0, 0},
                      "{\"event\":\"launch\",\"launch\":" + std::to_string(number) +
                          ",\"kernel\":" + recording::json(kernel) +
                          ",\"grid\":" + recording::json(grid.x, grid.y, grid.z) +
                          ",\"block\":" + recording::json(block.x, block.y, block.z) +
                          ",\"shared_bytes\":" + std::to_string(shared_bytes) + "}"});
    return {buffer_, capacity_words_, static_cast<int>(number)};
  }

  /// How the lesson wants to be looked at. `panels` most important first; `selection` as the search
  /// box takes it: "A 9,5".
  void view(const std::string& title, const std::vector<std::string>& panels,
            const std::string& selection, const std::string& caption) {
    view_ = "{\"event\":\"view\",\"title\":" + recording::json(title);
    for (std::size_t i = 0; i < panels.size(); ++i)
      view_ += (i == 0 ? ",\"panels\":[" : ",") + recording::json(panels[i]);
    if (!panels.empty()) view_ += "]";
    if (!selection.empty()) view_ += ",\"selection\":" + recording::json(selection);
    if (!caption.empty()) view_ += ",\"caption\":" + recording::json(caption);
    view_ += "}";
  }

  /// A tile of global memory as it is after the last launch: `rows` rows of `row_bytes` bytes each,
  /// `row_stride_bytes` apart, from `device` on. `type` is the elements' PTX name.
  void memory(const std::string& name, const std::string& type, int rows, int cols,
              const void* device, std::size_t row_bytes, std::size_t row_stride_bytes) {
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
        {{number, recording::kMemory, 0, 0, 0, 0, static_cast<std::uint32_t>(lines_.size())},
         line});
  }

  /// Waits for the kernels and writes the file: true when all of it is there. Called once; the
  /// destructor calls it for who forgot.
  bool write() {
    if (!on() || written_) return true;
    written_ = true;
    const bool complete = collect();
    std::sort(lines_.begin(), lines_.end(),
              [](const auto& left, const auto& right) { return left.key < right.key; });
    // Beside it first: a reader never sees half a file. But a rename would replace /dev/null.
    struct stat info {};
    const bool special = stat(path_.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
    const std::string temporary = special ? path_ : path_ + ".tmp";
    std::FILE* file = std::fopen(temporary.c_str(), "w");
    if (file == nullptr) return cannot_write(temporary);
    bool good = std::fprintf(file, "%s\n", header().c_str()) >= 0;
    if (!view_.empty()) good = std::fprintf(file, "%s\n", view_.c_str()) >= 0 && good;
    for (const recording::Line& line : lines_)
      good = std::fprintf(file, "%s\n", line.text.c_str()) >= 0 && good;
    good = std::fclose(file) == 0 && good;
    if (good && !special) good = std::rename(temporary.c_str(), path_.c_str()) == 0;
    if (!good) return cannot_write(path_);
    return complete;
  }

 private:
  std::string header() const {
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
    const bool emulator = std::strcmp(properties.name, "Lanescope emulator") == 0;
    // From Hopper on every card also runs the code of its own architecture only: "sm_90a".
    const std::string arch = "sm_" + std::to_string(properties.major) +
                             std::to_string(properties.minor) + (properties.major >= 9 ? "a" : "");
    return std::string("{\"lanescope_trace\":1,\"producer\":") +
           (emulator ? "\"emulator\"" : "\"gpu\"") +
           ",\"device\":" + recording::json(properties.name) +
           ",\"arch\":" + recording::json(arch) + ",\"program\":" + recording::json(program_) +
           ",\"command\":" + recording::json(command_) + "}";
  }

  /// Makes lines of the records; false when the buffer was too small for all of them.
  bool collect() {
    CUDA_CHECK(cudaDeviceSynchronize());
    std::uint32_t taken_words = 0;
    CUDA_CHECK(cudaMemcpy(&taken_words, buffer_, 4, cudaMemcpyDeviceToHost));
    const std::uint32_t used_words = std::min(taken_words, capacity_words_);
    std::vector<std::uint32_t> words(used_words);
    if (used_words > 0)
      CUDA_CHECK(cudaMemcpy(words.data(), buffer_ + 1, std::size_t{used_words} * 4,
                            cudaMemcpyDeviceToHost));
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
    if (at == taken_words)
      return unfinished.empty() || incomplete("recorder-incomplete", unfinished);
    return incomplete("recorder-full",
                      "the recorder's buffer is full: " + std::to_string(at * 4ull) + " of " +
                          std::to_string(taken_words * 4ull) +
                          " bytes were recorded; record fewer warps, or give Recorder a larger "
                          "buffer_bytes");
  }

  /// Says so, here and in the trace.
  bool incomplete(const char* kind, const std::string& message) {
    std::fprintf(stderr, "lesson: %s\n", message.c_str());
    const std::uint32_t block[3] = {0, 0, 0};
    const std::uint32_t last = static_cast<std::uint32_t>(std::max(launches_ - 1, 0));
    lines_.push_back({{last, recording::kDiagnostic, 0, 0, 0, 0, 0},
                      "{\"event\":\"diagnostic\"," + recording::place(last, block, 0) +
                          ",\"kind\":" + recording::json(kind) +
                          ",\"message\":" + recording::json(message) + "}"});
    return false;
  }

  bool cannot_write(const std::string& path) const {
    std::fprintf(stderr, "lesson: cannot write %s: %s; does its folder exist?\n", path.c_str(),
                 std::strerror(errno));
    return false;
  }

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
