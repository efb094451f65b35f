// SPDX-License-Identifier: MIT
// The bench beside the canvas: PTX is run by the emulator in a worker, which gives back what it
// printed and a trace; the window reads that as it reads any other. What is on it may be anybody's
// kernel, one of the examples, or a lesson's exercise (lessons/guide/ptx_task.hpp), which is
// launched as its solution is and judged by what both leave in memory.
{  // names of this script alone: the program's own has a `run`, too
  const at = (id) => document.getElementById(id);
  const runner = document.querySelector("script[data-runner]");
  const wrongWith = (...all) => Module.ccall("lanescope_wrong_with", "string", ["number", "string"], all);
  const conflictsIn = (...all) => Module.ccall("lanescope_conflicts_in", "string", ["string", "string"], all);
  const notUsed = (...all) => Module.ccall("lanescope_not_used", "string", ["string", "string"], all);

  // ---- What is kept for the next time; where nothing may be kept it is as new ----
  const keep = (name, text) => { try { localStorage.setItem("lanescope." + name, text); } catch (e) {} };
  const kept = (name) => { try { return localStorage.getItem("lanescope." + name); } catch (e) { return null; } };

  // ---- The text, and what is said of it ----
  const show = (open) => {
    document.documentElement.classList.toggle("open", open);
    (open ? at("ptx") : canvas).focus();
  };
  // Marks a line of the text, in the middle of what is to be seen; what is written moves lines. The
  // mark follows the text by hand: Firefox scrolls no background of a field.
  let marked = 0;
  const place = (line) => {
    const { lineHeight, paddingTop } = getComputedStyle(at("ptx"));
    const height = parseFloat(lineHeight), top = parseFloat(paddingTop) + (line - 1) * height;
    return { height, top };
  };
  const paintMark = () => {
    const { height, top } = place(marked);
    at("ptx").style.background = marked === 0 ? "" :
      `linear-gradient(var(--mark), var(--mark)) 0 ${top - at("ptx").scrollTop}px / 100% ${height}px no-repeat, var(--back)`;
  };
  const unmark = () => { marked = 0; paintMark(); };
  const showLine = (number) => {
    marked = number;
    at("ptx").scrollTop = place(marked).top - at("ptx").clientHeight / 2;
    at("ptx").scrollLeft = 0;
    paintMark();
  };
  // Places in the text are links to it.
  const tell = (line, kind = "") => {
    const part = document.createElement("span");
    part.className = kind;
    for (const words of (line + "\n").split(/((?:kernel\.ptx:|PTX:|PTX line )\d+)/)) {
      const number = words.match(/^(?:kernel\.ptx:|PTX:|PTX line )(\d+)$/)?.[1];
      if (!number) { part.append(words); continue; }
      const link = document.createElement("a");
      link.href = "#";
      link.textContent = words;
      link.onclick = (event) => { event.preventDefault(); showLine(Number(number)); };
      part.append(link);
    }
    at("said").append(part);
  };
  // The first line may say how a kernel is run: "// run: --grid 2 f16:16x16=random".
  const launchIn = (text) => text.match(/^\/\/ run: (.*)/)?.[1];
  const wordsOf = (line) => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, "$1"));

  // ---- The emulator ----
  // What the worker does before and after the emulator's own script. Files are in base64.
  const prelude = (job) => {
    Module = {
      thisProgram: "kernel.ptx",  // as `lanescope run` starts it: under the file's name
      print: (line) => postMessage({ line }),
      printErr: (line) => postMessage({ line, wrong: !/(nothing to report|no conflicts)$/.test(line) }),
      preRun: [() => {
        Object.assign(ENV, job.environment);
        FS.writeFile("kernel.ptx", job.ptx);
        FS.mkdir("left");
        for (const [name, text] of job.files)
          FS.writeFile(name, Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
      }],
      onRuntimeInitialized: () => callMain(job.words),
      onExit: (code) => {
        let trace = null;
        try { trace = FS.readFile("run.lanes.zst"); } catch (e) {}
        const left = FS.readdir("left").filter((name) => name.endsWith(".bin"))
                       .map((name) => ["left/" + name, FS.readFile("left/" + name)]);
        postMessage({ code, trace, left });
      },
      onAbort: (why) => postMessage({ line: String(why), wrong: true, code: 1 }),
    };
  };
  const base64 = (bytes) => {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };
  let worker = null, stopped = () => {};
  const end = () => {
    worker?.terminate();
    worker = null;
    at("stop").hidden = true;
    stopped();
  };
  // One launch: its exit code, all that it printed, what it left. Null where it was stopped.
  const launch = ({ ptx, words, files = [], records = true, checks = true, strict = false, heard = () => {} }) => {
    end();
    // Hopper, unless the text wants another family.
    const target = ptx.match(/^\s*\.target\s+(sm_1\d\d[af]?)/m)?.[1].replace(/f$/, "a");
    const environment = {
      LANESCOPE_THREADS: "1", LANESCOPE_MEMORY_MIB: "256", LANESCOPE_ARCH: target ?? "sm_90a",
      LANESCOPE_BANKS: "1",
    };
    if (records) Object.assign(environment, { LANESCOPE_TRACE: "run.lanes.zst", LANESCOPE_STEPS: "all" });
    if (checks) environment.LANESCOPE_CHECK = "1";
    if (strict) environment.LANESCOPE_STRICT = "1";
    const job = JSON.stringify({ ptx, words, environment, files: files.map(([name, bytes]) => [name, base64(bytes)]) });
    const source = new Blob([`var Module; (${prelude})(${job});\n`, runner.textContent]);
    const address = URL.createObjectURL(source);
    const mine = worker = new Worker(address);
    at("stop").hidden = false;
    return new Promise((resolve) => {
      let printed = "";
      const done = (result) => {
        stopped = () => {};
        if (worker === mine) end();
        URL.revokeObjectURL(address);
        resolve(result);
      };
      stopped = () => done(null);
      mine.onmessage = ({ data }) => {
        if (data.line !== undefined) {
          printed += data.line + "\n";
          heard(data.line, data.wrong);
        }
        if (data.code !== undefined) done({ ...data, printed });
      };
      mine.onerror = (event) => {
        heard(event.message, true);
        done({ code: 1, printed: printed + event.message + "\n" });
      };
    });
  };
  // The window shows what was recorded, and says what is wrong with its products (page.cpp).
  const showTrace = (ptx, trace) => {
    write("kernel.ptx", ptx);
    write("dropped/run.lanes.zst", trace);
    Module.ccall("lanescope_ran", null, ["string"], ["dropped/run.lanes.zst"]);
  };

  // ---- A kernel ----
  let memory = null;  // of a saved launch
  const run = async () => {
    at("said").replaceChildren();
    const ptx = at("ptx").value;
    const result = await launch({
      ptx, words: wordsOf(at("launch").value), checks: at("checks").checked,
      files: memory ? [["kernel.memory", memory]] : [],
      heard: (line, wrong) => tell(line, wrong ? "wrong" : ""),
    });
    if (result?.trace) showTrace(ptx, result.trace);
  };

  // ---- An exercise ----
  // What a solution's head says of the task: paragraphs, and rows of a name and what it is.
  const taskOf = (solution) => {
    const blocks = [];
    let open = false;  // whether the next line goes on with the last paragraph
    for (const line of solution.slice(0, solution.indexOf("// Fill the gap")).split("\n")) {
      if (/^\/\/ (run|uses|banks|check): /.test(line)) continue;
      const text = line.replace(/^\/\/ ?/, "");
      const row = text.match(/^ {2,8}(\S.*?) {2,}(\S.*)$/), last = blocks[blocks.length - 1];
      if (row) blocks.push({ name: row[1], text: row[2] });
      else if (text.startsWith("   ") && last?.name) last.text += " " + text.trim();
      else if (open && text.trim()) last.text += " " + text.trim();
      else if (text.trim()) blocks.push({ text: text.trim() });
      open = Boolean(text.trim()) && !row;
    }
    return blocks;
  };
  const tellTask = (blocks) => {
    at("task").replaceChildren();
    for (const { name, text } of blocks) {
      const block = document.createElement("div");
      block.className = name ? "task row_of_task" : "task";
      if (name) block.append(Object.assign(document.createElement("code"), { textContent: name }));
      block.append(Object.assign(document.createElement("span"), { textContent: text }));
      at("task").append(block);
    }
  };
  // By number: what exercises.cpp says of each, and its task.
  const exercises = new Map();
  let exercise = null, hinted = 0;
  const readExercises = () => {
    for (const one of JSON.parse(Module.ccall("lanescope_exercises", "string")))
      exercises.set(one.number, { ...one, task: taskOf(one.solution) });
    listExercises();
  };
  const hasPassed = (one) => kept("passed." + one.number) === "1";
  const listExercises = () => {
    const chosen = at("choice").value;
    at("exercises").replaceChildren(...[...exercises.values()].map((one) => new Option(
      `${hasPassed(one) ? "\u2713 " : ""}${String(one.number).padStart(2, "0")} ${one.title}`, "exercise " + one.number)));
    at("choice").value = chosen;
  };

  const check = async (one) => {
    at("said").replaceChildren();
    const ptx = at("ptx").value;
    for (const [i, line] of one.launches.entries()) {
      const words = wordsOf(line);
      const ours = await launch({ ptx: one.solution, words: [...words, "--write", "left"], records: false, checks: false });
      if (!ours) return;
      const theirs = await launch({ ptx, words: [...words, "--like", "left"], files: ours.left, records: i === 0, strict: one.isStrict });
      if (!theirs) return;
      const which = one.launches.length > 1 ? `, launch ${i + 1} of ${one.launches.length}` : "";
      const judged = (name, lines) => {
        tell(`${name}${which}: ${lines ? "WRONG" : "right"}`, lines ? "wrong" : "");
        if (lines) tell(lines.trimEnd());
        return lines;
      };
      const wrong = judged("leaves in memory what it should", wrongWith(theirs.code === 0 ? 1 : 0, theirs.printed)) ||
                    (one.freeOfConflicts && judged("without bank conflicts", conflictsIn(one.solution, theirs.printed)));
      if (wrong && i > 0) tell("launched with " + line);
      if (theirs.trace) showTrace(ptx, theirs.trace);
      if (wrong) return;
    }
    const missing = notUsed(one.solution, ptx);
    if (missing) return tell(`the answer has no ${missing}, which the task asks for`, "wrong");
    keep("passed." + one.number, "1");
    listExercises();
    at("ours").disabled = false;
    const next = [...exercises.values()].find((other) => !hasPassed(other));
    tell(`Passed: exercise ${one.number}. ${next ? `Next: exercise ${next.number}, ${next.title}.` : "That was the last one."}`, "right");
  };
  at("hint").onclick = () => {
    const { hints } = exercise;
    at("said").replaceChildren();
    tell(`Hint ${hinted + 1} of ${hints.length}\n\n${hints[hinted]}`);
    hinted = (hinted + 1) % hints.length;
  };
  at("ours").onclick = () => {
    at("said").replaceChildren();
    tell("One way to fill the gap:\n\n" + exercise.gap);
  };
  // As if it was typed, so that Ctrl+Z brings back what was there.
  at("anew").onclick = () => {
    at("ptx").focus();
    at("ptx").select();
    document.execCommand("insertText", false, exercise.fresh);
    at("ptx").setSelectionRange(0, 0);
    at("ptx").scrollTop = 0;
  };

  // ---- What is on the bench ----
  const put = (text, { of = null, beside = null, chosen = "" } = {}) => {
    end();
    at("choice").value = chosen;
    exercise = of;
    hinted = 0;
    memory = beside;
    at("go").textContent = of ? "Check" : "Run";
    at("of_exercise").hidden = !of;
    at("checks_label").hidden = Boolean(of);
    at("launch").readOnly = Boolean(of);
    at("task").replaceChildren();
    if (of) at("ours").disabled = !hasPassed(of);
    at("ptx").value = text;
    unmark();
    const line = of ? of.launches[0] : launchIn(text);
    if (line || beside) at("launch").value = line ?? "";
    show(true);
    at("ptx").setSelectionRange(0, 0);
    at("ptx").scrollTop = 0;
  };
  const putExercise = (one) => {
    put(kept("exercise." + one.number) ?? one.fresh, { of: one, chosen: "exercise " + one.number });
    Module.lanescope.address("");
    at("said").replaceChildren();
    at("told").scrollTop = 0;
    tellTask([...one.task, { text: "Fill the gap, then Check. What you write is kept in this browser." }]);
    const gap = at("ptx").value.indexOf("// ---- your code begins");
    if (gap < 0) return;
    const begins = at("ptx").value.indexOf("\n", gap) + 1;
    at("ptx").setSelectionRange(begins, begins);
    const line = at("ptx").value.slice(0, begins).split("\n").length;
    at("ptx").scrollTop = place(line).top - at("ptx").clientHeight / 2;
  };
  const examples = new Map([...document.querySelectorAll("script[data-example]")].map(
    (one) => [one.dataset.example, one.textContent.trimStart()]));
  for (const name of examples.keys()) at("examples").append(new Option(name, "run " + name));

  // "run multiply", "exercise 3": from the list, or from the page's address.
  const open = (words) => {
    const [, kind, name] = words.match(/^(run|exercise) ?(.*)$/);
    show(true);
    if (kind === "exercise") {
      const one = exercises.get(Number(name));
      if (one) return putExercise(one);
      return tell(`'${name}' is no exercise; there are ${[...exercises.keys()].join(", ")}`, "wrong");
    }
    const text = examples.get(name.replaceAll("_", " "));
    if (text === undefined) return tell(`'${name}' is no example; there are ${[...examples.keys()].join(", ")}`, "wrong");
    put(text, { chosen: "run " + name.replaceAll("_", " ") });
    run();
  };
  at("choice").onchange = (event) => {
    const words = event.target.value;
    if (words.startsWith("run ")) put(examples.get(words.slice(4)), { chosen: words });
    else if (words) open(words);
  };
  const go = () => exercise ? check(exercise) : run();
  at("bench").hidden = !runner;
  at("handle").onclick = () => show(!document.documentElement.classList.contains("open"));
  at("ptx").onscroll = paintMark;
  at("ptx").oninput = () => {
    unmark();
    if (exercise) keep("exercise." + exercise.number, at("ptx").value);
  };
  at("stop").onclick = () => { end(); tell("stopped"); };
  document.forms[0].onsubmit = (event) => { event.preventDefault(); go(); };
  at("bench").onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); go(); }
    if (event.key === "Escape") show(false);
  };
  at("ptx").value = [...examples.values()][0] ?? "";
  at("launch").value = launchIn(at("ptx").value) ?? "";

  Module.lanescope.bench = {
    // What the page's address leads to while the bench is open; "": to what the window shows.
    words: () => exercise && document.documentElement.classList.contains("open") ? "exercise " + exercise.number : "",
    started: readExercises, open, take: (text, beside) => put(text, { beside }),
  };
  // A step that is looked at is a line of the text.
  Module.lanescope.line = showLine;
  Module.lanescope.diagnosis = (wrong, right) => {
    if (wrong) tell("diagnosis: " + wrong.trimEnd(), "wrong");
    else if (right && !exercise) tell(`diagnosis: ${right} operands followed to memory, all right`);
  };
}
