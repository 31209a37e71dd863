// Lines of unknown trainers: a step and a loss by their words, "Epoch: [1] [20/58] … loss: nan", "step 3 loss=0.5".
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/regex.hpp>

#include "training/formats.hpp"

namespace opdebug::training {
namespace {

/// A number with the word before it, or a counter like "20/58" without a word.
struct NamedNumber {
    std::string name;       ///< in lower case: "train_loss"; a counter may have none
    std::string qualifier;  ///< the word before the name: "validation" of "validation loss"
    double value = 0;
    std::optional<double> total;  ///< of a counter

    bool is_counter() const noexcept { return total || name.empty(); }
    bool has_name_of_other() const noexcept { return !name.empty() && name != "train"; }
};

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

/// A date or a time is no counter; a number before a bar at the start of the line is one.
std::vector<NamedNumber> numbers_in(std::string_view text) {
    static const boost::regex pattern(
        R"((?:(?<qualifier>(?<![\w./-])[A-Za-z]{1,20}+) )?(?<name>(?<![\w./-])[A-Za-z][\w./-]{0,63}+)(?:\([a-z]+\))?)"
        R"(['"\]]{0,3}\s{0,8}[:=|]?\s{0,8}(?:tensor\()?['"\[]?\s{0,8})"
        R"((?<value>[-+]?(?:(?i:nan|inf(?:inity)?)(?:\.0)?|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))(?: */ *(?<total>\d+))?(?!\w|\.?#|\.\d|,\d)(?!(?<=\d)%))"
        R"(|(?<![\w./:-])(?<count>\d+) */ *(?<of>\d+)(?![\w/.]|\s+\d\d?:\d\d))"
        R"(|^\s*(?<first>\d+) \|)");
    std::vector<NamedNumber> numbers;
    for (boost::cregex_iterator match(text.data(), text.data() + text.size(), pattern), end; match != end; ++match) {
        const auto text_of = [&match](const char* group) { return (*match)[group].str(); };
        if (const auto value = parse_number(text_of("value") + text_of("count") + text_of("first"))) {
            numbers.push_back({lower(text_of("name")), lower(text_of("qualifier")), *value,
                               parse_number(text_of("total") + text_of("of"))});
        }
    }
    return numbers;
}

/// Whether the loss of the training has no number but a word or sign for none: "loss=None", "train_loss: N/A", "loss
/// ****", "loss=,". Not "best loss: None" or "loss --> 0.5".
bool has_unreadable_loss(std::string_view text) {
    static const boost::regex pattern(
        R"((?i)(?:^|[^\w\s./-]\s{0,4}|\d\s{1,4}|\b(?:train|training|total|lm|av[gr])[ _/])loss['"\]]?\s{0,4})"
        R"((?:[:=]\s{0,4}(?=[,;)\]}|]|$)|[:=]?\s{0,4}['"\[(]{0,2}(?:(?:none|null|n/?a|-?1\.#\w+|(?:nan|inf)[\w.]+)(?![\w.])|)"
        R"([-*?]{2,}\s{0,4}(?:[,;)\]}|]|$))))");
    return boost::regex_search(text.data(), text.data() + text.size(), pattern);
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// "train/loss" and "train loss" are "train_loss".
std::string whole_name(const NamedNumber& number) {
    std::string name = number.qualifier.empty() ? number.name : number.qualifier + "_" + number.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '.' || c == '/' || c == '-'; }, '_');
    return name;
}

/// Whether the name ends in one of these.
bool ends_in(const std::string& name, const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [&name](const std::string& word) {
        return name.ends_with(word) && (name.size() == word.size() || name[name.size() - word.size() - 1] == '_');
    });
}

/// Whether one of the words is a part of the name: "val" of "val_loss" and "val loss".
bool has_part(const NamedNumber& number, const std::vector<std::string>& words) {
    const std::string name = "_" + whole_name(number) + "_";
    return std::any_of(words.begin(), words.end(), [&name](const std::string& word) {
        return name.find(fmt::format("_{}_", word)) != std::string::npos;
    });
}

/// "[eval] step 3", "Epoch(val) [1][20/58]", "Test: [1/50]".
bool has_tag_of_evaluation(std::string_view text, const GuessWords& words) {
    const std::string line = lower(std::string(text));
    const std::string start = line.substr(std::min(line.size(), line.find_first_not_of(" \t")));
    return std::any_of(words.evaluation.begin(), words.evaluation.end(), [&](const std::string& word) {
        const bool is_first = start.starts_with(word) && start.find_first_of(":[(", word.size()) == word.size();
        return is_first || line.find("[" + word + "]") != std::string::npos ||
               line.find("(" + word + ")") != std::string::npos;
    });
}

bool is_count(double value) {
    return value >= 0 && value == std::floor(value);
}

/// By the order of the words; otherwise the last counter before the loss: "Epoch [1][20/58]".
const NamedNumber* step_of(const std::vector<NamedNumber>& numbers, std::size_t loss, const GuessWords& words) {
    for (const std::string& word : words.step) {
        const auto named = std::find_if(numbers.begin(), numbers.end(), [&word](const NamedNumber& number) {
            return number.name == word && is_count(number.value);
        });
        if (named != numbers.end()) {
            return &*named;
        }
    }
    for (std::size_t i = loss; i-- > 0;) {
        if (numbers[i].is_counter() && !numbers[i].has_name_of_other()) {
            return &numbers[i];
        }
    }
    return nullptr;
}

/// The total or plain loss, NaN or Inf first, then that of the training: NaN in a part of a finite loss is a doubt
/// only. Without them one that is NaN or Inf, or the first one. Extremes count only if there is no other loss.
const NamedNumber* loss_of(std::vector<const NamedNumber*> losses, const GuessWords& words) {
    const auto is_extreme = [&words](const NamedNumber* loss) { return has_part(*loss, words.extremes); };
    if (!std::all_of(losses.begin(), losses.end(), is_extreme)) {
        std::erase_if(losses, is_extreme);
    }
    const auto is_total = [&words](const NamedNumber* loss) { return contains(words.total_loss, whole_name(*loss)); };
    const auto is_plain = [&words](const NamedNumber* loss) { return contains(words.loss, whole_name(*loss)); };
    const auto first = [&losses](const auto& is_wanted) {
        const auto loss = std::find_if(losses.begin(), losses.end(), is_wanted);
        return loss == losses.end() ? nullptr : *loss;
    };
    const auto is_bad_loss = [](const NamedNumber* loss) { return !std::isfinite(loss->value); };
    const NamedNumber* const by_weight[] = {
        first([&](const NamedNumber* loss) { return is_bad_loss(loss) && (is_total(loss) || is_plain(loss)); }),
        first(is_total), first(is_plain),
        first([&words](const NamedNumber* loss) { return ends_in(whole_name(*loss), words.training_loss); }),
        first(is_bad_loss)};
    for (const NamedNumber* const loss : by_weight) {
        if (loss != nullptr) {
            return loss;
        }
    }
    return losses.empty() ? nullptr : losses.front();
}

/// The words of the line: what is the same in all lines of a training. Not units, the signs of a progress bar, and NaN.
std::string words_of(std::string_view text) {
    static const boost::regex word(R"((?<![\w.])[A-Za-z_]{3,}+|(?:[\xE3-\xE9][\x80-\xBF]{2})+)");
    std::string words;
    for (boost::cregex_iterator match(text.data(), text.data() + text.size(), word), end; match != end; ++match) {
        if (!parse_number(match->str())) {
            words += match->str() + ' ';
        }
    }
    return words;
}

}  // namespace

bool guess_step(std::string_view text, const GuessWords& words, LineFacts& facts) {
    const bool is_cut = text.size() > kMostBytes;
    text = text.substr(0, kMostBytes);
    const std::vector<NamedNumber> numbers = numbers_in(text);
    const auto is_loss = [&words](const NamedNumber& number) {
        return ends_in(whole_name(number), words.loss) && !has_part(number, words.other_losses);
    };
    const auto first_loss = std::find_if(numbers.begin(), numbers.end(), is_loss);
    const bool is_unreadable = first_loss == numbers.end() && has_unreadable_loss(text);
    if ((first_loss == numbers.end() && !is_unreadable) || has_tag_of_evaluation(text, words) ||
        (first_loss != numbers.end() && has_part(*first_loss, words.evaluation))) {
        return false;
    }
    facts.is_partly_read = is_unreadable || is_cut;
    const NamedNumber* const step = step_of(numbers, static_cast<std::size_t>(first_loss - numbers.begin()), words);
    const auto epoch = std::find_if(numbers.begin(), numbers.end(), [&words](const NamedNumber& number) {
        return contains(words.epoch, number.name) && is_count(number.value);
    });
    if ((step == nullptr && epoch == numbers.end()) || (step != nullptr && has_part(*step, words.evaluation))) {
        return false;
    }
    facts.words = words_of(text);
    const auto set = [&facts](Number name, const std::optional<double>& value) {
        facts.numbers[static_cast<std::size_t>(name)] = value;
    };
    if (step != nullptr) {
        set(Number::step, step->value);
        set(Number::total, step->total);
    }
    if (epoch != numbers.end() && step != &*epoch) {
        set(Number::epoch, epoch->value);
    }
    std::vector<const NamedNumber*> losses;
    for (const NamedNumber& number : numbers) {
        const std::string name = whole_name(number);
        if (is_loss(number) && !has_part(number, words.evaluation)) {
            losses.push_back(&number);
        } else if (ends_in(name, words.grad_norm)) {
            set(Number::grad_norm, number.value);
        } else if (ends_in(name, words.scale) && std::isfinite(number.value) && number.value >= 0) {
            set(Number::scale, number.value);
        }
    }
    if (const NamedNumber* const loss = loss_of(losses, words)) {
        set(Number::loss, loss->value);
    }
    if (is_bad(facts.number(Number::loss)) || is_bad(facts.number(Number::grad_norm))) {
        facts.shown = text.substr(0, UnreadFault::kShown);
    }
    return true;
}

}  // namespace opdebug::training
