// SPDX-License-Identifier: MIT
// Runs a kernel by the page's emulator in node: node webassembly.js RUN_PTX_JS KERNEL.ptx WORDS...
const fs = require("fs");
const vm = require("vm");
const [, , program, kernel, ...words] = process.argv;
globalThis.require = require;
globalThis.__dirname = __dirname;
globalThis.Module = {
  thisProgram: "kernel.ptx",
  print: (line) => console.log(line),
  printErr: (line) => console.log(line),
  preRun: [() => {
    Object.assign(ENV, { LANESCOPE_THREADS: "1", LANESCOPE_MEMORY_MIB: "512" });
    for (const [name, value] of Object.entries(process.env))
      if (name.startsWith("LANESCOPE_")) ENV[name] = value;
    FS.writeFile("kernel.ptx", fs.readFileSync(kernel));
  }],
  onRuntimeInitialized: () => callMain(words),
  onAbort: (why) => { console.log(`lanescope: ended: ${why}`); process.exit(3); },
};
vm.runInThisContext(fs.readFileSync(program, "utf8"), { filename: program });
