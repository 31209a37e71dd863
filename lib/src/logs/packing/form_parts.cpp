#include "logs/packing/form_parts.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "logs/facts/fact_members.hpp"
#include "logs/patterns/hex_digit_runs.hpp"
#include "logs/text/lexer.hpp"
#include "logs/text/line_time.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

char in_lower_case(char c) noexcept {
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_letter(char c) noexcept {
    return is_word(c) && !is_digit(c) && c != '_';
}

/// Whether the text ends with the name of the member, however its words are put together: "task_id=", "taskId: ",
/// "task id [".
bool ends_with_name(std::string_view text, std::string_view name) noexcept {
    const auto drop = [&text](std::string_view any) {
        while (!text.empty() && any.find(text.back()) != kNowhere) {
            text.remove_suffix(1);
        }
    };
    drop(" =:[(");
    for (; !name.empty(); name.remove_suffix(1)) {
        if (name.back() == '_') {
            drop("_ ");
        } else if (text.empty() || in_lower_case(text.back()) != name.back()) {
            return false;
        } else {
            text.remove_suffix(1);
        }
    }
    return text.empty() || !is_letter(text.back());
}

bool ends_with_id(std::string_view text) noexcept {
    while (!text.empty() && (text.back() == '=' || text.back() == ':' || text.back() == ' ')) {
        text.remove_suffix(1);
    }
    return text.ends_with("id") || text.ends_with("Id");
}

class FormParts {
public:
    FormParts(std::string_view line, const KnownValues& known) : line_(line), known_(known) {}

    std::vector<FormPart> find() {
        find_time();
        find_texts();
        find_numbers();
        const auto is_before = [](const FormPart& a, const FormPart& b) { return a.begin < b.begin; };
        std::sort(parts_.begin(), parts_.end(), is_before);
        parts_.shrink_to_fit();  // a log may have 100,000 processes with a fact each
        return std::move(parts_);
    }

private:
    struct Number {
        std::size_t begin = 0, end = 0;
        int base = 10;
        std::size_t size() const noexcept { return end - begin; }
    };

    void add(std::size_t begin, std::size_t size, Filling filling, std::size_t member = 0) {
        parts_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(size), filling,
                          static_cast<std::uint8_t>(member)});
    }

    bool is_free(std::size_t begin, std::size_t size) const noexcept {
        return std::none_of(parts_.begin(), parts_.end(),
                            [&](const FormPart& part) { return begin < part.end() && part.begin < begin + size; });
    }

    /// Also one that is not the fact's: in the line that completes a fact it is a little later. Not in a short line, of
    /// which it would be more than a quarter: the form must be one for the line that it is made of.
    void find_time() {
        constexpr std::size_t kWords = 3;  // of a time
        constexpr std::size_t kMostOther = 2 * kWords + WrittenTimes::kSize;
        for (std::size_t begin = 0; begin + WrittenTimes::kSize <= line_.size(); ++begin) {
            if (!is_digit(line_[begin])) {
                continue;
            }
            const auto time_us = parse_line_time(line_.substr(begin, WrittenTimes::kSize));
            if (time_us && (*time_us == known_.time_us || line_.size() >= 4 * kMostOther)) {
                add(begin, WrittenTimes::kSize, Filling::time);
                behind_time_ = begin + WrittenTimes::kSize;
                return;
            }
        }
    }

    /// Short ones are parts of other words, and take no more than to name them.
    void find_texts() {
        constexpr std::size_t kShortest = 4;
        std::vector<std::size_t> members;
        for (std::size_t member = 0; member < kTexts.size(); ++member) {
            if (text(member).size() >= kShortest) {
                members.push_back(member);
            }
        }
        std::stable_sort(members.begin(), members.end(), [this](std::size_t a, std::size_t b) {  // "Add" in "Add_1"
            return text(a).size() > text(b).size();
        });
        for (const std::size_t member : members) {
            const std::string_view value = text(member);
            for (std::size_t begin = line_.find(value); begin != kNowhere;
                 begin = line_.find(value, begin + value.size())) {
                if (is_free(begin, value.size())) {
                    add(begin, value.size(), Filling::text, member);
                }
            }
        }
    }

    void find_numbers() {
        for (std::size_t place = 0; place < line_.size();) {
            const bool is_hex = place >= 2 && line_[place - 1] == 'x' && line_[place - 2] == '0';
            const auto is_of_number = [is_hex](char c) { return is_hex ? is_hex_digit(c) : is_digit(c); };
            const std::size_t size = front_while(line_.substr(place), is_of_number).size();
            const bool is_in_word = !is_hex && place > 0 && is_word(line_[place - 1]);
            if (size > 0 && !is_in_word && is_free(place, size)) {
                add_number({place, place + size, is_hex ? 16 : 10});
            }
            place += std::max<std::size_t>(size, 1);
        }
    }

    /// Small numbers are equal to many: without its name such a one is none of the fact's.
    void add_number(const Number& number) {
        const std::optional<std::uint64_t> value = value_of(number);
        if (!value) {
            return;
        }
        const std::string_view before = line_.substr(0, number.begin);
        const Filling filling = number.base == 10 ? Filling::decimal : Filling::hexadecimal;
        std::optional<std::size_t> equal;
        for (std::size_t member = 0; member < kNumbers.size(); ++member) {
            if (known_.number(static_cast<unsigned>(member)) != value) {
                continue;
            }
            if (ends_with_name(before, kNumbers[member].name)) {
                add(number.begin, number.size(), filling, member);
                return;
            }
            equal = equal ? equal : member;
        }
        constexpr std::size_t kSurelyEqual = 3, kOfThread = 2, kOfId = 2;
        if (number.base == 10 && number.begin >= behind_time_ && number.size() >= kOfThread && known_.tid >= 0 &&
            *value == static_cast<std::uint64_t>(known_.tid)) {
            add(number.begin, number.size(), Filling::thread);
        } else if (equal && number.size() >= (ends_with_id(before) ? kOfId : kSurelyEqual)) {
            add(number.begin, number.size(), filling, *equal);
        }
    }

    /// Nothing for one that would be written otherwise: with zeros in front, or too large.
    std::optional<std::uint64_t> value_of(const Number& number) const noexcept {
        std::uint64_t value = 0;
        const char* const begin = line_.data() + number.begin;
        const char* const end = line_.data() + number.end;
        const auto [read_to, error] = std::from_chars(begin, end, value, number.base);
        const bool is_canonical = number.size() == 1 || *begin != '0';
        return error == std::errc() && read_to == end && is_canonical ? std::optional(value) : std::nullopt;
    }

    std::string_view text(std::size_t member) const noexcept { return known_.text(static_cast<unsigned>(member)); }

    std::string_view line_;
    const KnownValues& known_;
    std::size_t behind_time_ = 0;
    std::vector<FormPart> parts_;
};

}  // namespace

std::vector<FormPart> form_parts(std::string_view line, const KnownValues& known) {
    return FormParts(line, known).find();
}

}  // namespace opdebug::logs
