// What one line of a training log states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/regex.hpp>

#include "training/training.hpp"

namespace opdebug::training {

/// What a line of a format states besides numbers.
struct States {
    bool skip = false, fall = false, growth = false, applied = false;
    bool stop_nan = false, stop = false, static_hit = false, at_minimum = false;
};

/// The numbers that a line may contain, in the order of kNumberNames.
enum class Number : std::uint8_t {
    step,
    total,
    epoch,
    rank,
    local_rank,
    main_loss,
    loss,
    grad_norm,
    scale,
    old_scale,
    scale_factor,
    skipped,
    skipped_total,
    nan_steps
};
constexpr std::string_view kNumberNames[] = {"step",         "total",   "epoch",         "rank",     "local_rank",
                                             "main_loss",    "loss",    "grad_norm",     "scale",    "old_scale",
                                             "scale_factor", "skipped", "skipped_total", "nan_steps"};
/// The rest of a longer line is not read by guesses and words of faults.
constexpr std::size_t kMostBytes = std::size_t{16} << 10U;

constexpr std::size_t kNumbers = std::size(kNumberNames);

/// By which words a line of an unknown trainer is read, in lower case.
struct GuessWords {
    std::vector<std::string> step, epoch, loss, other_losses, total_loss, training_loss, extremes, grad_norm, scale,
        evaluation;
};

struct Format {
    std::string id, name, who, literal;
    bool is_step = false;
    std::uint64_t base = 1;      ///< the first step's number
    bool in_epoch = false;       ///< steps count in the epoch
    bool has_main_loss = false;  ///< a loss that is not printed if it is NaN; others may be
    bool filters_nan = false;    ///< prints 0 or a mean for a loss that is NaN
    bool covers_step = false;    ///< states the skips of the printed step, not of its interval
    bool fallback = false;       ///< a guess: only for files without lines of other formats
    GuessWords words;            ///< of a guess, which has no pattern
    States states;
    boost::regex pattern;
    std::vector<std::pair<std::string, boost::regex>> fields;  ///< by name: the first group is the value
};

/// What is left of a line without prefixes, and what these state.
struct Stripped {
    std::string_view text;
    std::optional<std::uint64_t> rank;
    std::optional<std::uint64_t> local_rank;  ///< of an unknown host
    std::string time;
};

/// What a line states.
struct LineFacts {
    const Format* format = nullptr;
    std::uint64_t line = 0;
    std::optional<std::uint64_t> rank, local_rank;
    std::string time;
    bool has_fault = false;       ///< states a certain fault
    bool is_partly_read = false;  ///< a number could not be read
    std::string words;            ///< of a guess: the line without numbers, to compare lines
    std::string shown;            ///< of a guess with a value that is NaN or Inf: the line
    std::optional<double> numbers[kNumbers];
    std::optional<double> number(Number name) const { return numbers[static_cast<std::size_t>(name)]; }
    std::optional<std::uint64_t> count(Number name) const {
        const auto value = number(name);
        return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
    }
};

/// The built-in formats in the order in which they are tried.
const std::vector<Format>& formats();

/// Takes off prefixes of launchers and loggers.
Stripped without_prefixes(std::string_view line);

/// Adds what the piece of a line states. Returns false for a piece that has the words of a format but cannot be read:
/// cut, torn by another process, or with a number that is none.
bool add_facts(const Stripped& piece, std::uint64_t line, std::vector<LineFacts>& facts);

/// Adds what a line of an unknown trainer states. False: no step of a training.
bool guess_step(std::string_view text, const GuessWords& words, LineFacts& facts);

/// Whether the line states NaN, Inf, an overflow or a skipped step in words that no format reads. Of a line with a step
/// (`is_step`) only values count.
bool states_unread_fault(std::string_view text, bool is_step);

/// "1.0E+00", "nan", "'inf'", "tensor(nan, device='npu:0')", "[44.31]"; empty: no number.
std::optional<double> parse_number(std::string_view text);

}  // namespace opdebug::training
