// SPDX-License-Identifier: MIT
// See this_card.hpp. The driver is loaded, not linked with: most machines have none.
#include "cli/this_card.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/program_file.hpp"

namespace lanescope::cli {

std::optional<ThisCard> this_card() {
  // It stays loaded: a driver that has been asked has threads.
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY);
  if (driver == nullptr) return {};
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto attribute =
      reinterpret_cast<int (*)(int*, int, int)>(dlsym(driver, "cuDeviceGetAttribute"));
  const auto name_of = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
  const auto version = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  if (init == nullptr || attribute == nullptr || name_of == nullptr || version == nullptr ||
      init(0) != 0)
    return {};
  constexpr int kMajor = 75, kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
  constexpr int kFirst = 0;
  int major = 0, minor = 0, newest = 0;
  char name[256] = "";
  if (attribute(&major, kMajor, kFirst) != 0 || attribute(&minor, kMinor, kFirst) != 0 ||
      name_of(name, sizeof name, kFirst) != 0 || version(&newest) != 0)
    return {};
  Dl_info info{};
  const bool is_found = dladdr(reinterpret_cast<void*>(init), &info) != 0;
  return ThisCard{name,
                  {major * 10 + minor, major >= 9 ? 'a' : char{0}},
                  newest,
                  is_found ? info.dli_fname : ""};
}

/// The CUDA whose runtime a program loads: 13 of libcudart.so.13. 0 where it loads none.
static int cuda_of(const cudart::ElfFile& file) {
  constexpr std::string_view kRuntime = "libcudart.so.";
  for (const std::string& library : file.libraries)
    if (library.compare(0, kRuntime.size(), kRuntime) == 0)
      return std::atoi(library.c_str() + kRuntime.size());
  return 0;
}

/// The first CUDA that knows a version of PTX, as the driver counts them: 12070 of "8.6". 0 of one
/// that all drivers of today know, and of none.
/// Source: PTX ISA 9.2, 13 (release notes).
static int cuda_of_ptx(const std::string& version) {
  int major = 0, minor = 0;
  if (std::sscanf(version.c_str(), "%d.%d", &major, &minor) != 2 || major < 7) return 0;
  if (major == 8 && minor > 5) ++minor;  // 8.5 is that of CUDA 12.6, too
  return (major + 4) * 1000 + minor * 10;
}

static std::string said(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

std::string obstacle(const cudart::ElfFile& program, const ThisCard& card) {
  const int cuda = cuda_of(program);  // its later minor versions run on the driver of the first
  if (card.driver < cuda * 1000)
    return fmt::format("has a driver of CUDA {}, and this is a program of CUDA {}",
                       said(card.driver), cuda);
  if (cudart::choose_arch(program.fat_binaries, card.target) != card.target)
    return fmt::format("is {} and lacks the instructions", to_string(card.target));
  return "";
}

std::string obstacle(const std::filesystem::path& program, const ThisCard& card) {
  std::string why;
  look_into(program, [&](const cudart::ElfFile& file) { why = obstacle(file, card); });
  return why;
}

std::string obstacle(const launcher::PtxText& ptx, const ThisCard& card) {
  if (const int cuda = cuda_of_ptx(ptx.version); card.driver < cuda)
    return fmt::format("has a driver of CUDA {}, and PTX {} is of CUDA {}", said(card.driver),
                       ptx.version, said(cuda));
  if (!cudart::runs_on(cudart::parse_target(ptx.target), card.target))
    return fmt::format("is {} and cannot run PTX for {}", to_string(card.target), ptx.target);
  return "";
}

}  // namespace lanescope::cli
