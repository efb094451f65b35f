// SPDX-License-Identifier: MIT
// Blocks of rows in host or device memory, and moving and filling them. Both ends of every copy are
// looked up before a byte moves: a copy that would run over an allocation, or has host memory where
// its kind says the card's, is refused with the reason.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cudart/context.hpp"

namespace lanescope::cudart {

/// A block of rows; one row when it is a plain copy.
struct Area {
  std::uint64_t address = 0;
  std::size_t pitch_bytes = 0;
  std::size_t width_bytes = 0;
  std::size_t height = 1;
};

inline bool is_kind(int kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }
inline bool is_empty(const Area& area) { return area.width_bytes == 0 || area.height == 0; }

inline Area line(const void* pointer, std::size_t bytes) {
  return {reinterpret_cast<std::uintptr_t>(pointer), bytes, bytes, 1};
}

inline Area rows(const void* pointer, std::size_t pitch_bytes, std::size_t width_bytes,
                 std::size_t height) {
  return {reinterpret_cast<std::uintptr_t>(pointer), pitch_bytes, width_bytes, height};
}

/// As cudaMemcpyKind says.
cudaError copy(Context& state, const Area& to, const Area& from, int kind);
cudaError copy_rows(Context& state, const Area& to, const Area& from, int kind);
/// With values of 1, 2 or 4 bytes.
cudaError fill_rows(Context& state, const Area& area, unsigned value, std::size_t value_bytes = 1);
/// The looks alone: for what is done in several pieces, or not at all.
cudaError check_copy_rows(const Context& state, const Area& to, const Area& from, int kind);
cudaError check_fill_rows(const Context& state, const Area& area);
cudaError check_pitch(const Context& state, const Area& area);
/// The looks for what a graph does later: memory that it will allocate is not there yet.
cudaError check_copy_ahead(const Context& state, const Area& to, const Area& from, int kind);
cudaError check_fill_ahead(const Context& state, const Area& area, std::size_t value_bytes);

/// The asynchronous forms: `work` at once, after looking at the stream, or written down where it
/// is captured.
cudaError on_stream(const char* name, cudaStream_t stream, NodeType type, Work work);

}  // namespace lanescope::cudart
