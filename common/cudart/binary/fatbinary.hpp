// SPDX-License-Identifier: MIT
// Reads what nvcc puts into a program: a fat binary with PTX and SASS for several architectures.
//
//   wrapper (in the program)    container                    entry                     entry
//   {magic, version, data} ---> {magic, version, size} {header | PTX or ELF} {header | PTX or ELF}
//   ...
//
// PTX payloads are plain, zstd (nvcc's default) or LZ4 (--compress-mode=speed). SASS is only
// counted: nothing here can run it. Whatever the bytes are, the answer is a value or an error,
// never a crash. Source: no public document; observed in the output of nvcc 13.0 for every
// --compress-mode.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::cudart {

/// "sm_90a": number 90, suffix 'a' (runs on exactly this), 'f' (on this family) or 0 (and newer).
struct Target {
  int number = 0;
  char suffix = 0;
  friend bool operator==(const Target&, const Target&) = default;
};

/// Reads "sm_90a" or "compute_90a"; number 0 when it is neither.
Target parse_target(std::string_view text);
std::string to_string(Target target);

/// The .target of a PTX module: "sm_90a" in ".target sm_90a, debug"; number 0 when it has none.
Target target_of(std::string_view ptx);

/// Whether PTX for `ptx` runs on `arch`.
bool runs_on(Target ptx, Target arch);

struct PtxImage {
  Target target;  // from the text's .target, which is what counts
  std::string text;
  std::string ptxas_options = {};  // as nvcc gave them: " --fmad false "
};

struct FatBinary {
  std::vector<PtxImage> ptx;
  std::vector<Target> sass;
  std::string error;  // what is damaged, and at which byte; "" when all of it was read
};

/// Reads a container and its entries. What comes before a damaged entry is still there.
FatBinary read_fat_binary(std::span<const std::byte> bytes);

/// How long a container says it is, header included; 0 when these 16 bytes are not one's start.
std::size_t container_bytes(std::span<const std::byte> header);

/// The PTX that a driver would compile for `arch`: the highest that runs on it; nullptr if none.
const PtxImage* choose_ptx(const FatBinary& binary, Target arch);

/// The registers of each kernel in the SASS that a driver would take for `arch`; empty where there
/// is none.
std::map<std::string, int> registers_in(std::span<const std::byte> container, Target arch);

/// Whether the emulator can be this GPU.
bool is_emulated(Target arch);
/// Those that it can be, for an error message: "sm_75, sm_80, ...".
std::string_view known_archs();

/// The GPU to be for a program, from all the fat binaries in it: `usual`, if there is PTX for it in
/// each that has PTX; else the newest that has, else `usual`.
Target choose_arch(std::span<const std::span<const std::byte>> sections, Target usual);

/// "PTX for sm_90a and SASS for sm_80, sm_90", for error messages.
std::string describe(const FatBinary& binary);

}  // namespace lanescope::cudart
