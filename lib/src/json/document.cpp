// Parses a document in one pass and rejects duplicate keys; checked access to its values.
#include "json/document.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bytes/passed_limit.hpp"
#include "json/node.hpp"

namespace opdebug::json_stage {
namespace {

/// "line 3, column 14" of a byte. Columns count bytes, like those of compilers.
std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') + 1;  // 0 in the first line
    return fmt::format("line {}, column {}", line, before.size() - line_begin + 1);
}

/// The message of the parser without number, location and text: "unexpected '}'; expected string literal".
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

/// Whether a comment of another language starts at `offset`: // or /* of JavaScript, # of Python and YAML.
bool is_comment(std::string_view text, std::size_t offset) {
    const std::string_view rest = text.substr(std::min(offset, text.size()));
    return rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#');
}

/// Builds the document during parsing, and checks limits and duplicate keys. The callback of nlohmann_json 3.11 is no
/// alternative: it searches all siblings at the end of each object.
class DocumentMaker : public nlohmann::json_sax<nlohmann::json> {
public:
    using json = nlohmann::json;

    explicit DocumentMaker(const Limits& limits) : limits_(limits) {}

    /// The limit that the text exceeds, if any.
    struct PassedLimit {
        ErrorCode code;
        std::string reason;
        std::uint64_t Limits::*limit;
    };
    json document;
    std::optional<PassedLimit> passed;
    std::optional<std::string> twice;  ///< the first duplicate key
    std::string problem;               ///< message of the parser if the text is no JSON
    std::optional<std::size_t> place;  ///< bytes read before the problem, if known

    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& text) override {
        if (!is_short(text)) {
            return false;
        }
        // The parser silently keeps the last duplicate; in a file written by hand that hides a mistake.
        const auto [member, added] = open_.back()->emplace(text, nullptr);
        if (!added && !twice) {
            twice = text;
        }
        member_ = &*member;
        return true;
    }
    bool string(string_t& text) override { return is_short(text) && add(std::move(text)); }
    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool binary(binary_t&) override { return false; }  // not in texts
    bool parse_error(std::size_t, const std::string&, const json::exception& said) override {
        problem = said.what();
        if (const auto* at = dynamic_cast<const json::parse_error*>(&said)) {
            place = at->byte;
        }
        return false;
    }

private:
    bool is_short(const std::string& text) {
        if (text.size() > limits_.name_bytes) {
            passed = {ErrorCode::name_too_long, fmt::format("it holds a text of {} bytes", text.size()),
                      &Limits::name_bytes};
        }
        return !passed;
    }
    bool add(json value) {
        place_of_next() = std::move(value);
        return true;
    }
    json& place_of_next() {
        if (open_.empty()) {
            return document;
        }
        return open_.back()->is_array() ? open_.back()->emplace_back() : *member_;
    }
    bool open(json empty) {
        if (open_.size() >= limits_.nesting) {
            passed = {ErrorCode::nesting_too_deep, "its lists and objects stand too deep inside one another",
                      &Limits::nesting};
            return false;
        }
        json& opened = place_of_next();
        opened = std::move(empty);
        open_.push_back(&opened);
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    const Limits& limits_;
    std::vector<json*> open_;  ///< open lists and objects; stable until they are closed
    json* member_ = nullptr;   ///< member of the object that receives the next value
};

constexpr std::string_view kBlanks = " \t\r\n";

/// RFC 6901: ~0 and ~1 replace ~ and / inside a key.
std::string escaped(std::string_view key) {
    std::string out;
    for (const char c : key) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace

void Fault::report(std::string_view where, std::string why, std::string what_to_do) {
    if (!found()) {
        place = std::string(where);
        reason = std::move(why);
        remedy = std::move(what_to_do);
    }
}

nlohmann::json parse_document(const std::string& text, Fault& fault, std::optional<std::uint64_t>* offset,
                              const Limits& limits) {
    DocumentMaker made(limits);
    if (nlohmann::json::sax_parse(text, &made)) {
        if (made.twice) {
            fault.report("", fmt::format("the key \"{}\" stands twice in one object", *made.twice),
                         "remove one of them");
        }
        return std::move(made.document);
    }
    if (made.passed) {
        fault.report("", made.passed->reason, bytes::passed_limit(limits, made.passed->limit));
        fault.passed_limit = made.passed->code;
    } else if (made.place) {
        const std::size_t place = std::min(text.size(), *made.place == 0 ? 0 : *made.place - 1);
        if (is_comment(text, place)) {
            fault.report("", fmt::format("comments are not JSON: {}", line_and_column(text, place)),
                         "remove the comment");
        } else {
            fault.report("",
                         fmt::format("this is not valid JSON at {}: {}", line_and_column(text, place),
                                     short_reason(made.problem)),
                         "correct it at this place");
        }
        if (offset != nullptr) {
            *offset = place;
        }
    } else {
        fault.report("", fmt::format("this is not valid JSON: {}", made.problem), "correct the JSON syntax");
    }
    return {};
}

nlohmann::json parse_data(std::string_view text) {
    return nlohmann::json::parse(text);
}

Node::Node(const nlohmann::json& value, std::string pointer, Fault& fault)
    : value_(&value), pointer_(std::move(pointer)), fault_(&fault) {}

void Node::report(std::string reason, std::string remedy) const {
    fault_->report(pointer_, std::move(reason), std::move(remedy));
}

void Node::only(std::initializer_list<std::string_view> known) const {
    if (!value_->is_object()) {
        report(fmt::format("an object is expected, not {}", value_->type_name()),
               fmt::format("write {{…}} with the members {}", fmt::join(known, ", ")));
        return;
    }
    for (const auto& [key, unused] : value_->items()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            report(fmt::format("the member \"{}\" is not known", key),
                   fmt::format("remove it or correct its spelling; known are {}", fmt::join(known, ", ")));
            return;
        }
    }
}

bool Node::has(std::string_view key) const {
    return value_->is_object() && value_->contains(key);
}

Node Node::member(std::string_view key) const {
    static const nlohmann::json nothing;
    std::string place = pointer_ + "/" + escaped(key);
    if (!has(key)) {
        report(fmt::format("the member \"{}\" is missing", key), "add it");
        return {nothing, std::move(place), *fault_};
    }
    return {*value_->find(key), std::move(place), *fault_};
}

std::vector<Node> Node::items() const {
    std::vector<Node> nodes;
    if (!value_->is_array()) {
        report(fmt::format("a list is expected, not {}", value_->type_name()), "write […]");
        return nodes;
    }
    for (const nlohmann::json& item : *value_) {
        nodes.emplace_back(item, fmt::format("{}/{}", pointer_, nodes.size()), *fault_);
    }
    return nodes;
}

std::vector<Node> Node::some_items() const {
    std::vector<Node> nodes = items();
    if (nodes.empty()) {
        report("the list is empty", "give at least one item");
    }
    return nodes;
}

std::string Node::text() const {
    if (!value_->is_string()) {
        report(fmt::format("a string is expected, not {}", value_->type_name()), "write \"…\"");
        return {};
    }
    std::string text = value_->get<std::string>();
    if (text.empty() || kBlanks.find(text.front()) != kBlanks.npos || kBlanks.find(text.back()) != kBlanks.npos) {
        report("the text is empty or starts or ends with a blank", "write the text without blanks around it");
    }
    return text;
}

std::string Node::identifier() const {
    std::string name = text();
    if (!is_identifier(name)) {
        report(fmt::format("\"{}\" is not a name", name), "use a-z, 0-9 and _, beginning with a letter");
    }
    return name;
}

std::uint64_t Node::bits() const {
    const std::string digits = text();
    std::uint64_t value = 0;
    bool good = digits.size() > 2 && digits.size() <= 18 && digits.starts_with("0x");
    if (good) {
        const char* const end = digits.data() + digits.size();
        const auto [stop, problem] = std::from_chars(digits.data() + 2, end, value, 16);
        good = problem == std::errc() && stop == end && value != 0;
    }
    if (!good) {
        report(fmt::format("\"{}\" is not a set of bits", digits),
               "write a string of 0x and one to sixteen hex digits, not zero");
        return 0;
    }
    return value;
}

bool Node::truth() const {
    if (!value_->is_boolean()) {
        report(fmt::format("true or false is expected, not {}", value_->type_name()), "write true or false");
        return false;
    }
    return value_->get<bool>();
}

std::size_t Node::choice(std::initializer_list<std::string_view> spellings) const {
    const std::string word = text();
    const auto* const place = std::find(spellings.begin(), spellings.end(), word);
    if (place == spellings.end()) {
        report(fmt::format("\"{}\" is not known here", word),
               fmt::format("write one of {}", fmt::join(spellings, ", ")));
        return 0;
    }
    return static_cast<std::size_t>(place - spellings.begin());
}

bool is_identifier(std::string_view text) noexcept {
    const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto other = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
    return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), other);
}

}  // namespace opdebug::json_stage
