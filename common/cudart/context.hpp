// SPDX-License-Identifier: MIT
// All that the runtime remembers: the machine, the program's binaries with their kernels and
// variables, memory, streams, events, and the error that a fault left behind.
//
// There is one, made on the first call (programs register their kernels from static constructors,
// before anything of ours could have been constructed) and never destroyed (they unregister from
// atexit). Everything is done at the call itself, one call at a time: a stream is always idle.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cudart/abi.hpp"
#include "cudart/card.hpp"
#include "cudart/checking.hpp"
#include "cudart/counting.hpp"
#include "cudart/driver/driver_current.hpp"
#include "cudart/graph/graph.hpp"
#include "cudart/memory_table.hpp"
#include "cudart/pool.hpp"
#include "cudart/progress.hpp"
#include "cudart/saving.hpp"
#include "cudart/texture.hpp"
#include "cudart/tracing.hpp"
#include "cudart/virtual_memory.hpp"
#include "emulator/machine.hpp"

namespace lanescope::cudart {

struct Function;

/// A fat binary that a program registered. Its PTX is read when something of it is first used.
struct Binary {
  const FatBinaryWrapper* wrapper = nullptr;
  FatBinaryWrapper own_wrapper{};  // of a fat binary that came without
  bool tried = false;
  cudaError load_error = cudaSuccess;
  emulator::ModuleId module = 0;
  std::map<std::string, int> registers;  // of kernels, where there is SASS or ptxas to say
  std::string ptx, ptxas_options;        // kept where ptxas will be asked (--registers)
  std::string text;                      // its PTX, kept where a launch will be saved (--save)
  std::map<std::string, std::shared_ptr<Function>> by_kernels;  // that its kernels have launched
};

/// A __global__ function.
struct Function {
  Binary* binary = nullptr;
  std::string name;
  std::uint64_t handle = 0;
  const emulator::Kernel* kernel = nullptr;      // once its binary is loaded
  std::int64_t dynamic_shared_limit_bytes = -1;  // -1: what fits into 48 KiB
  int carveout = -1;
  int cache_config = 0;  // cudaFuncSetCacheConfig
  int nonportable_cluster = 0;
  int cluster_policy = 0;                     // how clusters are scheduled: changes nothing
  std::array<int, 3> asked_cluster{0, 0, 0};  // by cudaFuncSetAttribute
  bool was_warned_of = false;
  bool was_given_private = false;  // a pointer of the thread that launched it; it was said
};

/// A __device__, __constant__ or __managed__ variable.
struct Symbol {
  Binary* binary = nullptr;
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;         // once its binary is loaded
  void** managed_pointer = nullptr;  // the program's own pointer to a __managed__ variable
};

/// What cudaLibraryLoadData or cuModuleLoadData loaded, and the kernels that were asked for.
struct Module {
  std::unique_ptr<Binary> binary;
  std::map<std::string, std::unique_ptr<Function>> functions;
  std::vector<std::uint64_t> variables;  // addresses that were asked for
};

/// What cuLinkCreate begins.
struct Link {
  std::vector<std::string> texts;
  std::string linked;
  cudaError error = cudaSuccess;  // of what cannot be linked
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
};

struct Event {
  unsigned flags = 0;
  std::optional<std::chrono::steady_clock::time_point> recorded;
  std::optional<Capture> captured;  // recorded by a captured stream: what it had written down
};

// Of cudaLimit.
inline constexpr int kLimitStack = 0, kLimitPrinted = 1, kLimitHeap = 2, kLimitSyncDepth = 3,
                     kLimitPendingLaunches = 4, kLimitFetchGranularity = 5, kLimitPersistingL2 = 6,
                     kLimitShared = 7, kLimitGraphics = 8, kLastLimit = 8;

/// Of cudaFuncCache: no preference, shared memory, L1, both alike.
inline bool is_cache_config(int config) { return config >= 0 && config <= 3; }

struct Context {
  Context();

  std::recursive_mutex mutex;
  Target arch;
  const Card* card = nullptr;                  // nullptr: LANESCOPE_ARCH is nonsense
  std::unique_ptr<emulator::Machine> machine;  // nullptr likewise
  std::unique_ptr<Checking> checking;          // nullptr likewise
  std::unique_ptr<Tracing> tracing;            // nullptr likewise
  std::unique_ptr<Saving> saving;              // nullptr likewise
  Counting counting;                           // off, unless the program asks
  ProgressLines progress;

  std::vector<std::unique_ptr<Binary>> binaries;
  std::map<const void*, std::unique_ptr<Function>> functions;  // by the host's stub
  std::map<std::uint64_t, Function*> function_handles;
  std::map<const void*, Symbol> symbols;  // by the host's shadow

  std::map<std::uint64_t, Module> modules;
  std::map<std::uint64_t, Link> links;

  MemoryTable memory;
  VirtualMemory virtual_memory;
  AdviceTable advice;
  Textures textures;
  std::map<std::uint64_t, CUDA_TEXTURE_DESC> driver_textures;  // as the driver was told of them
  std::uint64_t device_bytes = 0;
  std::uint64_t grid_workspace = 0;            // of cooperative launches
  std::map<const char*, std::uint64_t> texts;  // of errors, where kernels can read them
  std::map<std::uint64_t, Stream> streams;
  // The last that was asked of any stream is a kernel in this one, and nobody has waited for it.
  std::optional<cudaStream_t> last_kernel_in;
  bool next_may_begin_early = false;  // of the launch at hand: before the one ahead has ended
  std::map<std::pair<std::uint64_t, int>, AttributeValue> stream_attributes;
  std::map<std::uint64_t, Event> events;
  Graphs graphs;
  std::uint64_t next_handle = 0x100;  // below the first page: never an address

  std::map<std::uint64_t, Pool> pools;
  std::uint64_t default_pool = 0;
  std::uint64_t current_pool = 0;  // cudaDeviceSetMemPool; 0: the default one

  std::string printed;                // by kernels, not yet shown
  cudaError pending = cudaSuccess;    // a kernel has faulted; the next call finds out
  cudaError fault = cudaSuccess;      // found out: every call fails with it from now on
  bool was_not_launched = false;      // a kernel that is not modelled; nobody has asked since
  unsigned device_flags = 0;          // of the primary context of the driver, too
  unsigned primary_flags = 0;         // cuDevicePrimaryCtxSetFlags
  bool has_primary = false;           // by the driver, or since the runtime needed it
  DriverContexts contexts;            // cuCtxCreate; the primary one is not among them
  int cache_config = 0;               // cudaDeviceSetCacheConfig: changes speed only
  int exit_status = 0;                // that the program has ended with
  std::map<int, std::size_t> limits;  // cudaDeviceSetLimit: kLimitStack and kLimitHeap count

  /// What a call has to answer before it does anything: a fault, or a machine that is not there.
  cudaError enter();
  void flush_printed();
  /// What a synchronization does: shows what was printed; pools give back what they need not keep.
  cudaError settle();
  /// What it answers, and a copy: a launch that was refused for want of something here would have
  /// gone well on a card, and programs that look only at the next call would not notice.
  cudaError launched() const { return was_not_launched ? cudaErrorNotSupported : cudaSuccess; }

  Function* find_function(const void* stub_or_handle);
  /// As the program named it, if it did: graphs answer with this one.
  const void* stub_of(const void* stub_or_handle);
  Binary* find_binary(const void* handle);
  /// By what a program names it with: the host's shadow, a __managed__ variable itself.
  Symbol* find_symbol(const void* named);
  bool is_stream(cudaStream_t stream) const;
  std::uint64_t memory_bytes() const { return machine->options().memory_bytes; }
};

/// The one context.
Context& context();

/// The context, or nullptr where the program has asked for nothing yet: for the end of a process.
const Context* context_if_used();

/// Prints `lanescope: <text>` on stderr.
void say(const std::string& text);

/// The function that this thread's program has called, by which messages name it: the outermost
/// one, where one of ours is made of others, as the driver's are of the runtime's.
class Answering {
 public:
  explicit Answering(const char* function);
  ~Answering();
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

 private:
  bool is_outermost_;
};

/// Says why and returns the error: `return refuse(context, cudaErrorInvalidValue, "...")`.
cudaError refuse(const Context& context, cudaError error, const std::string& why);

/// What the calling thread was last told by refuse().
std::string& last_refusal();

/// The calling thread's last error, as cudaGetLastError knows it.
cudaError& last_error();

// binary.cpp
cudaError load(Context& context, Binary& binary);
cudaError resolve(Context& context, Function& function);
cudaError resolve(Context& context, Symbol& symbol);

// api_fill.cpp
/// Fills `height` rows with `width` values of 1, 2 or 4 bytes.
cudaError fill_values(void* to, std::size_t pitch_bytes, unsigned value, std::size_t value_bytes,
                      std::size_t width, std::size_t height, cudaStream_t stream);

/// What a card answers for a pointer that is no kernel.
inline cudaError not_a_kernel(const void* function) {
  return function ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
}
/// Answers an API function: takes the lock, asks for faults, runs `body(context)`, remembers its
/// error for cudaGetLastError. Exceptions do not leave it.
template <class Body>
cudaError call(const char* function, Body&& body) {
  Context& state = context();
  const std::lock_guard lock(state.mutex);
  const Answering answering(function);
  cudaError error = state.enter();
  if (error == cudaSuccess) {
    try {
      error = body(state);
    } catch (const std::bad_alloc&) {
      error = cudaErrorMemoryAllocation;
    } catch (const std::exception& problem) {
      error = refuse(state, cudaErrorUnknown, problem.what());
    }
  }
  // Not ready is an answer, not an error (cudaStreamQuery).
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
  return error;
}

/// The same with a kernel, found and its module loaded: `body(context, function)`.
template <class Body>
cudaError with_function(const char* name, const void* function, Body&& body) {
  return call(name, [&](Context& state) {
    Function* found = state.find_function(function);
    if (!found) return not_a_kernel(function);
    if (const cudaError error = resolve(state, *found); error != cudaSuccess) return error;
    return body(state, *found);
  });
}

}  // namespace lanescope::cudart
