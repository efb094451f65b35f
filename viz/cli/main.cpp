// SPDX-License-Identifier: MIT
// The `lanescope` command line: reads the arguments, calls a command. The only file that includes
// CLI11 (it costs two seconds a time). What the commands do is in the other files of this room.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>

#include "cli/commands.hpp"
#include "cli/suggest.hpp"

namespace {

using namespace lanescope::cli;

/// What the arguments asked for; parsing fills it, main calls it.
using Chosen = std::function<int()>;

constexpr const char* kCourse = "The course";
constexpr const char* kLook = "Looking";
constexpr const char* kRun = "Running";

CLI::Validator whole_number(const std::string& what, int low, int high) {
  return CLI::Validator(
      [=](std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
        const int number = digits && text.size() < 9 ? std::stoi(text) : -1;
        if (number >= low && number <= high) return std::string();
        return fmt::format("'{}' is not {}, {} to {}", text, what, low, high);
      },
      "", "");
}

CLI::Validator number_from(double low, double high) {
  return CLI::Validator(
      [=](std::string& text) {
        double number = 0;
        if (CLI::detail::lexical_cast(text, number) && number >= low && number <= high)
          return std::string();
        return fmt::format("'{}' is not a number from {} to {}", text, low, high);
      },
      "", "");
}

/// A trace that is named by mistake is not to become a picture.
CLI::Validator picture_name() {
  return CLI::Validator(
      [](std::string& text) {
        const std::string end = text.size() > 4 ? text.substr(text.size() - 4) : "";
        if (end == ".png" || end == ".svg") return std::string();
        return fmt::format("'{}' ends neither in .png nor in .svg", text);
      },
      "", "");
}

CLI::Validator one_of(const std::string& choices) {
  return CLI::Validator(
      [choices](std::string& text) {
        for (const std::string& choice : CLI::detail::split(choices, ' '))
          if (choice == text) return std::string();
        return fmt::format("'{}' is not one of {}", text, choices);
      },
      "", "");
}

CLI::App* add_command(CLI::App& app, const char* group, const char* name, const char* what) {
  CLI::App* command = app.add_subcommand(name, what);
  command->group(group);
  return command;
}

void add_quiz(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<QuizOptions>();
  CLI::App* quiz_app =
      add_command(app, kCourse, "quiz", "Predict where elements are; scored, then shown");
  quiz_app->add_option("number", options->number, "About which lesson; none: all of them")
      ->option_text("N")
      ->check(whole_number("a lesson's number", 1, 99));
  quiz_app->add_option("--questions", options->questions, "How many (default 5)")
      ->option_text("COUNT")
      ->check(whole_number("a number of questions", 1, 100));
  quiz_app->add_option("--seed", options->seed, "The same seed asks the same; none: a new one")
      ->option_text("SEED")
      ->check(whole_number("a seed", 0, 99999999));
  CLI::Option* answers = quiz_app->add_option("--answers", options->answers,
                                              "Instead of the keyboard: \"6 r1 hi; 3 r0 lo\"");
  answers->option_text("WORDS");
  quiz_app->callback([&chosen, options, answers] {
    options->answers_given = answers->count() > 0;
    chosen = [options] { return quiz(*options); };
  });
}

void add_course(CLI::App& app, Chosen& chosen) {
  CLI::App* start_app =
      add_command(app, kCourse, "start", "Run the next lesson and say what to do (./learn alone)");
  start_app->callback([&chosen] { chosen = start; });

  auto options = std::make_shared<LessonOptions>();
  CLI::App* lesson_app = add_command(app, kCourse, "lesson", "Run a lesson and record its lanes");
  lesson_app->add_option("number", options->number, "Which lesson; none: the next one")
      ->option_text("N")
      ->check(whole_number("a lesson's number", 1, 99));
  lesson_app->add_option("--device", options->device, "auto (default), gpu or cpu")
      ->option_text("DEVICE")
      ->check(one_of("auto gpu cpu"));
  lesson_app->add_option("--arch", options->arch, "Which GPU the emulator is (default sm_90a)")
      ->option_text("ARCH");
  lesson_app->callback([&chosen, options] { chosen = [options] { return lesson(*options); }; });

  auto which = std::make_shared<std::string>();
  CLI::App* check_app =
      add_command(app, kCourse, "check", "Check your exercise of a lesson, or all");
  check_app->add_option("number", *which, "Which lesson, or \"all\"")
      ->required()
      ->option_text("N")
      ->check(CLI::Validator(
          [](std::string& text) {
            if (text == "all") return std::string();
            const std::string why = whole_number("a lesson's number", 1, 99)(text);
            return why.empty() ? why : why + ", nor 'all'";
          },
          "", ""));
  check_app->callback([&chosen, which] {
    chosen = [which] { return *which == "all" ? check_all() : check(std::stoi(*which)); };
  });

  const auto add_turn = [&](const char* name, const char* what, int (*command)(int)) {
    auto number = std::make_shared<int>(0);
    CLI::App* turn_app = add_command(app, kCourse, name, what);
    turn_app->add_option("number", *number, "Which lesson")
        ->required()
        ->option_text("N")
        ->check(whole_number("a lesson's number", 1, 99));
    turn_app->callback(
        [&chosen, number, command] { chosen = [number, command] { return command(*number); }; });
  };
  add_turn("watch", "Check your exercise at every save, until it passes", watch);
  add_turn("hint", "The next hint for an exercise", hint);
  add_turn("solution", "The solution of an exercise you have passed", solution);
  add_turn("reset", "Put an exercise back as it was shipped; keeps a backup", reset);
  add_quiz(app, chosen);
  add_command(app, kCourse, "progress",
              "What you have passed and what is next (as without command)")
      ->callback([&chosen] { chosen = progress; });
}

void add_view(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* view_app =
      add_command(app, kLook, "view", "Show a trace: in a window, in the terminal, as a picture");
  view_app
      ->add_option("trace", options->target,
                   "A lesson's number or a .lanes file; none: the newest trace")
      ->option_text("TRACE");
  view_app
      ->add_option("other", options->other,
                   "Another one: both side by side, from their first difference on")
      ->option_text("OTHER");
  for (const auto& [page, what] :
       {std::pair{"atlas", "Show the atlas: every tensor-core fragment there is"},
        std::pair{"swizzle", "Show a swizzled tile with its banks: 64B MN 16 64x16"},
        std::pair{"descriptor", "Try a wgmma descriptor on a tile: 128B K 16 64x64 sbo=512"}}) {
    const std::string name = page;
    view_app
        ->add_option_function<std::vector<std::string>>(
            "--" + name,
            [options, name](const std::vector<std::string>& words) {
              options->page = name;
              options->words = words;
            },
            what)
        ->expected(0, 64)
        ->option_text("[WORDS]");
  }
  CLI::Option* text = view_app->add_flag("--text", options->text, "Print it in the terminal");
  text->option_text(" ");
  view_app
      ->add_option("--screenshot", options->screenshot,
                   "Write a PNG, or the maps into an .svg; needs no display")
      ->option_text("FILE")
      ->check(picture_name())
      ->excludes(text);
  view_app
      ->add_option("--select", options->selection,
                   "What to select: \"A 9,5\", \"lane 13\", \"A.r1\", \"lane 13 A.r1.hi\"")
      ->option_text("WORDS");
  view_app
      ->add_option("--panel", options->panel,
                   "fragments, memory, steps or pipeline; none: as the trace says")
      ->option_text("PANEL")
      ->check(one_of("fragments memory steps pipeline"));
  view_app
      ->add_option("--product", options->product,
                   "Which product of several (or tile of memory), from 1 on, or all")
      ->option_text("NUMBER")
      ->check([](const std::string& words) {
        const bool number = !words.empty() && words.size() < 8 && words[0] != '0' &&
                            words.find_first_not_of("0123456789") == std::string::npos;
        return number || words == "all" ? std::string()
                                        : fmt::format("'{}' is no number from 1 on", words);
      });
  view_app->add_option("--tab", options->tab, "Beside it: lesson (default), source or trace")
      ->option_text("TAB")
      ->check(one_of("lesson source trace"));
  view_app->add_flag("--light", options->light, "Light colours");
  view_app
      ->add_option("--scale", options->scale, "Size of everything, 0.5 to 4; none: the display's")
      ->option_text("SIZE")
      ->check(number_from(0.5, 4));
  view_app
      ->add_option("--width", options->width,
                   "Of the window or the picture, in pixels (default 1440)")
      ->option_text("PIXELS")
      ->check(whole_number("a width in pixels", 320, 16384));
  view_app
      ->add_option("--height", options->height,
                   "Of the window or the picture, in pixels (default 920)")
      ->option_text("PIXELS")
      ->check(whole_number("a height in pixels", 240, 16384));
  view_app->add_option("--log-selection", options->log_selection)->group("");  // for the tests
  view_app->callback([&chosen, options] { chosen = [options] { return view(*options); }; });
}

void add_layout(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<LayoutOptions>();
  CLI::App* layout_app =
      add_command(app, kLook, "layout", "Ask the atlas which lane and register holds what");
  layout_app->add_option("instruction", options->words, "A PTX mnemonic, or parts of one")
      ->option_text("WORDS");
  layout_app->add_flag("--list", options->list, "List the instructions of the atlas");
  layout_app->add_option("--family", options->family, "... of this family only: mma, wgmma.sp, ...")
      ->option_text("FAMILY");
  layout_app->add_option("--type", options->type, "... with this element type: s4, bf16, ...")
      ->option_text("TYPE");
  layout_app->add_option("--arch", options->arch, "... that this target has: sm_90a, ...")
      ->option_text("ARCH");
  layout_app->add_option("--operand", options->operand, "A, B, C, D, E (metadata), SFA or SFB")
      ->option_text("A");
  layout_app->add_option("--lane", options->lane, "What this lane holds")
      ->check(whole_number("a lane", 0, 255))
      ->option_text("LANE");
  layout_app->add_option("--register", options->register_index, "... in this register")
      ->check(whole_number("a register's index", 0, 255))
      ->option_text("INDEX");
  layout_app
      ->add_option("--selector", options->selector,
                   "Of metadata (a number) or of scales (THREAD-ID,BYTE-ID)")
      ->option_text("SELECTOR");
  layout_app->add_option("--element", options->element, "Who holds this element")
      ->option_text("ROW,COL");
  layout_app->add_option("--explain", options->explain, "Why there, and C++ and PTX to paste")
      ->option_text("ROW,COL");
  for (const char* format : {"csv", "json", "markdown", "svg"})
    layout_app->add_flag_callback(
        std::string("--") + format, [options, format] { options->format = format; },
        std::string("Print ") + format);
  layout_app->callback([&chosen, options] { chosen = [options] { return layout(*options); }; });
}

void add_output(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<OutputOptions>();
  CLI::App* output_app =
      add_command(app, kLook, "output", "Name every register that makes one element of D");
  output_app->add_option("instruction", options->words, "A PTX mnemonic, then ROW,COL")
      ->required()
      ->option_text("WORDS");
  output_app->callback([&chosen, options] { chosen = [options] { return output(*options); }; });
}

void add_shared(CLI::App& app, Chosen& chosen) {
  auto swizzles = std::make_shared<SwizzleOptions>();
  CLI::App* swizzle_app = add_command(app, kLook, "swizzle",
                                      "Where a swizzled tile has its elements, and in which bank");
  swizzle_app->add_option("--mode", swizzles->mode, "none, 32B, 64B, 128B (default) or 128B/32B")
      ->option_text("MODE");
  swizzle_app->add_option("--major", swizzles->major, "K (default) or MN")->option_text("MAJOR");
  swizzle_app->add_option("--bits", swizzles->bits, "Of an element: 8, 16 (default) or 32")
      ->check(whole_number("a number of bits", 8, 32))
      ->option_text("BITS");
  swizzle_app->add_option("--rows", swizzles->rows, "Elements along M or N; none: one atom")
      ->check(whole_number("a number of rows", 1, 1024))
      ->option_text("ROWS");
  swizzle_app->add_option("--cols", swizzles->cols, "Elements along K; none: one atom")
      ->check(whole_number("a number of columns", 1, 1024))
      ->option_text("COLS");
  swizzle_app->add_flag("--csv", swizzles->csv, "Print mn,k,byte_offset,bank");
  swizzle_app->callback(
      [&chosen, swizzles] { chosen = [swizzles] { return swizzle(*swizzles); }; });

  auto options = std::make_shared<DescriptorOptions>();
  CLI::App* descriptor_app = add_command(
      app, kLook, "descriptor", "Read, write and try the descriptors of wgmma and of tcgen05");
  descriptor_app->add_option("--decode", options->decode, "The fields of a 64-bit descriptor")
      ->option_text("HEX");
  descriptor_app->add_option("--encode", options->encode, "start=..,lbo=..,sbo=..,mode=..,base=..")
      ->option_text("FIELDS");
  descriptor_app->add_option("--tile", options->tile, "The descriptor for a packed tile")
      ->option_text("MNxK");
  descriptor_app
      ->add_option("--mode", options->mode, "... none, 32B, 64B, 128B (default) or 128B/32B")
      ->option_text("MODE");
  descriptor_app->add_option("--major", options->major, "... K (default) or MN")
      ->option_text("MAJOR");
  descriptor_app->add_option("--bits", options->bits, "... 8, 16 (default) or 32")
      ->check(whole_number("a number of bits", 8, 32))
      ->option_text("BITS");
  descriptor_app->add_flag("--tcgen05", options->tcgen05,
                           "... of tcgen05.mma (sm_100a), whose fields are others");
  descriptor_app
      ->add_option("--instruction", options->instruction,
                   "tcgen05.mma's instruction descriptor: bits to read, or m=..,n=..")
      ->option_text("HEX|FIELDS");
  descriptor_app->add_option("--kind", options->kind, "... of this .kind (default f16)")
      ->option_text("KIND");
  descriptor_app->callback(
      [&chosen, options] { chosen = [options] { return descriptor(*options); }; });
}

void add_diff(CLI::App& app, Chosen& chosen) {
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  CLI::App* diff_app = add_command(
      app, kLook, "diff", "The first difference of two traces; exit code 1 if there is one");
  diff_app->add_option("a", paths->first, "A .lanes file")->required()->option_text(" ");
  diff_app->add_option("b", paths->second, "Another one")->required()->option_text(" ");
  diff_app->callback(
      [&chosen, paths] { chosen = [paths] { return diff(paths->first, paths->second); }; });
}

void add_diagnose(CLI::App& app, Chosen& chosen) {
  auto path = std::make_shared<std::string>();
  auto lists = std::make_shared<bool>(false);
  CLI::App* diagnose_app = add_command(app, kLook, "diagnose",
                                       "Name the mistake in a trace; exit code 1 if there is one");
  CLI::Option* trace = diagnose_app->add_option("trace", *path, "A .lanes file");
  trace->option_text("TRACE");
  diagnose_app->add_flag("--list", *lists, "List the mistakes that it knows")
      ->option_text(" ")
      ->excludes(trace);
  diagnose_app->callback([&chosen, path, lists, trace] {
    if (!*lists && trace->count() == 0) throw CLI::RequiredError("trace");
    chosen = [path, lists] { return *lists ? list_mistakes() : diagnose(*path); };
  });
}

/// `run`'s options end at the program, whose own options are none of ours: `program` is what main
/// has cut off the command line before it is parsed.
void add_run(CLI::App& app, Chosen& chosen, const std::vector<std::string>& program) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run_app =
      add_command(app, kRun, "run", "Run any CUDA program on the emulator (nvcc -cudart shared)");
  run_app
      ->add_option("--arch", options->arch,
                   "Which GPU to be (default sm_90a, else the newest it has PTX for)")
      ->option_text("ARCH");
  run_app
      ->add_option("--trace", options->trace,
                   "Write launches, steps and errors to FILE.lanes or FILE.lanes.zst")
      ->option_text("FILE");
  CLI::Option* steps =
      run_app->add_option("--steps", options->steps,
                          "Record what instructions write: all, or block=1,0,0,warp=2,... (docs)");
  steps->option_text("SELECTION");
  run_app->add_flag("--fidelity", options->fidelity,
                    "Say of every executed instruction: exact, approximate, unsupported");
  run_app
      ->add_option("--seed", options->seed,
                   "Give warps their turns in another order, the same for the same number")
      ->check(whole_number("a seed", 1, 2147483647))
      ->option_text("NUMBER");
  run_app->add_flag("--check", options->check,
                    "Look for races, missing waits, barriers and fences (docs/checker.md)");
  run_app->add_flag("--strict", options->strict,
                    "As --check, and say where more is relied on than PTX promises");
  run_app->add_flag("--banks", options->banks, "List the bank conflicts of each instruction");
  run_app->footer(
      "lanescope run [OPTIONS] [--] PROGRAM [ARGUMENTS]: all behind PROGRAM is its own.");
  run_app->callback([&chosen, &program, options, steps] {
    options->with_steps = steps->count() > 0;
    if (program.empty()) throw CLI::RequiredError("a program");
    options->program = program;
    chosen = [options] { return run(*options); };
  });
}

/// Cuts the program and its arguments off `words` ("run", options, "--" or PROGRAM, ...).
std::vector<std::string> cut_program(const CLI::App& app, std::vector<std::string>& words) {
  if (words.empty() || words[0] != "run") return {};
  const CLI::App* run_app = app.get_subcommand("run");
  std::size_t end = 1;
  for (; end < words.size() && words[end] != "--" && words[end][0] == '-'; ++end) {
    const CLI::Option* option = run_app->get_option_no_throw(words[end]);
    if (option != nullptr && option->get_expected_max() > 0) ++end;  // its value
  }
  end = std::min(end, words.size());
  const std::size_t start = end < words.size() && words[end] == "--" ? end + 1 : end;
  const std::vector<std::string> program(words.begin() + static_cast<long>(start), words.end());
  words.resize(end);
  return program;
}

void add_commands(CLI::App& app, Chosen& chosen, const std::vector<std::string>& program) {
  app.set_version_flag("--version", "lanescope " LANESCOPE_VERSION);
  add_course(app, chosen);
  add_view(app, chosen);
  add_layout(app, chosen);
  add_output(app, chosen);
  add_shared(app, chosen);
  add_diff(app, chosen);
  add_diagnose(app, chosen);
  add_run(app, chosen, program);
  app.require_subcommand(0, 1);
  // Last: commands added after it would repeat it in their own help.
  app.footer(
      "Without a command: your progress and the next step.\n"
      "`lanescope COMMAND --help` says more. Exit codes: 0 fine, 1 the check or the program "
      "failed,\n"
      "2 wrong usage or unreadable input.");
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

/// Which command's help to point at: the one whose arguments were wrong.
std::string help_of(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    return "`lanescope " + command->get_name() + " --help`";
  return "`lanescope --help`";
}

/// Output that could not be written (a full disk) must not look like success.
int after_output(int result) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return result;
  return refuse(std::string("the output cannot be written: ") + std::strerror(errno));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Lanescope shows which lane of the tensor cores holds which matrix element.",
               "lanescope"};
  Chosen chosen = progress;
  std::vector<std::string> program;
  add_commands(app, chosen, program);

  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0].substr(0, 1) != "-") {
    const std::string problem = unknown_command(words[0], command_names(app));
    if (!problem.empty()) return refuse(problem);
  }
  program = cut_program(app, words);
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return after_output(app.exit(error));  // --help, --version
    return refuse(fmt::format("{}; see {}", error.what(), help_of(app)));
  }
  try {
    return after_output(chosen());
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}
