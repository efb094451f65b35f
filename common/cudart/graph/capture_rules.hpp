// SPDX-License-Identifier: MIT
// What may not be called while a stream is captured: what waits for the card, or may do so, as
// allocations do, and what is given to the default stream. Who calls it anyway is refused, and the
// capture has become invalid.
//
// Source: CUDA Runtime API, cudaThreadExchangeStreamCaptureMode; which calls an H200 refuses
// (driver 580.159.04, CUDA 13.0) is in tests/programs/h200/captures.txt and capture_default.txt.
#pragma once

#include <string_view>

#include "cudart/context.hpp"

namespace lanescope::cudart {

/// The calling thread's, of cudaThreadExchangeStreamCaptureMode.
int& thread_capture_mode();

/// A call that may wait for the card: refused where a capture forbids it to this thread.
cudaError forbid_waiting(Context& context);

/// For a call that is given a stream, or none: the default one waits for all that are not
/// cudaStreamNonBlocking, and cannot wait for what is only written down.
cudaError forbid_default(Context& context, cudaStream_t stream);
/// The question alone.
bool is_default_forbidden(const Context& context, cudaStream_t stream);

/// The same of a function that is always one of these, or that waits for every stream.
cudaError forbid_while_captured(Context& context, std::string_view function);

}  // namespace lanescope::cudart
