// SPDX-License-Identifier: MIT
// See loop_project.hpp.
#include "tests/lessons/loop_project.hpp"

#include "tests/build_folder.hpp"

namespace lanescope::lessons_test {

namespace fs = std::filesystem;

Project::Project(const std::string& name) : folder(scratch() / name) {
  const fs::path build = folder / "build";
  for (const char* lesson : {kLoopLesson, "02_data_types"}) {
    fs::create_directories(folder / "lessons");
    fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / lesson, folder / "lessons" / lesson);
    for (const auto& entry : fs::directory_iterator(folder / "lessons" / lesson))
      if (entry.path().filename().string().find(".backup") != std::string::npos)
        fs::remove(entry.path());  // the reader's own
    write(folder / "lessons" / lesson / "exercise.cu",
          shipped("lessons/" + std::string(lesson) + "/exercise.cu"));
    fs::create_directories(build / "lessons" / lesson);
  }
  std::string cache = read(tests::build_folder() / "CMakeCache.txt");
  const std::string home = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  const std::size_t at = cache.find(home) + home.size();
  write(build / "CMakeCache.txt", cache.replace(at, cache.find('\n', at) - at, folder.string()));
  fs::create_directories(folder / "tools");
  const fs::path objects = tests::build_folder() / "lessons" / "CMakeFiles";
  // Paths from the build folder, as the build has them: nvcc takes a $ in one for its own.
  write(folder / "tools" / "cmake",  // cmake --build FOLDER --target LESSON_check_exercise
        "#!/bin/sh\nset -e\nlesson=${4%_check_exercise}\nobject=../$lesson.o\n"
        "cd \"$2/lessons\"\necho \"[1/3] nvcc $lesson.o\"\n" +
            std::string(LANESCOPE_TEST_CACHED_NVCC) +
            " " LANESCOPE_TEST_EXERCISE_FLAGS
            " -gencode arch=compute_80,code=compute_80 -c"
            " ../../lessons/$lesson/exercise.cu -o \"$object\"\n" +
            LANESCOPE_TEST_LINK + " " + shell_word(objects) +
            "/${lesson}_check.dir/$lesson/check.cpp.o " + shell_word(objects) +
            "/lanescope_check_main.dir/guide/check_main.cpp.o \"$object\" " +
            LANESCOPE_TEST_LIBRARIES + " -o \"$2/lessons/$lesson/check_exercise\"\n");
  fs::permissions(folder / "tools" / "cmake", fs::perms::owner_all);
}

fs::path Project::lesson(const std::string& name) const { return folder / "lessons" / name; }
fs::path Project::exercise(const std::string& name) const { return lesson(name) / "exercise.cu"; }
void Project::solve(const std::string& name) const {
  write(exercise(name), read(lesson(name) / "solution.cu"));
}
std::string Project::command(const std::string& arguments) const {
  return "env -u DISPLAY -u WAYLAND_DISPLAY LANESCOPE_PROJECT=" + shell_word(folder) +
         " PATH=" + shell_word(folder / "tools") + ":\"$PATH\" " + lanescope_command() + " " +
         arguments;
}
Ran Project::lanescope(const std::string& arguments) const { return run(command(arguments)); }
std::string Project::progress() const {
  return fs::exists(folder / "progress.txt") ? read(folder / "progress.txt") : "";
}

}  // namespace lanescope::lessons_test
