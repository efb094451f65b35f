// SPDX-License-Identifier: MIT
// The emulated GPU: memory, modules of PTX, launches. No files, no environment, no globals, no
// output: what there is to say comes back as a value. The drop-in runtime (common/cudart) and the
// tests are its users.
//
//     Machine machine({.arch = "sm_90a"});
//     auto module = machine.load(ptx_text, "program.cu");
//     auto kernel = machine.find_kernel(module.value, "_Z4gemmPK6__half");
//     machine.launch({.kernel = kernel, .grid = {2, 1, 1}, .block = {32, 1, 1},
//                     .parameters = bytes});
//
// Global memory is the host's own: a device address *is* the host address of the emulated memory,
// so that managed and host-registered memory need nothing special. Every access of a kernel is
// checked against the list of allocations. Shared and local memory have generic-address windows of
// their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/tensor/host.hpp"
#include "trace/event.hpp"

namespace lanescope::emulator {

/// What went wrong, as the CUDA runtime would classify it.
enum class ErrorCode : std::uint8_t {
  none,
  invalid_ptx,              // cudaErrorInvalidPtx
  unsupported_instruction,  // cudaErrorNotSupported: parsed, not modelled
  no_kernel_image,          // cudaErrorNoKernelImageForDevice: PTX for a newer or another target
  invalid_value,            // cudaErrorInvalidValue
  invalid_configuration,    // cudaErrorInvalidConfiguration: grid, block or shared memory
  out_of_memory,            // cudaErrorMemoryAllocation
  illegal_address,          // cudaErrorIllegalAddress
  misaligned_address,       // cudaErrorMisalignedAddress
  illegal_instruction,      // cudaErrorIllegalInstruction: diverged collective, bad operand
  launch_timeout,           // cudaErrorLaunchTimeout: deadlock, everybody waits
  assertion,                // cudaErrorAssert: trap or device-side assert
};

/// A failed request. `message` is one line: what, where (kernel, CTA, warp, lane, PTX line, source
/// file:line), what to do.
struct Error {
  ErrorCode code = ErrorCode::none;
  std::string message;
  trace::Diagnostic diagnostic;  // the same, in parts
  explicit operator bool() const { return code != ErrorCode::none; }
};

template <class T>
struct Result {
  T value{};
  Error error;
  bool ok() const { return error.code == ErrorCode::none; }
};

struct Options {
  std::string arch = "sm_90a";  // decides the arithmetic, and which PTX may be loaded
  int threads = 1;              // worker threads for CTAs; results do not depend on it
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;  // what cudaMemGetInfo reports
  Host host = best_host();  // the instructions it may use itself; results do not depend on it
  std::uint64_t heap_bytes = std::uint64_t{8} << 20;  // of malloc, unless a launch says otherwise
};

using ModuleId = int;

/// When a module's kernels are read, and what is wrong with one is found: at once, which refuses
/// the module; or when somebody asks for a kernel, which refuses that one.
enum class Reading : std::uint8_t { at_once, when_asked };

/// A kernel as the runtime needs to know it.
struct Kernel {
  std::string name;
  struct Parameter {
    int offset_bytes = 0;
    int size_bytes = 0;
    int alignment_bytes = 1;
    std::string name = {};
  };
  std::vector<Parameter> parameters;
  int static_shared_bytes = 0;
  int local_bytes = 0;
  std::int64_t constant_bytes = 0;  // of all variables of its module, one behind the other
  int max_threads_per_block = 1024;
  std::array<int, 3> required_threads{0, 0, 0};  // .reqntid, or zeros
  std::array<int, 3> required_cluster{0, 0, 0};  // .reqnctapercluster, or zeros
  int max_cluster = 0;                           // .maxclusterrank, CTAs; 0: not given
  bool explicit_cluster = false;                 // .explicitcluster: somebody must name a cluster
  bool blocks_are_clusters = false;              // .blocksareclusters: how a program counts; a
                                                 // LaunchRequest counts CTAs all the same
  int ptx_version = 0;                           // 90 for 9.0
  int target = 0;                                // 80 for sm_80
  bool multiplies = false;                       // by mma, wmma, wgmma or tcgen05.mma
};

/// One executed instruction of one warp, as it leaves the lanes. Valid during the call only.
struct ExecutedInstruction {
  std::array<int, 3> block{0, 0, 0};
  int warp = 0;
  std::uint32_t active = 0;  // the lanes that executed it, guard included
  std::string_view text;     // the PTX
  int ptx_line = 0;
  trace::SourceLine source;
};

/// Who wants to see a CTA execute. Costs nothing for the other CTAs, nor where there is none.
struct Observer {
  void* context = nullptr;
  void (*executed)(void* context, const ExecutedInstruction&) = nullptr;
  std::array<int, 3> block{0, 0, 0};  // the CTA in focus
};

struct Progress {
  std::uint64_t ctas_done = 0, ctas = 0, warp_instructions = 0;
};

/// Who wants to hear how far a launch is. He is told between the turns of CTAs, now and then: after
/// a million warp instructions more, or a turn, whichever takes longer.
struct ProgressListener {
  void* context = nullptr;
  void (*tell)(void* context, const Progress& progress) = nullptr;
};

class TextureTable;    // emulator/texture/texture.hpp
struct StepRequest;    // emulator/record/step.hpp
struct DeviceRuntime;  // emulator/device_runtime.hpp

/// How far the emulator's result is that of a card (docs/emulator.md, "How exact").
/// specified: as the ISA says, and no card has been asked.
enum class Fidelity : std::uint8_t { exact, specified, approximate, unsupported };
std::string_view name(Fidelity fidelity);

/// An instruction that a launch has executed, and how often.
struct Executed {
  std::string instruction;  // the mnemonic
  Fidelity fidelity = Fidelity::exact;
  std::string_view note;  // what is approximate, or what it means to be exact
  std::uint64_t warp_instructions = 0;
};

/// What to look for while a kernel runs (docs/checker.md).
struct CheckOptions {
  bool races = false;    // shared memory, waits, fences, mbarriers
  bool strict = false;   // what PTX does not promise, too
  bool banks = false;    // bank conflicts of each instruction
  bool sectors = false;  // of global memory, those that each instruction goes to
  bool any() const { return races || banks || sectors; }
};

/// What was found at one source line, and how often.
struct CheckReport {
  trace::Diagnostic diagnostic;
  std::uint64_t count = 0;
};

/// What accesses to shared memory took: all their phases (of at most 128 bytes), and passes;
/// without conflicts as many.
struct BankUse {
  std::uint64_t accesses = 0, phases = 0, passes = 0;
  int worst = 0;  // passes of one phase

  std::uint64_t lost() const { return passes - phases; }
  void add(const BankUse& more) {
    accesses += more.accesses;
    phases += more.phases;
    passes += more.passes;
    worst = std::max(worst, more.worst);
  }
};
/// Of one instruction.
struct BankReport : BankUse {
  std::string instruction;
  trace::SourceLine source;
  int ptx_line = 0;
};

/// What accesses moved from or to global memory: the sectors that they went to, and those that
/// would have done.
struct SectorUse {
  std::uint64_t accesses = 0, sectors = 0, least = 0, bytes = 0;

  std::uint64_t lost() const { return sectors - least; }
  void add(const SectorUse& more) {
    accesses += more.accesses;
    sectors += more.sectors;
    least += more.least;
    bytes += more.bytes;
  }
};
/// Of one instruction.
struct SectorReport : SectorUse {
  std::string instruction;
  trace::SourceLine source;
  int ptx_line = 0;
};

struct LaunchRequest {
  const Kernel* kernel = nullptr;
  std::array<int, 3> grid{1, 1, 1};
  std::array<int, 3> block{1, 1, 1};
  std::array<int, 3> cluster{1, 1, 1};
  bool names_cluster = false;  // also where that is of one CTA, for %is_explicit_cluster
  std::int64_t dynamic_shared_bytes = 0;
  std::int64_t stack_bytes = 0;  // of a thread, for its calls and alloca; 0: 16384
  std::uint64_t heap_bytes = 0;  // of malloc, if this launch makes it; 0: Options::heap_bytes
  std::span<const std::byte> parameters;  // laid out by the kernel's parameter offsets
  CheckOptions checks{};
  std::uint64_t instruction_limit = 0;  // warp instructions of the whole grid; 0: none
  const Observer* observer = nullptr;
  const ProgressListener* progress = nullptr;
  const StepRequest* steps = nullptr;
  const DeviceRuntime* device = nullptr;  // whom kernels may ask; none: they are told "no"
  bool counts_instructions = false;       // LaunchReport::executed; on one thread
  std::uint64_t seed = 0;                 // another order of the warps; 0: the usual one
  int multiprocessors = 132;              // %nsmid
  std::int64_t most_resident = 0;         // CTAs that the card runs at a time; 0: 1056
  std::uint64_t grid_workspace = 0;       // address of 8 bytes that a cooperative launch has
  bool may_begin_early = false;           // before the launch before has ended: for the checker
};

/// Totals of a launch, for reports.
struct LaunchReport {
  Error error;
  std::uint64_t warp_instructions = 0;
  std::vector<CheckReport> reports;   // of the checker, by source line
  std::vector<BankReport> banks;      // instructions with conflicts, the worst first
  std::vector<SectorReport> sectors;  // instructions that lose some, the worst first
  std::string printed;                // what device printf wrote
  std::string warning;                // one line: what went well and is a mistake nevertheless
  std::vector<Executed> executed;     // by mnemonic
  std::optional<std::array<int, 3>> multiplying;  // the first CTA of the grid that has multiplied
  int threads = 1;  // that ran CTAs: Options::threads says how many may
};

class Machine {
 public:
  explicit Machine(Options options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const Options& options() const;

  // Memory. Addresses are host addresses; allocations are 512-byte aligned and filled with a
  // poison pattern (0xa5), so that a read of memory nobody wrote shows.
  Result<std::uint64_t> allocate(std::uint64_t bytes);
  Error free(std::uint64_t address);
  /// Makes host memory the program already has (registered, managed) accessible to kernels.
  Error adopt(std::uint64_t address, std::uint64_t bytes);
  Error disown(std::uint64_t address);
  std::uint64_t allocated_bytes() const;
  /// The `most` oldest allocations that are there, with adopted memory and what modules have.
  std::vector<trace::Allocation> oldest_allocations(std::size_t most) const;

  /// What tex, suld and sust name (emulator/texture/texture.hpp).
  TextureTable& textures();

  // Modules.
  /// With the options that ptxas was given: where it does not optimize, or has --fmad false, last
  /// bits differ (contract.hpp).
  Result<ModuleId> load(std::string_view ptx, std::string_view name,
                        std::string_view ptxas_options = {}, Reading reading = Reading::at_once);
  Error unload(ModuleId module);
  const Kernel* find_kernel(ModuleId module, std::string_view name) const;
  std::vector<std::string> kernel_names(ModuleId module) const;
  struct Variable {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
  };
  std::map<std::string, Variable, std::less<>> variables(ModuleId module) const;
  Result<Variable> find_variable(ModuleId module, std::string_view name) const;

  /// Malloc of kernels begins anew, with the size of the next launch; false: one has called it.
  bool forget_heaps();

  LaunchReport launch(const LaunchRequest& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::emulator
