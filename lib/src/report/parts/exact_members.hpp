// Texts of any bytes as JSON members, written and read. What is read may be anything: a wrong member is remembered.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <opdebug/result.hpp>

#include "report/json/json_writer.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {

using nlohmann::json;

/// Reads the members of an object; what is not as it should be is remembered, and leaves its target as it is.
class Members {
public:
    Members(const json& object, bool& sound) : object_(object), sound_(sound) { check(object.is_object()); }

    const json* find(const char* name) const {
        const auto member = object_.is_object() ? object_.find(name) : object_.end();
        return object_.is_object() && member != object_.end() ? &*member : nullptr;
    }
    void check(bool condition) const { sound_ = sound_ && condition; }

    void text(const char* name, std::string& target) const {
        if (const json* member = find(name)) {
            exact(*member, target);
        }
    }
    void text(const char* name, std::optional<std::string>& target) const {
        const json* member = find(name);
        if (member != nullptr && !member->is_null()) {
            exact(*member, target.emplace());
        }
    }
    void number(const char* name, std::uint64_t& target) const {
        if (const json* member = find(name)) {
            check(member->is_number_unsigned());
            target = member->is_number_unsigned() ? member->get<std::uint64_t>() : target;
        }
    }
    void number(const char* name, std::optional<std::uint64_t>& target) const {
        const json* member = find(name);
        if (member != nullptr && !member->is_null()) {
            number(name, target.emplace());
        }
    }
    void truth(const char* name, bool& target) const {
        if (const json* member = find(name)) {
            check(member->is_boolean());
            target = member->is_boolean() && member->get<bool>();
        }
    }
    void texts(const char* name, std::vector<std::string>& target) const {
        each(name, [&](const json& item) { exact(item, target.emplace_back()); });
    }
    template <class Use>
    void each(const char* name, Use use) const {
        const json* list = find(name);
        check(list != nullptr && list->is_array());
        if (list != nullptr && list->is_array()) {
            for (const json& item : *list) {
                use(item);
            }
        }
    }
    /// One of the values whose names to_string() gives.
    template <class Value, std::size_t Count>
    void word(const char* name, const std::array<Value, Count>& values, Value& target) const {
        std::string spelling;
        text(name, spelling);
        for (const Value value : values) {
            if (to_string(value) == spelling) {
                target = value;
                return;
            }
        }
        check(false);
    }

    /// A text, or the bytes of one that is not UTF-8.
    void exact(const json& value, std::string& target) const {
        if (value.is_string()) {
            target = value.get_ref<const std::string&>();
            return;
        }
        const auto hex = value.is_object() ? value.find("hex") : value.end();
        const bool is_hex = value.is_object() && hex != value.end() && hex->is_string();
        check(is_hex && bytes_of_hex(hex->get_ref<const std::string&>(), target));
    }

private:
    const json& object_;
    bool& sound_;
};

/// The value of a line; discarded when it is no JSON.
json parsed_line(std::string_view line);

/// Objects of "failures" and "diagnostics".
Error read_failure(const json& object, bool& sound);
Diagnostic read_diagnostic(const json& object, bool& sound);

/// JSON has no bytes: what is not UTF-8 stands as {"hex": "..."}.
void write_exact(std::string_view text, JsonWriter& json);

/// Members that are not there are empty or unknown: there are millions of these lines.
void member_if_any(std::string_view name, std::string_view text, JsonWriter& json);
void member_if_known(std::string_view name, const std::optional<std::uint64_t>& number, JsonWriter& json);
void member_if_true(std::string_view name, bool truth, JsonWriter& json);

void write_texts(std::string_view name, const std::vector<std::string>& texts, JsonWriter& json);

/// The members "failures" and "diagnostics".
void write_exact_failures(const std::vector<Error>& failures, JsonWriter& json);
void write_exact_diagnostics(const std::vector<Diagnostic>& diagnostics, JsonWriter& json);

}  // namespace opdebug::report
