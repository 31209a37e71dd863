// Where this build is. Only main.cpp is compiled with the paths, so that all other objects are the same in every
// checkout and a compiler cache can share them.
#pragma once

namespace opdebug::test {

extern const char* const source_folder;  ///< the top of the checkout
extern const char* const tool_path;      ///< the opdebug program; empty when it is not built

}  // namespace opdebug::test
