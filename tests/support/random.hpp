// Random numbers that are the same everywhere for the same seed (splitmix64).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace opdebug::test {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t number() {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15;
        mixed = (mixed ^ mixed >> 30U) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27U) * 0x94D049BB133111EB;
        return mixed ^ mixed >> 31U;
    }
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

}  // namespace opdebug::test
