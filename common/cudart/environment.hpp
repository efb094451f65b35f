// SPDX-License-Identifier: MIT
// How `lanescope run` talks to the runtime it puts under a program: the only place that names the
// environment variables. docs/runtime.md describes them to users.
#pragma once

#include <cstdlib>
#include <string>

namespace lanescope::cudart {

inline constexpr const char* kArchVariable = "LANESCOPE_ARCH";  // "sm_90a": which GPU to be
inline constexpr const char* kThreadsVariable =
    "LANESCOPE_THREADS";  // worker threads, by default as many as cores
inline constexpr const char* kMemoryVariable = "LANESCOPE_MEMORY_MIB";  // the card's memory
inline constexpr const char* kTraceVariable = "LANESCOPE_TRACE";        // the file to write
inline constexpr const char* kStepsVariable = "LANESCOPE_STEPS";        // step_selection.hpp
inline constexpr const char* kWhereVariable = "LANESCOPE_WHERE";  // "1": say where the steps go
inline constexpr const char* kSeedVariable = "LANESCOPE_SEED";    // of the order of warps
inline constexpr const char* kFidelityVariable = "LANESCOPE_FIDELITY";  // "1": say how exact
inline constexpr const char* kCheckVariable =
    "LANESCOPE_CHECK";  // "1": look for races; "first": and stop
inline constexpr const char* kStrictVariable = "LANESCOPE_STRICT";        // "1": and for more
inline constexpr const char* kBanksVariable = "LANESCOPE_BANKS";          // "1": bank conflicts
inline constexpr const char* kSectorsVariable = "LANESCOPE_SECTORS";      // "1": sectors fetched
inline constexpr const char* kRegistersVariable = "LANESCOPE_REGISTERS";  // "1": ask ptxas
inline constexpr const char* kPtxVariable = "LANESCOPE_PTX";        // a folder: edited_ptx.hpp
inline constexpr const char* kSaveVariable = "LANESCOPE_SAVE";      // FILE.ptx: saving.hpp
inline constexpr const char* kLaunchVariable = "LANESCOPE_LAUNCH";  // which, as steps are chosen
inline constexpr const char* kProgressVariable = "LANESCOPE_PROGRESS";  // progress.hpp

inline constexpr const char* kDefaultArch = "sm_90a";
inline constexpr const char* kLibraryName = "libcudart.so.13";

/// What a variable says; "" when it is not there.
inline std::string setting(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr ? text : "";
}

}  // namespace lanescope::cudart
