// Which shapes stay known when more of them come than are kept.
#include "logs/matching/line_shapes.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "logs/formats/formats.hpp"

using namespace opdebug::logs;

namespace {

/// Asks for lines as a matching does.
class Asked {
public:
    explicit Asked(const ModuleFormats& formats) : formats_(formats) {}

    /// Whether it is known. What was learnt of it is kept, where it is learnt.
    bool knows(std::string_view rest) {
        const std::string text = fmt::format("5{}{}", rest, std::string(LineShapes::kReadBehind, '\n'));
        const std::string_view in_text(text.data() + 1, rest.size());
        const bool known =
            shapes_.find<Block16>(&formats_, true, in_text, LineShapes::hash_of<Block16>(in_text)) != nullptr;
        if (!known) {
            shapes_.begin_to_learn(&formats_, true, in_text);
        }
        if (!known && shapes_.to_learn() != nullptr) {
            shapes_.keep();
        }
        return known;
    }

private:
    const ModuleFormats& formats_;
    LineShapes shapes_;
};

std::string word_of(unsigned number) {
    std::string word;
    for (; number != 0; number /= 26) {
        word.push_back(static_cast<char>('a' + number % 26));
    }
    return word;
}

/// Texts that are not the same with masked digits.
std::string text_of(unsigned number) {
    return fmt::format(" [memory.cc:12] 4711 Reserve: {} is taken by stream 3", word_of(number + 26));
}

}  // namespace

TEST_CASE("line shapes: those of many lines stay known while others come and go") {
    constexpr unsigned kMany = 300;
    constexpr unsigned kOthers = 40'000;
    Asked asked(*built_in_log_formats()->of_module("RUNTIME"));
    for (int round = 0; round < 4; ++round) {
        for (unsigned number = 0; number < kMany; ++number) {
            asked.knows(text_of(number));
        }
    }
    unsigned known = 0;
    unsigned times = 0;
    for (unsigned other = kMany; other < kMany + kOthers; ++other) {
        for (int repeated = 0; repeated < 2; ++repeated) {  // so that it is learnt
            asked.knows(text_of(other));
        }
        for (unsigned number = 0; number < 4; ++number, ++times) {
            known += asked.knows(text_of((4 * other + number) % kMany)) ? 1U : 0U;
        }
    }
    CAPTURE(times);
    CHECK(known > times / 100 * 95);
}
