// SPDX-License-Identifier: MIT
// main() of every lesson's check: doctest with a reporter that talks to a learner. One line a case,
// the check's own words when one fails, and no more after the first failure: the next ones would
// only say the same again.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// `./learn` is what one types in the project's folder; `lanescope check` knows what it is where
/// the learner is.
std::string from_here(std::string words) {
  const std::string there = "./learn ";
  const char* learn = std::getenv("LANESCOPE_CHECK_LEARN");
  if (learn == nullptr) return words;
  const std::string here = std::string(learn) + " ";
  for (std::size_t at = 0; (at = words.find(there, at)) != std::string::npos; at += here.size())
    words.replace(at, there.size(), here);
  return words;
}

class LearnerReporter : public doctest::IReporter {
 public:
  explicit LearnerReporter(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& test) override {
    name_ = test.m_name;
    words_.clear();
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    const char* result = stats.failure_flags == 0 ? "right" : interrupted_ ? "stopped" : "WRONG";
    std::printf("  %-60s %s\n%s", name_.c_str(), result, from_here(words_).c_str());
    std::fflush(stdout);
  }
  void test_case_exception(const doctest::TestCaseException& exception) override {
    const std::string what = exception.error_string.c_str();
    // Ctrl-C, and what ends `lanescope` ends this with it: no mistake.
    interrupted_ =
        exception.is_crash && (what.rfind("SIGINT", 0) == 0 || what.rfind("SIGTERM", 0) == 0);
    if (!interrupted_) words_ += "\n  stopped: " + what + "\n";
  }
  void log_message(const doctest::MessageData& message) override {
    words_ += message.m_string.c_str();
  }
  void log_assert(const doctest::AssertData& data) override {
    if (!data.m_failed) return;
    words_ += std::string("\n  ") + data.m_file + ":" + std::to_string(data.m_line) +
              ": expected " + data.m_expr + ", found " + data.m_decomp.c_str() + "\n";
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::string name_;
  std::string words_;
  bool interrupted_ = false;
};

bool checked = false;

/// An answer that calls exit(0) has not been checked to the end. What ends it with another status,
/// as DeviceArray does when a kernel has failed, has said why, and has not come to write a trace:
/// the one there is, of a launch before it, would show that all is right.
void not_before_the_end(int status, void*) {
  if (checked) return;
  if (status != 0) {
    if (const char* trace = std::getenv("LANESCOPE_CHECK_TRACE"); trace != nullptr)
      std::remove(trace);
    return;
  }
  std::printf("\n  stopped: exit() was called before the check was done\n");
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace

REGISTER_REPORTER("learner", 1, LearnerReporter);

int main(int argc, char** argv) {
  // `lanescope check` reads it through a pipe: what was printed before a loop that never ends is to
  // be seen, too.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  doctest::Context context;
  context.setOption("reporters", "learner");
  context.setOption("abort-after", 1);
  context.applyCommandLine(argc, argv);
  on_exit(not_before_the_end, nullptr);
  const int result = context.run();
  checked = true;
  return result;
}
