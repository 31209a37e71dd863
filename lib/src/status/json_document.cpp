// The text of a catalogue file → a JSON document, with duplicate keys refused.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/passed_limit.hpp"
#include "status/json_node.hpp"

namespace opdebug::status {

namespace {

/// "line 3, column 14" of a byte. Columns are counted in bytes, as compilers count them.
std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') + 1;  // 0 where there is none
    return fmt::format("line {}, column {}", line, before.size() - line_begin + 1);
}

/// What the parser says, without its number, the place and the text that it read: "unexpected '}'; expected string
/// literal".
std::string short_reason(std::string_view message) {
    constexpr std::string_view kBegin = " - ";
    constexpr std::string_view kLastRead = "; last read: '";
    constexpr std::string_view kExpected = "'; expected ";
    const std::size_t begin = message.find(kBegin);
    message.remove_prefix(begin == std::string_view::npos ? 0 : begin + kBegin.size());
    const std::size_t read = message.find(kLastRead);
    if (read == std::string_view::npos) {
        return std::string(message);
    }
    const std::size_t expected = message.rfind(kExpected);
    const bool tells_expected = expected != std::string_view::npos && expected > read;
    return std::string(message.substr(0, read)) +
           (tells_expected ? std::string(message.substr(expected + 1)) : std::string());
}

/// Thrown out of the parser, which cannot be ended otherwise.
struct PassedLimit {
    ErrorCode code;
    std::string reason;
    std::uint64_t Limits::*limit;
};

/// `depth`: as the parser counts it, 0 outside all brackets.
void check_limits(int depth, nlohmann::json::parse_event_t event, const nlohmann::json& parsed, const Limits& limits) {
    using Event = nlohmann::json::parse_event_t;
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && static_cast<std::uint64_t>(depth) >= limits.nesting) {
        throw PassedLimit{ErrorCode::nesting_too_deep, "its lists and objects stand too deep inside one another",
                          &Limits::nesting};
    }
    const auto* const text =
        event == Event::key || event == Event::value ? parsed.get_ptr<const std::string*>() : nullptr;
    if (text != nullptr && text->size() > limits.name_bytes) {
        throw PassedLimit{ErrorCode::name_too_long, fmt::format("it holds a text of {} bytes", text->size()),
                          &Limits::name_bytes};
    }
}

}  // namespace

nlohmann::json parse_document(const std::string& text, Fault& fault, std::optional<std::uint64_t>* offset,
                              const Limits& limits) {
    using nlohmann::json;
    // The library keeps the last of two equal keys silently; in a file written by hand that hides a mistake.
    std::vector<std::set<std::string>> open_objects;
    std::optional<std::string> twice;
    const json::parser_callback_t watch = [&](int depth, json::parse_event_t event, json& parsed) {
        check_limits(depth, event, parsed, limits);
        if (event == json::parse_event_t::object_start) {
            open_objects.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            open_objects.pop_back();
        } else if (event == json::parse_event_t::key) {
            const auto& key = parsed.get_ref<const std::string&>();
            if (!open_objects.back().insert(key).second && !twice) {
                twice = key;
            }
        }
        return true;
    };
    try {
        json document = json::parse(text, watch);
        if (twice) {
            fault.report("", fmt::format("the key \"{}\" stands twice in one object", *twice), "remove one of them");
        }
        return document;
    } catch (const json::parse_error& problem) {
        const std::size_t place = std::min(text.size(), problem.byte == 0 ? 0 : problem.byte - 1);
        fault.report(
            "",
            fmt::format("this is not valid JSON at {}: {}", line_and_column(text, place), short_reason(problem.what())),
            "correct it at this place");
        if (offset != nullptr) {
            *offset = place;
        }
    } catch (const PassedLimit& passed) {
        fault.report("", passed.reason, bytes::passed_limit(limits, passed.limit));
        fault.passed_limit = passed.code;
    } catch (const json::exception& problem) {
        fault.report("", fmt::format("this is not valid JSON: {}", problem.what()), "correct the JSON syntax");
    }
    return {};
}

}  // namespace opdebug::status
