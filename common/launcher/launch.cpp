// SPDX-License-Identifier: MIT
// Launches a kernel out of a PTX file, once, and says what it left in memory. It is a program like
// any other that knows the driver API and nothing else: `lanescope run KERNEL.ptx` starts it on the
// emulator, and on a machine with a card it runs there (tests/golden/compilers).
//
//     KERNEL.ptx [--kernel NAME] [--grid 4,2] [--block 128] [--cluster 2] [--shared BYTES]
//     [--print] [--write FOLDER] [--like FOLDER]
//         PARAMETERS (argument.hpp)
//
// A launch that was saved (saved_launch.hpp) says all of that itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "launcher/command.hpp"
#include "launcher/driver.hpp"
#include "launcher/kernel_text.hpp"
#include "launcher/memories.hpp"
#include "launcher/run_saved.hpp"
#include "launcher/saved_launch.hpp"
#include "launcher/start.hpp"
#include "launcher/stop.hpp"

namespace lanescope::launcher {
namespace {

const KernelText& choose_kernel(const PtxText& ptx, const Wanted& wanted) {
  if (ptx.kernels.empty())
    stop(kWrongUsage,
         fmt::format("{} has no kernel: no .entry with a body; is it PTX?", wanted.file));
  std::string names;
  for (const KernelText& kernel : ptx.kernels) {
    if (kernel.name == wanted.kernel) return kernel;
    names += (names.empty() ? "" : ", ") + kernel.name;
  }
  if (!wanted.kernel.empty())
    stop(kWrongUsage, fmt::format("--kernel '{}': {} has {}", wanted.kernel, wanted.file, names));
  if (ptx.kernels.size() > 1)
    stop(kWrongUsage, fmt::format("{} has {} kernels; choose one: --kernel {} (of {})", wanted.file,
                                  ptx.kernels.size(), ptx.kernels[0].name, names));
  return ptx.kernels[0];
}

// What the driver says of a file that it has refused.
std::string why_refused(const std::string& text) {
  std::array<char, 4096> log{};
  constexpr std::array kOptions{5, 6};  // CU_JIT_ERROR_LOG_BUFFER, and its bytes
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  void* module = nullptr;
  cuModuleLoadDataEx(&module, text.c_str(), 2, kOptions.data(), values.data());
  std::string why(log.data());
  std::replace(why.begin(), why.end(), '\n', ' ');
  return why.empty() ? "the driver does not take it" : why;
}

struct Loaded {
  void *module, *function;
};

Loaded load_kernel(const std::string& text, const Wanted& wanted, const std::string& kernel,
                   bool is_emulated) {
  void *context = nullptr, *module = nullptr, *function = nullptr;
  int device = 0;
  must(cuInit(0), "no CUDA driver");
  must(cuDeviceGet(&device, 0), "no device");
  must(cuDevicePrimaryCtxRetain(&context, device), "no context");
  must(cuCtxSetCurrent(context), "no context");
  if (cuModuleLoad(&module, wanted.file.c_str()) != 0) {
    if (is_emulated) stop(kWrongUsage, "", true);
    stop(kWrongUsage, fmt::format("{}: {}", wanted.file, why_refused(text)));
  }
  must(cuModuleGetFunction(&function, module, kernel.c_str()), kernel);
  return {module, function};
}

// What a parameter of so many bytes may be.
std::string what_has(std::size_t bytes) {
  switch (bytes) {
    case 1:
    case 2:
    case 4:
      return "as a number of so many has: u32=5";
    case 8:
      return "as a pointer (f16:64x128) or an s64 have";
    case 128:
      return "as a tensor map has: map:f16:64x128:64x64:128B";
    default:
      return "a struct's: f16:64x128,u32=5 are its members, @FILE its bytes";
  }
}

// As many words as parameters, each of its size.
std::vector<std::size_t> check_parameters(void* function, const KernelText& kernel,
                                          const Wanted& wanted) {
  std::vector<std::size_t> sizes;
  std::size_t offset = 0, bytes = 0;
  while (sizes.size() < 4096 && cuFuncGetParamInfo(function, sizes.size(), &offset, &bytes) == 0)
    sizes.push_back(bytes);
  if (wanted.parameters.size() != sizes.size())
    stop(kWrongUsage,
         fmt::format(
             "{} has {} parameter{} (of {} bytes), {} given; one word each: f16:64x128=random "
             "for a pointer, u32=5 for a number",
             kernel.name, sizes.size(), sizes.size() == 1 ? "" : "s", fmt::join(sizes, ", "),
             wanted.parameters.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Parameter& parameter = wanted.parameters[i];
    const std::size_t given = parameter.offsets().back();
    if (!parameter.file.empty() || given == sizes[i]) continue;
    const bool is_struct = parameter.members.size() > 1;
    const std::string& word = is_struct ? parameter.word : parameter.members[0].word;
    stop(kWrongUsage,
         fmt::format("parameter {}, '{}': the kernel's has {} bytes, {}", i, word, sizes[i],
                     is_struct ? fmt::format("this struct {}; b32=0 is room between members", given)
                               : what_has(sizes[i])));
  }
  return sizes;
}

void launch(void* function, const KernelText& kernel, const Wanted& wanted,
            std::vector<std::vector<std::byte>> values) {
  std::vector<void*> parameters;
  for (std::vector<std::byte>& value : values) parameters.push_back(value.data());
  const bool says = wanted.block[0] != 0;
  constexpr std::array<unsigned, 3> kWarp{32, 1, 1};
  start(function,
        {wanted.grid,
         says                   ? wanted.block
         : kernel.block[0] != 0 ? kernel.block
                                : kWarp,
         wanted.cluster, static_cast<unsigned>(std::max(0L, wanted.shared_bytes))},
        std::move(parameters), kernel.name);
}

void run(const std::vector<std::string>& words, bool is_emulated) {
  Wanted wanted = read_command(words);
  std::ifstream in(wanted.file, std::ios::binary);
  if (!in) stop(kWrongUsage, fmt::format("cannot read {}", wanted.file));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (wanted.parameters.empty()) {  // then its first line may say them
    std::vector<std::string> all = words;
    const std::vector<std::string> said = words_in(text);
    all.insert(all.begin() + 1, said.begin(), said.end());  // what was typed has the last word
    wanted = read_command(all);
  }
  const PtxText ptx = read_ptx(text);
  const KernelText& kernel = choose_kernel(ptx, wanted);
  const bool is_saved = is_saved_launch(text) && wanted.parameters.empty();
  if (is_saved && !wanted.shaped_by.empty())
    stop(
        kWrongUsage,
        fmt::format("{}: {} is a saved launch, which takes no option but --kernel; its first lines "
                    "(//@grid) may be changed, or give a word for each parameter, too",
                    wanted.shaped_by, wanted.file));
  if (std::error_code error;
      !wanted.folder.empty() && !std::filesystem::is_directory(wanted.folder, error))
    stop(kWrongUsage, fmt::format("--write '{}': no such folder; make it first", wanted.folder));
  if (std::error_code error;
      !wanted.like.empty() && !std::filesystem::is_directory(wanted.like, error))
    stop(kWrongUsage,
         fmt::format("--like '{}': no such folder; --write makes what is in it", wanted.like));
  if (ptx.has_dynamic_shared && wanted.shared_bytes < 0 && !is_saved)
    stop(kWrongUsage,
         fmt::format("{} has shared memory whose size the launch says (.extern .shared): --shared "
                     "BYTES (of a Triton kernel: metadata.shared)",
                     wanted.file));
  const auto [module, function] = load_kernel(text, wanted, kernel.name, is_emulated);
  if (is_saved) return run_saved(module, function, text, wanted);
  const std::vector<std::size_t> sizes = check_parameters(function, kernel, wanted);
  std::vector<Memory> memories = make_memories(wanted);
  launch(function, kernel, wanted, parameter_values(wanted, memories, sizes));
  show(wanted, memories);
  if (!wanted.folder.empty()) write_files(wanted, memories);
  if (!wanted.like.empty()) compare_files(wanted, memories);
}

}  // namespace
}  // namespace lanescope::launcher

int main(int count, char** words) {
  using namespace lanescope::launcher;
  // `lanescope run` starts it under the file's name: that is what a trace calls the program then.
  constexpr const char* kLost = "the output cannot be written";
  const bool is_file = count > 0 && std::string_view(words[0]).ends_with(".ptx");
  try {
    run({words + (is_file || count == 0 ? 0 : 1), words + count}, is_file);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      std::fputs(fmt::format("lanescope: {}: {}\n", kLost, std::strerror(errno)).c_str(), stderr);
      return kWrongUsage;
    }
  } catch (const Stop& stopped) {
    std::fflush(stdout);
    if (!(is_file && stopped.is_told))
      std::fputs(fmt::format("lanescope: {}\n", stopped.why).c_str(), stderr);
    return stopped.code;
  } catch (const std::system_error& error) {  // fmt::print's
    std::fputs(fmt::format("lanescope: {}: {}\n", kLost, error.code().message()).c_str(), stderr);
    return kWrongUsage;
  } catch (const std::bad_alloc&) {
    std::fputs("lanescope: this machine has less memory than the parameters take\n", stderr);
    return kWrongUsage;
  }
  return 0;
}
