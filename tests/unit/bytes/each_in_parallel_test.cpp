// Independent pieces of work: each once, in whatever thread.
#include "bytes/each_in_parallel.hpp"

#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

using opdebug::bytes::each_in_parallel;

TEST_CASE("each in parallel: each piece is done once, by any number of threads") {
    for (const unsigned threads : {0U, 1U, 2U, 5U, 200U}) {
        std::vector<int> done(100);
        each_in_parallel(done.size(), threads, [&done](std::size_t index) { ++done[index]; });
        CHECK(done == std::vector<int>(100, 1));
    }
    each_in_parallel(0, 3, [](std::size_t) { FAIL("there is nothing to do"); });
}

TEST_CASE("each in parallel: what a piece throws is thrown to the caller") {
    for (const std::size_t faulty : {0U, 7U, 99U}) {
        CHECK_THROWS_AS(each_in_parallel(100, 4,
                                         [faulty](std::size_t index) {
                                             if (index == faulty) {
                                                 throw std::runtime_error("this one");
                                             }
                                         }),
                        std::runtime_error);
    }
}
