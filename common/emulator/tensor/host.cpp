// SPDX-License-Identifier: MIT
#include "emulator/tensor/host.hpp"

#include <array>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lanescope::emulator {

#if defined(__x86_64__)

Host best_host() {
  static const Host best = [] {
    // "f16c" and "lzcnt" are not names to every compiler's __builtin_cpu_supports; AVX2's answer
    // covers the operating system's part.
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    const bool f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
    const bool lzcnt = __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & 1u << 5) != 0;
    if (!f16c || !lzcnt || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("popcnt"))
      return Host::baseline;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide ? Host::avx512 : Host::avx2;
  }();
  return best;
}

#else

Host best_host() { return Host::baseline; }

#endif

std::span<const Host> hosts() {
  static constexpr std::array kAll{Host::baseline, Host::avx2, Host::avx512};
  return std::span(kAll).first(static_cast<std::size_t>(best_host()) + 1);
}

std::string_view name(Host host) {
  return host == Host::avx512 ? "avx512" : host == Host::avx2 ? "avx2" : "baseline";
}

}  // namespace lanescope::emulator
