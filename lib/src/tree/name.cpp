// File names of dumps → ids and time.
#include <algorithm>
#include <cctype>
#include <vector>

#include <opdebug/tree.hpp>

#include "tree/no_id.hpp"
#include "tree/number.hpp"

namespace opdebug {
namespace {

/// 16 digits from 2001 to 2286; one document shows 15. Fewer than 13 are not microseconds of this century.
constexpr std::size_t kFewestTimestampDigits = 13;

bool equals_ignoring_case(std::string_view text, std::string_view lower_case) {
    return text.size() == lower_case.size() &&
           std::equal(text.begin(), text.end(), lower_case.begin(),
                      [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

std::vector<std::string_view> split_at_dots(std::string_view name) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', begin)) {
        parts.push_back(name.substr(begin, dot - begin));
        begin = dot + 1;
    }
    parts.push_back(name.substr(begin));
    return parts;
}

std::optional<std::uint64_t> unless_marker(std::uint64_t id) {
    return tree::is_no_id(id) ? std::nullopt : std::optional<std::uint64_t>(id);
}

void set_ffts_ids(DumpName& name, const std::vector<std::uint64_t>& numbers, std::size_t first) {
    name.context_id = unless_marker(numbers[first]);
    name.thread_id = unless_marker(numbers[first + 1]);
    name.device_id = numbers[first + 2];
}

/// Gives the numbers behind type and name their meaning, by how many there are. `timestamp` returns its position.
bool assign_numbers(DumpName& name, const std::vector<std::uint64_t>& numbers, bool ffts_literal,
                    std::size_t& timestamp) {
    switch (numbers.size()) {
        case 2:  // task.timestamp, CANN of 2020
            name.task_id = numbers[0];
            timestamp = 1;
            break;
        case 3:  // task.stream.timestamp
        case 7:  // ... .4.context.thread.device, FFTS+ (4 is the task type)
            name.task_id = numbers[0];
            name.stream_id = numbers[1];
            timestamp = 2;
            break;
        case 4:  // dump_number.task.stream.timestamp, host-side adump; FFTSPLUS.context.thread.device may follow
            name.dump_number = numbers[0];
            name.task_id = numbers[1];
            name.stream_id = numbers[2];
            timestamp = 3;
            break;
        default: return false;
    }
    if (numbers.size() == 7) {
        if (ffts_literal) {
            name.dump_number = numbers[0];
            name.task_id = numbers[1];
            name.stream_id = numbers[2];
            timestamp = 3;
        }
        set_ffts_ids(name, numbers, 4);
    }
    name.timestamp_us = numbers[timestamp];
    return true;
}

}  // namespace

std::string_view file_name_of(std::string_view path) noexcept {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::optional<DumpName> parse_dump_name(std::string_view text) {
    const std::vector<std::string_view> parts = split_at_dots(text);
    if (parts.size() < 4 || parts[0].empty() || parts[1].empty()) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> numbers;
    bool ffts_literal = false;
    std::size_t timestamp_digits_at = 0;
    for (std::size_t i = 2; i < parts.size(); ++i) {
        if (i == 6 && parts[i] == "FFTSPLUS" && parts.size() == 10) {
            ffts_literal = true;
            continue;
        }
        const auto number = tree::parse_number(parts[i]);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    DumpName name;
    name.op_type = parts[0];
    name.op_name = parts[1];
    if (!assign_numbers(name, numbers, ffts_literal, timestamp_digits_at) ||
        parts[2 + timestamp_digits_at].size() < kFewestTimestampDigits) {
        return std::nullopt;
    }
    name.is_overflow_dump =
        equals_ignoring_case(name.op_type, "opdebug") && equals_ignoring_case(name.op_name, "node_opdebug");
    name.documented_spelling = name.op_type == "Opdebug" && name.op_name == "Node_OpDebug";
    return name;
}

}  // namespace opdebug
