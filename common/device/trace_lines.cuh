// SPDX-License-Identifier: MIT
// From what RECORD left in the buffer to lines of a trace: the text of each record, and the four
// warps of a warpgroup put together as one. Who owns the buffer and the file: recorder.cuh, which
// includes this. A kernel's file includes record.cuh.
//
// Source: docs/trace_format.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

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

/// Where something belongs among the others. No std::tuple, and no std::map below: nvcc takes half
/// a second to read them, and reads this header for every lesson.
struct Key {
  std::uint32_t parts[7];
};
inline bool operator<(const Key& left, const Key& right) {
  return std::lexicographical_compare(left.parts, left.parts + 7, right.parts, right.parts + 7);
}

/// A line of the trace.
struct Line {
  Key key;  // launch, kind, block z, y, x, warp, order
  std::string text;
};
enum Kind : std::uint32_t { kLaunch, kFragment, kMemory, kDiagnostic };

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

/// The first letter of a fragment's name; of scale factors three.
inline std::string operand_of(const std::string& name) {
  const bool scales = name.compare(0, 3, "SFA") == 0 || name.compare(0, 3, "SFB") == 0;
  return name.substr(0, scales ? 3 : 1);
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
           ",\"operand\":" + json(operand_of(record.name)) +
           ",\"register_bits\":" + std::to_string(header.register_bits) +
           ",\"registers\":" + json_registers(warps);
  line += ",\"file\":" + json(record.file) + ",\"line\":" + std::to_string(header.line) + "}";
  return {{{header.launch, tile ? kMemory : kFragment, header.block[2], header.block[1],
            header.block[0], header.warp, record.order}},
          line};
}

/// Puts together what the four warps of a warpgroup have recorded: the nth RECORD_WARPGROUP of
/// each.
class Warpgroups {
 public:
  void add(const Record& record) {
    const RecordHeader& header = record.header;
    parts_.push_back({{{header.launch, header.block[2], header.block[1], header.block[0],
                        header.warp, record.order}},
                      record});
  }

  /// Appends the complete ones; "" or why one is not.
  std::string finish(std::vector<Line>& lines) {
    std::sort(parts_.begin(), parts_.end());
    number();
    std::sort(parts_.begin(), parts_.end());
    std::string problem;
    for (std::size_t first = 0, next = 0; first < parts_.size(); first = next) {
      std::vector<Record> warps;
      for (; next < parts_.size() && same_fragment(parts_[first].key, parts_[next].key); ++next)
        warps.push_back(parts_[next].record);
      append(warps, lines, problem);
    }
    return problem;
  }

 private:
  struct Part {
    Key key;  // launch, block z, y, x, then warp, order; once numbered: warpgroup, nth, warp
    Record record;
    bool operator<(const Part& other) const { return key < other.key; }
  };
  std::vector<Part> parts_;

  static bool same_fragment(const Key& left, const Key& right) {
    return std::equal(left.parts, left.parts + 6, right.parts);
  }

  /// The how manieth of its warp each is.
  void number() {
    std::uint32_t nth = 0;
    Key before{};
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::uint32_t(&parts)[7] = parts_[i].key.parts;
      nth = i > 0 && std::equal(parts, parts + 5, before.parts) ? nth + 1 : 0;
      before = parts_[i].key;
      const std::uint32_t warp = parts[4];
      parts[4] = warp / kWarpgroupWarps;
      parts[5] = nth;
      parts[6] = warp;
    }
  }

  static void append(const std::vector<Record>& warps, std::vector<Line>& lines,
                     std::string& problem) {
    const Record& first = warps[0];
    bool same = warps.size() == kWarpgroupWarps;
    for (const Record& record : warps)
      same = same && record.header.line == first.header.line && record.name == first.name &&
             record.header.data_words == first.header.data_words;
    if (same)
      lines.push_back(record_line(warps));
    else if (problem.empty())
      problem = first.file + ":" + std::to_string(first.header.line) + ": RECORD_WARPGROUP of \"" +
                first.name + "\" was not done by all four warps of the warpgroup of warp " +
                std::to_string(first.header.warp) +
                "; all four must do the same ones in the same order";
  }
};

}  // namespace recording
