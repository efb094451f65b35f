// SPDX-License-Identifier: MIT
// A page with a trace in it: what is put where, and what is refused. Whether a browser shows it is
// asked in tests/viz/page_test.sh.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/page_file.hpp"
#include "tests/cli/process.hpp"
#include "tests/cli/refuses.hpp"
#include "tests/contents.hpp"
#include "tests/trace/sample.hpp"
#include "trace/file.hpp"
#include "trace/line.hpp"

using namespace lanescope;
using test::Folder;
using test::has;
using test::Outcome;
using test::project;
using test::refuses;
using test::run_lanescope;
using tests::contents_of;
namespace fs = std::filesystem;

namespace {

const std::string kExample = LANESCOPE_SOURCE_DIR "/tests/trace/example.lanes";
const std::string kEmpty = "<canvas></canvas>\n<!-- traces -->\n<script>go()</script>\n";

}  // namespace

TEST_CASE("base64 is that of RFC 4648") {
  for (const auto& [bytes, text] : {std::pair{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"fooba", "Zm9vYmE="},
                                    {"foobar", "Zm9vYmFy"}})
    CHECK(cli::base64(bytes) == text);
  CHECK(cli::base64(std::string("\xff\xfe\0", 3)) == "//4A");
}

TEST_CASE("files and words stand before the page's script, where nothing in them is HTML") {
  const std::string page =
      cli::page_with(kEmpty, {{"traces/a \"b\" <c>&.lanes", "foo"}}, "--select 'A 9,5' \"<&");
  CHECK(page ==
        "<canvas></canvas>\n"
        "<script type=\"text/plain\" data-words=\"--select 'A 9,5' &quot;&lt;&amp;\"></script>\n"
        "<script type=\"text/plain\" data-file=\"traces/a &quot;b&quot; &lt;c>&amp;.lanes\">Zm9v"
        "</script>\n"
        "<!-- traces -->\n<script>go()</script>\n");
  CHECK(cli::page_with("<html></html>", {}, "1") == "");
}

TEST_CASE("view --html writes the empty page with the trace in it, and what to show of it") {
  const Folder folder;
  folder.put("lessons/none", "");
  const std::string html = folder / "page.html";
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "view");
    words.insert(words.end(), {"--html", html});
    return run_lanescope(words, project(folder));
  };
  refuses(ask({kExample}), "`./learn web` in the checkout builds it");
  CHECK_FALSE(fs::exists(html));

  folder.put("build-web/lanescope.html", kEmpty);
  const Outcome made = ask({kExample, "--panel", "steps", "--select", "step 3", "--product", "2",
                            "--tab", "trace", "--light"});
  CAPTURE(made.err);
  CHECK(made.code == 0);
  CHECK(has(made.out, "open it in any browser"));
  const std::string page = contents_of(html);
  CHECK(has(page,
            "data-words=\"traces/example.lanes --panel steps --product 2 --select 'step 3' --tab "
            "trace --light\""));
  const std::string packed = trace::compress(contents_of(kExample));
  CHECK(has(page, "data-file=\"traces/example.lanes\">" + cli::base64(packed) + "</script>"));

  CHECK(ask({"--atlas", "m16n8k16", "f16", "--select", "A 9,5"}).code == 0);
  CHECK(has(contents_of(html), "data-words=\"--atlas m16n8k16 f16 --select 'A 9,5'\""));
  CHECK(ask({kExample, kExample}).code == 0);
  CHECK(has(contents_of(html), "data-words=\"traces/example.lanes traces/other/example.lanes\""));
}

TEST_CASE("what lies beside a trace, and the sources that it names, come along") {
  const Folder folder;
  folder.put("lessons/none", "");
  folder.put("build-web/lanescope.html", kEmpty);
  const std::string kernel = folder.put("kernel.cu", "// one line\n");
  trace::Trace made = trace::sample::trace();
  for (trace::Event& event : made.events)
    if (auto* fragment = std::get_if<trace::Fragment>(&event)) fragment->source = {kernel, 1};
  folder.put("a.lanes", trace::to_text(made));
  const std::string steps = trace::compress(contents_of(kExample));
  folder.put("a.steps.lanes.zst", steps);
  const std::string html = folder / "page.html";
  const Outcome outcome =
      run_lanescope({"view", folder / "a.lanes", "--html", html}, project(folder));
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  const std::string page = contents_of(html);
  CHECK(has(page, "data-file=\"traces/a.lanes\""));
  CHECK(has(page, "data-file=\"" + kernel + "\">" + cli::base64("// one line\n")));
  CHECK(has(page, "data-file=\"traces/a.steps.lanes.zst\">" + cli::base64(steps)));
}

TEST_CASE(
    "the bench's kernels run as their first line says, and the mistakes that they propose are "
    "named") {
  struct Change {
    const char *kernel, *from, *to, *command, *says;
  };
  const std::string examples = LANESCOPE_SOURCE_DIR "/viz/web/examples/";
  // What an H200 (driver 580.159.04, 1 December 2026) left in memory, by the launcher's own words.
  const std::map<std::string, std::string> on_a_card{{"conflict", "b316ce8b6138523b"},
                                                     {"missing_wait", "db2a2d3bb2f88745"},
                                                     {"multiply", "cf298662b131f08a"},
                                                     {"wgmma", "8f307d5f9d0ad97f"}};
  const Folder folder;
  const auto run = [&](const std::string& path, const std::string& option) {
    std::istringstream text(contents_of(path));
    std::string line;
    std::getline(text, line);
    const std::string mark = "// run: ";
    REQUIRE_MESSAGE(line.rfind(mark, 0) == 0, path << ": " << line);
    std::vector<std::string> words = test::shell_words(line.substr(mark.size()));
    words.insert(words.begin(),
                 {"run", option, "--steps", "all", "--trace", folder / "a.lanes", path});
    return run_lanescope(words);
  };
  int kernels = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(examples)) {
    CAPTURE(entry.path().string());
    const Outcome outcome = run(entry.path().string(), "--check");
    CHECK_MESSAGE(outcome.code == 0, outcome.err);
    CHECK_MESSAGE(has(outcome.err, "1 launch checked, nothing to report"), outcome.err);
    const std::string bits = ": changed, bits " + on_a_card.at(entry.path().stem().string());
    CHECK_MESSAGE(has(outcome.out, bits), outcome.out);
    ++kernels;
  }
  CHECK(kernels == 4);
  for (const Change& c :
       {Change{"multiply.ptx", "{%a0, %a1, %a2, %a3}, {%b0", "{%a0, %a2, %a1, %a3}, {%b0",
               "diagnose", "registers A.r1 and A.r2 are exchanged"},
        Change{"wgmma.ptx", "mov.u32 %high, 16;", "mov.u32 %high, 8;", "diagnose",
               "the descriptor's SBO is 128 bytes, it should be 256"},
        Change{"missing_wait.ptx", "cp.async.wait_group 0;", "", "--check",
               "missing-cp-async-wait"},
        Change{"conflict.ptx", "", "", "--banks", "8.0-way"},
        Change{"conflict.ptx", ", %row, 128, %r", ", %row, 144, %r", "--banks", "no conflicts"}}) {
    CAPTURE(c.kernel);
    std::string text = contents_of(examples + c.kernel);
    const std::string from = c.from;
    for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != text.npos;)
      text.replace(at, from.size(), c.to), at += std::string_view(c.to).size();
    CHECK((text != contents_of(examples + c.kernel)) == !from.empty());
    const bool diagnoses = std::string_view(c.command) == "diagnose";
    const Outcome ran = run(folder.put(c.kernel, text), diagnoses ? "--check" : c.command);
    if (!diagnoses) CHECK_MESSAGE(has(ran.err, c.says), ran.err);
    if (diagnoses) CHECK(has(run_lanescope({"diagnose", folder / "a.lanes"}).out, c.says));
  }
}

TEST_CASE("what can be no page is refused before anything is written") {
  const Folder folder;
  const std::string empty = folder.put("lessons/empty", "");
  folder.put("build-web/lanescope.html", kEmpty);
  const std::string page = folder / "page.html";
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "view");
    return run_lanescope(words, project(folder));
  };
  refuses(ask({kExample, "--html", "page.txt"}), "'page.txt' does not end in .html");
  refuses(ask({empty, "--html", page}), "empty");
  refuses(ask({kExample, "--html", page, "--text"}), "--text");
  refuses(ask({kExample, "--html", folder / "no/page.html"}), "no/page.html");
  CHECK_FALSE(fs::exists(page));
  folder.put("build-web/lanescope.html", "<html></html>");
  refuses(ask({kExample, "--html", page}), "no page of Lanescope's");
}
