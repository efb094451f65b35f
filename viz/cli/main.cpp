// SPDX-License-Identifier: MIT
// The `lanescope` command line: reads the arguments, calls a command. The only file that includes
// CLI11 (it costs two seconds a time). What the commands do is in the other files of this room.
#include <CLI/CLI.hpp>
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
        int number = 0;
        if (CLI::detail::lexical_cast(text, number) && number >= low && number <= high)
          return std::string();
        return "'" + text + "' is not " + what + ", " + std::to_string(low) + " to " +
               std::to_string(high);
      },
      "", "");
}

CLI::Validator one_of(const std::string& choices) {
  return CLI::Validator(
      [choices](std::string& text) {
        for (const std::string& choice : CLI::detail::split(choices, ' '))
          if (choice == text) return std::string();
        return "'" + text + "' is not one of " + choices;
      },
      "", "");
}

CLI::App* add_command(CLI::App& app, const char* group, const char* name, const char* what) {
  CLI::App* command = app.add_subcommand(name, what);
  command->group(group);
  return command;
}

void add_course(CLI::App& app, Chosen& chosen) {
  CLI::App* start_app =
      add_command(app, kCourse, "start", "Run the next lesson and say what to do (./learn alone)");
  start_app->callback([&chosen] { chosen = start; });

  auto options = std::make_shared<LessonOptions>();
  CLI::App* lesson_app = add_command(app, kCourse, "lesson", "Run a lesson and record its lanes");
  lesson_app->add_option("number", options->number, "Which lesson; none: the next one")
      ->check(whole_number("a lesson's number", 1, 99));
  lesson_app->add_option("--device", options->device, "auto, gpu or cpu")
      ->capture_default_str()
      ->check(one_of("auto gpu cpu"));
  lesson_app->add_option("--arch", options->arch, "Which GPU the emulator is")
      ->capture_default_str();
  lesson_app->callback([&chosen, options] { chosen = [options] { return lesson(*options); }; });

  auto number = std::make_shared<int>(0);
  CLI::App* check_app = add_command(app, kCourse, "check", "Check your exercise of a lesson");
  check_app->add_option("number", *number, "Which lesson")
      ->required()
      ->check(whole_number("a lesson's number", 1, 99));
  check_app->callback([&chosen, number] { chosen = [number] { return check(*number); }; });
}

void add_view(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* view_app =
      add_command(app, kLook, "view", "Show a trace: in a window, in the terminal, as a picture");
  view_app->add_option("trace", options->target,
                       "A lesson's number or a .lanes file; none: the newest trace");
  CLI::Option* text = view_app->add_flag("--text", options->text, "Print it in the terminal");
  view_app->add_option("--screenshot", options->screenshot, "Write a PNG; needs no display")
      ->type_name("FILE")
      ->excludes(text);
  view_app
      ->add_option("--select", options->selection,
                   "What to select: \"A 9,5\", \"lane 13\", \"A.r1\", \"lane 13 A.r1.hi\"")
      ->type_name("WORDS");
  view_app->add_flag("--light", options->light, "Light colours");
  view_app
      ->add_option("--scale", options->scale, "Size of everything, 0.5 to 4; none: the display's")
      ->check(CLI::Range(0.5, 4.0));
  view_app->add_option("--width", options->width, "Of the window or the picture")
      ->capture_default_str()
      ->check(whole_number("a width in pixels", 320, 16384));
  view_app->add_option("--height", options->height, "Of the window or the picture")
      ->capture_default_str()
      ->check(whole_number("a height in pixels", 240, 16384));
  view_app->add_option("--log-selection", options->log_selection)->group("");  // for the tests
  view_app->callback([&chosen, options] { chosen = [options] { return view(*options); }; });
}

void add_layout(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<LayoutOptions>();
  CLI::App* layout_app =
      add_command(app, kLook, "layout", "Ask the atlas which lane and register holds what");
  layout_app->add_option("instruction", options->words, "A PTX mnemonic, or parts of one");
  layout_app->add_flag("--list", options->list, "List the instructions of the atlas");
  layout_app->add_option("--operand", options->operand, "A, B, C or D");
  layout_app->add_option("--lane", options->lane, "What this lane holds");
  layout_app->add_option("--register", options->register_index, "... in this register");
  layout_app->add_option("--element", options->element, "Who holds this element")
      ->type_name("ROW,COL");
  for (const char* format : {"csv", "json", "markdown"})
    layout_app->add_flag_callback(
        std::string("--") + format, [options, format] { options->format = format; },
        std::string("Print ") + format);
  layout_app->callback([&chosen, options] { chosen = [options] { return layout(*options); }; });
}

void add_diff(CLI::App& app, Chosen& chosen) {
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  CLI::App* diff_app = add_command(
      app, kLook, "diff", "The first difference of two traces; exit code 1 if there is one");
  diff_app->add_option("a", paths->first, "A .lanes file")->required();
  diff_app->add_option("b", paths->second, "Another one")->required();
  diff_app->callback(
      [&chosen, paths] { chosen = [paths] { return diff(paths->first, paths->second); }; });
}

void add_run(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run_app =
      add_command(app, kRun, "run", "Run any CUDA program on the emulator (nvcc -cudart shared)");
  run_app->add_option("--arch", options->arch, "Which GPU to be")->capture_default_str();
  run_app->add_option("--trace", options->trace, "Write a trace of the run")->type_name("FILE");
  run_app->add_option("program", options->program, "The program and its arguments")->required();
  run_app->prefix_command();
  run_app->callback([&chosen, run_app, options] {
    for (const std::string& word : run_app->remaining()) options->program.push_back(word);
    chosen = [options] { return run(*options); };
  });
}

void add_commands(CLI::App& app, Chosen& chosen) {
  app.set_version_flag("--version", "lanescope " LANESCOPE_VERSION);
  app.footer(
      "Without a command: your progress and the next step.\n"
      "`lanescope COMMAND --help` says more. Exit codes: 0 fine, 1 the check or the program "
      "failed,\n"
      "2 wrong usage or unreadable input.");
  add_course(app, chosen);
  add_view(app, chosen);
  add_layout(app, chosen);
  add_diff(app, chosen);
  add_run(app, chosen);
  app.require_subcommand(0, 1);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

int refuse(const std::string& what) {
  std::fprintf(stderr, "lanescope: %s\n", one_line(what).c_str());
  return 2;
}

/// Which command's help to point at: the one whose arguments were wrong.
std::string help_of(int argc, char** argv, const CLI::App& app) {
  const std::vector<std::string> names = command_names(app);
  for (int i = 1; i < argc; ++i)
    for (const std::string& name : names)
      if (name == argv[i]) return "`lanescope " + name + " --help`";
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
  add_commands(app, chosen);

  if (argc > 1 && argv[1][0] != '-') {
    const std::string problem = unknown_command(argv[1], command_names(app));
    if (!problem.empty()) return refuse(problem);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return after_output(app.exit(error));  // --help, --version
    return refuse(std::string(error.what()) + "; see " + help_of(argc, argv, app));
  }
  try {
    return after_output(chosen());
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}
