// Cases that cannot be tried on this machine.
#pragma once

#include <string_view>

namespace opdebug::test {

/// States on standard output why a case, which then returns, is not tried. ctest reports the tests of its file as
/// skipped, unless one of them fails: a skip hides no failure.
void skip(std::string_view reason);

/// The exit status of a test program whose cases ended with that one.
int exit_status_of(int status) noexcept;

}  // namespace opdebug::test
