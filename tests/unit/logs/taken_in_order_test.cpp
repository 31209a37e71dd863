// Pieces that are done in any order are taken in theirs.
#include "logs/map_file/taken_in_order.hpp"

#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "logs/processes/each_in_parallel.hpp"

using namespace opdebug::logs;

TEST_CASE("taken in order: a piece waits for those before it") {
    TakenInOrder in_order(4);
    std::vector<std::size_t> taken;
    const auto take = [&taken](std::size_t piece) { taken.push_back(piece); };
    in_order.add(2, take);
    in_order.add(1, take);
    CHECK(taken.empty());
    in_order.add(0, take);
    CHECK(taken == std::vector<std::size_t>{0, 1, 2});
    in_order.add(3, take);
    CHECK(taken == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("taken in order: pieces of several threads, each once") {
    constexpr std::size_t kPieces = 5000;
    TakenInOrder in_order(kPieces);
    std::vector<std::size_t> taken;
    each_in_parallel(kPieces, 4, [&](std::size_t piece) {
        in_order.add(piece, [&taken](std::size_t next) { taken.push_back(next); });
    });
    REQUIRE(taken.size() == kPieces);
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
        REQUIRE(taken[piece] == piece);
    }
}
