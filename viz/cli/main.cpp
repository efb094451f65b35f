// SPDX-License-Identifier: MIT
// The `lanescope` command line: reads the arguments, calls a command. The only file that includes
// CLI11 (it costs two seconds a time).
#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace lanescope::cli;
  CLI::App app{"Lanescope shows which lane holds which matrix element.", "lanescope"};
  app.set_version_flag("--version", "lanescope " LANESCOPE_VERSION);
  int result = 0;

  LayoutOptions layout_options;
  CLI::App* layout_app = app.add_subcommand("layout", "Which lane and register holds which element");
  layout_app->add_option("instruction", layout_options.words, "A PTX mnemonic, or parts of one");
  layout_app->add_flag("--list", layout_options.list, "List the instructions of the atlas");
  layout_app->add_option("--operand", layout_options.operand, "A, B, C or D");
  layout_app->add_option("--lane", layout_options.lane, "What this lane holds");
  layout_app->add_option("--register", layout_options.register_index, "... in this register");
  layout_app->add_option("--element", layout_options.element, "Who holds this element: ROW,COL");
  for (const char* format : {"csv", "json", "markdown"})
    layout_app->add_flag_callback(
        std::string("--") + format, [&layout_options, format] { layout_options.format = format; },
        std::string("Print ") + format);
  layout_app->callback([&] { result = layout(layout_options); });

  ViewOptions view_options;
  CLI::App* view_app = app.add_subcommand("view", "Look at a lesson's trace or at a trace file");
  view_app->add_option("trace", view_options.target, "A lesson's number or a .lanes file");
  view_app->add_flag("--text", view_options.text, "In the terminal");
  view_app->add_option("--screenshot", view_options.screenshot, "Write a PNG, no display needed");
  view_app->add_option("--select", view_options.selection, "First selection, such as \"A 9,5\"");
  view_app->add_flag("--light", view_options.light, "Light colours");
  view_app->add_option("--scale", view_options.scale, "Size of everything, 1 is normal");
  view_app->callback([&] { result = view(view_options); });

  RunOptions run_options;
  CLI::App* run_app = app.add_subcommand("run", "Run any CUDA program on the emulator");
  run_app->add_option("--arch", run_options.arch, "Which GPU to be")->capture_default_str();
  run_app->add_option("--trace", run_options.trace, "Write a trace of the run");
  run_app->add_option("program", run_options.program, "The program and its arguments")->required();
  run_app->prefix_command();
  run_app->callback([&] {
    for (const std::string& word : run_app->remaining()) run_options.program.push_back(word);
    result = run(run_options);
  });

  LessonOptions lesson_options;
  CLI::App* lesson_app = app.add_subcommand("lesson", "Run a lesson");
  lesson_app->add_option("number", lesson_options.number, "Which lesson");
  lesson_app->add_option("--device", lesson_options.device, "auto, gpu or cpu")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "gpu", "cpu"}));
  lesson_app->add_option("--arch", lesson_options.arch, "Which GPU the emulator is")
      ->capture_default_str();
  lesson_app->callback([&] { result = lesson(lesson_options); });

  int check_number = 0;
  CLI::App* check_app = app.add_subcommand("check", "Check a lesson's exercise");
  check_app->add_option("number", check_number, "Which lesson")->required();
  check_app->callback([&] { result = check(check_number); });

  std::string diff_a, diff_b;
  CLI::App* diff_app = app.add_subcommand("diff", "First difference of two traces");
  diff_app->add_option("a", diff_a, "A .lanes file")->required();
  diff_app->add_option("b", diff_b, "Another one")->required();
  diff_app->callback([&] { result = diff(diff_a, diff_b); });

  app.add_subcommand("start", "Run the next lesson and say what to do")->callback([&] {
    result = start();
  });

  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "lanescope: %s; see `lanescope --help`\n", error.what());
    return 2;
  }
  if (app.get_subcommands().empty()) result = progress();
  return result;
}
