// The table of options. Each is set by its name and a text.
#include "c_interface/calls.hpp"

#include <charconv>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "bytes/file.hpp"

namespace opdebug::c_interface {
namespace {

Error wrong_options(std::string message) {
    return {ErrorCode::invalid_argument, "options: " + std::move(message), {}, {}};
}

std::string quoted(std::string_view text) {
    return fmt::format("\"{}\"", shown(text));
}

// The same ranges as those of the program's options.
constexpr std::int64_t kMostMinutes = 1080;  // 18 hours
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

/// False, and the target unchanged, for a text that is no number of the range.
template <class Target>
bool read_number(std::string_view text, std::int64_t least, std::int64_t most, Target& target) {
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || number < least || number > most) {
        return false;
    }
    target = static_cast<Target>(number);
    return true;
}

template <class Target>
bool read_number(std::string_view text, std::int64_t least, std::int64_t most, std::optional<Target>& target) {
    Target number = 0;
    const bool is_read = read_number(text, least, most, number);
    target = is_read ? std::optional(number) : target;
    return is_read;
}

template <bool Options::*Flag>
bool set_flag(std::string_view value, Options& options) {
    return read_number(value, 0, 1, options.*Flag);
}

template <std::vector<std::string> Options::*List>
bool add_path(std::string_view value, Options& options) {
    if (!value.empty()) {
        (options.*List).emplace_back(value);
    }
    return !value.empty();
}

/// `set` returns false, and changes nothing, for a value that is not expected.
struct Option {
    std::string_view name, expected;
    bool (*set)(std::string_view value, Options& options);
};

constexpr std::string_view kFlag = "0 or 1", kPath = "a path that is not empty";
constexpr Option kOptions[] = {
    {"language", "\"en\" or \"zh\"",
     [](std::string_view value, Options& options) {
         const bool is_known = value == "zh" || value == "en";
         options.language = !is_known ? options.language : value == "zh" ? Language::chinese : Language::english;
         return is_known;
     }},
    {"temporary_folder", "the path of a folder",
     [](std::string_view value, Options& options) {
         if (!value.empty()) {
             options.temporary_folder = value;
         }
         return !value.empty();
     }},
    {"tensors", kFlag, set_flag<&Options::tensors>},
    {"verbose", kFlag, set_flag<&Options::verbose>},
    {"system_time_zone", kFlag, set_flag<&Options::system_time_zone>},
    {"all", kFlag, set_flag<&Options::all>},
    {"utc_offset_minutes", "a whole number from -1080 to 1080",
     [](std::string_view value, Options& options) {
         return read_number(value, -kMostMinutes, kMostMinutes, options.utc_offset_minutes);
     }},
    {"threads", "a whole number from 0 to 1024",
     [](std::string_view value, Options& options) { return read_number(value, 0, kMostThreads, options.threads); }},
    {"first", "a whole number from 0 on",
     [](std::string_view value, Options& options) { return read_number(value, 0, kLargest, options.first); }},
    {"findings_per_verdict", "a whole number from 1 on",
     [](std::string_view value, Options& options) {
         return read_number(value, 1, kLargest, options.findings_per_verdict);
     }},
    {"status_catalogue", kPath, add_path<&Options::status_catalogue>},
    {"log_formats", kPath, add_path<&Options::log_formats>},
    {"wanted", kPath, add_path<&Options::wanted>},
    {"traces", kPath, add_path<&Options::traces>},
};

constexpr std::string_view kOfLimits = "limits.";  ///< before the name of a limit: no other option is meant

/// A name that is no option may be a limit.
std::optional<Error> assign(std::string_view name, std::string_view value, Options& options) {
    const bool is_limit = name.starts_with(kOfLimits);
    name.remove_prefix(is_limit ? kOfLimits.size() : 0);
    std::string names;
    for (const Option& option : is_limit ? std::span<const Option>() : std::span<const Option>(kOptions)) {
        if (option.name == name) {
            return option.set(value, options) ? std::nullopt
                                              : std::optional(wrong_options(fmt::format(
                                                    "\"{}\" is {}, not {}", name, option.expected, quoted(value))));
        }
        names += std::string(option.name) + ", ";
    }
    std::uint64_t number = 1;
    const bool is_number = read_number(value, 1, kLargest, number);
    Limits limits = options.limits;
    if (const auto error = set_limit(limits, name, number)) {
        return wrong_options(is_limit ? shown(error->message)
                                      : fmt::format("{} is no option; there are {}and limits: {}", quoted(name), names,
                                                    shown(error->message)));
    }
    options.limits = is_number ? limits : options.limits;
    return is_number ? std::nullopt
                     : std::optional(wrong_options(
                           fmt::format("limit \"{}\" is a whole number from 1 on, not {}", name, quoted(value))));
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

int opdebug_options_set(opdebug_options* options, const char* name, const char* value, opdebug_error** error) {
    const auto* const done = guarded<opdebug_options>(error, [&]() -> opdebug::Result<opdebug_options*> {
        if (options == nullptr || name == nullptr || value == nullptr) {
            return null_argument(options == nullptr ? "options" : name == nullptr ? "name" : "value");
        }
        if (std::optional<opdebug::Error> fault = assign(name, value, options->values)) {
            return *std::move(fault);
        }
        return options;
    });
    return done != nullptr ? 1 : 0;
}
