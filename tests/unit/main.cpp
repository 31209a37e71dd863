// The main function of the test executables, and the paths of the build.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "build_paths.hpp"

const char* const opdebug::test::source_folder = OPDEBUG_SOURCE_DIR;
const char* const opdebug::test::tool_path = OPDEBUG_TOOL_PATH;
