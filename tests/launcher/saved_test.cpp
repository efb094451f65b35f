// SPDX-License-Identifier: MIT
// Launches that `lanescope run --save` takes out of a program, and what runs them alone.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "launcher/saved_launch.hpp"
#include "tests/programs/run_process.hpp"

using namespace lanescope;
using launcher::SavedLaunch;

namespace {

const std::string kModule =
    ".version 8.7\n.target sm_80\n.address_size 64\n"
    ".global .align 4 .f32 bias = 0f3F800000;\n"
    "// } a brace that is none\n"
    ".func (.reg .f32 %sum) add(.reg .f32 %a, .reg .f32 %b) { add.f32 %sum, %a, %b; ret; }\n"
    ".visible .entry other(.param .u64 to) { .reg .pred p; { setp.ne.u32 p, 1, 2; } ret; }\n"
    ".visible .entry scale(.param .u64 to, .param .u64 from, .param .f32 factor)\n"
    "{\n"
    ".reg .b32 %r<5>; .reg .f32 %f<6>; .reg .b64 %rd<6>;\n"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
    "mad.lo.u32 %r4, %r2, %r3, %r1;\n"
    "ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from]; ld.param.f32 %f1, [factor];\n"
    "mad.wide.u32 %rd3, %r4, 4, %rd2; mad.wide.u32 %rd4, %r4, 4, %rd1;\n"
    "ld.global.f32 %f2, [%rd3]; mul.rn.f32 %f3, %f1, %f2; ld.global.f32 %f4, [bias];\n"
    "call (%f5), add, (%f3, %f4); st.global.f32 [%rd4], %f5;\n"
    "ret;\n}\n"
    ".visible .entry third() { ret; }\n";
const std::vector<std::string> kWords{"--kernel", "scale",   "--grid",      "2",      "--block",
                                      "4",        "f32:2x4", "f32:8=index", "f32=2.5"};

std::filesystem::path folder() {
  const auto made = std::filesystem::temp_directory_path() / "lanescope saved launches";
  std::filesystem::create_directories(made);
  return made;
}
std::string in_folder(const std::string& name) { return (folder() / name).string(); }
void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}
std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
/// What `scale` leaves behind, saved as `name`.
tests::Finished save(const std::string& name, const std::vector<std::string>& more = {}) {
  write_text(in_folder("scale.ptx"), kModule);
  std::vector<std::string> options{"--save", in_folder(name)};
  options.insert(options.end(), more.begin(), more.end());
  return tests::emulate(in_folder("scale.ptx"), options, kWords);
}
std::string bits_in(const std::string& line) { return line.substr(line.find("bits "), 21); }

void turned_away(const tests::Finished& ran, const std::string& why) {
  CHECK_MESSAGE(ran.exit_code == 2, ran.err);
  CHECK_MESSAGE(ran.err.find(why) != std::string::npos, ran.err);
  CHECK_MESSAGE(ran.err.find('\n') == ran.err.size() - 1, ran.err);
}

}  // namespace

TEST_CASE("a launch that was saved does alone what it did in its program") {
  const tests::Finished whole = save("alone.ptx");
  CHECK(whole.exit_code == 0);
  CHECK(whole.err.find("launch 0, scale: saved; lanescope run ") != std::string::npos);
  const std::string ptx = text_of(in_folder("alone.ptx"));
  CHECK(ptx.rfind("//@launch 1\n//@grid 2,1,1\n//@block 4,1,1\n//@shared 0\n", 0) == 0);
  for (const char* kept : {".func (.reg .f32 %sum) add", ".entry scale", "bias"})
    CHECK(ptx.find(kept) != std::string::npos);
  for (const char* left_out : {".entry other", ".entry third"})
    CHECK(ptx.find(left_out) == std::string::npos);
  const tests::Finished alone = tests::emulate(in_folder("alone.ptx"));
  CHECK(alone.err == "");
  CHECK(alone.exit_code == 0);
  CHECK_MESSAGE(
      alone.out.find(" of 32 bytes: changed from byte 2 to 31, bits ") != std::string::npos,
      alone.out);
  CHECK(bits_in(alone.out) == bits_in(whole.out));
  // Its text may be changed, and it may be launched otherwise.
  std::string edited = ptx;
  edited.replace(edited.find("add.f32 %sum"), 3, "sub");
  write_text(in_folder("edited.ptx"), edited);
  std::filesystem::copy_file(in_folder("alone.memory"), in_folder("edited.memory"),
                             std::filesystem::copy_options::overwrite_existing);
  CHECK(bits_in(tests::emulate(in_folder("edited.ptx")).out) != bits_in(whole.out));
  const tests::Finished words =
      tests::emulate(in_folder("edited.ptx"), {}, {"--block", "4", "f32:4", "f32:4=1", "f32=3"});
  CHECK(words.out.find("begins 2 2 2 2\n") != std::string::npos);
}

TEST_CASE("a saved launch is not asked for another grid, and says when it has changed nothing") {
  CHECK(save("asked.ptx").exit_code == 0);
  const std::string asked = in_folder("asked.ptx");
  const std::vector<std::vector<std::string>> more{{"--grid", "1"},    {"--block", "4"},
                                                   {"--shared", "64"}, {"--cluster", "2"},
                                                   {"--print"},        {"--write", "/tmp"}};
  for (const std::vector<std::string>& words : more) {
    const tests::Finished ran = tests::emulate(asked, {}, words);
    turned_away(ran, words[0] + ": ");
    turned_away(ran,
                "asked.ptx is a saved launch, which takes no option but --kernel; its first lines");
    CHECK(ran.out == "");
  }
  CHECK(tests::emulate(asked, {}, {"--kernel", "scale"}).exit_code == 0);
  std::string nothing = text_of(asked);
  nothing.replace(nothing.find("st.global.f32 [%rd4], %f5;"), 26, "");
  write_text(in_folder("nothing.ptx"), nothing);
  std::filesystem::copy_file(in_folder("asked.memory"), in_folder("nothing.memory"),
                             std::filesystem::copy_options::overwrite_existing);
  const tests::Finished ran = tests::emulate(in_folder("nothing.ptx"));
  CHECK(ran.out == "no memory has changed\n");
  CHECK(ran.exit_code == 0);
}

TEST_CASE("into a folder goes the first launch of every kernel") {
  const std::string all = in_folder("all");
  std::filesystem::remove_all(all);
  std::filesystem::create_directories(all);
  const tests::Finished whole = save("all");
  CHECK(whole.exit_code == 0);
  CHECK(whole.err.find("1 of 1 kernels saved in ") != std::string::npos);
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(all))
    if (file.path().extension() == ".ptx") files.push_back(file.path().string());
  REQUIRE(files.size() == 1);
  CHECK(files[0].find("/scale_") != std::string::npos);
  CHECK(bits_in(tests::emulate(files[0]).out) == bits_in(whole.out));
  CHECK(save("all").err.find("0 of 1 kernels saved in ") != std::string::npos);  // there already
}

TEST_CASE("addresses in memory and in parameters move with it") {
  const std::string ptx =
      "//@launch 1\n//@grid 1,1,1\n//@block 32,1,1\n//@shared 0\n"
      "//@parameters 08f0ad0b000000000300000000000000\n//@memory badf000 64\n"
      "//@variable bae0000 8 where\n";
  std::string memory = "lanescope memory 1\n";
  const std::uint64_t piece[] = {0xbadf010, 16, 0xbae0000, 0xbadf040};
  memory.append(reinterpret_cast<const char*>(piece), sizeof piece);
  SavedLaunch launch;
  REQUIRE(launcher::read_saved_launch(ptx, memory, launch) == "");
  REQUIRE(launch.memories.size() == 2);
  CHECK(launch.memories[1].variable == "where");
  launch.memories[0].now = 0x1000;
  launch.memories[1].now = 0x9000;
  const auto word = [](const std::vector<std::byte>& bytes, std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, &bytes[at], 8);
    return value;
  };
  std::vector<std::byte> moved = launch.memories[0].bytes;
  launcher::move_addresses(launch, moved);
  CHECK(word(moved, 0) == 0xa5a5a5a5a5a5a5a5);
  CHECK(word(moved, 16) == 0x9000);
  CHECK(word(moved, 24) == 0xbadf040);  // behind the allocation
  launcher::move_addresses(launch, moved, true);
  CHECK(moved == launch.memories[0].bytes);
  launcher::move_addresses(launch, launch.parameters);
  CHECK(word(launch.parameters, 0) == 0x1008);
  CHECK(word(launch.parameters, 8) == 3);
}

TEST_CASE(
    "nothing is taken away but an old trace or an old launch, and that when all else is right") {
  const auto ask = [](const std::vector<std::string>& options) {
    return tests::emulate(in_folder("scale.ptx"), options, kWords);
  };
  save("good.ptx");
  const std::string lanes = in_folder("old.lanes");
  std::ofstream(lanes) << "old";
  turned_away(ask({"--trace", in_folder("scale.ptx")}),
              "write a name that ends with .lanes or .lanes.zst");
  turned_away(ask({"--trace", in_folder("old.zst")}), "ends with .lanes");
  turned_away(ask({"--trace", lanes, "--save", "nope.txt"}), "write a name that ends with .ptx");
  turned_away(ask({"--save", in_folder("good.ptx"), "--trace", "no/a.lanes"}),
              "there is no folder");
  CHECK(text_of(in_folder("scale.ptx")) == kModule);
  CHECK(text_of(lanes) == "old");
  CHECK(std::filesystem::exists(in_folder("good.ptx")));
  CHECK(ask({"--trace", lanes}).exit_code == 0);
  CHECK(text_of(lanes) != "old");
}

TEST_CASE("what cannot be saved, or run alone, is refused in one line") {
  turned_away(save("scale.txt"), "write a name that ends with .ptx");
  turned_away(save("no/scale.ptx"), "there is no folder");
  turned_away(save("scale.ptx"), "that is the file that runs; name another one");
  CHECK(text_of(in_folder("scale.ptx")) == kModule);
  turned_away(tests::emulate(in_folder("scale.ptx"), {"--launch", "mma"}, kWords), "give both");
  turned_away(save("x.ptx", {"--launch", "block=x"}), "--launch: block=x is no block");
  const tests::Finished none = save("none.ptx", {"--launch", "kernel=gemm"});
  turned_away(none, "no launch is selected by --launch kernel=gemm; kernels that ran: scale");
  CHECK(!std::filesystem::exists(in_folder("none.ptx")));

  save("good.ptx");
  const std::string good = text_of(in_folder("good.ptx")),
                    memory = text_of(in_folder("good.memory"));
  const auto damaged = [&](const std::string& ptx, const std::string& beside) {
    write_text(in_folder("bad.ptx"), ptx);
    write_text(in_folder("bad.memory"), beside);
    return tests::emulate(in_folder("bad.ptx"));
  };
  const auto with = [&](const std::string& was, const std::string& now) {
    std::string changed = good;
    return changed.replace(changed.find(was), was.size(), now);
  };
  turned_away(damaged(with("//@launch 1", "//@launch 2"), memory),
              "is no launch that this version");
  turned_away(damaged(with("//@grid 2,1,1", "//@grid 2,0,1"), memory), "line 2, '//@grid 2,0,1'");
  turned_away(damaged(with("//@block 4,1,1\n", ""), memory), "//@grid and //@block");
  turned_away(damaged(with("//@parameters ", "//@parameters 00"), memory),
              "was its .entry changed?");
  turned_away(damaged(with("bias", "bios"), memory), "there is no variable bios");
  turned_away(damaged(good, memory.substr(0, memory.size() - 1)), "its memory ends too early");
  turned_away(damaged(good, memory + std::string(16, '\1')), "are in none of its allocations");
  turned_away(damaged(good, "text"), "begins with other words");
  std::filesystem::remove(in_folder("good.memory"));
  turned_away(tests::emulate(in_folder("good.ptx")), "which was saved with");
}
