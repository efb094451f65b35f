// SPDX-License-Identifier: MIT
// The card as programs ask for it: cudaDeviceProp, and single attributes by number.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "cudart/card.hpp"
#include "cudart/texture.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kRegistersPerBlock = 65536;
constexpr int kL2Bytes = 60 * 1024 * 1024;  // an H200's; caches are not modelled
constexpr int kConstantBytes = 65536;

/// What programs ask in order to choose a way: copies beside kernels, how much of the L2 to keep.
/// Nothing here takes time, so any number does; of other cards none was measured.
struct Engines {
  int copies = 1;
  int persisting_l2_bytes = 0, window_bytes = 0;
  int memory_khz = 0, bus_bits = 0;
  int single_to_double = 0;  // how many f32 operations in the time of one of f64
  int sync_domains = 1;
};
constexpr Engines kH200{3, 39321600, 128 << 20, 3201000, 6016, 2, 4};
Engines engines_of(const Card& card) { return card.sm == 90 ? kH200 : Engines{}; }

/// cudaDeviceProp's limits of textures and surfaces, in its order, by cudaDeviceAttr.
constexpr int kTextureLimits[] = {21, 77, 22, 23, 73, 74, 70, 71, 72, 45, 46, 24, 25,
                                  26, 47, 48, 49, 52, 42, 43, 27, 28, 29, 53, 54, 55,
                                  56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68};

/// The attributes that are plain numbers of the card, by cudaDeviceAttr.
std::optional<int> from_card(const Card& card, int number) {
  switch (number) {
    case 1:
      return kMaxThreadsPerBlock;
    case 2:
      return kMaxBlock[0];
    case 3:
      return kMaxBlock[1];
    case 4:
      return kMaxBlock[2];
    case 5:
      return kMaxGrid[0];
    case 6:
      return kMaxGrid[1];
    case 7:
      return kMaxGrid[2];
    case 8:
      return kSharedBytesPerBlock;
    case 9:
      return kConstantBytes;
    case 10:
      return 32;  // warp size
    case 11:
      return 0x7fffffff;  // pitch
    case 12:
      return kRegistersPerBlock;
    case 16:
      return card.multiprocessors;
    case 38:
      return kL2Bytes;
    case 39:
      return card.threads_per_multiprocessor;
    case 75:
      return card.sm / 10;
    case 76:
      return card.sm % 10;
    case 81:
      return card.shared_bytes_per_multiprocessor;
    case 82:
      return kRegistersPerBlock;
    case 97:
      return card.shared_bytes_per_block_optin();
    case 106:
      return card.blocks_per_multiprocessor;
    case 111:
      return card.reserved_shared_bytes();
    default:
      return std::nullopt;
  }
}

}  // namespace

cudaDeviceProp properties(const Card& card, std::size_t memory_bytes) {
  cudaDeviceProp prop;
  std::memset(&prop, 0, sizeof prop);
  std::strcpy(prop.name, kCardName);
  std::memcpy(prop.uuid, "lanescope-emul-0", sizeof prop.uuid);
  prop.totalGlobalMem = memory_bytes;
  prop.sharedMemPerBlock = kSharedBytesPerBlock;
  prop.regsPerBlock = kRegistersPerBlock;
  prop.warpSize = 32;
  prop.memPitch = 0x7fffffff;
  prop.maxThreadsPerBlock = kMaxThreadsPerBlock;
  std::memcpy(prop.maxThreadsDim, kMaxBlock.data(), sizeof prop.maxThreadsDim);
  std::memcpy(prop.maxGridSize, kMaxGrid.data(), sizeof prop.maxGridSize);
  prop.totalConstMem = kConstantBytes;
  prop.major = card.sm / 10;
  prop.minor = card.sm % 10;
  prop.textureAlignment = 512;
  prop.texturePitchAlignment = 32;
  prop.multiProcessorCount = card.multiprocessors;
  prop.canMapHostMemory = 1;
  prop.surfaceAlignment = 512;
  for (std::size_t k = 0; k < std::size(kTextureLimits); ++k)
    prop.textures_and_surfaces[k] = *texture_limit(kTextureLimits[k]);
  const Engines engines = engines_of(card);
  prop.concurrentKernels = 1;
  prop.asyncEngineCount = engines.copies;
  prop.memoryBusWidth = engines.bus_bits;
  prop.persistingL2CacheMaxSize = engines.persisting_l2_bytes;
  prop.accessPolicyMaxWindowSize = engines.window_bytes;
  prop.computePreemptionSupported = 1;
  prop.deviceNumaId = -1;
  prop.unifiedAddressing = 1;
  prop.l2CacheSize = kL2Bytes;
  prop.maxThreadsPerMultiProcessor = card.threads_per_multiprocessor;
  prop.streamPrioritiesSupported = 1;
  prop.globalL1CacheSupported = 1;
  prop.localL1CacheSupported = 1;
  prop.sharedMemPerMultiprocessor = static_cast<std::size_t>(card.shared_bytes_per_multiprocessor);
  prop.regsPerMultiprocessor = kRegistersPerBlock;
  prop.managedMemory = 1;
  prop.concurrentManagedAccess = 1;
  prop.canUseHostPointerForRegisteredMem = 1;
  prop.sharedMemPerBlockOptin = static_cast<std::size_t>(card.shared_bytes_per_block_optin());
  prop.maxBlocksPerMultiProcessor = card.blocks_per_multiprocessor;
  prop.reservedSharedMemPerBlock = card.reserved_shared_bytes();
  prop.hostRegisterSupported = 1;
  prop.memoryPoolsSupported = 1;
  prop.cooperativeLaunch = 1;
  prop.clusterLaunch = card.sm >= 90;
  prop.unifiedFunctionPointers = 1;
  prop.hostNumaId = -1;
  return prop;
}

std::optional<int> attribute(const Card& card, int number) {
  if (auto value = from_card(card, number)) return value;
  if (auto value = texture_limit(number)) return value;
  const Engines engines = engines_of(card);
  switch (number) {
    case 36:
      return engines.memory_khz;
    case 37:
      return engines.bus_bits;
    case 40:
      return engines.copies;
    case 87:
      return engines.single_to_double;
    case 108:
      return engines.persisting_l2_bytes;
    case 109:
      return engines.window_bytes;
    case 126:
      return engines.sync_domains;
    case 127:
      return card.sm >= 90;  // tensor maps
    case 131:
      return -1;  // the device's NUMA node
    case 13:
      return 1000000;  // kHz: clock() and globaltimer count the same, and the latter nanoseconds
    case 14:
      return 512;  // texture alignment
    case 30:
      return 512;  // surface alignment
    case 51:
      return 32;  // texture pitch alignment
    case 120:
      return card.sm >= 90;  // cluster launch
    case 134:
      return -1;  // host NUMA node
    case 15:
    case 19:
    case 31:
    case 41:
    case 44:  // overlap, mapped host memory, kernels side by side, one address space, gathers
    case 78:
    case 79:
    case 80:
    case 83:
    case 95:  // priorities, L1 for globals and locals, managed memory, cooperative
    case 89:
    case 90:
    case 91:
    case 99:
    case 102:
    case 103:
    case 113:
    case 115:
    case 122:
    case 123:
    case 129:  // managed and registered memory, preemption, memory apart from addresses and as a
               // file, registered to be read, pools, 64 bits and NOR of streams' values, pointers
               // to functions
      return 1;
    default:
      break;
  }
  constexpr int kLastAttribute = 147;
  if (number >= 1 && number <= kLastAttribute) return 0;  // does not have it
  return std::nullopt;
}

}  // namespace lanescope::cudart
