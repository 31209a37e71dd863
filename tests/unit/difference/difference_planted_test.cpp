// Planted damage: the verdict is the planted kind, or one that names nothing. OPDEBUG_DIFFERENCE_SEEDS sets the number
// of seeds (default: 400).
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "difference_pair.hpp"
#include "random.hpp"

using namespace opdebug::test;
using opdebug::difference::Verdict;

namespace {

struct Planted {
    std::string dtype;
    unsigned width = 2;
    std::vector<std::uint64_t> shape;
    std::vector<std::uint64_t> a, b;     ///< codes
    std::vector<Verdict> true_verdicts;  ///< those that describe the damage
};

bool is_float(const Planted& planted) {
    return planted.dtype != "int32";
}

/// Sizes from 1/4 to 16 of both signs; integers of all sizes.
std::uint64_t random_code(const Planted& planted, Random& random) {
    const std::uint64_t sign = random.below(2);
    if (planted.dtype == "float16") {
        return sign << 15U | (13 + random.below(6)) << 10U | random.below(1U << 10U);
    }
    if (planted.dtype == "bfloat16") {
        return sign << 15U | (125 + random.below(6)) << 7U | random.below(1U << 7U);
    }
    if (planted.dtype == "float32") {
        return sign << 31U | (125 + random.below(6)) << 23U | random.below(1U << 23U);
    }
    return random.below(std::uint64_t{1} << 32U);
}

void plant_at(std::size_t place, Planted& planted, Random& random) {
    planted.a[place] = random_code(planted, random);
}

/// Chooses some of `count` lines, at most 80 %.
std::vector<bool> some_of(std::uint64_t count, Random& random) {
    std::vector<bool> chosen(static_cast<std::size_t>(count));
    for (std::uint64_t left = 1 + random.below(count * 4 / 5); left > 0; --left) {
        chosen[static_cast<std::size_t>(random.below(count))] = true;
    }
    return chosen;
}

bool is_one_group(const std::vector<bool>& chosen) {
    const auto first = std::find(chosen.begin(), chosen.end(), true);
    const auto end = std::find(first, chosen.end(), false);
    return std::find(end, chosen.end(), true) == chosen.end();
}

void plant_rows(Planted& planted, Random& random) {
    const std::uint64_t length = planted.shape[1];
    const std::vector<bool> chosen = some_of(planted.shape[0], random);
    for (std::size_t i = 0; i < planted.a.size(); ++i) {
        if (chosen[i / length]) {
            plant_at(i, planted, random);
        }
    }
    planted.true_verdicts = {Verdict::rows_overwritten};
    if (is_one_group(chosen)) {
        planted.true_verdicts.push_back(Verdict::region_overwritten);
    }
}

void plant_columns(Planted& planted, Random& random) {
    const std::vector<bool> chosen = some_of(planted.shape[1], random);
    for (std::size_t i = 0; i < planted.a.size(); ++i) {
        if (chosen[i % chosen.size()]) {
            plant_at(i, planted, random);
        }
    }
    planted.true_verdicts = {Verdict::columns_overwritten};
}

void plant_region(Planted& planted, Random& random) {
    const std::size_t block = 32 / planted.width, blocks = planted.a.size() / block;
    const std::size_t size = blocks / 16 + 1 + random.below(blocks / 2), begin = random.below(blocks - size);
    for (std::size_t i = begin * block; i < (begin + size) * block; ++i) {
        plant_at(i, planted, random);
    }
    planted.true_verdicts = {Verdict::region_overwritten};
}

void plant_period(Planted& planted, Random& random) {
    const std::size_t period = 4 + random.below(planted.a.size() / 8), length = 1 + random.below(period / 2);
    const std::size_t runs = 3 + random.below(planted.a.size() / period - 4), begin = random.below(period);
    for (std::size_t run = 0; run < runs; ++run) {
        for (std::size_t i = 0; i < length; ++i) {
            plant_at(begin + run * period + i, planted, random);
        }
    }
    planted.true_verdicts = {Verdict::periodic_pattern};
}

void plant_tail(Planted& planted, Random& random) {
    const std::size_t block = 32 / planted.width, blocks = planted.a.size() / block;
    const std::size_t begin = block * (blocks / 8 + random.below(blocks / 2)) + 1 + random.below(block - 1);
    for (std::size_t i = begin; i < planted.a.size(); ++i) {
        plant_at(i, planted, random);
    }
    planted.true_verdicts = {Verdict::tail_differs};
}

void plant_noise(Planted& planted, Random& random) {
    const std::uint64_t percent = 25 + random.below(76);
    for (std::size_t i = 0; i < planted.a.size(); ++i) {
        if (random.below(100) < percent) {
            planted.a[i] += 1 + random.below(4);
        }
    }
    planted.true_verdicts = {Verdict::noise};
}

void plant_flips(Planted& planted, Random& random) {
    for (std::uint64_t left = 1 + random.below(8); left > 0; --left) {
        const auto place = static_cast<std::size_t>(random.below(planted.a.size()));
        planted.a[place] = planted.b[place] ^ std::uint64_t{1} << random.below(8 * planted.width);
    }
    planted.true_verdicts = {Verdict::bit_flips};
}

void plant_some(Planted& planted, Random& random) {
    const std::uint64_t per_thousand = 20 + random.below(580);
    for (std::size_t i = 0; i < planted.a.size(); ++i) {
        if (random.below(1000) < per_thousand) {
            plant_at(i, planted, random);
        }
    }
}

void plant_all(Planted& planted, Random& random) {
    for (std::size_t i = 0; i < planted.a.size(); ++i) {
        plant_at(i, planted, random);
    }
}

struct Kind {
    const char* name;
    void (*plant)(Planted&, Random&);
    std::size_t dimensions;
    bool only_floats = false;
};
constexpr Kind kKinds[] = {{"rows", plant_rows, 2},
                           {"columns", plant_columns, 2},
                           {"region", plant_region, 1},
                           {"region of a matrix", plant_region, 2},
                           {"period", plant_period, 1},
                           {"tail", plant_tail, 1},
                           {"noise", plant_noise, 1, true},
                           {"noise of a matrix", plant_noise, 2, true},
                           {"flips", plant_flips, 1},
                           {"some", plant_some, 1},
                           {"some of a matrix", plant_some, 2},
                           {"all", plant_all, 2}};

Planted planted_damage(const Kind& kind, Random& random) {
    Planted planted;
    planted.dtype = random.one_of(std::vector<std::string>{"float16", "bfloat16", "float32", "int32"});
    planted.dtype = kind.only_floats && !is_float(planted) ? "float16" : planted.dtype;
    planted.width = planted.dtype.find("32") != std::string::npos ? 4 : 2;
    planted.shape = kind.dimensions == 1 ? std::vector<std::uint64_t>{600 + random.below(4000)}
                                         : std::vector<std::uint64_t>{20 + random.below(60), 20 + random.below(60)};
    const std::uint64_t count = planted.shape[0] * (kind.dimensions == 2 ? planted.shape[1] : 1);
    planted.b.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        planted.b.push_back(random_code(planted, random));
    }
    planted.a = planted.b;
    kind.plant(planted, random);
    return planted;
}

Buffer bytes_of(const std::vector<std::uint64_t>& codes, unsigned width) {
    Buffer bytes;
    bytes.reserve(codes.size() * width);
    for (const std::uint64_t code : codes) {
        for (unsigned i = 0; i < width; ++i) {
            bytes.push_back(static_cast<std::uint8_t>(code >> (8 * i)));
        }
    }
    return bytes;
}

bool names_nothing(Verdict verdict) {
    return verdict == Verdict::scattered || verdict == Verdict::everything_differs;
}

}  // namespace

TEST_CASE("difference: planted damage is named, or nothing is") {
    const char* const wanted = std::getenv("OPDEBUG_DIFFERENCE_SEEDS");
    const std::uint64_t seeds = wanted == nullptr ? 400 : std::strtoull(wanted, nullptr, 10);
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> named;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random(seed);
        const Kind& kind = kKinds[seed % std::size(kKinds)];
        const Planted planted = planted_damage(kind, random);
        const auto difference = compared(planted.dtype, planted.shape, bytes_of(planted.a, planted.width),
                                         bytes_of(planted.b, planted.width));
        const Verdict verdict = difference.finding.verdict;
        const auto& right = planted.true_verdicts;
        const bool is_right = std::find(right.begin(), right.end(), verdict) != right.end();
        INFO(seed << " " << kind.name << " " << planted.dtype << " " << to_string(verdict) << ": "
                  << difference.finding.because.en);
        const bool is_fair = is_right || names_nothing(verdict);
        CHECK(is_fair);
        auto& [hits, all] = named[kind.name];
        hits += is_right ? 1U : 0U;
        ++all;
    }
    // Not known is fair, but must be rare.
    for (const auto& one : named) {
        const std::string& name = one.first;
        const bool has_name = name.rfind("some", 0) != 0 && name != "all";
        CHECK_MESSAGE(one.second.first * 10 >= (has_name ? one.second.second * 9 : 0), name);
    }
}
