// SPDX-License-Identifier: MIT
// `lanescope run`: puts our libcudart.so.13 under a program and becomes that program. What it
// prints and its exit code are its own; nothing of ours is left in the process but the library. For
// a PTX file the program is ours, too: common/launcher's, which launches a kernel of it; with
// --device gpu by the driver of this machine's card.
//
// The library is preloaded rather than put on a search path, because a program may carry an rpath
// to NVIDIA's. The dynamic linker splits LD_PRELOAD at spaces and colons, so only the library's
// name goes there; LD_LIBRARY_PATH, which splits at colons alone, says where it is.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/processes.hpp"
#include "cli/program_file.hpp"
#include "cli/project.hpp"
#include "cli/suggest.hpp"
#include "cli/this_card.hpp"
#include "cudart/binary/elf_file.hpp"
#include "cudart/binary/fatbinary.hpp"
#include "cudart/environment.hpp"
#include "cudart/step_selection.hpp"
#include "launcher/kernel_text.hpp"

namespace lanescope::cli {

namespace {

namespace fs = std::filesystem;
using cudart::kLibraryName;
constexpr const char* kNvrtcLibrary = "liblanescope_nvrtc.so";    // common/cudart/nvrtc.cpp
constexpr std::string_view kRuntimeOfCuda12 = "libcudart.so.12";  // jumps to kLibraryName's
constexpr std::string_view kStandIns[] = {kRuntimeOfCuda12, "libcublas.so.13", "libcublasLt.so.13",
                                          "libcublas.so.12", "libcublasLt.so.12"};

/// The folder of libcudart.so.13: lib/lanescope beside the bin of this very executable.
fs::path library_folder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return self.parent_path().parent_path() / "lib" / "lanescope";
}

/// As the shell would find it: a name with a slash is a path, another is searched for in PATH, but
/// the current folder is tried first, since that is what everybody means.
fs::path find_program(const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos || fs::is_regular_file(name, error)) return name;
  const char* search = std::getenv("PATH");
  for (std::string_view rest = search ? search : ""; !rest.empty();) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error))
      return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return name;
}

struct Program {
  cudart::ElfFile file;  // its fat_binaries are gone
  cudart::Target arch;   // which GPU to be for it
};

Program look_into(const fs::path& program) {
  Program found;
  found.arch = cudart::parse_target(cudart::kDefaultArch);
  cli::look_into(program, [&](const cudart::ElfFile& file) {
    found.file = file;
    found.arch = cudart::choose_arch(file.fat_binaries, found.arch);
    found.file.fat_binaries.clear();
  });
  return found;
}

/// Why the emulator would never see this program's kernels; "" when nothing speaks against it. A
/// program without any CUDA in it may still load some, or be a script that starts one. An empty
/// `arch` becomes the one to be for this program. `stand_ins`: of the libraries it is linked with.
std::string why_not(const fs::path& program, std::string& arch,
                    std::vector<std::string>& stand_ins) {
  std::error_code error;
  if (!fs::exists(program, error))
    return fmt::format("no such program: {} is neither here nor in PATH; has it been compiled?",
                       program.string());
  if (fs::is_directory(program, error))
    return fmt::format("{} is a folder; name a program in it", program.string());
  if (program.extension() == ".cu")
    return fmt::format(
        "{} is a source; compile it and run the program: nvcc -cudart shared "
        "-lineinfo -arch=sm_80 -o {} {}",
        program.string(), program.stem().string(), program.string());
  if (access(program.c_str(), X_OK) != 0)
    return fmt::format("{} is not executable; if it is a program, chmod +x lets it run",
                       program.string());
  const auto [file, chosen] = look_into(program);
  if (arch.empty()) arch = to_string(chosen);
  for (const std::string_view name : kStandIns)
    if (std::count(file.libraries.begin(), file.libraries.end(), name) != 0)
      stand_ins.emplace_back(name);
  constexpr std::string_view kAnyRuntime = "libcudart.so.";
  for (const std::string& library : file.libraries) {
    if (library == kLibraryName || library == kRuntimeOfCuda12) return "";
    if (library.substr(0, kAnyRuntime.size()) == kAnyRuntime)
      return fmt::format("{} was built with another CUDA, it loads {}; build it with CUDA 12 or 13",
                         program.string(), library);
  }
  if (file.has_fat_binary)
    return fmt::format(
        "{} has the CUDA runtime linked in and cannot be emulated; build it with nvcc -cudart "
        "shared",
        program.string());
  return "";
}

bool is_ptx(const fs::path& program) { return program.extension() == ".ptx"; }

/// Why a file is none of PTX, which becomes `ptx`; "" where it is one.
std::string why_not_read(const fs::path& file, launcher::PtxText& ptx) {
  std::error_code error;
  std::ifstream in(file, std::ios::binary);
  if (!in || !fs::is_regular_file(file, error))
    return fmt::format("cannot read {}; name a file of PTX", file.string());
  ptx = launcher::read_ptx(std::string{std::istreambuf_iterator<char>(in), {}});
  return "";
}

/// Why the emulator does not run a PTX file. Its `arch` is the usual one where that runs it, else
/// the file's own.
std::string why_no_ptx(const fs::path& file, std::string& arch) {
  launcher::PtxText ptx;
  if (std::string why = why_not_read(file, ptx); !why.empty()) return why;
  const cudart::Target usual = cudart::parse_target(cudart::kDefaultArch);
  const cudart::Target target = cudart::parse_target(ptx.target);
  const bool is_usual = cudart::runs_on(target, usual) || !cudart::is_emulated(target);
  const char suffix = target.suffix == 'a' ? 'a' : char{0};
  if (arch.empty()) arch = to_string(is_usual ? usual : cudart::Target{target.number, suffix});
  return "";
}

/// Of a file that is to be written when the program has run: not for nothing.
std::string why_not_writable(std::string_view option, const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path.parent_path(), error))
    return fmt::format("{}: there is no folder {}; make it first", option,
                       path.parent_path().string());
  if (fs::is_directory(path, error))
    return fmt::format("{}: {} is a folder; name a file in it", option, path.string());
  const bool replaced = !fs::exists(path, error) || fs::is_regular_file(path, error);
  if (access((replaced ? path.parent_path() : path).c_str(), W_OK) != 0)
    return fmt::format("{}: {} cannot be written: {}; name another file", option, path.string(),
                       std::strerror(errno));
  return "";
}

/// The same, and of one that may be there already: only its like may be replaced, by its name, and
/// not the file that runs. It is put on `outdated`: an old one must not pass for this run's.
std::string why_not_replaced(std::string_view option, const fs::path& path, bool named_so,
                             std::string_view endings, const fs::path& program,
                             std::vector<fs::path>& outdated) {
  std::error_code error;
  if (!named_so)
    return fmt::format("{} {}: write a name that ends with {}", option, path.string(), endings);
  if (std::string why = why_not_writable(option, path); !why.empty()) return why;
  if (fs::equivalent(path, program, error))
    return fmt::format("{} {}: that is the file that runs; name another one", option,
                       path.string());
  outdated.push_back(path);
  return "";
}

bool is_trace_name(const fs::path& path) {
  return path.extension() == ".lanes" ||
         (path.extension() == ".zst" && path.stem().extension() == ".lanes");
}

/// Where the launch goes that is taken out of the program.
std::string prepare_save(const RunOptions& options, const fs::path& program,
                         std::vector<fs::path>& outdated) {
  unsetenv(cudart::kSaveVariable);
  unsetenv(cudart::kLaunchVariable);
  if (options.save.empty())
    return options.launch.empty() ? "" : "--launch says what --save FILE.ptx takes; give both";
  cudart::StepSelection selection;
  if (const std::string why = cudart::read_selection(options.launch, selection); !why.empty())
    return "--launch: " + why;
  std::error_code error;
  const fs::path path = fs::absolute(options.save, error);
  if (!fs::is_directory(path, error)) {
    const std::string why = why_not_replaced("--save", path, path.extension() == ".ptx",
                                             ".ptx, or make a folder of it", program, outdated);
    if (!why.empty()) return why;
  }
  setenv(cudart::kSaveVariable, path.c_str(), 1);
  setenv(cudart::kLaunchVariable, options.launch.c_str(), 1);
  return "";
}

/// Where the trace goes: the program may change its folder, so that a path has to be whole.
std::string prepare_trace(const RunOptions& options, const fs::path& program,
                          std::vector<fs::path>& outdated) {
  if (options.with_steps)
    setenv(cudart::kStepsVariable, options.steps.c_str(), 1);
  else
    unsetenv(cudart::kStepsVariable);
  unsetenv(cudart::kWhereVariable);
  if (options.trace.empty() && !options.with_steps) return unsetenv(cudart::kTraceVariable), "";
  std::error_code error;
  fs::path path = options.trace;
  if (path.empty()) {
    path = fs::path(traces_folder()) / (program.filename().string() + ".steps.lanes.zst");
    fs::create_directories(path.parent_path(), error);
    setenv(cudart::kWhereVariable, "1", 1);  // the runtime says it, once there are some
  }
  path = fs::absolute(path, error).lexically_normal();
  // A device or a pipe (/dev/null) is written into.
  const bool is_file = !fs::exists(path, error) || fs::is_regular_file(path, error);
  const std::string why = is_file ? why_not_replaced("--trace", path, is_trace_name(path),
                                                     ".lanes or .lanes.zst", program, outdated)
                                  : why_not_writable("--trace", path);
  if (!why.empty()) return why;
  setenv(cudart::kTraceVariable, path.c_str(), 1);
  return "";
}

// Our library is sanitized, the program is not: the sanitizer's runtime has to be loaded first.
// What the program itself leaks is not our business.
void sanitizer_first() {
#ifdef LANESCOPE_SANITIZER_RUNTIME
  prepend("LD_PRELOAD", LANESCOPE_SANITIZER_RUNTIME);
  setenv("ASAN_OPTIONS", "detect_leaks=0", 0);
#endif
}

void prepare_environment(const RunOptions& options, const std::string& arch,
                         const std::vector<std::string>& stand_ins, const fs::path& folder) {
  setenv(cudart::kArchVariable, arch.c_str(), 1);
  setenv(cudart::kSeedVariable, options.seed.c_str(), 1);
  setenv(cudart::kFidelityVariable, options.fidelity ? "1" : "", 1);
  setenv(cudart::kRegistersVariable, options.registers ? "1" : "", 1);
  // Who has "first" in the environment wants no launch behind the first with a report.
  const char* asked = std::getenv(cudart::kCheckVariable);
  const bool first = asked != nullptr && std::string_view(asked) == "first";
  const char* checked = first ? "first" : "1";
  setenv(cudart::kCheckVariable, options.check || options.strict ? checked : "", 1);
  setenv(cudart::kStrictVariable, options.strict ? "1" : "", 1);
  setenv(cudart::kBanksVariable, options.banks ? "1" : "", 1);
  setenv(cudart::kSectorsVariable, options.sectors ? "1" : "", 1);
  prepend("LD_LIBRARY_PATH", folder.string());
  for (const std::string& name : stand_ins)
    if (fs::exists(folder / name)) prepend("LD_PRELOAD", name);
  prepend("LD_PRELOAD", kLibraryName);
  prepend("LD_PRELOAD", kNvrtcLibrary);
  sanitizer_first();
}

/// Becomes the launcher, or the program, called by the first of `words`. Comes back only when that
/// fails.
int become_program(const fs::path& path, const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  execv(path.c_str(), arguments.data());
  return refuse(fmt::format("cannot run {}: {}", words[0], std::strerror(errno)));
}

/// The option that only the emulator understands; "": none was given.
std::string of_emulator_alone(const RunOptions& o) {
  const std::pair<bool, const char*> given[] = {{!o.arch.empty(), "--arch"},
                                                {!o.trace.empty(), "--trace"},
                                                {o.with_steps, "--steps"},
                                                {!o.save.empty(), "--save"},
                                                {!o.launch.empty(), "--launch"},
                                                {o.fidelity, "--fidelity"},
                                                {o.registers, "--registers"},
                                                {!o.seed.empty(), "--seed"},
                                                {o.check, "--check"},
                                                {o.strict, "--strict"},
                                                {o.banks, "--banks"},
                                                {o.sectors, "--sectors"}};
  for (const auto& [is_given, name] : given)
    if (is_given) return name;
  return "";
}

/// A PTX file on this machine's card: the launcher with its driver in the place of ours.
int run_on_card(const RunOptions& options, const fs::path& program, const fs::path& launcher) {
  if (!is_ptx(program))
    return refuse(fmt::format(
        "--device gpu launches a kernel of PTX; a program runs on the card by itself, without "
        "`lanescope run`: {}",
        program.has_parent_path() ? program.string() : "./" + program.string()));
  if (const std::string name = of_emulator_alone(options); !name.empty())
    return refuse(fmt::format("{} is the emulator's; a card runs the kernel, and no more", name));
  launcher::PtxText ptx;
  if (const std::string why = why_not_read(program, ptx); !why.empty()) return refuse(why);
  if (!has_device("gpu")) return 2;
  const ThisCard card = *this_card();
  if (const std::string why = obstacle(ptx, card); !why.empty())
    return refuse(fmt::format("{} {}; --device cpu runs it on the emulator", card.name, why));
  // As with ours: by its name, since its folder may have a blank in its.
  prepend("LD_LIBRARY_PATH", card.library.parent_path().string());
  setenv("LD_PRELOAD", card.library.filename().c_str(), 1);
  sanitizer_first();
  // By its own name: under the file's it would take the driver for the emulator, which has told of
  // what it refuses.
  std::vector<std::string> words{launcher.string()};
  words.insert(words.end(), options.program.begin(), options.program.end());
  return become_program(launcher, words);
}

}  // namespace

int run(const RunOptions& options) {
  if (options.program.empty())
    return refuse("run what? lanescope run [--arch sm_90a] PROGRAM ARGS");
  const cudart::Target wanted = cudart::parse_target(options.arch);
  if (!options.arch.empty() && !cudart::is_emulated(wanted))
    return refuse(
        fmt::format("--arch '{}': the emulator can be {}", options.arch, cudart::known_archs()));
  cudart::StepSelection selection;
  if (const std::string why = cudart::read_selection(options.steps, selection); !why.empty())
    return refuse("--steps: " + why);
  const fs::path folder = library_folder();
  if (folder.string().find_first_of(":;") != std::string::npos)
    return refuse(fmt::format(
        "the dynamic linker finds nothing in {}: move Lanescope to a path without : and ;",
        folder.string()));
  const fs::path program = find_program(options.program[0]);
  const fs::path launcher = folder / "launch_ptx";
  for (const fs::path& ours :
       {folder / kLibraryName, folder / kNvrtcLibrary, is_ptx(program) ? launcher : fs::path()})
    if (!ours.empty() && !fs::exists(ours))
      return refuse(
          fmt::format("the emulator is not built: no {}; run ./learn build", ours.string()));
  if (options.device == "gpu") return run_on_card(options, program, launcher);
  std::string arch = options.arch.empty() ? "" : to_string(wanted);
  std::vector<std::string> stand_ins;
  const std::string no =
      is_ptx(program) ? why_no_ptx(program, arch) : why_not(program, arch, stand_ins);
  if (!no.empty()) return refuse(no);
  if (options.arch.empty() && arch != cudart::kDefaultArch)
    say(fmt::format("lanescope: {} has no PTX for {}; it runs as {} (--arch chooses another)",
                    program.string(), cudart::kDefaultArch, arch));

  std::vector<fs::path> outdated;
  for (const auto prepare : {prepare_trace, prepare_save})
    if (const std::string why = prepare(options, program, outdated); !why.empty())
      return refuse(why);
  for (const fs::path& file : outdated) {
    std::error_code error;
    fs::remove(file, error);
  }
  prepare_environment(options, arch, stand_ins, folder);
  // A bare name in the current folder needs its ./ here.
  const std::string path = is_ptx(program)             ? launcher.string()
                           : program.has_parent_path() ? program.string()
                                                       : "./" + program.string();
  return become_program(path, options.program);
}

}  // namespace lanescope::cli
