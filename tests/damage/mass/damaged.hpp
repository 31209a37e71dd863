// Damage that happens to files.
#pragma once

#include "random.hpp"
#include "wire.hpp"

namespace opdebug::damage {

using test::Random;

/// What happens to files: cut; bytes changed; blocks of zeros; blocks of `other`; written twice; `other` after it;
/// lengths of any width overwritten with huge numbers; bytes lost or added; emptied; noise; sometimes nothing.
test::Buffer damaged(const test::Buffer& sound, const test::Buffer& other, Random& random);

}  // namespace opdebug::damage
