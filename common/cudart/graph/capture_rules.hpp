// SPDX-License-Identifier: MIT
// What may not be called while a stream is captured: what waits for the card, or may do so, as
// allocations do. Who calls it anyway is refused, and the capture has become invalid.
//
// Source: CUDA Runtime API, cudaThreadExchangeStreamCaptureMode; which calls an H200 refuses
// (driver 580.159.04, CUDA 13.0) is in tests/programs/h200/captures.txt.
#pragma once

#include <string_view>

#include "cudart/context.hpp"

namespace lanescope::cudart {

/// The calling thread's, of cudaThreadExchangeStreamCaptureMode.
int& thread_capture_mode();

/// A call that may wait for the card: refused where a capture forbids it to this thread.
cudaError forbid_waiting(Context& context);

/// The same of a function that is always one of these, or that waits for every stream.
cudaError forbid_while_captured(Context& context, std::string_view function);

}  // namespace lanescope::cudart
