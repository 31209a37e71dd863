// Which blocks of a saved map name an address of kernel code.
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "logs/map_file/tables.hpp"

using namespace opdebug;
using namespace opdebug::logs::map_file;

TEST_CASE("addresses of a saved map: the blocks of each, in whatever order they were told") {
    constexpr std::size_t kBlocks = 40;
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    for (const std::size_t rising : {std::size_t{1}, std::size_t{7}, std::size_t{300}}) {  // places behind each other
        CAPTURE(rising);
        AddressPlaces places;
        std::map<std::uint64_t, std::set<std::uint64_t>> expected;
        while (places.size() < 900) {
            AddressPlaces some;
            for (std::size_t i = 0; i < rising; ++i) {
                some.emplace_back(random() % 200 * 4096, random() % kBlocks);
            }
            sort_addresses(some);
            for (const auto& [address, block] : some) {
                expected[address].insert(block);
            }
            places.insert(places.end(), some.begin(), some.end());
        }
        const std::string section = addresses_section(places);
        for (const auto& [address, blocks] : expected) {
            const auto found = find_addresses(Bytes(section), {address}, kBlocks);
            REQUIRE(found);
            for (std::size_t block = 0; block < kBlocks; ++block) {
                REQUIRE((*found)[block] == (blocks.count(block) != 0));
            }
        }
    }
    CHECK(addresses_section({}).empty());
}
