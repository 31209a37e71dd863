// The paths of the build, which main.cpp of the other tests has.
#include "build_paths.hpp"

const char* const opdebug::test::source_folder = OPDEBUG_SOURCE_DIR;
const char* const opdebug::test::tool_path = "";
