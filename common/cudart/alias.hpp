// SPDX-License-Identifier: MIT
// Programs built with --default-stream per-thread call the same functions under another name
// (suffix _ptsz or _ptds). Streams are always idle here, so both are the same.
#pragma once

#include "cudart/abi.hpp"

#define LANESCOPE_ALIAS(function, suffix) \
  LANESCOPE_API decltype(function) function##suffix __attribute__((alias(#function)))
