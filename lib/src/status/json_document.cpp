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

/// Goes through a text before it is parsed: the limits, and keys that stand twice. The parser has a callback for this,
/// but nlohmann_json 3.11 then looks at all siblings at the end of each object.
class Check : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit Check(const Limits& limits) : limits_(limits) {}

    /// The limit that the text passes, where it does.
    struct PassedLimit {
        ErrorCode code;
        std::string reason;
        std::uint64_t Limits::*limit;
    };
    std::optional<PassedLimit> passed;
    std::optional<std::string> twice;  ///< the first key that stands twice in one object

    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return open(); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& text) override {
        // The parser keeps the last of two equal keys silently; in a file written by hand that hides a mistake.
        if (!open_keys_.back().insert(text).second && !twice) {
            twice = text;
        }
        return string(text);
    }
    bool string(string_t& text) override {
        if (text.size() > limits_.name_bytes) {
            passed = {ErrorCode::name_too_long, fmt::format("it holds a text of {} bytes", text.size()),
                      &Limits::name_bytes};
        }
        return !passed;
    }
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    /// Told by the parser, which comes to the same place.
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

private:
    bool open() {
        if (open_keys_.size() >= limits_.nesting) {
            passed = {ErrorCode::nesting_too_deep, "its lists and objects stand too deep inside one another",
                      &Limits::nesting};
            return false;
        }
        open_keys_.emplace_back();
        return true;
    }
    bool close() {
        open_keys_.pop_back();
        return true;
    }

    const Limits& limits_;
    std::vector<std::set<std::string>> open_keys_;  ///< of the lists (none) and objects around
};

}  // namespace

nlohmann::json parse_document(const std::string& text, Fault& fault, std::optional<std::uint64_t>* offset,
                              const Limits& limits) {
    using nlohmann::json;
    Check check(limits);
    json::sax_parse(text, &check);
    if (check.passed) {
        fault.report("", check.passed->reason, bytes::passed_limit(limits, check.passed->limit));
        fault.passed_limit = check.passed->code;
        return {};
    }
    try {
        json document = json::parse(text);
        if (check.twice) {
            fault.report("", fmt::format("the key \"{}\" stands twice in one object", *check.twice),
                         "remove one of them");
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
    } catch (const json::exception& problem) {
        fault.report("", fmt::format("this is not valid JSON: {}", problem.what()), "correct the JSON syntax");
    }
    return {};
}

}  // namespace opdebug::status
