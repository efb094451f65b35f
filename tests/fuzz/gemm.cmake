# SPDX-License-Identifier: MIT
if(TARGET lanescope_launch_ptx AND NOT LANESCOPE_SANITIZE)  # what it runs is sanitized elsewhere
  lanescope_test(fuzz_gemm SOURCES gemm/d_in_shared.cpp gemm/edges.cpp gemm/gemm_fuzz.cpp gemm/mistakes.cpp gemm/random_gemm.cpp gemm/result.cpp gemm/random_wgmma.cpp gemm/staged.cpp ../programs/run_process.cpp
                 SEES numeric trace selection)
  add_dependencies(lanescope_fuzz_gemm_test lanescope lanescope_cudart_shared lanescope_launch_ptx)
endif()
