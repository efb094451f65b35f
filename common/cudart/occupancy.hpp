// SPDX-License-Identifier: MIT
// How much of a card a kernel takes: threads, shared memory, clusters, blocks at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cudart/launch.hpp"

namespace lanescope::cudart {

/// How much of a multiprocessor's memory is shared where blocks of the kernel take this much each:
/// by its carveout, else by what it, or the card, was asked to prefer.
int shared_bytes_for(const Context& context, const Function& function, int block_bytes);

/// How many of these there are; `most` + 1 stands for all that are more.
int volume(const dim3& size, int most);
/// Of a block, in 32 bits, as an H200's driver counts them: none or fewer where that is not enough.
int threads_of(const dim3& block);
/// Dynamic shared memory that `function` may use as it is set up now.
std::int64_t dynamic_shared_limit(const Function& function);
/// Of a thread, from the program's own SASS, or from ptxas where it may be asked (--registers); 0:
/// nobody knows.
int registers_of(const Function& function);
/// Keeps what ptxas will be asked about, where it will be.
void keep_for_ptxas(Binary& binary, std::string_view ptx, std::string_view options);
/// What every launch must have, from the kernel or cudaFuncSetAttribute; zeros: anything.
std::array<int, 3> required_cluster(const Function& function);
/// A launch that names no cluster has the kernel's. Where blocks are clusters (__block_size__) its
/// grid counts those, and a block of one thread stands for the kernel's: here they become blocks.
void complete_shape(const Function& function, LaunchShape& shape);
/// Why the launch's cluster is not one that the kernel was compiled for; "": it is.
std::string unlike_kernel(const Function& function, const LaunchShape& shape);
/// 8 blocks in a cluster go everywhere, 16 where the kernel asked for it.
int most_cluster_blocks(const Function& function);
/// In a block, by __launch_bounds__ and registers.
int most_threads(const Function& function);
int blocks_per_multiprocessor(const Context& context, const Function& function, int block_threads,
                              std::size_t dynamic_shared_bytes);
/// Of this launch, on the whole card at a time.
std::int64_t resident_blocks(const Context& context, const Function& function,
                             const LaunchShape& shape);

}  // namespace lanescope::cudart
