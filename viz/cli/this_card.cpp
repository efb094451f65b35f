// SPDX-License-Identifier: MIT
// See this_card.hpp. The driver is loaded, not linked with: most machines have none.
#include "cli/this_card.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

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
  return ThisCard{name, {major * 10 + minor, major >= 9 ? 'a' : char{0}}, newest};
}

std::string obstacle(const std::filesystem::path& program, const ThisCard& card) {
  constexpr int kOldest = 13000;  // the driver of libcudart.so.13; later minor ones run on it, too
  if (card.driver < kOldest)
    return fmt::format("has a driver of CUDA {}.{}, and programs here are CUDA 13's",
                       card.driver / 1000, card.driver % 1000 / 10);
  bool runs = true;
  look_into(program, [&](const cudart::ElfFile& file) {
    runs = cudart::choose_arch(file.fat_binaries, card.target) == card.target;
  });
  return runs ? "" : fmt::format("is {} and lacks the instructions", to_string(card.target));
}

}  // namespace lanescope::cli
