// The main function of the test executables, and the paths of the build.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "build_paths.hpp"
#include "skip.hpp"

namespace {

// Another program of the same sources may be put to the tests, as one that carries its libraries.
const char* tool_to_test() {
    const char* const other = std::getenv("OPDEBUG_TOOL");
    return other != nullptr ? other : OPDEBUG_TOOL_PATH;
}

}  // namespace

const char* const opdebug::test::source_folder = OPDEBUG_SOURCE_DIR;
const char* const opdebug::test::tool_path = tool_to_test();

int main(int argc, char** argv) {
    return opdebug::test::exit_status_of(doctest::Context(argc, argv).run());
}
