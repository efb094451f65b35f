// SPDX-License-Identifier: MIT
// Tensor maps: their 128 bytes are of the emulator's own encoding
// (common/emulator/execute/tensor_map.hpp).
//
// Source: CUDA driver API, "Tensor Map Object Management".
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "cudart/context.hpp"
#include "cudart/driver/driver.hpp"
#include "cudart/host_memory.hpp"
#include "emulator/execute/tensor_map.hpp"

namespace lanescope::cudart {

namespace {

constexpr CUresult kSuccess = 0, kInvalidValue = 1;

/// What both ways of encoding are given.
struct Asked {
  void* result;
  int type;
  std::uint32_t rank;
  void* address;
  const std::uint64_t* size;
  const std::uint64_t* strides;
  const std::uint32_t* element_strides;
  int interleave, swizzle, promotion, fill;
};

int refuse_map(const char* function, const std::string& why) {
  say(fmt::format("{}: {}", function, why));
  return kInvalidValue;
}

std::string problem_of(const Asked& asked) {
  if (asked.type < 0 || asked.type > static_cast<int>(emulator::TensorMapType::tf32_ftz))
    return fmt::format("tensorDataType {}: Hopper has 0 to 12", asked.type);
  if (asked.rank < 1 || asked.rank > 5)
    return fmt::format("tensorRank is {}, not 1 to 5", asked.rank);
  if (asked.interleave < 0 || asked.interleave > 2)
    return fmt::format("interleave {}: there are 0 to 2", asked.interleave);
  if (asked.swizzle < 0 || asked.swizzle > 3)
    return fmt::format("swizzle {}: Hopper has 0 to 3", asked.swizzle);
  if (asked.promotion < 0 || asked.promotion > 3 || asked.fill < 0 || asked.fill > 1)
    return "l2Promotion or oobFill is none of the enumeration";
  // The API's text wants 64 bytes of alignment; a driver takes any, and a map that a function
  // returns lies where the compiler wants it.
  if (!is_mapped(asked.result, 128)) return "tensorMap is not there";
  if (!is_mapped(asked.size, asked.rank * 8) || !is_mapped(asked.element_strides, asked.rank * 4) ||
      asked.strides == nullptr ||  // for one dimension, too, says the driver
      (asked.rank > 1 && !is_mapped(asked.strides, (asked.rank - 1) * 8)))
    return "an array argument is not there";
  return {};
}

/// All but the box.
std::string describe(const Asked& asked, emulator::TensorMap& map) {
  if (std::string why = problem_of(asked); !why.empty()) return why;
  map.type = static_cast<emulator::TensorMapType>(asked.type);
  map.rank = static_cast<int>(asked.rank);
  map.swizzle = static_cast<layout::Swizzle>(asked.swizzle);
  map.fills_nan = asked.fill == 1;
  if (map.fills_nan && !emulator::is_real(emulator::element_type(map.type)))
    return "oobFill is NaN for integers";
  map.address = reinterpret_cast<std::uint64_t>(asked.address);
  map.interleave_bytes = 16 * static_cast<std::uint32_t>(asked.interleave);
  map.stride_bytes[0] = map.first_stride_bytes();
  for (std::size_t d = 0; d < asked.rank; ++d) {
    map.size[d] = asked.size[d];
    map.element_stride[d] = asked.element_strides[d];
    if (d > 0) map.stride_bytes[d] = asked.strides[d - 1];
  }
  return {};
}

int encode_map(const char* function, const emulator::TensorMap& map, void* result) {
  if (const std::string why = emulator::problem(map); !why.empty())
    return refuse_map(function, why);
  const emulator::TensorMapBytes bytes = emulator::encode(map);
  std::memcpy(result, bytes.data(), bytes.size());
  return kSuccess;
}

}  // namespace

CUresult cuTensorMapEncodeTiled(void* result, int type, std::uint32_t rank, void* address,
                                const std::uint64_t* size, const std::uint64_t* strides,
                                const std::uint32_t* box, const std::uint32_t* element_strides,
                                int interleave, int swizzle, int promotion, int fill) {
  if (current_context() == 0) return kInvalidContext;
  const Asked asked{result,          type,       rank,    address,   size, strides,
                    element_strides, interleave, swizzle, promotion, fill};
  emulator::TensorMap map;
  std::string why = describe(asked, map);
  if (why.empty() && !is_mapped(box, rank * 4)) why = "an array argument is not there";
  if (!why.empty()) return refuse_map("cuTensorMapEncodeTiled", why);
  for (std::size_t d = 0; d < rank; ++d) map.box[d] = box[d];
  return encode_map("cuTensorMapEncodeTiled", map, result);
}

CUresult cuTensorMapEncodeIm2col(void* result, int type, std::uint32_t rank, void* address,
                                 const std::uint64_t* size, const std::uint64_t* strides,
                                 const int* lower, const int* upper, std::uint32_t channels,
                                 std::uint32_t pixels, const std::uint32_t* element_strides,
                                 int interleave, int swizzle, int promotion, int fill) {
  if (current_context() == 0) return kInvalidContext;
  const Asked asked{result,          type,       rank,    address,   size, strides,
                    element_strides, interleave, swizzle, promotion, fill};
  emulator::TensorMap map;
  std::string why = describe(asked, map);
  if (why.empty() && rank < 3) why = fmt::format("tensorRank is {}, not 3 to 5", rank);
  if (why.empty() && (!is_mapped(lower, (rank - 2) * 4) || !is_mapped(upper, (rank - 2) * 4)))
    why = "an array argument is not there";
  if (!why.empty()) return refuse_map("cuTensorMapEncodeIm2col", why);
  map.is_im2col = true;
  map.box[0] = channels;
  map.pixels = pixels;
  for (std::size_t k = 0; k + 2 < rank; ++k) {
    map.lower[k] = lower[k];
    map.upper[k] = upper[k];
  }
  return encode_map("cuTensorMapEncodeIm2col", map, result);
}

CUresult cuTensorMapReplaceAddress(void* result, void* address) {
  constexpr const char* kName = "cuTensorMapReplaceAddress";
  if (current_context() == 0) return kInvalidContext;
  if (!is_mapped(result, 128)) return refuse_map(kName, "tensorMap is not there");
  constexpr std::uint64_t kAlignment = 16;  // whatever the map's, says an H200
  const auto place = reinterpret_cast<std::uint64_t>(address);
  if (place == 0 || place % kAlignment != 0)
    return refuse_map(kName, "globalAddress is null or no multiple of 16");
  auto map = emulator::decode_tensor_map(static_cast<const std::byte*>(result));
  if (!map) return kSuccess;  // a kernel that uses it is told
  map->address = place;
  const emulator::TensorMapBytes bytes = emulator::encode(*map);
  std::memcpy(result, bytes.data(), bytes.size());
  return kSuccess;
}

}  // namespace lanescope::cudart
