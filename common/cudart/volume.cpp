// SPDX-License-Identifier: MIT
// See volume.hpp. What is refused, and with which error first, is an H200's (driver 580.159.04).
#include "cudart/volume.hpp"

#include "cudart/array_area.hpp"

namespace lanescope::cudart {

namespace {

/// One of the slices of a part of a volume.
Area slice(const cudaPitchedPtr& pointer, const cudaPos& at, const cudaExtent& extent,
           std::size_t depth) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer.ptr);
  const std::uint64_t address =
      begin + (at.z + depth) * pointer.pitch * pointer.ysize + at.y * pointer.pitch + at.x;
  return {address, pointer.pitch, extent.width, extent.height};
}

/// Whether the addresses of all slices are sums that there are.
bool is_within_reach(const cudaPitchedPtr& pointer, const cudaPos& at, const cudaExtent& extent) {
  std::uint64_t slices = 0, rows = 0, bytes = 0;
  return !__builtin_mul_overflow(at.z + extent.depth, pointer.pitch, &slices) &&
         !__builtin_mul_overflow(slices, pointer.ysize, &slices) &&
         !__builtin_mul_overflow(at.y + extent.height, pointer.pitch, &rows) &&
         !__builtin_add_overflow(slices, rows, &bytes) &&
         !__builtin_add_overflow(bytes, at.x + extent.width, &bytes);
}

/// act(depth) for each slice, until one is refused.
template <class Act>
cudaError each_slice(const cudaExtent& extent, Act act) {
  for (std::size_t depth = 0; depth < extent.depth; ++depth)
    if (const cudaError error = act(depth); error != cudaSuccess) return error;
  return cudaSuccess;
}

/// One end of a copy: an array, or memory with a pitch.
struct End {
  const void* array = nullptr;
  cudaPos at{};
  cudaPitchedPtr pointer{};
  int host_kind = 0;  // the copy's, where it says that this end is the host's
};

/// A copy, `extent` in bytes across; `asked` is as the program has it, in texels of an array.
struct Asked {
  End to, from;
  cudaExtent asked{}, extent{};
  cudaMemcpyKind kind{};
  CopyUnit unit = CopyUnit::texels;
};

Asked in_bytes(const Context& state, const cudaMemcpy3DParms& asked,
               CopyUnit unit = CopyUnit::texels) {
  Asked copy{{asked.dstArray, asked.dstPos, asked.dstPtr, cudaMemcpyDeviceToHost},
             {asked.srcArray, asked.srcPos, asked.srcPtr, cudaMemcpyHostToDevice},
             asked.extent,
             asked.extent,
             asked.kind,
             unit};
  const Array* array = state.textures.find_array(copy.to.array ? copy.to.array : copy.from.array);
  if (array && unit == CopyUnit::texels) copy.extent.width *= array->texel_bytes();
  return copy;
}

/// Whether an end can be what the extent and the kind say, wherever it is.
cudaError check_end(const Context& state, const End& end, const Asked& copy) {
  if ((end.array != nullptr) == (end.pointer.ptr != nullptr))
    return refuse(state, cudaErrorInvalidValue, "an end is an array or a pointer, and not both");
  if (end.array)
    return copy.kind == end.host_kind || copy.kind == cudaMemcpyHostToHost
               ? refuse(state, cudaErrorInvalidValue, "an array is the card's, the kind says host")
               : cudaSuccess;
  const auto& [width, height, depth] = copy.asked;
  if (width > end.pointer.pitch || (depth > 1 && height > end.pointer.ysize))
    return refuse(state, cudaErrorInvalidPitchValue,
                  "the rows do not fit into the pitch, or into the slices");
  return cudaSuccess;
}

/// What is looked at of the memory at an end when both can be.
bool fits(const End& end, const cudaExtent& extent) {
  return end.array || (extent.width <= end.pointer.pitch && extent.height <= end.pointer.ysize &&
                       is_within_reach(end.pointer, end.at, extent));
}

cudaError check_ends(const Context& state, const Asked& copy) {
  if (!is_kind(copy.kind)) return cudaErrorInvalidMemcpyDirection;
  if (const cudaError error = check_end(state, copy.from, copy); error != cudaSuccess) return error;
  if (const cudaError error = check_end(state, copy.to, copy); error != cudaSuccess) return error;
  if (fits(copy.from, copy.extent) && fits(copy.to, copy.extent)) return cudaSuccess;
  return refuse(state, cudaErrorInvalidValue, "the bytes do not fit into the pitch or the slices");
}

/// An end's rows in one slice.
cudaError rows_of(const Context& state, const End& end, const Asked& copy, std::size_t z,
                  Area& area) {
  const cudaExtent& extent = copy.extent;
  if (!end.array) {
    area = slice(end.pointer, end.at, extent, z);
    return cudaSuccess;
  }
  const Array* array = state.textures.find_array(end.array);
  const std::size_t each = array && copy.unit == CopyUnit::texels ? array->texel_bytes() : 1;
  return array_rows(state, end.array,
                    {end.at.x * each, end.at.y, end.at.z + z, extent.width, extent.height}, area);
}

cudaError rows_of(const Context& state, const Asked& copy, std::size_t z, Area& to, Area& from) {
  const cudaError error = rows_of(state, copy.to, copy, z, to);
  return error != cudaSuccess ? error : rows_of(state, copy.from, copy, z, from);
}

/// A part that begins where no memory is, beyond the memory that its pointer is of or stands
/// behind, would be taken for memory of somebody else's, too.
cudaError check_begin(const Context& state, const End& end, const cudaExtent& extent) {
  const std::uint64_t given = address_of(end.pointer.ptr);
  const bool is_ours = state.memory.containing(given) || state.memory.containing(given - 1);
  if (end.array || !is_ours) return cudaSuccess;
  const Area first = slice(end.pointer, end.at, extent, 0);
  if (state.memory.containing(first.address)) return cudaSuccess;
  return refuse(state, cudaErrorInvalidValue,
                state.memory.explain(first.address, first.width_bytes));
}

/// How many rows lie between an end's first and its last: a slice that begins beyond an allocation
/// would be taken for memory of somebody else's.
std::size_t rows_of_all_slices(const End& end, const cudaExtent& extent) {
  return end.array ? extent.height : (extent.depth - 1) * end.pointer.ysize + extent.height;
}

/// look(to, from) at the rows of all slices and of each, once the ends are right.
template <class Look>
cudaError check_slices(const Context& state, const Asked& copy, Look look) {
  if (const cudaError error = check_ends(state, copy); error != cudaSuccess) return error;
  for (const End& end : {copy.to, copy.from})
    if (const cudaError error = check_begin(state, end, copy.extent); error != cudaSuccess)
      return error;
  if (copy.extent.depth > 1) {
    Area to, from;
    cudaError error = rows_of(state, copy, 0, to, from);
    to.height = rows_of_all_slices(copy.to, copy.extent);
    from.height = rows_of_all_slices(copy.from, copy.extent);
    if (error == cudaSuccess) error = look(to, from);
    if (error != cudaSuccess) return error;
  }
  return each_slice(copy.extent, [&](std::size_t z) {
    Area to, from;
    const cudaError error = rows_of(state, copy, z, to, from);
    return error != cudaSuccess ? error : look(to, from);
  });
}

}  // namespace

bool is_empty(const cudaExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

cudaError copy_volume(Context& state, const cudaMemcpy3DParms& asked, CopyUnit unit) {
  if (is_empty(asked.extent)) return cudaSuccess;
  const Asked copy = in_bytes(state, asked, unit);
  const cudaError error = check_slices(state, copy, [&](const Area& to, const Area& from) {
    return check_copy_rows(state, to, from, copy.kind);
  });
  if (error != cudaSuccess) return error;
  return each_slice(copy.extent, [&](std::size_t z) {
    Area to, from;
    rows_of(state, copy, z, to, from);
    return copy_rows(state, to, from, copy.kind);
  });
}

cudaError check_volume_ahead(const Context& state, const cudaMemcpy3DParms& asked) {
  const Asked copy = in_bytes(state, asked);
  return check_slices(state, copy, [&](const Area& to, const Area& from) {
    return check_copy_ahead(state, to, from, copy.kind);
  });
}

cudaError fill_volume(Context& state, const cudaPitchedPtr& to, int value,
                      const cudaExtent& extent) {
  if (is_empty(extent)) return cudaSuccess;
  if (extent.height > to.ysize || extent.width > to.pitch) return cudaErrorInvalidValue;
  const auto at = [&](std::size_t z) { return slice(to, {0, 0, 0}, extent, z); };
  const cudaError error =
      each_slice(extent, [&](std::size_t z) { return check_fill_rows(state, at(z)); });
  if (error != cudaSuccess) return error;
  return each_slice(
      extent, [&](std::size_t z) { return fill_rows(state, at(z), static_cast<unsigned>(value)); });
}

}  // namespace lanescope::cudart
