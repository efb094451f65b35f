// SPDX-License-Identifier: MIT
// Files on the disk: plain and compressed, whole or not at all.
#include "trace/file.hpp"
#include "tests/contents.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/trace/sample.hpp"
#include "trace/line.hpp"
#include "trace/reader.hpp"
#include "trace/writer.hpp"

using namespace lanescope::trace;
namespace fs = std::filesystem;

namespace {

// A folder of this test alone, gone afterwards.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("lanescope trace " + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path), fs::directory_iterator{}));
  }
};

void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void refuses(const std::string& path, const std::string& reason) {
  const ReadResult result = read_file(path);
  REQUIRE_FALSE(result.ok());
  CAPTURE(result.error->reason);
  CHECK(result.error->line == 0);
  CHECK(result.error->reason.find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("a plain file holds the text, a .zst file less, and both are read back") {
  const Folder folder;
  REQUIRE_FALSE(write_file(folder / "t.lanes", sample::trace()));
  REQUIRE_FALSE(write_file(folder / "t.lanes.zst", sample::trace()));
  CHECK(lanescope::tests::contents_of(folder / "t.lanes") == to_text(sample::trace()));
  CHECK(is_zstd(lanescope::tests::contents_of(folder / "t.lanes.zst")));
  CHECK(fs::file_size(folder / "t.lanes.zst") < fs::file_size(folder / "t.lanes") / 2);
  for (const char* name : {"t.lanes", "t.lanes.zst"}) {
    const ReadResult result = read_file(folder / name);
    REQUIRE(result.ok());
    CHECK(result.trace == sample::trace());
  }
  CHECK_MESSAGE(folder.files() == 2, "no temporary file is left");
}

TEST_CASE("the name does not matter for reading, the first bytes do") {
  const Folder folder;
  const std::string text = to_text(sample::trace());
  put(folder / "plain.lanes.zst", text);
  put(folder / "packed.lanes", compress(text));
  CHECK(read_file(folder / "plain.lanes.zst").ok());
  CHECK(read_file(folder / "packed.lanes").ok());
}

TEST_CASE("a file is replaced whole, and stays when the new one cannot be written") {
  const Folder folder;
  put(folder / "t.lanes", "old");
  REQUIRE_FALSE(write_file(folder / "t.lanes", sample::trace()));
  CHECK(lanescope::tests::contents_of(folder / "t.lanes") == to_text(sample::trace()));

  const auto problem = write_file(folder / "no such folder/t.lanes", sample::trace());
  REQUIRE(problem);
  CHECK(problem->find("cannot be written: No such file or directory") != std::string::npos);

  fs::create_directories(folder.path / "taken.lanes");
  CHECK(write_file(folder / "taken.lanes", sample::trace()));
  CHECK_MESSAGE(folder.files() == 2, "no temporary file is left");
}

TEST_CASE("a pipe stays a pipe, and gets the text") {
  const Folder folder;
  const std::string path = folder / "pipe";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const auto through_pipe = [&](auto&& write) {
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
    write();
    char bytes[1 << 16];
    const ssize_t size = read(reader, bytes, sizeof bytes);
    close(reader);
    CHECK(fs::is_fifo(path));
    CHECK(std::string(bytes, size > 0 ? static_cast<std::size_t>(size) : 0) ==
          to_text(sample::trace()));
  };
  through_pipe([&] { CHECK_FALSE(write_file(path, sample::trace())); });
  through_pipe([&] {
    Writer writer(path, sample::trace().header);
    for (const Event& event : sample::trace().events) CHECK(writer.add(event));
    CHECK_FALSE(writer.finish());
  });
  CHECK_MESSAGE(folder.files() == 1, "no temporary file is left");
}

TEST_CASE("what is no file") {
  const Folder folder;
  refuses(folder / "missing.lanes", "cannot be opened: No such file or directory");
  refuses(folder.path.string(), "is a folder");
  put(folder / "empty.lanes", "");
  refuses(folder / "empty.lanes", "is empty");
}

TEST_CASE("a huge foreign file is refused at its first bytes") {
  const Folder folder;
  put(folder / "zeros", "");
  fs::resize_file(folder / "zeros", std::uintmax_t{900} << 20);  // sparse
  refuses(folder / "zeros", "is no trace");
  fs::resize_file(folder / "zeros", std::uintmax_t{2} << 30);
  refuses(folder / "zeros", "larger than 1 GiB");
}

TEST_CASE("a zstd file cut anywhere is refused") {
  const std::string packed = compress(to_text(sample::trace()));
  for (std::size_t size = 4; size < packed.size(); ++size) {
    const ReadResult result = read_bytes(std::string_view(packed).substr(0, size));
    REQUIRE_FALSE(result.ok());
    REQUIRE(result.error->line == 0);
    REQUIRE(result.error->reason.find("cut off in the middle of its zstd frame") !=
            std::string::npos);
  }
}

TEST_CASE("a zstd file with a bit turned is refused, or the bit had no meaning") {
  // zstd's tables leave unused bits at their ends; those may turn, and the trace is the same.
  const std::string packed = compress(to_text(sample::trace()));
  const Trace whole = sample::trace();
  std::size_t read = 0;
  for (std::size_t at = 0; at < packed.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      const ReadResult result = read_bytes(damaged);
      if (!result.ok()) continue;
      ++read;
      REQUIRE(result.trace == whole);
    }
  CHECK(read < packed.size() * 8 / 100);
}

TEST_CASE("two zstd frames behind each other are one file, rubbish behind one is not") {
  const std::string text = to_text(sample::trace());
  const std::string two = compress(text.substr(0, 100)) + compress(text.substr(100));
  const ReadResult result = read_bytes(two);
  REQUIRE(result.ok());
  CHECK(result.trace == sample::trace());
  CHECK_FALSE(read_bytes(compress(text) + "x").ok());
  CHECK_FALSE(read_bytes(compress(text) + text).ok());
}

// 40 frames of 32 MiB of blanks behind a first line that looks right.
std::string bomb_of(const std::string& blanks) {
  std::string bomb = compress("{\"lanescope_trace\":1,");
  for (int i = 0; i < 40; ++i) bomb += blanks;
  CHECK(bomb.size() < 1'000'000);
  return bomb;
}

TEST_CASE("a small file that says it unpacks to more than 1 GiB is refused before it does") {
  const std::string blanks = compress(std::string(std::size_t{32} << 20, ' '));
  const ReadResult result = read_bytes(bomb_of(blanks));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error->reason.find("unpacks to more than 1 GiB") != std::string::npos);
  // It is believed: that the last frame has no end is not even seen.
  std::string cut = bomb_of(blanks);
  cut.resize(cut.size() - blanks.size() / 2);
  CHECK(read_bytes(cut).error->reason == result.error->reason);
  // Whole frames that come to less are no reason.
  cut.resize(blanks.size() * 5 / 2);
  CHECK(read_bytes(cut).error->reason.find("is cut off") != std::string::npos);
}

// Minutes and gigabytes where it is sanitized.
TEST_CASE("so is one that does not say it" * doctest::test_suite("twice")) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     ZSTD_freeCCtx);
  const std::string text(std::size_t{32} << 20, ' ');
  std::string blanks(ZSTD_compressBound(text.size()), '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{blanks.data(), blanks.size(), 0};
  // In two calls: the frame's size is not known where it begins.
  ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_continue);
  REQUIRE(ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end) == 0);
  blanks.resize(out.pos);
  REQUIRE(ZSTD_getFrameContentSize(blanks.data(), blanks.size()) == ZSTD_CONTENTSIZE_UNKNOWN);
  const ReadResult result = read_bytes(bomb_of(blanks));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error->reason.find("unpacks to more than 1 GiB") != std::string::npos);
}

// 28 bytes of text each, some of a packed file, and 200 of memory.
TEST_CASE("a small file of more events than a trace may have is refused" *
          doctest::test_suite("twice")) {
  const std::string empty = "{\"event\":\"view\",\"title\":\"\"}\n";
  std::string many;
  for (int i = 0; i < 1 << 16; ++i) many += empty;
  const std::string frame = compress(many);
  const std::string first =
      R"({"lanescope_trace":1,"producer":"gpu","device":"d","arch":"a","program":"p"})"
      "\n";
  std::string bomb = compress(first);
  for (int i = 0; i < 64; ++i) bomb += frame;
  const ReadResult result = read_bytes(bomb + compress(empty));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error->reason.find("more than 4194304 events") != std::string::npos);
  CHECK(result.error->line == 1 + Limits::kEvents + 1);
  // So do entries of lists.
  std::string panels = "{\"event\":\"view\",\"title\":\"\",\"panels\":[\"\"";
  for (int i = 1; i < Limits::kListed; ++i) panels += ",\"\"";
  many.clear();
  for (int i = 0; i < 1024; ++i) many += panels + "]}\n";
  CHECK_FALSE(read_bytes(first + many).ok());
}

TEST_CASE("foreign text inside zstd is told at its first bytes") {
  const ReadResult result = read_bytes(compress(std::string(1 << 20, 'x')));
  REQUIRE_FALSE(result.ok());
  CHECK(result.error->reason.find("is no trace") != std::string::npos);
}

TEST_CASE("a trace written event by event is the one written whole, plain and packed") {
  const Trace trace = sample::trace();
  const Folder folder;
  for (const char* name : {"written.lanes", "written.lanes.zst"}) {
    const std::string path = folder / name;
    Writer writer(path, trace.header);
    for (const Event& event : trace.events) {
      CHECK(writer.add(event));
      CHECK(!std::ifstream(path).good());  // nobody sees it half-written
    }
    CHECK(!writer.finish());
    const ReadResult first = read_file(path);
    REQUIRE_MESSAGE(first.ok(), first.error->message(path));
    CHECK(first.trace == trace);

    // It can go on: the file grows by what comes after.
    for (int i = 0; i < 5000; ++i) writer.add(trace.events[5]);
    CHECK(!writer.finish());
    CHECK(!writer.finish());
    const ReadResult second = read_file(path);
    REQUIRE_MESSAGE(second.ok(), second.error->message(path));
    CHECK(second.trace.events.size() == trace.events.size() + 5000);
    CHECK(second.trace.events.back() == trace.events[5]);
  }
}

TEST_CASE("a packed trace is whole when its last event filled the buffer to the brim") {
  const Folder folder;
  Memory large = std::get<Memory>(sample::trace().events[4]);
  large.rows = 1 << 10;  // 320 kB of text: handed on as soon as it was added
  large.bytes.assign(static_cast<std::size_t>(large.rows) * 160, 7);
  large.cols = 80;
  for (const char* name : {"large.lanes", "large.lanes.zst"}) {
    Writer writer(folder / name, sample::trace().header);
    writer.add(large);
    CHECK(!writer.finish());
    const ReadResult result = read_file(folder / name);
    REQUIRE_MESSAGE(result.ok(), result.error->message(name));
    CHECK(result.trace.events == std::vector<Event>{large});
    writer.add(sample::trace().events[0]);  // and goes on from there
    CHECK(!writer.finish());
    CHECK(read_file(folder / name).trace.events.size() == 2);
  }
}

TEST_CASE("where the disk is full in the middle, what was finished is a whole trace still") {
  const Folder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const char* name : {"a.lanes", "a.lanes.zst"}) {
    CAPTURE(std::string(name));
    Writer writer(folder / name, sample::trace().header);
    for (int i = 0; i < 100; ++i)
      for (const Event& event : sample::trace().events) writer.add(event);
    CHECK(!writer.finish());
    const Trace whole = read_file(folder / name).trace;
    const rlimit limit{fs::file_size(folder / name) + 40, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 100; ++i)
      for (const Event& event : sample::trace().events) writer.add(event);
    const auto problem = writer.finish();
    setrlimit(RLIMIT_FSIZE, &before);
    REQUIRE(problem);
    CHECK(problem->find("cannot be written: File too large") != std::string::npos);
    const ReadResult result = read_file(folder / name);
    REQUIRE_MESSAGE(result.ok(), result.error->message(name));
    CHECK(result.trace == whole);
  }
  std::signal(SIGXFSZ, handler);
}

TEST_CASE("a trace that was never finished leaves nothing, one that cannot be written says so") {
  const Folder folder;
  {
    Writer writer(folder / "a.lanes", sample::trace().header);
    writer.add(sample::trace().events[0]);
  }
  CHECK(folder.files() == 0);
  Writer late(folder / "b.lanes", sample::trace().header);
  fs::create_directories(folder.path / "b.lanes" / "c");  // a folder has taken the name
  const auto taken = late.finish();
  REQUIRE(taken);
  CHECK(taken->find("b.lanes cannot be written: ") != std::string::npos);
  Writer full("/dev/full", sample::trace().header);
  CHECK(full.finish().value_or("") == "/dev/full cannot be written: No space left on device");
  CHECK(write_file("/dev/full", sample::trace()).value_or("") ==
        "/dev/full cannot be written: No space left on device");
  Writer nowhere(folder / "no/such/folder/a.lanes", sample::trace().header);
  CHECK(nowhere.add(sample::trace().events[0]));
  const auto problem = nowhere.finish();
  REQUIRE(problem);
  CHECK(problem->find("a.lanes cannot be written: No such file") != std::string::npos);
}
