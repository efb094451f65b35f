// SPDX-License-Identifier: MIT
#include "numeric/format.hpp"
