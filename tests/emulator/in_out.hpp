// SPDX-License-Identifier: MIT
// Kernels of two pointers, (out, in), run on the emulator by a test, one block each.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "emulator/machine.hpp"

namespace lanescope::emulator::test {

class InOut {
 public:
  /// `text` is the module's PTX; In and Out of `run` are at most so large.
  InOut(const std::string& text, const char* file, const char* options = "",
        const char* arch = "sm_90a")
      : machine_({.arch = arch}) {
    const auto loaded = machine_.load(text, file, options);
    REQUIRE_MESSAGE(loaded.ok(), loaded.error.message);
    module_ = loaded.value;
    in_ = machine_.allocate(kBytes).value;
    out_ = machine_.allocate(kBytes).value;
  }

  template <class Out, class In>
  Out run(const std::string& kernel, const In& given, int threads = 32) {
    static_assert(sizeof(In) <= kBytes && sizeof(Out) <= kBytes);
    std::memcpy(reinterpret_cast<void*>(in_), &given, sizeof given);
    std::byte parameters[16];
    std::memcpy(parameters, &out_, 8);
    std::memcpy(parameters + 8, &in_, 8);
    LaunchRequest request;
    request.kernel = machine_.find_kernel(module_, kernel);
    request.block = {threads, 1, 1};
    request.parameters = parameters;
    REQUIRE(machine_.launch(request).error.code == ErrorCode::none);
    Out found;
    std::memcpy(&found, reinterpret_cast<const void*>(out_), sizeof found);
    return found;
  }

 private:
  static constexpr std::uint64_t kBytes = 64;
  Machine machine_;
  ModuleId module_{};
  std::uint64_t in_ = 0, out_ = 0;
};

}  // namespace lanescope::emulator::test
