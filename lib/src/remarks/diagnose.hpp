// Remarks in both languages. lib/data/diagnostics has their texts, one line for each way to state a code:
//
//   diagnose("log_damaged", {{"file", line.file}})
//   {"id": "log_damaged", "severity": "warning", "en": "{file} is damaged: …", "zh": "{file} 已损坏：…"}
//
// A code with several texts has ids "code.variant". "{count|file|files}" chooses a word by a number. Lines without a
// severity are phrases: values of other texts.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/result.hpp>

namespace opdebug::remarks {

/// The value of a {name}: a text or number, or a phrase.
struct Field {
    Field(std::string_view field, LocalizedText value) : name(field), text(std::move(value)) {}
    template <class T, std::enable_if_t<!std::is_convertible_v<const T&, LocalizedText>, int> = 0>
    Field(std::string_view field, const T& value) : name(field) {
        if constexpr (std::is_convertible_v<const T&, std::string_view>) {
            text.en = std::string_view(value);
        } else {
            text.en = fmt::format("{}", value);
        }
    }

    std::string_view name;
    LocalizedText text;  ///< `zh` is empty where both languages have the same
};

using Fields = std::initializer_list<Field>;

/// The remark with this id. Its code is the id up to the first dot.
Diagnostic diagnose(std::string_view id, Fields fields = {});
Diagnostic diagnose(std::string_view id, std::span<const Field> fields);

/// A remark of severity error with the code and the message of an error.
Diagnostic diagnose(const Error& error);

/// The same remark with this and a colon before its message.
Diagnostic begin_with(const LocalizedText& beginning, const Diagnostic& remark);
inline Diagnostic begin_with(const std::string& beginning, const Diagnostic& remark) {
    return begin_with(LocalizedText{beginning, beginning}, remark);
}

/// The Chinese text of an English message of an error (lib/data/diagnostics/errors.jsonl); empty: it has none. Errors
/// have English messages only: they are values of the public headers.
std::string in_chinese(std::string_view message);

/// An error in both languages. Without a Chinese text: the meaning of the code, then the English message.
LocalizedText text_of(const Error& error);
LocalizedText text_of(std::string_view code, const std::string& message);

/// The phrase with this id.
LocalizedText phrase(std::string_view id, Fields fields = {});

/// The end of a remark on a limit that was passed: its name and value, and how to raise it.
LocalizedText passed_limit(const Limits& limits, std::uint64_t Limits::*limit);

/// Appends a text to another.
inline void append(const LocalizedText& more, LocalizedText& text) {
    text.en += more.en;
    text.zh += more.zh;
}

/// The texts with a separator between them.
LocalizedText joined(const std::vector<LocalizedText>& texts, const LocalizedText& separator);

}  // namespace opdebug::remarks
