// Reads lib/data/training/formats.json, and lines by it.
#include "training/formats.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "embedded/training_data.hpp"
#include "json/document.hpp"

namespace opdebug::training {
namespace {

using nlohmann::json;

/// Steps and counts above this are no counts of a training: the number is torn.
constexpr double kMostSteps = 1e9;

boost::regex compiled(const std::string& pattern) {
    return boost::regex(pattern, boost::regex::perl | boost::regex::no_mod_m);
}

const json& document() {
    static const json parsed = json_stage::parse_data(embedded::training_files().front().text);
    return parsed;
}

Number number_named(const std::string& name) {
    return static_cast<Number>(std::find(std::begin(kNumberNames), std::end(kNumberNames), name) -
                               std::begin(kNumberNames));
}

States states_in(const json& names) {
    States states;
    const std::pair<const char*, bool*> known[] = {{"skip", &states.skip},
                                                   {"fall", &states.fall},
                                                   {"growth", &states.growth},
                                                   {"applied", &states.applied},
                                                   {"stop_nan", &states.stop_nan},
                                                   {"stop", &states.stop},
                                                   {"static_hit", &states.static_hit},
                                                   {"at_minimum", &states.at_minimum}};
    for (const auto& [name, flag] : known) {
        *flag = std::find(names.begin(), names.end(), name) != names.end();
    }
    return states;
}

GuessWords words_in(const json& lists) {
    GuessWords words;
    const std::pair<const char*, std::vector<std::string>*> known[] = {{"step", &words.step},
                                                                       {"epoch", &words.epoch},
                                                                       {"loss", &words.loss},
                                                                       {"other_losses", &words.other_losses},
                                                                       {"total_loss", &words.total_loss},
                                                                       {"training_loss", &words.training_loss},
                                                                       {"extremes", &words.extremes},
                                                                       {"grad_norm", &words.grad_norm},
                                                                       {"scale", &words.scale},
                                                                       {"evaluation", &words.evaluation}};
    for (const auto& [name, list] : known) {
        *list = lists.at(name).get<std::vector<std::string>>();
    }
    return words;
}

Format format_in(const json& entry) {
    Format format;
    format.id = entry.at("id");
    format.name = entry.at("name");
    format.literal = entry.at("literal");
    format.is_step = entry.at("kind") == "step";
    format.who = entry.value("who", "");
    format.base = entry.value("base", 1U);
    format.in_epoch = entry.value("in_epoch", false);
    format.filters_nan = entry.value("filters_nan", false);
    format.covers_step = entry.value("covers", "") == "step";
    format.fallback = entry.value("fallback", false);
    format.states = states_in(entry.value("states", json::array()));
    format.has_main_loss = entry.contains("fields") && entry["fields"].contains("main_loss");
    if (format.fallback) {
        format.words = words_in(entry.at("words"));
        return format;
    }
    format.pattern = compiled(entry.at("pattern"));
    const json fields = entry.value("fields", json::object());
    for (const auto& [name, pattern] : fields.items()) {
        format.fields.emplace_back(name, compiled(pattern));
    }
    return format;
}

/// The first group that took part.
std::string group_of(const boost::cmatch& match) {
    const auto group = std::find_if(match.begin() + 1, match.end(), [](const auto& one) { return one.matched; });
    return group == match.end() ? std::string() : group->str();
}

bool is_possible(Number name, double value) {
    const bool is_scale = name == Number::scale || name == Number::old_scale || name == Number::scale_factor;
    const bool is_count = !is_scale && name != Number::main_loss && name != Number::loss && name != Number::grad_norm;
    return (!is_scale || (std::isfinite(value) && value >= 0)) &&
           (!is_count || (value >= -1 && value <= kMostSteps && value == std::floor(value)));
}

/// Sets the numbers of a match. Returns false if one is none. Without its gradient norm or scale a line is kept.
bool read_numbers(const boost::cmatch& match, const Format& format, std::string_view text, LineFacts& facts) {
    const auto set = [&facts](std::string_view name, const std::string& value) {
        const Number number = number_named(std::string(name));
        const std::optional<double> parsed = parse_number(value);
        if (!parsed || !is_possible(number, *parsed)) {
            return false;
        }
        facts.numbers[static_cast<std::size_t>(number)] = *parsed;
        return true;
    };
    for (const std::string_view name : kNumberNames) {
        const auto& group = match[std::string(name)];
        if (group.matched && !set(name, group.str())) {
            return false;
        }
    }
    for (const auto& [name, pattern] : format.fields) {
        boost::cmatch field;
        if (!boost::regex_search(text.data(), text.data() + text.size(), field, pattern)) {
            continue;
        }
        if (name == "time") {
            facts.time = group_of(field);
        } else if (const std::string value = group_of(field); value == "None") {
            facts.is_partly_read = facts.is_partly_read || name == "loss";
        } else if (!set(name, value)) {
            if (name != "grad_norm" && name != "scale") {
                return false;
            }
            facts.is_partly_read = true;
        }
    }
    if (const auto factor = facts.number(Number::scale_factor), old = facts.number(Number::old_scale); factor && old) {
        facts.numbers[static_cast<std::size_t>(Number::scale)] = *factor * *old;
    }
    return true;
}

/// Whether the line begins with a word of evaluation: then it is no step of the training.
bool is_evaluation(std::string_view text) {
    static const boost::regex pattern = compiled(document().at("evaluation").at("pattern"));
    return boost::regex_search(text.data(), text.data() + text.size(), pattern);
}

/// Whether the text may begin with a prefix: most lines of a log do not.
bool may_begin_prefix(std::string_view text) {
    return !text.empty() &&
           (text.front() == '[' || text.front() == '(' || (text.front() >= '0' && text.front() <= '9'));
}

/// Adds what each match of an event, or the only match of a step, states. Returns false if the words are there and
/// cannot be read.
bool add_matches(const Format& format, const Stripped& piece, const LineFacts& facts, std::vector<LineFacts>& all) {
    if (format.fallback) {
        LineFacts guessed = facts;
        guessed.format = &format;
        if (guess_step(piece.text, format.words, guessed)) {
            all.push_back(std::move(guessed));
        }
        return true;
    }
    const char* begin = piece.text.data();
    const char* const end = begin + piece.text.size();
    boost::cmatch match;
    std::size_t found = 0;
    while (boost::regex_search(begin, end, match, format.pattern)) {
        LineFacts one = facts;
        if (++found > 1 && format.is_step) {
            return false;  // two processes wrote into one line
        }
        if (!read_numbers(match, format, piece.text, one)) {
            return false;
        }
        one.format = &format;
        if (const auto rank = one.number(Number::rank); rank && *rank >= 0) {
            one.rank = static_cast<std::uint64_t>(*rank);
        }
        const States& states = format.states;
        one.has_fault = states.stop_nan || states.stop || states.static_hit || states.at_minimum;
        all.push_back(std::move(one));
        begin = match[0].second;
    }
    return found != 0 || format.is_step || !(format.states.skip || format.states.growth || format.states.applied);
}

/// Whether the text has one of the words of unread faults, in whatever case: most lines have none.
bool may_state_fault(std::string_view text) {
    static const auto words = document().at("unread_faults").at("words").get<std::vector<std::string>>();
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::any_of(words.begin(), words.end(),
                       [&lower](const std::string& word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> all = [] {
        std::vector<Format> read;
        for (const json& entry : document().at("formats")) {
            read.push_back(format_in(entry));
        }
        return read;
    }();
    return all;
}

Stripped without_prefixes(std::string_view line) {
    static const std::vector<boost::regex> prefixes = [] {
        std::vector<boost::regex> read;
        for (const json& entry : document().at("prefixes")) {
            read.push_back(compiled(entry.at("pattern")));
        }
        return read;
    }();
    Stripped stripped{line, {}, {}, {}};
    for (std::size_t i = 0; i < prefixes.size() && may_begin_prefix(stripped.text);) {
        boost::cmatch match;
        const char* const begin = stripped.text.data();
        if (!boost::regex_search(begin, begin + stripped.text.size(), match, prefixes[i], boost::match_continuous)) {
            ++i;
            continue;
        }
        for (const auto& [name, number] : {std::pair("rank", &stripped.rank), {"local_rank", &stripped.local_rank}}) {
            if (const auto rank = match[name].matched ? parse_number(match[name].str()) : std::nullopt;
                rank && *rank >= 0 && *rank < kMostSteps) {
                *number = static_cast<std::uint64_t>(*rank);
            }
        }
        if (match["time"].matched) {
            stripped.time = match["time"].str();
        }
        stripped.text.remove_prefix(static_cast<std::size_t>(match.length()));
        i = 0;  // prefixes come in any order
    }
    return stripped;
}

bool add_facts(const Stripped& piece, std::uint64_t line, std::vector<LineFacts>& facts) {
    LineFacts empty;
    empty.line = line;
    empty.rank = piece.rank;
    empty.local_rank = piece.local_rank;
    empty.time = piece.time;
    const std::size_t before = facts.size();
    bool is_readable = true, has_step = false;
    try {
        for (const Format& format : formats()) {
            if ((format.is_step && has_step) || (format.fallback && (facts.size() != before || !is_readable)) ||
                piece.text.find(format.literal) == std::string_view::npos ||
                (format.is_step && is_evaluation(piece.text))) {
                continue;
            }
            const std::size_t known = facts.size();
            const bool is_read = add_matches(format, piece, empty, facts);
            facts.resize(is_read ? facts.size() : known);
            has_step = has_step || (format.is_step && facts.size() != known);
            is_readable = is_readable && (is_read || format.fallback);
        }
    } catch (const std::runtime_error&) {  // the pattern needs too many steps
        is_readable = false;
    }
    return is_readable || facts.size() != before;
}

bool states_unread_fault(std::string_view text, bool is_step) {
    static const json& words = document().at("unread_faults");
    static const boost::regex in_line = compiled(words.at("pattern")), in_step = compiled(words.at("values")),
                              harmless = compiled(words.at("except")),
                              harmless_names = compiled(words.at("harmless_names"));
    text = text.substr(0, kMostBytes);
    const char* const end = text.data() + text.size();
    if (!may_state_fault(text)) {
        return false;
    }
    try {
        if (is_step) {
            return std::any_of(boost::cregex_iterator(text.data(), end, in_step), boost::cregex_iterator(),
                               [](const boost::cmatch& value) {
                                   return !boost::regex_search(value["name"].str() + ' ' + value["value"].str(),
                                                               harmless_names);
                               });
        }
        return boost::regex_search(text.data(), end, in_line) && !boost::regex_search(text.data(), end, harmless);
    } catch (const std::runtime_error&) {  // the pattern needs too many steps
        return false;
    }
}

std::optional<double> parse_number(std::string_view text) {
    const std::size_t bracket = text.find('(');
    if (bracket != std::string_view::npos &&
        !(bracket != 0 && (text[bracket - 1] == 'n' || text[bracket - 1] == 'N'))) {
        text.remove_prefix(bracket + 1);
        text = text.substr(0, text.find_first_of(",)"));
    }
    constexpr std::string_view kAround = " \t'\"[]";
    const std::size_t first = text.find_first_not_of(kAround);
    if (first == std::string_view::npos) {
        return std::nullopt;
    }
    text = text.substr(first, text.find_last_not_of(kAround) - first + 1);
    if (text == "True" || text == "False") {
        return text == "True" ? 1 : 0;
    }
    text.remove_prefix(text.front() == '+' ? 1 : 0);
    if ((text.front() | ' ') == 'n' || (text.front() | ' ') == 'i') {  // a progress bar writes "nan.0"
        text = text.substr(0, text.find('.'));
    }
    double value = 0;  // from_chars reads "nan", "inf" and "infinity" in any case
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace opdebug::training
