// SPDX-License-Identifier: MIT
// `run`: what it takes before the program, all of whose own words are none of ours.
#include <memory>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"

namespace lanescope::cli {

std::vector<Command> run_commands(const std::vector<std::string>& program) {
  auto o = std::make_shared<RunOptions>();
  Command c{kRun, "run", "Run a program (nvcc -cudart shared) or a PTX kernel on the emulator"};
  Option steps =
      option("--steps", o->steps,
             "Record what instructions write: all, mma, block=1,0,0,warp=2,...", "SELECTION");
  steps.take = [o](const std::vector<std::string>& words) {
    o->with_steps = true;
    o->steps = words.front();
  };
  c.options = {
      option("--arch", o->arch, "Which GPU to be (default sm_90a, else the newest it has PTX for)",
             "ARCH"),
      choice("--device", o->device, "Where a PTX kernel runs: cpu (default, the emulator) or gpu",
             "DEVICE", "cpu gpu"),
      option("--trace", o->trace,
             "Write launches, steps and errors to FILE.lanes or FILE.lanes.zst", "FILE"),
      steps,
      option("--save", o->save,
             "Take a launch out, to run it alone; in a folder each kernel's first", "FILE.ptx"),
      option("--launch", o->launch,
             "Which launch --save takes: kernel=NAME, launch=N, mma; else the first", "SELECTION"),
      flag("--fidelity", o->fidelity,
           "Say of every executed instruction: exact, specified, approximate"),
      flag("--registers", o->registers,
           "Ask ptxas how many registers a kernel has; occupancy counts them"),
      option("--seed", o->seed,
             "Give warps their turns in another order, the same for the same number", "NUMBER",
             whole_number("a seed", 1, 2147483647)),
      flag("--check", o->check,
           "Look for races, missing waits, barriers and fences (docs/checker.md)"),
      flag("--strict", o->strict, "As --check, and say where more is relied on than PTX promises"),
      flag("--banks", o->banks, "List the bank conflicts of each instruction"),
      flag("--sectors", o->sectors,
           "List what each instruction fetches of global memory and nobody wants")};
  c.footer =
      "lanescope run [OPTIONS] [--] PROGRAM [ARGUMENTS]: all behind PROGRAM is its own.\n"
      "lanescope run [OPTIONS] [--] KERNEL.ptx PARAMETERS: launches a kernel. Behind the file:\n"
      "  --grid 4,2 --block 128 --cluster 2 --shared BYTES --kernel NAME --print\n"
      "  --write FOLDER the memory that it leaves, --like FOLDER compares with such\n"
      "  u32=5 a number, f16:64x128=random memory (or =0, =index, =whole, =@FILE),\n"
      "  map:f16:64x128:64x64:128B=random the same behind a tensor map,\n"
      "  f16:4096,u32=5,f32=0.5 the members of a struct, @FILE the bytes of any parameter\n\n"
      "Examples:\n"
      "  lanescope run --check -- ./gemm 1024\n"
      "  lanescope run --steps all --trace steps.lanes -- ./gemm && lanescope diagnose "
      "steps.lanes\n"
      "  lanescope run --steps all kernel.ptx --grid 4 --block 32 f32:128=index f32:128\n"
      "  lanescope run --device gpu kernel.ptx --grid 4 --block 32 f32:128=index f32:128\n"
      "  lanescope run --save gemm.ptx --launch kernel=gemm -- ./program && lanescope run "
      "gemm.ptx\n"
      "  lanescope run --steps kernel=gemm,block=1,0,0,warp=2 -- ./gemm   (docs/emulator.md, "
      "Watching)";
  c.missing = [&program] { return program.empty() ? std::string("program") : std::string(); };
  c.run = [o, &program] {
    o->program = program;
    return run(*o);
  };
  return {c};
}

}  // namespace lanescope::cli
