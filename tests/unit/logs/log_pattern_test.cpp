// Patterns that run as instructions find what Boost.Regex finds.
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <boost/regex.hpp>

#include "logs/formats/formats.hpp"
#include "logs/patterns/pattern_matcher.hpp"
#include "logs/patterns/pattern_program.hpp"
#include "logs/text/digits.hpp"
#include "logs/text/line.hpp"

using namespace opdebug::logs;

namespace {

using Random = std::mt19937;

/// What was found and captured, as text.
std::string shown(const std::vector<std::string>& names, const CapturedTexts& texts) {
    std::string text = "matched";
    for (std::size_t index = 0; index < names.size(); ++index) {
        text += fmt::format(" {}={}", names[index], texts[index]);
    }
    return text;
}

std::string found_by_program(const PatternProgram& program, std::string_view text) {
    CapturedTexts texts;
    switch (search_pattern(program, text, texts)) {
        case PatternOutcome::matched: return shown(program.names, texts);
        case PatternOutcome::not_matched: return "not matched";
        case PatternOutcome::unknown: return "unknown";
    }
    return "";
}

std::string found_by_boost(const boost::regex& expression, const std::vector<std::string>& names,
                           std::string_view text) {
    boost::cmatch match;
    if (!boost::regex_search(text.data(), text.data() + text.size(), match, expression)) {
        return "not matched";
    }
    CapturedTexts texts;
    for (std::size_t index = 0; index < names.size(); ++index) {
        const auto& group = match[names[index]];
        texts.set(index, group.matched ? std::string_view(group.first, static_cast<std::size_t>(group.length()))
                                       : std::string_view());
    }
    return shown(names, texts);
}

std::size_t below(Random& random, std::size_t bound) {
    return bound == 0 ? 0 : random() % bound;
}

/// The text with some bytes lost, doubled, exchanged or put from elsewhere; never with a line break.
std::string damaged(Random& random, std::string text, const std::string& other) {
    constexpr std::string_view kBytes = ", =[]()_.:0a9 x-\xFF";
    for (std::size_t faults = 1 + below(random, 4); faults > 0; --faults) {
        const std::size_t place = below(random, text.size());
        const std::size_t size = below(random, 12);
        switch (below(random, 6)) {
            case 0: text.erase(place, size); break;
            case 1: text.insert(place, text.substr(below(random, text.size()), size)); break;
            case 2: text.insert(place, 1, kBytes[below(random, kBytes.size())]); break;
            case 3: text.insert(place, other.substr(below(random, other.size()))); break;
            case 4: text.resize(place); break;
            default:
                if (!text.empty()) {
                    text[place] = kBytes[below(random, kBytes.size())];
                }
        }
    }
    return text;
}

}  // namespace

TEST_CASE("log pattern: every built-in pattern runs as instructions") {
    for (const FormatDefinition* format : built_in_log_formats()->definitions()) {
        const std::optional<PatternProgram> program = compile_pattern(format->pattern);
        CHECK_MESSAGE(program.has_value(), format->pattern);
        if (program) {
            CHECK_MESSAGE(program->names == format->captures, format->pattern);
        }
    }
}

TEST_CASE("log pattern: built-in patterns find in samples and in damaged ones what Boost.Regex finds") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    const auto formats = built_in_log_formats();
    std::vector<std::string> samples;
    for (const FormatDefinition* format : formats->definitions()) {
        for (const std::string& sample : format->samples) {
            samples.emplace_back(parse_line(sample).value().text);
        }
    }
    std::size_t matched = 0;
    std::size_t unknown = 0;
    for (const FormatDefinition* format : formats->definitions()) {
        const PatternProgram program = compile_pattern(format->pattern).value();
        const boost::regex expression(format->pattern, boost::regex::perl);
        for (const std::string& line : format->samples) {
            const std::string sample(parse_line(line).value().text);
            for (int round = 0; round < 20; ++round) {
                const std::string text =
                    round == 0 ? sample : damaged(random, sample, samples[below(random, samples.size())]);
                const std::string found = found_by_program(program, text);
                unknown += found == "unknown" ? 1U : 0U;
                matched += found.starts_with("matched") ? 1U : 0U;
                REQUIRE_MESSAGE((found == "unknown" || found == found_by_boost(expression, format->captures, text)),
                                format->pattern, "\n", text);
            }
        }
    }
    CHECK(matched > 500);
    CHECK(unknown <= 2);  // of thousands: a damaged text may take more steps, and Boost.Regex answers then
}

TEST_CASE("log pattern: each construct means what it means in Boost.Regex") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    const std::vector<std::string> patterns{"a",
                                            "ab?c",
                                            "^a.*b$",
                                            "a.*?b",
                                            "a.+b",
                                            "(?<x>.+?)b",
                                            "(?<x>a*)(?<y>a?b)",
                                            "(?<x>[^a]+)a",
                                            "(?<x>[a-b]{2})c",
                                            "(?<x>[a-c]{1,2}?)c",
                                            "(?<x>\\d{2,})1",
                                            "\\ba(?<x>\\w*)\\b",
                                            "(?:ab|a)(?<x>b|bc|c)",
                                            "(?<x>a)|(?<y>b)|c",
                                            "(?:(?<x>a)|b(?<x>c))(?<y>.?)",
                                            "(?:a(?<x>b)?)?c",
                                            "(?:ab)*c",
                                            "(?:ab,)*?(?<x>a.)",
                                            "(?:aa?)+(?<x>.)",
                                            "(?:ab?)+?(?<x>b)",
                                            "(?:(?!,)[ab])+(?<x>.)",
                                            "(?=.*(?<x>b))a",
                                            "(?=(?:.*?,(?<x>b))?)a",
                                            "a(?!b)(?<x>.)",
                                            "a(?!.*c)",
                                            "(?<!ab)c(?<x>.?)",
                                            "(?:.*?, )?a(?<x>.)",
                                            "(?:a?b)?c?(?<x>1*)$",
                                            "a$|^b",
                                            "(?<x>a(?<y>c|,)?)+?1",
                                            "(a)(?<x>b)",
                                            "\\.|\\[|(?<x>,)1"};
    std::size_t compiled = 0;
    for (const std::string& pattern : patterns) {
        const std::optional<PatternProgram> program = compile_pattern(pattern);
        if (!program) {
            continue;
        }
        ++compiled;
        const boost::regex expression(pattern, boost::regex::perl);
        for (int round = 0; round < 1000; ++round) {
            std::string text;
            while (text.size() < below(random, 14)) {
                text.push_back("aabbc,1 .["[below(random, 10)]);
            }
            REQUIRE_MESSAGE(found_by_program(*program, text) == found_by_boost(expression, program->names, text),
                            pattern, "\n", text);
        }
    }
    CHECK(compiled == patterns.size() - 1);  // captures in a group that may occur often
}

TEST_CASE("log pattern: what is not plain is left to Boost.Regex") {
    for (const char* const pattern :
         {"(?i)a",    "(a)\\1",    "a++",          "a*+",        "(?>a)",    "(?<=a)b", "[[:digit:]]",
          "[^]]",     "\\s",       "\\x41",        "[\xC3\xA4]", "(?P<x>a)", "(?:a?)*", "(?:a|bc)+",
          "(?<x>a)*", "(?:ab){2}", "(?!(?<x>a))b", "a{1",        "a{2,1}",   "(?:a",    "a)",
          "[b-a]",    "a|",        "\\<a",         "\\",         "[a",       "(?<1>a)", "*a",
          "a**",      "(?=a)*",    "(?<!a|b)c",    "{",          "}",        "]"}) {
        CHECK_MESSAGE(!compile_pattern(pattern).has_value(), pattern);
    }
}

TEST_CASE("log pattern: whatever is compiled is an expression for Boost.Regex as well") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    std::size_t compiled = 0;
    for (const FormatDefinition* format : built_in_log_formats()->definitions()) {
        for (int round = 0; round < 20; ++round) {
            std::string pattern = format->pattern;
            const std::size_t place = below(random, pattern.size());
            if (below(random, 2) == 0) {
                pattern.erase(place, 1 + below(random, 3));
            } else {
                pattern.insert(place, 1, "()[]{}?*+|\\^$.<>=!:-,d1a"[below(random, 24)]);
            }
            if (compile_pattern(pattern)) {
                ++compiled;
                CHECK_NOTHROW_MESSAGE(boost::regex(pattern, boost::regex::perl), pattern);
            }
        }
    }
    CHECK(compiled > 500);
}

TEST_CASE("log pattern: a text that takes too many steps is left to Boost.Regex") {
    const PatternProgram program = compile_pattern("(?:aa?)+b").value();
    CHECK(found_by_program(program, "aaab") == "matched");
    CHECK(found_by_program(program, std::string(200, 'a')) == "unknown");
    const PatternProgram fields = compile_pattern("(?<x>.+?), .*?, .*?, .*?, end").value();
    std::string commas;
    for (int field = 0; field < 300; ++field) {
        commas += "a, ";
    }
    CHECK(found_by_program(fields, commas) == "unknown");
}

TEST_CASE("log pattern: line breaks inside of a text are known") {
    for (const char breaks : {'\n', '\r', '\f'}) {
        CHECK(holds_line_break(std::string("a") + breaks));
    }
    CHECK_FALSE(holds_line_break("a\t\v\x0B b"));
    // "^" and "$" match there: the line is read as Boost.Regex reads it.
    const std::string line =
        "[INFO] RUNTIME(4100,infer):2026-01-02-03:04:05.006.007 [a.cc:7] 4107 F: x\rmodel_id=7, get stream_id=2 "
        "task_id=9";
    CHECK(built_in_log_formats()->match(*parse_line(line)).has_value());
    const std::string at_break =
        "[INFO] RUNTIME(4100,infer):2026-01-02-03:04:05.006.007 [a.cc:7] 4107 UpdateTaskGroup: x\r"
        "device_id=0, model_id=70, taskGroupId=1, stream_id=71, task_id=12.";
    CHECK(built_in_log_formats()->match(*parse_line(at_break)).has_value());
}

TEST_CASE("digits: as many as a loop counts, and the number that std::from_chars reads") {
    Random random(7);
    const std::string bytes = "0123456789012345678901234567890123456789/:;aA-x \xB0\xB9\xFF";
    for (int round = 0; round < 20'000; ++round) {
        std::string text(below(random, 24), '0');
        for (char& byte : text) {
            byte = bytes[below(random, round % 2 == 0 ? 40 : bytes.size())];
        }
        const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
        CHECK(leading_digits(text.data(), text.size()) == count);
        const std::string_view captured = std::string_view(text).substr(0, below(random, 10));
        std::uint64_t expected = 0;
        const auto read = std::from_chars(captured.data(), captured.data() + captured.size(), expected);
        const bool is_number = !captured.empty() && captured.size() <= count && read.ec == std::errc();
        const auto number = short_number(captured, text.data() + text.size());
        const bool is_read = is_number && captured.size() <= 8 && text.size() >= 8;
        CHECK(number.has_value() == (is_read && std::endian::native == std::endian::little));
        CHECK(number.value_or(expected) == expected);
    }
}

TEST_CASE("log pattern: a way that cannot begin is passed over, and the other one is found") {
    for (const char* const pattern : {"^(?:recorded )?(?<x>public) task", "(?:a=\\d+, )*?b=(?<x>\\d+)",
                                      "(?:(?<x>k\\d*),|(?<y>\\d+);)z", "(?:.*, )?s=(?<x>\\d+)", "(?:x|(?<x>\\d+)y)z"}) {
        const std::optional<PatternProgram> program = compile_pattern(pattern);
        REQUIRE(program.has_value());
        for (const char* const text : {"recorded public task", "public task", "a=1, a=2, b=3", "b=3", "k1,k2,5;z",
                                       "5;k2,z", "", "x, s=1, s=22", "s=3, t", "s=4", "xz", "12yz", "recorded ", "r"}) {
            CHECK_MESSAGE(found_by_program(*program, text) ==
                              found_by_boost(boost::regex(pattern, boost::regex::perl), program->names, text),
                          pattern, " on ", text);
        }
    }
}
