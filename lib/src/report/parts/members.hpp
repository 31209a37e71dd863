// The members of the structs in a report for merging. Each struct is described once; writer and reader follow the
// description. What is read comes from files and may be anything.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

#include "json/cursor.hpp"
#include "json/values.hpp"
#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// The type of an object that is written, or the same one that is read. Each struct of a report has a function
///     void members(auto& visit, Of<Struct> auto& object)
/// It calls for each member visit(name, member): absent if it has its default value; or visit.always(name, member).
template <class T, class Struct>
concept Of = std::is_same_v<std::remove_const_t<T>, Struct>;

/// The last enumerator; the first is 0.
template <class Enum>
inline constexpr Enum kLast{};
template <>
inline constexpr Severity kLast<Severity> = Severity::error;
template <>
inline constexpr ErrorCode kLast<ErrorCode> = ErrorCode::internal_error;

/// A text; bytes that are not UTF-8 are {"hex": "..."}, because JSON has no bytes.
void write_exact(std::string_view text, JsonWriter& json);
bool read_exact(json_stage::JsonCursor& cursor, std::string& text);

/// A number, or "nan", "inf" or "-inf".
bool read_double(json_stage::JsonCursor& cursor, double& number);

namespace members_inside {

template <class T>
concept OptionalOrPointer = requires(const T& value) {
    *value;
    static_cast<bool>(value);
};
template <class T>
concept List = requires(const T& value) {
    value.begin();
    value.empty();
};

template <class Enum>
std::string_view name_of(Enum value) {
    if constexpr (std::is_same_v<Enum, Unit>) {
        return unit_key(value);
    } else {
        return to_string(value);
    }
}

template <class T>
bool has_default(const T& value) {
    if constexpr (OptionalOrPointer<T>) {
        return !value;
    } else if constexpr (List<T>) {
        return value.empty();
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        return value == T{};
    } else {
        return false;
    }
}

template <class Enum>
bool read_enum(json_stage::JsonCursor& cursor, Enum& target) {
    std::string_view name;
    if (!json_stage::read_scalar(cursor, json_stage::JsonScalar::Kind::text, name)) {
        return false;
    }
    for (int i = 0; i <= static_cast<int>(kLast<Enum>); ++i) {
        if (name_of(static_cast<Enum>(i)) == name) {
            target = static_cast<Enum>(i);
            return true;
        }
    }
    // Other versions have other error codes; the message is enough.
    return std::is_same_v<Enum, ErrorCode>;
}

}  // namespace members_inside

template <class T>
void write_object(const T& object, JsonWriter& json);
template <class T>
bool read_object(json_stage::JsonCursor& cursor, T& object);

template <class T>
void write_value(const T& value, JsonWriter& json) {
    if constexpr (std::is_same_v<T, std::string>) {
        write_exact(value, json);
    } else if constexpr (std::is_enum_v<T>) {
        json.value(members_inside::name_of(value));
    } else if constexpr (std::is_arithmetic_v<T>) {
        json.value(value);
    } else if constexpr (members_inside::OptionalOrPointer<T>) {
        if (value) {
            write_value(*value, json);
        } else {
            json.null();
        }
    } else if constexpr (members_inside::List<T>) {
        json.begin_array();
        for (const auto& item : value) {
            write_value(item, json);
        }
        json.end_array();
    } else {
        write_object(value, json);
    }
}

/// False: the value has another type, and reading ends.
template <class T>
bool read_value(json_stage::JsonCursor& cursor, T& value) {
    if constexpr (members_inside::OptionalOrPointer<T>) {
        if (json_stage::is_null(cursor)) {
            return cursor.skip_value();
        }
    }
    if constexpr (std::is_same_v<T, std::string>) {
        return read_exact(cursor, value);
    } else if constexpr (std::is_same_v<T, double>) {
        return read_double(cursor, value);
    } else if constexpr (std::is_enum_v<T>) {
        return members_inside::read_enum(cursor, value);
    } else if constexpr (std::is_same_v<T, bool>) {
        return json_stage::read_truth(cursor, value);
    } else if constexpr (std::is_arithmetic_v<T>) {
        return json_stage::read_number(cursor, value);
    } else if constexpr (requires { value.emplace(); }) {
        return read_value(cursor, value.emplace());
    } else if constexpr (members_inside::OptionalOrPointer<T>) {
        const auto made = std::make_shared<std::remove_const_t<typename T::element_type>>();
        value = made;
        return read_value(cursor, *made);
    } else if constexpr (members_inside::List<T>) {
        value.clear();
        return json_stage::each_item(cursor, [&] { return read_value(cursor, value.emplace_back()); });
    } else {
        return read_object(cursor, value);
    }
}

class MemberWriter {
public:
    explicit MemberWriter(JsonWriter& json) : json_(json) {}

    template <class T>
    void operator()(std::string_view name, const T& value) {
        if (!members_inside::has_default(value)) {
            always(name, value);
        }
    }
    template <class T>
    void always(std::string_view name, const T& value) {
        json_.key(name);
        write_value(value, json_);
    }

private:
    JsonWriter& json_;
};

/// Reads the value of one key into the member of that name.
class MemberReader {
public:
    MemberReader(json_stage::JsonCursor& cursor, std::string_view key) : cursor_(cursor), key_(key) {}

    template <class T>
    void operator()(std::string_view name, T& value) {
        if (!is_known_ && name == key_) {
            is_known_ = true;
            // Documents have null for an unknown text.
            const bool is_unknown_text = std::is_same_v<T, std::string> && json_stage::is_null(cursor_);
            is_read_ = is_unknown_text ? cursor_.skip_value() : read_value(cursor_, value);
        }
    }
    template <class T>
    void always(std::string_view name, T& value) {
        (*this)(name, value);
        always_ |= name == key_ ? std::uint64_t{1} << always_present_ : 0U;
        ++always_present_;
    }

    /// Skips the value of an unknown key. False: the value has another type.
    bool finish() { return is_known_ ? is_read_ : cursor_.skip_value(); }

    /// Number of members that are always present, and the bit of the one that the key names; 0: it names none.
    unsigned always_present() const noexcept { return always_present_; }
    std::uint64_t always_bit() const noexcept { return always_; }

private:
    json_stage::JsonCursor& cursor_;
    std::string_view key_;
    bool is_known_ = false, is_read_ = false;
    unsigned always_present_ = 0;
    std::uint64_t always_ = 0;
};

template <class Describe>
void write_members(JsonWriter& json, const Describe& describe) {
    json.value([&] {
        MemberWriter writer(json);
        describe(writer);
    });
}

/// False: not an object, a member of another type, or one missing that is always present.
template <class Describe>
bool read_members(json_stage::JsonCursor& cursor, const Describe& describe) {
    std::uint64_t read = 0;
    const bool is_object = json_stage::each_member(cursor, [&](std::string_view key) {
        MemberReader reader(cursor, key);
        describe(reader);
        read |= reader.always_bit();
        return reader.finish();
    });
    MemberReader no_key(cursor, {});
    describe(no_key);
    return is_object && read + 1 == std::uint64_t{1} << no_key.always_present();
}

template <class T>
void write_object(const T& object, JsonWriter& json) {
    write_members(json, [&object](auto& visit) { members(visit, object); });
}

/// The object as one line.
template <class T>
std::string described_text(const T& object) {
    JsonWriter json;
    write_object(object, json);
    return json.take();
}

template <class T>
bool read_object(json_stage::JsonCursor& cursor, T& object) {
    return read_members(cursor, [&object](auto& visit) { members(visit, object); });
}

/// What a cursor does not check of texts that it skips: UTF-8, and no control characters.
bool has_sound_texts(std::string_view line);

/// Whether the line is one sound JSON value, which `read` reads with a cursor.
template <class Read>
bool read_json_line(std::string_view line, const Read& read) {
    json_stage::JsonCursor cursor(line, UINT64_MAX, json_stage::JsonDialect::strict);
    return has_sound_texts(line) && read(cursor) &&
           line.find_first_not_of(' ', cursor.position()) == std::string_view::npos;
}

void members(auto& visit, Of<Error> auto& failure) {
    visit.always("code", failure.code);
    visit.always("message", failure.message);
    visit.always("file", failure.file);
    visit("offset", failure.offset);
}

void members(auto& visit, Of<Diagnostic> auto& diagnostic) {
    visit.always("severity", diagnostic.severity);
    visit.always("code", diagnostic.code);
    visit.always("message", diagnostic.message);
    visit("message_zh", diagnostic.message_zh);
}

}  // namespace opdebug::report
