// Random numbers that are the same everywhere for the same seed (splitmix64), and damage made of them.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "wire.hpp"

namespace opdebug::damage {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t number();
    /// 0 .. bound - 1.
    std::uint64_t below(std::uint64_t bound) { return number() % bound; }
    bool one_in(std::uint64_t count) { return below(count) == 0; }
    template <class Container>
    const auto& one_of(const Container& items) {
        return items[static_cast<std::size_t>(below(std::size(items)))];
    }

private:
    std::uint64_t state_;
};

/// What happens to files: cut, bytes changed, blocks of zeros, blocks of `other`, written twice, `other` behind it,
/// lengths of any width overwritten with huge numbers, bytes lost or added, emptied, noise; sometimes nothing.
test::Buffer damaged(const test::Buffer& sound, const test::Buffer& other, Random& random);

}  // namespace opdebug::damage
