// The table of options, and how each is set.
#include "c_interface/calls.hpp"

#include <limits>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "bytes/file.hpp"

namespace opdebug::c_interface {
namespace {

/// What a setter received.
struct Value {
    enum class Kind { text, number, flag, path } kind;
    std::string_view text = {};
    std::int64_t number = 0;
};

Error wrong_options(std::string message) {
    return {ErrorCode::invalid_argument, "options: " + std::move(message), {}, {}};
}

std::string quoted(std::string_view text) {
    return fmt::format("\"{}\"", shown(text));
}

std::string shown_value(const Value& value) {
    switch (value.kind) {
        case Value::Kind::number: return std::to_string(value.number);
        case Value::Kind::flag: return value.number != 0 ? "true" : "false";
        case Value::Kind::path: return "the path " + quoted(value.text);
        case Value::Kind::text: break;
    }
    return quoted(value.text);
}

// The same ranges as those of the program's options.
constexpr std::int64_t kMostMinutes = 1080;  // 18 hours
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

/// A language, a folder and a path are text; they are not empty.
struct Option {
    std::string_view name;
    Value::Kind kind;
    std::string_view expected;
    std::int64_t least, most;  ///< of a number
    void (*set)(const Value& value, Options& options);
};

constexpr std::string_view kFlag = "true or false";
constexpr std::string_view kPaths = "a list of paths that are not empty";
constexpr Option kOptions[] = {
    {"language", Value::Kind::text, "\"en\" or \"zh\"", 0, 0,
     [](const Value& value, Options& options) {
         options.language = value.text == "zh" ? Language::chinese : Language::english;
     }},
    {"temporary_folder", Value::Kind::text, "the path of a folder", 0, 0,
     [](const Value& value, Options& options) { options.temporary_folder = value.text; }},
    {"tensors", Value::Kind::flag, kFlag, 0, 1,
     [](const Value& value, Options& options) { options.tensors = value.number != 0; }},
    {"verbose", Value::Kind::flag, kFlag, 0, 1,
     [](const Value& value, Options& options) { options.verbose = value.number != 0; }},
    {"system_time_zone", Value::Kind::flag, kFlag, 0, 1,
     [](const Value& value, Options& options) { options.system_time_zone = value.number != 0; }},
    {"all", Value::Kind::flag, kFlag, 0, 1,
     [](const Value& value, Options& options) { options.all = value.number != 0; }},
    {"utc_offset_minutes", Value::Kind::number, "a whole number from -1080 to 1080", -kMostMinutes, kMostMinutes,
     [](const Value& value, Options& options) { options.utc_offset_minutes = static_cast<int>(value.number); }},
    {"threads", Value::Kind::number, "a whole number from 0 to 1024", 0, kMostThreads,
     [](const Value& value, Options& options) { options.threads = static_cast<unsigned>(value.number); }},
    {"first", Value::Kind::number, "a whole number from 0 on", 0, kLargest,
     [](const Value& value, Options& options) { options.first = static_cast<std::uint64_t>(value.number); }},
    {"findings_per_verdict", Value::Kind::number, "a whole number from 1 on", 1, kLargest,
     [](const Value& value, Options& options) {
         options.findings_per_verdict = static_cast<std::uint64_t>(value.number);
     }},
    {"status_catalogue", Value::Kind::path, kPaths, 0, 0,
     [](const Value& value, Options& options) { options.status_catalogue.emplace_back(value.text); }},
    {"log_formats", Value::Kind::path, kPaths, 0, 0,
     [](const Value& value, Options& options) { options.log_formats.emplace_back(value.text); }},
    {"wanted", Value::Kind::path, kPaths, 0, 0,
     [](const Value& value, Options& options) { options.wanted.emplace_back(value.text); }},
    {"traces", Value::Kind::path, kPaths, 0, 0,
     [](const Value& value, Options& options) { options.traces.emplace_back(value.text); }},
};

bool is_expected(const Value& value, const Option& option) {
    if (value.kind != option.kind) {
        return false;
    }
    if (value.kind == Value::Kind::number) {
        return value.number >= option.least && value.number <= option.most;
    }
    const bool is_language = option.name != "language" || value.text == "en" || value.text == "zh";
    return value.kind == Value::Kind::flag || (!value.text.empty() && is_language);
}

std::optional<Error> assign(opdebug_options& options, std::string_view name, const Value& value) {
    if (name == "limits") {
        return wrong_options("\"limits\": each limit is set with opdebug_options_set_limit()");
    }
    std::string names;
    for (const Option& option : kOptions) {
        if (option.name != name) {
            names += std::string(option.name) + ", ";
        } else if (is_expected(value, option)) {
            option.set(value, options.values);
            return std::nullopt;
        } else {
            return wrong_options(fmt::format("\"{}\" is {}, not {}", name, option.expected, shown_value(value)));
        }
    }
    return wrong_options(fmt::format("{} is no option; there are {}limits", quoted(name), names));
}

std::optional<Error> assign_limit(opdebug_options& options, std::string_view name, std::int64_t value) {
    if (value < 1) {
        return wrong_options(fmt::format("\"limits\": {} is a whole number from 1 on, not {}", quoted(name), value));
    }
    if (const auto error = set_limit(options.values.limits, name, static_cast<std::uint64_t>(value))) {
        return wrong_options("\"limits\": " + shown(error->message));
    }
    return std::nullopt;
}

/// Calls `change`, which gives an optional<Error>, after the checks that all setters share.
template <class Change>
int changed(opdebug_options* options, const char* name, bool has_value, opdebug_error** error, const Change& change) {
    const auto* const done = guarded<opdebug_options>(error, [&]() -> Result<opdebug_options*> {
        if (options == nullptr || name == nullptr || !has_value) {
            return null_argument(options == nullptr ? "options" : name == nullptr ? "name" : "value");
        }
        std::optional<Error> fault = change();
        return fault ? Result<opdebug_options*>(std::move(*fault)) : Result<opdebug_options*>(options);
    });
    return done != nullptr ? 1 : 0;
}

/// Null: the built-in one.
Result<std::shared_ptr<const StatusCatalogue>> catalogue_of(const Options& options) {
    if (options.status_catalogue.empty()) {
        return std::shared_ptr<const StatusCatalogue>();
    }
    std::vector<NamedText> files;
    for (const std::string& path : options.status_catalogue) {
        const auto bytes =
            bytes::read_file(path, options.limits, &Limits::definition_bytes, ErrorCode::definition_too_large);
        if (!bytes) {
            return bytes.error();
        }
        files.push_back({path, std::string(bytes->begin(), bytes->end())});
    }
    return load_status_catalogue(files, options.limits);
}

}  // namespace

std::string shown(std::string_view given) {
    constexpr std::size_t kMost = 200;
    constexpr unsigned kContinuation = 0x80, kContinuationMask = 0xC0;  // of UTF-8: RFC 3629
    if (given.size() <= kMost) {
        return printable(given);
    }
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(given[end]) & kContinuationMask) == kContinuation) {
        --end;  // not in the middle of a character
    }
    return printable(given.substr(0, end)) + "...";
}

const Options& options_of(const opdebug_options* given) {
    static const Options defaults;
    return given == nullptr ? defaults : given->values;
}

Result<Decoding> decoding_of(const opdebug_options* given) {
    const Options& options = options_of(given);
    const auto catalogue = catalogue_of(options);
    if (!catalogue) {
        return catalogue.error();
    }
    Decoding decoding{options, {}};
    decoding.decode.catalogue = *catalogue;
    decoding.decode.limits = options.limits;
    return decoding;
}

ReportOptions report_of(const Options& options) {
    ReportOptions report;
    report.language = options.language;
    report.one_line = true;
    report.tensors = options.tensors;
    report.verbose = options.verbose;
    return report;
}

LocateOptions locate_of(const Options& options, const opdebug_logs* logs) {
    LocateOptions locate;
    locate.task_map = logs == nullptr ? nullptr : logs->read.task_map;
    locate.utc_offset_minutes = options.utc_offset_minutes;
    locate.limits = options.limits;
    return locate;
}

}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

opdebug_options* opdebug_options_new(void) {
    try {
        return new opdebug_options();
    } catch (...) {
        return nullptr;
    }
}

void opdebug_options_free(opdebug_options* options) {
    delete options;
}

int opdebug_options_set_text(opdebug_options* options, const char* name, const char* value, opdebug_error** error) {
    return changed(options, name, value != nullptr, error, [&] {
        return assign(*options, name, {Value::Kind::text, value, 0});
    });
}

int opdebug_options_set_number(opdebug_options* options, const char* name, int64_t value, opdebug_error** error) {
    return changed(options, name, true, error, [&] {
        return assign(*options, name, {Value::Kind::number, {}, value});
    });
}

int opdebug_options_set_flag(opdebug_options* options, const char* name, int value, opdebug_error** error) {
    return changed(options, name, true, error, [&] { return assign(*options, name, {Value::Kind::flag, {}, value}); });
}

int opdebug_options_add_path(opdebug_options* options, const char* name, const char* path, opdebug_error** error) {
    return changed(options, name, path != nullptr, error, [&] {
        return assign(*options, name, {Value::Kind::path, path, 0});
    });
}

int opdebug_options_set_limit(opdebug_options* options, const char* name, int64_t value, opdebug_error** error) {
    return changed(options, name, true, error, [&] { return assign_limit(*options, name, value); });
}
