// SPDX-License-Identifier: MIT
// See errors.hpp; the texts are in errors.inc.
#include "cudart/errors.hpp"

namespace lanescope::cudart {

namespace {
struct Row {
  int code;
  const char* name;
  const char* text;
};
constexpr Row kRows[] = {
#define LANESCOPE_CUDA_ERROR(name, code, text) {code, #name, text},
#include "cudart/errors.inc"
#undef LANESCOPE_CUDA_ERROR
};
constexpr const char* kUnknown = "unrecognized error code";

const Row* find_row(int code) {
  for (const Row& row : kRows)
    if (row.code == code) return &row;
  return nullptr;
}
}  // namespace

const char* error_name(int code) {
  const Row* row = find_row(code);
  return row ? row->name : kUnknown;
}

const char* error_text(int code) {
  const Row* row = find_row(code);
  return row ? row->text : kUnknown;
}

cudaError to_cuda(emulator::ErrorCode code) {
  using emulator::ErrorCode;
  switch (code) {
    case ErrorCode::none:
      return cudaSuccess;
    case ErrorCode::invalid_ptx:
      return cudaErrorInvalidPtx;
    case ErrorCode::unsupported_instruction:
      return cudaErrorNotSupported;
    case ErrorCode::no_kernel_image:
      return cudaErrorNoKernelImageForDevice;
    case ErrorCode::invalid_value:
      return cudaErrorInvalidValue;
    case ErrorCode::invalid_configuration:
      return cudaErrorInvalidConfiguration;
    case ErrorCode::out_of_memory:
      return cudaErrorMemoryAllocation;
    case ErrorCode::illegal_address:
      return cudaErrorIllegalAddress;
    case ErrorCode::misaligned_address:
      return cudaErrorMisalignedAddress;
    case ErrorCode::illegal_instruction:
      return cudaErrorIllegalInstruction;
    case ErrorCode::launch_timeout:
      return cudaErrorLaunchTimeout;
    case ErrorCode::assertion:
      return cudaErrorAssert;
  }
  return cudaErrorUnknown;
}

cudaError to_cuda(const emulator::Error& error) {
  const std::string& kind = error.diagnostic.kind;
  if (kind == "trap" || kind == "cluster-rank") return cudaErrorLaunchFailure;
  return to_cuda(error.code);
}

bool is_sticky(cudaError code) {
  // "The process must be terminated and relaunched" (driver_types.h) is said of these.
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

}  // namespace lanescope::cudart
