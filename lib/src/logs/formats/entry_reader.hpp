// Reads the members of one entry of a format file and keeps the first error.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/result.hpp>

#include "logs/formats/format_file.hpp"

namespace opdebug::logs {

/// Reads the members of one entry; after the first error nothing more is read.
class EntryReader {
public:
    EntryReader(const nlohmann::json& entry, FormatDefinition& format) : entry_(entry), format_(format) {}

    void text(const char* key, std::string& target) {
        const nlohmann::json* value = find(key, "a text");
        if (value == nullptr) {
            return;
        }
        if (!value->is_string() || value->get_ref<const std::string&>().empty()) {
            fail(key, "is not a non-empty text", fmt::format("write \"{}\": \"...\"", key));
            return;
        }
        target = value->get_ref<const std::string&>();
    }

    void texts(const char* key, std::vector<std::string>& target) {
        const nlohmann::json* value = find(key, "a list of texts");
        if (value != nullptr && !read_texts(*value, target)) {
            fail(key, "is not a non-empty list of texts", fmt::format("write \"{}\": [\"...\"]", key));
        }
    }

    void flag(const char* key, bool& target) {
        const nlohmann::json* value = find(key, "true or false");
        if (value != nullptr && !value->is_boolean()) {
            fail(key, "is neither true nor false", "write true or leave the member out");
        } else if (value != nullptr) {
            target = value->get<bool>();
        }
    }

    void ignore_rules() {
        const nlohmann::json* value = find("ignore", "an object");
        if (value == nullptr) {
            return;
        }
        bool sound = value->is_object() && !value->empty();
        for (const auto& [member, values] : value->items()) {
            IgnoreRule rule{member, {}};
            sound = sound && read_texts(values, rule.values);
            format_.ignore.push_back(std::move(rule));
        }
        if (!sound) {
            fail("ignore", "is not an object of lists of texts", R"(write "ignore": {"operator_type": ["Data"]})");
        }
    }

    void constants() {
        const nlohmann::json* value = find("constants", "an object");
        if (value == nullptr) {
            return;
        }
        const auto is_number = [](const nlohmann::json& item) { return item.is_number_unsigned(); };
        if (!value->is_object() || value->empty() || !std::all_of(value->begin(), value->end(), is_number)) {
            fail("constants", "is not an object of whole numbers", R"(write "constants": {"task_type": 1})");
            return;
        }
        for (const auto& [member, number] : value->items()) {
            format_.constants.push_back({member, number.get<std::uint64_t>()});
        }
    }

    /// Reads a text that names one of a fixed set.
    template <class Value>
    void name(const char* key, std::optional<Value> (*from)(std::string_view) noexcept, const std::string& known,
              Value& target) {
        std::string spelling;
        text(key, spelling);
        const std::optional<Value> value = error_ ? std::nullopt : from(spelling);
        if (value) {
            target = *value;
        } else {
            fail(key, fmt::format("\"{}\" is not known", spelling), "use one of: " + known);
        }
    }

    bool has(const char* key) const { return entry_.contains(key); }

    void fail(const std::string& member, const std::string& reason, const std::string& remedy) {
        if (!error_) {
            error_ = format_error(format_, member, reason, remedy);
        }
    }

    const std::optional<Error>& error() const { return error_; }

private:
    const nlohmann::json* find(const char* key, const char* kind) {
        const auto found = entry_.find(key);
        if (error_ || found == entry_.end()) {
            fail(key, "is missing", fmt::format("add \"{}\", {}", key, kind));
            return nullptr;
        }
        return &*found;
    }

    static bool read_texts(const nlohmann::json& list, std::vector<std::string>& target) {
        if (!list.is_array() || list.empty()) {
            return false;
        }
        for (const nlohmann::json& item : list) {
            if (!item.is_string()) {
                return false;
            }
            target.push_back(item.get_ref<const std::string&>());
        }
        return true;
    }

    const nlohmann::json& entry_;
    FormatDefinition& format_;
    std::optional<Error> error_;
};

}  // namespace opdebug::logs
