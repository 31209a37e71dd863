#include "logs/lines/broken_sentences.hpp"

#include <algorithm>

#include "logs/lines/lexer.hpp"
#include "logs/lines/line.hpp"

namespace opdebug::logs {
namespace {

constexpr char kLineBreak = '\n';
constexpr char kFilled = '\r';        // a break that a terminal filled with blanks
constexpr char kInsideName = '\x1f';  // a break inside a name

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
    return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// The lines as one text, with a mark for each break.
std::string with_marks(const std::vector<std::string_view>& lines) {
    std::string text;
    for (const std::string_view line : lines) {
        std::string_view rest = trimmed(line);
        if (!text.empty()) {
            text += kLineBreak;
        }
        for (std::size_t run = rest.find(kBlanksOfBreak); run != std::string_view::npos;
             run = rest.find(kBlanksOfBreak)) {
            text += rest.substr(0, run);
            text += kFilled;
            rest.remove_prefix(rest.find_first_not_of(' ', run));
        }
        text += rest;
    }
    return text;
}

bool is_letter(char c) noexcept {
    return is_word(c) && !is_digit(c);
}

bool is_name_byte(char c) noexcept {
    return is_word(c) || c == '/' || c == '.' || c == '-';
}

/// Whether the text ends in the value of a key ("kernel_name=Ad") or in a block that has one ("op_name [Ad").
bool ends_in_value(std::string_view text) noexcept {
    const std::size_t token = text.find_last_of(" ,]") + 1;  // 0: there is none
    return text.find_first_of("=[", token) != std::string_view::npos;
}

/// Whether the text ends inside a number that is a whole value so far.
bool ends_in_number(std::string_view text) noexcept {
    const std::size_t begin = text.find_last_not_of("0123456789");
    return begin + 1 < text.size() && begin != std::string_view::npos && !is_word(text[begin]);
}

/// What means a break between `before` and `after`.
std::string replacement(std::string_view before, char after, char mark, std::string_view between_words) {
    const char last = before.back();
    if (is_digit(after) && ends_in_number(before)) {
        return mark == kFilled ? std::string() : std::string(1, kLineBreak);
    }
    if (mark == kFilled && is_letter(after) && after != '_' && ends_in_number(before)) {
        return " ";  // "(Worker pid=12)" without brackets, and an indented sentence
    }
    if (ends_in_value(before) && is_name_byte(last) && is_name_byte(after)) {
        return std::string(1, kInsideName);
    }
    if (last == ',' || last == ';' || last == ':' || last == '.') {
        return " ";
    }
    const bool stands_between_words = is_word(last) && is_word(after) && last != '_' && after != '_';
    return std::string(stands_between_words ? between_words : std::string_view());
}

std::string joined(std::string_view marked, std::string_view between_words) {
    std::string text;
    for (std::size_t place = 0; place < marked.size(); ++place) {
        const char c = marked[place];
        const bool is_mark = c == kLineBreak || c == kFilled;
        if (!is_mark) {
            text += c;
            const bool lacks_blank = c == ',' && place + 1 < marked.size() && is_letter(marked[place + 1]);
            text += lacks_blank ? " " : "";  // text recognition loses blanks
        } else if (!text.empty() && place + 1 < marked.size()) {
            text += replacement(text, marked[place + 1], c, between_words);
        }
    }
    return text;
}

/// Whether the text around the break at `place` of `text`, which has no marks, occurs elsewhere without a break.
bool is_confirmed(std::string_view text, std::size_t place, const std::vector<std::size_t>& breaks) {
    constexpr std::size_t kAround = 12;
    std::size_t begin = place;
    while (begin > 0 && place - begin < kAround && is_name_byte(text[begin - 1])) {
        --begin;
    }
    const std::string_view after = front_while(text.substr(place, kAround), is_name_byte);
    const std::string_view around = text.substr(begin, place - begin + after.size());
    const bool is_begin = begin == 0 || !is_name_byte(text[begin - 1]);
    for (std::size_t other = text.find(around); other != std::string_view::npos; other = text.find(around, other + 1)) {
        const bool begins_alike = !is_begin || other == 0 || !is_name_byte(text[other - 1]);
        const bool is_broken = std::find(breaks.begin(), breaks.end(), other + (place - begin)) != breaks.end();
        if (begins_alike && !is_broken) {
            return true;
        }
    }
    return false;
}

/// Names of kernels begin with the type and a hash: the text before a hash is complete.
bool holds_hash(std::string_view name) noexcept {
    constexpr std::size_t kHashDigits = 32;
    std::size_t digits = 0;
    for (const char c : name) {
        digits = is_digit(c) || (c >= 'a' && c <= 'f') ? digits + 1 : 0;
        if (digits == kHashDigits) {
            return true;
        }
    }
    return false;
}

/// Takes the marks of breaks inside names out. What follows the first that nothing confirms is cut, except the blocks.
MendedSentence without_broken_names(std::string_view text) {
    MendedSentence sentence;
    std::vector<std::size_t> breaks;
    for (const char c : text) {
        if (c == kInsideName) {
            breaks.push_back(sentence.text.size());
        } else {
            sentence.text += c;
        }
    }
    std::string& mended = sentence.text;
    const std::size_t trailer = mended.rfind(kTrailer);
    const auto broken = std::find_if(breaks.begin(), breaks.end(), [&](std::size_t place) {
        return place < trailer && !is_confirmed(mended, place, breaks);
    });
    if (broken == breaks.end()) {
        return sentence;
    }
    const std::size_t name = mended.find_last_of("=[", *broken) + 1;
    sentence.is_cut = holds_hash(std::string_view(mended).substr(name, *broken - name));
    sentence.loses_name = !sentence.is_cut;
    const std::size_t begin = sentence.is_cut ? *broken : name;
    mended.replace(begin, trailer - begin, sentence.is_cut ? "" : "none,");
    return sentence;
}

}  // namespace

bool may_be_broken(std::string_view line) noexcept {
    return trimmed(line).find(kBlanksOfBreak) != std::string_view::npos;
}

bool ends_sentence(const std::vector<std::string_view>& lines) {
    constexpr std::string_view kNumber = "[LINE";
    if (lines.empty() || (!trimmed(lines.back()).ends_with(']') && lines.back().find(kNumber) == std::string::npos)) {
        return false;
    }
    const std::string text = joined(with_marks(lines), "");
    const std::size_t trailer = text.rfind(kTrailer);
    const std::size_t number = trailer == std::string::npos ? trailer : text.find(kNumber, trailer);
    return number != std::string::npos && text.find(']', number) != std::string::npos;
}

std::vector<MendedSentence> mend_sentence(const std::vector<std::string_view>& lines) {
    const std::string marked = with_marks(lines);
    std::vector<MendedSentence> sentences;
    for (const std::string_view between_words : {" ", ""}) {
        const std::string text = joined(marked, between_words);
        if (text.rfind(kTrailer) != std::string::npos) {
            sentences.push_back(without_broken_names(text));
        }
    }
    return sentences;
}

void UnfinishedLines::add(std::string_view line, std::uint64_t number) {
    if (number != last_number_ + 1 || trimmed(line).empty()) {
        lines_.clear();
    }
    if (lines_.size() == kMost) {
        lines_.erase(lines_.begin());
    }
    last_number_ = number;
    if (!trimmed(line).empty()) {
        lines_.push_back(line);
    }
}

}  // namespace opdebug::logs
