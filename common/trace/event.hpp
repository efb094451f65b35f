// SPDX-License-Identifier: MIT
// What a trace says: one struct an event, in memory as in the file (docs/trace_format.md).
//
// Bits are the truth: registers and bytes are kept as patterns, never as decoded numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanescope::trace {

inline constexpr int kVersion = 1;

/// The first line of a file: who wrote it, on what.
struct Header {
  int version = kVersion;
  std::string producer;  // "gpu" or "emulator"
  std::string device;    // "NVIDIA H200", "Lanescope emulator"
  std::string arch;      // "sm_90a"
  std::string program;   // "01_fragment_layout"
  std::string command;   // as it was called
  friend bool operator==(const Header&, const Header&) = default;
};

/// How a lesson wants to be looked at.
struct View {
  std::string title;
  std::vector<std::string> panels;  // names of panels, most important first
  std::string selection;  // what is selected at first, as the search box takes it: "A 9,5"
  std::string caption;
  friend bool operator==(const View&, const View&) = default;
};

/// Where on the card something happened. `launch` counts launches of the program from 0.
struct Place {
  int launch = 0;
  std::array<int, 3> block{0, 0, 0};
  int warp = 0;  // warp in block; the first of the four for a warpgroup
  friend bool operator==(const Place&, const Place&) = default;
};

/// A line of the learner's source; line 0 when it is not known.
struct SourceLine {
  std::string file;
  int line = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// Global memory that the program had.
struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

struct Launch {
  int launch = 0;
  std::string kernel;
  std::array<int, 3> grid{1, 1, 1};
  std::array<int, 3> block{1, 1, 1};
  std::int64_t shared_bytes = 0;          // dynamic shared memory
  std::vector<Allocation> allocations{};  // the oldest first; of a launch whose steps are recorded
  std::vector<std::string> parameters{};  // their names, likewise, unless all are NAME_param_0, ...
  friend bool operator==(const Launch&, const Launch&) = default;
};

/// The registers of one operand in every lane.
struct Fragment {
  Place place;
  std::string name;         // "A", or "A k=16": unique within its warp where the lesson wants it so
  std::string instruction;  // PTX mnemonic; names the map in the atlas
  std::string operand;      // "A", "B", "C", "D", "E", "SFA", "SFB"
  int register_bits = 32;   // 32 or 64
  std::vector<std::vector<std::uint64_t>> registers;  // [register][lane], 32 or 128 lanes
  SourceLine source;
  friend bool operator==(const Fragment&, const Fragment&) = default;
};

/// The selector behind the name of metadata, "E selector 1"; 0 where there is none.
inline int selector_of(const Fragment& metadata) {
  constexpr std::string_view kWord = " selector ";
  const std::size_t at = metadata.name.find(kWord);
  if (at == std::string::npos || at + kWord.size() >= metadata.name.size()) return 0;
  const char digit = metadata.name[at + kWord.size()];
  return digit >= '0' && digit <= '9' ? digit - '0' : 0;
}

/// {thread-id, byte-id} behind the name of scales, "SFA thread-id 1 byte-id 2"; 0 what is not
/// there.
inline std::array<int, 2> scale_selector_of(const Fragment& scales) {
  const auto behind = [&scales](std::string_view word) {
    const std::size_t at = scales.name.find(word);
    if (at == std::string::npos || at + word.size() >= scales.name.size()) return 0;
    const char digit = scales.name[at + word.size()];
    return digit >= '0' && digit <= '9' ? digit - '0' : 0;
  };
  return {behind(" thread-id "), behind(" byte-id ")};
}

/// A named tile of memory, row after row without gaps (the writer has removed them).
struct Memory {
  Place place;
  std::string name;
  std::string space;  // "shared" or "global"
  std::string type;   // element type, PTX spelling
  int rows = 0;
  int cols = 0;
  std::uint64_t address = 0;          // of the first byte; shared: offset in the CTA's window
  std::int64_t row_stride_bytes = 0;  // as it lay in memory
  std::vector<std::uint8_t> bytes;
  SourceLine source;
  friend bool operator==(const Memory&, const Memory&) = default;
};

/// One register that a step wrote, in every active lane (inactive lanes keep what they had).
struct Write {
  std::string name;   // PTX name, "%r12"
  std::string watch;  // the learner's name from //@watch, or ""
  int bits = 32;
  std::vector<std::uint64_t> lanes;
  friend bool operator==(const Write&, const Write&) = default;
};

/// One PTX instruction of one warp (written by the emulator only).
struct Step {
  Place place;
  std::int64_t step = 0;  // counts from 0 in its warp
  std::string ptx;        // the instruction's text
  int ptx_line = 0;
  SourceLine source;
  std::uint32_t active = 0xffffffffu;  // lane mask
  std::vector<Write> writes;
  friend bool operator==(const Step&, const Step&) = default;
};

/// The shared-memory addresses of the 32 lanes of one step.
struct Access {
  Place place;
  std::int64_t step = 0;
  std::string instruction;
  int bytes_per_lane = 4;
  std::uint32_t active = 0xffffffffu;
  // Offsets in the CTA's shared window: 32, and of wmma, which moves several pieces a lane, 32 more
  // a piece: [piece][lane].
  std::vector<std::uint32_t> addresses;
  friend bool operator==(const Access&, const Access&) = default;
};

/// What a copy through a tensor map brings, in tile mode: which box of which tensor. Dimensions
/// from the fastest on; strides of all but that one.
struct TensorBox {
  int element_bytes = 0;
  std::string swizzle;  // "none", "32B", "64B", "128B": as it lies in shared memory
  std::vector<std::int64_t> size, strides_bytes;  // of the tensor: elements, bytes
  std::vector<std::int64_t> box, at;              // elements; the coordinates it begins at
  friend bool operator==(const TensorBox&, const TensorBox&) = default;
};

/// Something that warps of a CTA wait for each other with: a copy, an arrival, a wait that is over.
struct Sync {
  Place place;            // whose step it was; of a landing: who issued the copy
  std::int64_t step = 0;  // of that warp
  std::string action;     // "copy", "store", "expect", "arrive", "land", "written", "complete", ...
  std::string object;     // "mbarrier 0x400", "bar 0", "cp.async", "bulk", "cluster"
  std::int64_t phase = 0;         // of the object, counted from 0; -1: the one before the first
  std::int64_t count = 0;         // arrivals
  std::int64_t bytes = 0;         // announced or copied
  std::int64_t address = -1;      // of a copy: its first byte in shared memory; -1: not known
  std::uint64_t global = 0;       // of a bulk copy: its first byte, or its tensor's; 0: not known
  std::vector<TensorBox> tensor;  // none or one
  SourceLine source;
  friend bool operator==(const Sync&, const Sync&) = default;
};

/// Another access that a diagnostic is about: of a race, the one that came first.
struct OtherAccess {
  std::array<int, 3> block{0, 0, 0};
  int warp = -1;    // -1: no warp's, a copy's say; then there is no block, either
  int lane = -1;    // -1: several lanes'
  std::string ptx;  // its instruction, as a step has it
  int ptx_line = 0;
  SourceLine source;
  friend bool operator==(const OtherAccess&, const OtherAccess&) = default;
};

/// Something the emulator or a check has to say.
struct Diagnostic {
  Place place;
  std::string kind;     // "misaligned-address"
  std::string message;  // one sentence
  std::vector<std::string> details;
  int ptx_line = 0;
  SourceLine source;
  std::vector<OtherAccess> against;  // what `details` say in words
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Event = std::variant<View, Launch, Fragment, Memory, Step, Access, Diagnostic, Sync>;

struct Trace {
  Header header;
  std::vector<Event> events;
  friend bool operator==(const Trace&, const Trace&) = default;
};

}  // namespace lanescope::trace
