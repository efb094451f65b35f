// SPDX-License-Identifier: MIT
// The commands that look: at traces, at the atlas, at swizzled tiles and descriptors; what each
// takes.
#include <fmt/format.h>

#include <memory>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"

namespace lanescope::cli {
namespace {

/// A trace that is named by mistake is not to become a picture.
std::string picture_name(const std::string& text) {
  const std::string end = text.size() > 4 ? text.substr(text.size() - 4) : "";
  if (end == ".png" || end == ".svg") return {};
  return fmt::format("'{}' ends neither in .png nor in .svg", text);
}

std::string page_name(const std::string& text) {
  if (text.size() > 5 && text.substr(text.size() - 5) == ".html") return {};
  return fmt::format("'{}' does not end in .html", text);
}

bool is_product_number(const std::string& text) {
  return !text.empty() && text.size() < 8 && text[0] != '0' &&
         text.find_first_not_of("0123456789") == text.npos;
}

/// "2", "all", or two tiles to stand beside each other: "1,3".
std::string product_words(const std::string& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const bool two = comma < text.size();
  if (text == "all" || (is_product_number(text.substr(0, comma)) &&
                        (!two || is_product_number(text.substr(comma + 1)))))
    return {};
  return fmt::format("'{}' is no number from 1 on", text);
}

Option page_option(const std::shared_ptr<ViewOptions>& o, const std::string& page,
                   const char* what) {
  Option made = option(("--" + page).c_str(), o->words, what, "[WORDS]");
  made.take = [o, page](const std::vector<std::string>& words) {
    o->page = page;
    o->words = words;
  };
  made.least = 0;
  made.most = 64;
  return made;
}

Command view_command() {
  auto o = std::make_shared<ViewOptions>();
  Command c{kLook, "view", "Show a trace: in a window, in the terminal, as a picture"};
  Option text = flag("--text", o->text, "Print it in the terminal");
  text.value = " ";
  Option screenshot =
      option("--screenshot", o->screenshot,
             "Write a PNG, or the maps into an .svg; needs no display", "FILE", picture_name);
  screenshot.excludes = {"--text"};
  Option html =
      option("--html", o->html, "Write a page for any browser, the trace in it (./learn web, once)",
             "FILE", page_name);
  html.excludes = {"--text", "--screenshot"};
  Option log = option("--log-selection", o->log_selection, "", "");  // for the tests
  log.hidden = true;
  Option swizzle =
      page_option(o, "swizzle", "Show a swizzled tile with its banks: 64B MN 16 64x16");
  Option descriptor =
      page_option(o, "descriptor", "Try a wgmma descriptor on a tile: 128B K 16 64x64 sbo=512");
  swizzle.excludes = {"--atlas"};
  descriptor.excludes = {"--atlas", "--swizzle"};
  Option beside = option("--beside", o->beside, "... and another instruction beside it", "WORDS");
  beside.most = 64;
  c.options = {
      option("trace", o->target, "A lesson (4, swizzle) or a .lanes file; none: the newest trace",
             "TRACE"),
      option("other", o->other, "Another one: both side by side, from their first difference on",
             "OTHER"),
      page_option(o, "atlas", "Show the atlas: every tensor-core fragment there is"),
      beside,
      swizzle,
      descriptor,
      text,
      screenshot,
      html,
      option("--select", o->selection,
             "What to select: \"A 9,5\", \"lane 13\", \"A.r1\", \"lane 13 A.r1.hi\"", "WORDS"),
      choice("--panel", o->panel, "fragments, memory, steps or pipeline; none: as the trace says",
             "PANEL", "fragments memory steps pipeline"),
      option("--product", o->product,
             "Which product (or tile of memory) of several, or all; two tiles: 1,3", "NUMBER",
             product_words),
      choice("--tab", o->tab, "Beside it: lesson (default), source or trace", "TAB",
             "lesson source trace"),
      flag("--light", o->light, "Light colours"),
      option("--scale", o->scale, "Size of everything, 0.5 to 4; none: the display's", "SIZE",
             number_from(0.5, 4)),
      option("--width", o->width,
             "Of the window or the picture, in pixels; none: 1440 times the scale", "PIXELS",
             whole_number("a width in pixels", 320, 16384)),
      option("--height", o->height,
             "Of the window or the picture, in pixels; none: 920 times the scale", "PIXELS",
             whole_number("a height in pixels", 240, 16384)),
      log};
  c.footer =
      "Examples:\n"
      "  lanescope view 1 --text --select \"A 9,5\"\n"
      "  lanescope view 12 --text --panel pipeline\n"
      "  lanescope view --text --swizzle 64B MN 16 64x16";
  c.run = [o] { return view(*o); };
  return c;
}

Command layout_command() {
  auto o = std::make_shared<LayoutOptions>();
  Command c{kLook, "layout", "Ask the atlas which lane and register holds what"};
  c.options = {
      option("instruction", o->words,
             "A PTX name, parts of one, CuTe's, SASS's, wmma's; or a layout", "WORDS"),
      flag("--list", o->list, "List the instructions of the atlas"),
      option("--family", o->family, "... of this family only: mma, wgmma.sp, ...", "FAMILY"),
      option("--type", o->type, "... with this element type: s4, bf16, ...", "TYPE"),
      option("--arch", o->arch, "... that this target has: sm_90a, ...", "ARCH"),
      option("--operand", o->operand, "A, B, C, D, E (metadata), SFA or SFB", "A"),
      option("--lane", o->lane, "What this lane holds", "LANE", whole_number("a lane", 0, 255)),
      option("--register", o->register_index, "... in this register", "INDEX",
             whole_number("a register's index", 0, 255)),
      option("--selector", o->selector, "Of metadata (a number) or of scales (THREAD-ID,BYTE-ID)",
             "SELECTOR"),
      option("--element", o->element, "Who holds this element", "ROW,COL"),
      option("--explain", o->explain, "Why there, and C++ and PTX to paste", "ROW,COL")};
  std::vector<std::string> others{"--explain"};
  for (const std::string format : {"csv", "json", "markdown", "svg", "cute"}) {
    Option made{"--" + format,
                format == "cute" ? "Print CuTe's layouts, from thread and value to an index"
                                 : "Print " + format,
                ""};
    made.excludes = others;
    others.push_back(made.name);
    made.take = [o, format](const std::vector<std::string>&) { o->format = format; };
    made.least = made.most = 0;
    c.options.push_back(made);
  }
  Option becomes =
      option("--becomes", o->becomes,
             "Which registers of D (or --operand) make A; WORDS: another's A", "A [WORDS]");
  becomes.most = 64;
  becomes.excludes = {"--element", "--explain",  "--register", "--selector", "--csv",
                      "--json",    "--markdown", "--svg",      "--cute"};
  c.options.push_back(becomes);
  Option beside =
      option("--beside", o->beside, "What changes from it to another instruction", "WORDS");
  beside.most = 64;
  beside.excludes = {"--becomes", "--explain", "--register", "--selector", "--list",     "--family",
                     "--type",    "--arch",    "--csv",      "--json",     "--markdown", "--cute"};
  c.options.push_back(beside);
  c.footer =
      "Examples:\n"
      "  lanescope layout mma.m16n8k32.s8 --operand B --element 9,5\n"
      "  lanescope layout mma.m16n8k16.f32.f16 --becomes A mma.m16n8k32.s8\n"
      "  lanescope layout mma.m16n8k16.f32.f16 --beside mma.m16n8k32.f32.e4m3.e4m3 --operand A\n"
      "  lanescope layout mma.sp m16n8k16 f16 --operand E\n"
      "  lanescope layout HMMA.16816.F32 --lane 6\n"
      "  lanescope layout \"((4,8),(2,2,2)):((32,1),(16,8,128))\"\n"
      "  lanescope layout \"zipped_divide((64,64):(64,1), <16, 16>)\"\n"
      "  lanescope layout --list fp8 16x8x32";
  c.run = [o] { return layout(*o); };
  return c;
}

Command output_command() {
  auto o = std::make_shared<OutputOptions>();
  Command c{kLook, "output", "Name every register that makes one element of D"};
  c.options = {required(option("instruction", o->words, "A PTX mnemonic, then ROW,COL", "WORDS"))};
  c.footer =
      "Examples:\n"
      "  lanescope output mma.m16n8k16.f32.f16.f16.f32 9,5";
  c.run = [o] { return output(*o); };
  return c;
}

Command swizzle_command() {
  auto o = std::make_shared<SwizzleOptions>();
  Command c{kLook, "swizzle", "Where a tile in shared memory has its elements, and in which bank"};
  c.options = {option("tile", o->words,
                      "128B K 16 8x64; or a layout of CuTe's, bits=32, access=...", "WORDS"),
               option("--mode", o->mode, "none, 32B, 64B, 128B (default) or 128B/32B", "MODE"),
               option("--major", o->major, "K (default) or MN", "MAJOR"),
               option("--bits", o->bits, "Of an element: 8, 16 (default) or 32", "BITS",
                      whole_number("a number of bits", 8, 32)),
               option("--rows", o->rows, "Elements along M or N; none: one atom", "ROWS",
                      whole_number("a number of rows", 1, 1024)),
               option("--cols", o->cols, "Elements along K; none: one atom", "COLS",
                      whole_number("a number of columns", 1, 1024)),
               flag("--csv", o->csv, "Print mn,k,byte_offset,bank (of a layout row,col,...)")};
  for (std::size_t at = 1; at + 1 < c.options.size(); ++at) c.options[at].excludes = {"tile"};
  c.footer =
      "Examples:\n"
      "  lanescope swizzle 64B MN 16 64x16\n"
      "  lanescope swizzle \"Sw<3,4,3> o smem_ptr[16b](unset) o (64,64):(64,1)\"\n"
      "  lanescope swizzle \"(64,64):(68,1)\" bits=32 access=D mma.m16n8k16.f32.f16\n"
      "  lanescope swizzle --mode 128B --rows 8 --cols 64 --csv";
  c.run = [o] { return swizzle(*o); };
  return c;
}

Command descriptor_command() {
  auto o = std::make_shared<DescriptorOptions>();
  Command c{kLook, "descriptor", "Read, write and try the descriptors of wgmma and of tcgen05"};
  c.options = {
      option("words", o->words, "As the window takes them: 0x4000..., 128B K 16 64x64 sbo=512",
             "WORDS"),
      option("--decode", o->decode, "The fields of a 64-bit descriptor", "HEX"),
      option("--encode", o->encode, "start=..,lbo=..,sbo=..,mode=..,base=..", "FIELDS"),
      option("--tile", o->tile, "The descriptor for a packed tile", "MNxK"),
      option("--mode", o->mode, "... none, 32B, 64B, 128B (default) or 128B/32B", "MODE"),
      option("--major", o->major, "... K (default) or MN", "MAJOR"),
      option("--bits", o->bits, "... 8, 16 (default) or 32", "BITS",
             whole_number("a number of bits", 8, 32)),
      flag("--tcgen05", o->tcgen05, "... of tcgen05.mma (sm_100a), whose fields are others"),
      option("--instruction", o->instruction,
             "tcgen05.mma's instruction descriptor: bits to read, or m=..,n=..", "HEX|FIELDS"),
      option("--kind", o->kind, "... of this .kind (default f16)", "KIND")};
  for (std::size_t at = 1; at < c.options.size(); ++at)
    if (c.options[at].name != "--tcgen05") c.options[at].excludes = {"words"};
  c.footer =
      "Examples:\n"
      "  lanescope descriptor 64B K 16 64x64\n"
      "  lanescope descriptor 0x8000002000010040\n"
      "  lanescope descriptor --encode start=1024,sbo=512,mode=64B";
  c.run = [o] {
    if (o->words.empty()) return descriptor(*o);
    ViewOptions asked;  // the window's page, in the terminal
    asked.page = "descriptor";
    asked.words = o->words;
    if (o->tcgen05) asked.words.insert(asked.words.begin(), "tcgen05");
    asked.text = true;
    return view(asked);
  };
  return c;
}

Command diff_command() {
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  Command c{kLook, "diff", "The first difference of two traces; exit code 1 if there is one"};
  c.options = {required(option("a", paths->first, "A lesson (4, swizzle) or a .lanes file", " ")),
               required(option("b", paths->second, "Another one", " "))};
  c.run = [paths] { return diff(paths->first, paths->second); };
  return c;
}

Command diagnose_command() {
  auto path = std::make_shared<std::string>();
  auto lists = std::make_shared<bool>(false);
  Command c{kLook, "diagnose", "Name the mistake in a trace; exit code 1 if there is one"};
  Option list = flag("--list", *lists, "List the mistakes that it knows");
  list.value = " ";
  list.excludes = {"trace"};
  c.options = {
      option("trace", *path, "A .lanes file, or an exercise (4, swizzle): its last check", "TRACE"),
      list};
  c.missing = [path, lists] {
    return *lists || !path->empty() ? std::string() : std::string("trace");
  };
  c.footer =
      "Examples:\n"
      "  lanescope run --steps all --trace steps.lanes -- ./gemm && lanescope diagnose "
      "steps.lanes\n"
      "  lanescope diagnose 3";
  c.run = [path, lists] { return *lists ? list_mistakes() : diagnose(*path); };
  return c;
}

Command completion_command() {
  auto o = std::make_shared<CompletionOptions>();
  Command c{kLook, "completion", "Print what makes bash complete names when Tab is pressed"};
  Option line = option("--line", o->line, "", "");  // what the shell asks
  line.hidden = true;
  c.options = {option("shell", o->shell, "bash, the one there is a script for", " "), line};
  c.footer =
      "Into ~/.bashrc, or for this shell alone:\n"
      "  eval \"$(lanescope completion)\"";
  c.run = [o] { return completion(*o); };
  return c;
}

}  // namespace

std::vector<Command> look_commands() {
  return {view_command(),       layout_command(), output_command(),   swizzle_command(),
          descriptor_command(), diff_command(),   diagnose_command(), completion_command()};
}

}  // namespace lanescope::cli
