// SPDX-License-Identifier: MIT
// See card.hpp.
#include "cudart/card.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace lanescope::cudart {

namespace {

constexpr int kKiB = 1024;

//  sm  SMs  shared/SM  threads/SM  blocks/SM
constexpr Card kCards[] = {
    {75, 40, 64 * kKiB, 1024, 16},     // T4
    {80, 108, 164 * kKiB, 2048, 32},   // A100
    {86, 84, 100 * kKiB, 1536, 16},    // A40
    {87, 16, 164 * kKiB, 1536, 16},    // Jetson AGX Orin
    {89, 142, 100 * kKiB, 1536, 24},   // L40S
    {90, 132, 228 * kKiB, 2048, 32},   // H100 SXM, H200
    {100, 148, 228 * kKiB, 2048, 32},  // B200
    {103, 148, 228 * kKiB, 2048, 32},  // B300
    {120, 188, 100 * kKiB, 1536, 24},  // RTX PRO 6000 Blackwell
};

}  // namespace

int shared_bytes_of_multiprocessor(const Card& card, int percent, int block_bytes) {
  const int most = card.shared_bytes_per_multiprocessor;
  if (percent < 0) return most;
  // CUDA C++ Programming Guide, "Shared memory" of each compute capability.
  for (const int size : {8, 16, 32, 64, 100, 132, 164, 196}) {
    const int bytes = size * kKiB;
    if (card.sm < 80 && size < 32) continue;
    if (bytes < most && bytes >= block_bytes && bytes * 100 >= most * percent) return bytes;
  }
  return most;
}

const Card* find_card(Target arch) {
  for (const Card& card : kCards)
    if (card.sm == arch.number) return &card;
  return nullptr;
}

// A cluster stays within a GPC. The groups of multiprocessors are those that explain every answer
// of cudaOccupancyMaxActiveClusters on one H200 (sizes 1 to 16, 1 to 8 blocks on each
// multiprocessor): eight GPCs, and eight multiprocessors in pairs that take clusters of two at
// most. Other specimens may have others switched off. Of newer cards nothing was measured: 16
// multiprocessors in a GPC.
int active_clusters(const Card& card, int each, int cluster_blocks) {
  constexpr int kH200[] = {18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2};
  constexpr int kMostBlocks = 8;  // of clusters, on a multiprocessor
  constexpr int kGpc = 16;
  std::vector<int> groups(std::begin(kH200), std::end(kH200));
  if (card.sm != 90) {
    groups.assign(static_cast<std::size_t>(card.multiprocessors / kGpc), kGpc);
    groups.push_back(card.multiprocessors % kGpc);
  }
  int clusters = 0;
  for (const int multiprocessors : groups)
    if (multiprocessors >= cluster_blocks)
      clusters += multiprocessors * std::min(each, kMostBlocks) / cluster_blocks;
  return clusters;
}

}  // namespace lanescope::cudart
