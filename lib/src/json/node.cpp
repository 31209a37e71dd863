// Checked access to JSON values, on top of nlohmann::json.
#include "json/node.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace opdebug::json_stage {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// RFC 6901: ~ and / inside a key are written ~0 and ~1.
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
