// The pattern of a log format: a regular expression of Boost.Regex (Perl syntax), read byte by byte.
//
// Some patterns take time with the square or the cube of a line's length, when a line repeats what they look for: a
// line of 8 KB could take a tenth of a second, a log of such lines hours. Boost's own bound grows with the text and
// with the square of the pattern, so it comes far too late. The steps are counted here, for their number is the same
// everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/iterator/iterator_adaptor.hpp>
#include <boost/regex.hpp>

namespace opdebug::logs {

/// How many steps from byte to byte may still be made on a line, by all patterns together.
class StepsLeft {
public:
    explicit StepsLeft(std::size_t line_size) noexcept
        : steps_(kStepsPerByte * static_cast<std::uint64_t>(line_size) + kStepsOfShortLines) {}

    std::uint64_t left() const noexcept { return steps_; }
    void take() {
        if (steps_ == 0) {
            give_up();
        }
        --steps_;
    }

private:
    /// A function of its own, so that take() is small enough to be inlined.
    [[noreturn, gnu::cold, gnu::noinline]] static void give_up() {
        throw std::runtime_error("the line repeats what the pattern looks for too often");
    }

    // Real lines take up to 19 for each byte, and up to 3,500 in all (measured: samples and public logs).
    static constexpr std::uint64_t kStepsPerByte = 64;
    static constexpr std::uint64_t kStepsOfShortLines = 16'384;
    std::uint64_t steps_;
};

/// A position in the text. Moving it takes a step, in either direction and however far: Boost.Regex passes a run of any
/// bytes at once if it has random access.
class BoundedIterator : public boost::iterator_adaptor<BoundedIterator, const char*> {
public:
    BoundedIterator() noexcept : iterator_adaptor_(nullptr) {}
    BoundedIterator(const char* place, StepsLeft& steps) noexcept : iterator_adaptor_(place), steps_(&steps) {}

    const char* place() const noexcept { return base(); }

private:
    friend class boost::iterator_core_access;
    void increment() { advance(1); }
    void decrement() { advance(-1); }
    void advance(std::ptrdiff_t count) {
        steps_->take();
        base_reference() += count;
    }
    StepsLeft* steps_ = nullptr;
};

/// As in Perl, ^ and $ are the ends of the text. Otherwise they also match at a carriage return.
constexpr boost::regex::flag_type kPatternSyntax = boost::regex::perl | boost::regex::no_mod_m;

/// What the groups of each name captured, by the index of the name: of several groups of one name the first that took
/// part; empty where none did.
using CapturedTexts = boost::container::small_vector<std::string_view, 32>;

/// Compiled when it is first needed, for a log needs some ten of 240 built-in patterns. Thread-safe.
class FormatPattern {
public:
    /// `captures`: the names of its groups, each once.
    FormatPattern(std::string pattern, std::vector<std::string> captures)
        : pattern_(std::move(pattern)), captures_(std::move(captures)) {}

    /// Throws boost::regex_error.
    void compile();

    /// The first match in the text, leftmost first. `texts` are set for a match. Throws std::runtime_error when the
    /// steps are used up.
    bool search(std::string_view text, StepsLeft& steps, CapturedTexts& texts);

private:
    /// A group of the expression and the index of its name.
    struct NamedGroup {
        int group;
        std::size_t capture;
    };
    void find_groups();

    std::string pattern_;
    std::vector<std::string> captures_;
    boost::regex expression_;
    std::vector<NamedGroup> groups_;
    std::once_flag is_compiled_;
};

/// The names in "(?<name>...)", each once, in the order of the pattern. Escaped brackets, character classes and
/// lookbehind assertions are no groups.
std::vector<std::string> named_groups(std::string_view pattern);

/// The longest run of characters that each match of the pattern (Perl syntax) contains, the first of equally long ones.
/// Empty where there is none, and where the pattern has syntax that this parser does not know.
std::string literal_of_pattern(std::string_view pattern);

}  // namespace opdebug::logs
