// SPDX-License-Identifier: MIT
// Copies and fills of volumes: slices of rows, all of which are looked at before the first is
// touched. Of an array, places and extents count texels, or bytes, as the driver has it.
#pragma once

#include "cudart/context.hpp"

namespace lanescope::cudart {

/// Nothing is done of it, and nothing of the rest is looked at.
bool is_empty(const cudaExtent& extent);

enum class CopyUnit : std::uint8_t { texels, bytes };
cudaError copy_volume(Context& state, const cudaMemcpy3DParms& asked,
                      CopyUnit unit = CopyUnit::texels);
cudaError fill_volume(Context& state, const cudaPitchedPtr& to, int value,
                      const cudaExtent& extent);
/// The looks alone, for a graph: memory that it will allocate is not there yet.
cudaError check_volume_ahead(const Context& state, const cudaMemcpy3DParms& asked);

}  // namespace lanescope::cudart
