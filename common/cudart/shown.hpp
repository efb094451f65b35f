// SPDX-License-Identifier: MIT
// Paths in what is said to people: nvcc puts whole ones into the PTX, who reads stands in a folder.
//
//     /opt/mine/gpu/kernels/gemm.cu:12   ->   kernels/gemm.cu:12     started in /opt/mine/gpu
#pragma once

#include <string>
#include <string_view>

namespace lanescope::cudart {

/// `text` with the paths of what lies below `folder` as they are typed there.
std::string from_folder(std::string text, std::string_view folder);

/// The same for the folder in which this program was started, wherever it is by now.
std::string from_here(std::string text);

}  // namespace lanescope::cudart
