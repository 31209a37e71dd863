// The table of options, and how each is read.
#include "c_interface/options.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "bytes/file.hpp"
#include "json/document.hpp"

namespace opdebug::c_interface {
namespace {

using nlohmann::json;

Error wrong_options(std::string message) {
    return {ErrorCode::invalid_argument, "options: " + std::move(message), {}, {}};
}

/// The value as it stands; of lists and objects only that they are that.
std::string shown_value(const json& value) {
    return value.is_structured() ? fmt::format("an {}", value.type_name()) : shown(value.dump());
}

/// Whole numbers that an option may be.
struct Range {
    std::int64_t least;
    std::int64_t most;
};

// The same limits as those of the program's options.
constexpr Range kOffsetMinutes{-1080, 1080};  // 18 hours
constexpr Range kThreads{0, 1024};

bool read_language(const json& value, Options& options) {
    options.language = value == "zh" ? Language::chinese : Language::english;
    return value == "zh" || value == "en";
}

template <bool Options::*Member>
bool read_flag(const json& value, Options& options) {
    options.*Member = value.is_boolean() && value.get<bool>();
    return value.is_boolean();
}

bool is_in(const Range& range, const json& value) {
    // A number above the largest signed one would come out negative.
    return value.is_number_unsigned()
               ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(range.most)
               : value.is_number_integer() && value.get<std::int64_t>() >= range.least;  // so it is negative
}

bool read_utc_offset(const json& value, Options& options) {
    const bool fits = is_in(kOffsetMinutes, value);
    options.utc_offset_minutes = fits ? std::optional<int>(value.get<int>()) : std::nullopt;
    return fits;
}

/// A path of the system ends at its first NUL.
bool is_path(const json& value) {
    return value.is_string() && !value.get_ref<const std::string&>().empty() &&
           value.get_ref<const std::string&>().find('\0') == std::string::npos;
}

template <std::vector<std::string> Options::*Member>
bool read_paths(const json& value, Options& options) {
    const bool fits = value.is_array() && std::all_of(value.begin(), value.end(), is_path);
    options.*Member = fits ? value.get<std::vector<std::string>>() : std::vector<std::string>();
    return fits;
}

bool read_threads(const json& value, Options& options) {
    const bool fits = is_in(kThreads, value);
    options.threads = fits ? value.get<unsigned>() : 0;
    return fits;
}

bool read_first(const json& value, Options& options) {
    const bool fits = value.is_number_unsigned();
    options.first = fits ? std::optional<std::uint64_t>(value.get<std::uint64_t>()) : std::nullopt;
    return fits;
}

bool read_findings_per_verdict(const json& value, Options& options) {
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() != 0;
    options.findings_per_verdict = fits ? std::optional<std::uint64_t>(value.get<std::uint64_t>()) : std::nullopt;
    return fits;
}

bool read_temporary_folder(const json& value, Options& options) {
    options.temporary_folder = is_path(value) ? value.get<std::string>() : options.temporary_folder;
    return is_path(value);
}

/// What keeps an object from being limits; nothing when they are.
std::optional<Error> fault_of_limits(const json& value) {
    Limits limits;
    for (const auto& item : value.items()) {
        if (!item.value().is_number_unsigned()) {
            return wrong_options(fmt::format("\"limits\": {} is a whole number from 1 on, not {}",
                                             shown(json(item.key()).dump()), shown_value(item.value())));
        }
        if (auto error = set_limit(limits, item.key(), item.value().get<std::uint64_t>())) {
            return wrong_options("\"limits\": " + shown(error->message));
        }
    }
    return std::nullopt;
}

bool read_limits(const json& value, Options& options) {
    if (!value.is_object() || fault_of_limits(value)) {
        return false;
    }
    for (const auto& item : value.items()) {
        static_cast<void>(set_limit(options.limits, item.key(), item.value().get<std::uint64_t>()));
    }
    return true;
}

struct Option {
    std::string_view name;
    unsigned takers;
    std::string_view expected;
    bool (*read)(const json& value, Options& options);  ///< false: the value is not what was expected
    std::optional<Range> range = std::nullopt;          ///< stands behind `expected`
    bool (*fits_item)(const json& item) = nullptr;      ///< of a list: whether it may hold this
    std::optional<Error> (*fault_of_object)(const json& object) = nullptr;  ///< of an object: what is wrong in it
};

constexpr std::string_view kFlag = "true or false";
constexpr std::string_view kPaths = "a list of paths that are not empty and hold no NUL";
constexpr std::string_view kWholeNumber = "a whole number";
constexpr unsigned kExplaining = decoding | explaining_status | scanning;
constexpr Option kOptions[] = {
    {"language", kExplaining, "\"en\" or \"zh\"", read_language},
    {"tensors", decoding | scanning, kFlag, read_flag<&Options::tensors>},
    {"utc_offset_minutes", decoding | scanning, kWholeNumber, read_utc_offset, kOffsetMinutes},
    {"system_time_zone", decoding | scanning, kFlag, read_flag<&Options::system_time_zone>},
    {"status_catalogue", kExplaining, kPaths, read_paths<&Options::status_catalogue>, {}, is_path},
    {"log_formats", reading_logs, kPaths, read_paths<&Options::log_formats>, {}, is_path},
    {"wanted", reading_logs, kPaths, read_paths<&Options::wanted>, {}, is_path},
    {"threads", reading_logs | scanning | judging_api_dumps, kWholeNumber, read_threads, kThreads},
    {"all", scanning, kFlag, read_flag<&Options::all>},
    {"first", scanning, "a whole number that is not negative", read_first},
    {"traces", scanning, kPaths, read_paths<&Options::traces>, {}, is_path},
    {"findings_per_verdict", judging_api_dumps, "a whole number from 1 on", read_findings_per_verdict},
    {"temporary_folder", scanning, "the path of a folder", read_temporary_folder},
    {"limits",
     kExplaining | reading_logs | judging_api_dumps | finding,
     "an object of names and whole numbers",
     read_limits,
     {},
     nullptr,
     fault_of_limits},
};

Error wrong_value(const Option& option, const json& value) {
    const std::string range =
        option.range ? fmt::format(" from {} to {}", option.range->least, option.range->most) : "";
    const std::string expected = fmt::format("\"{}\" is {}{}", option.name, option.expected, range);
    if (option.fault_of_object != nullptr && value.is_object()) {
        return option.fault_of_object(value).value_or(wrong_options(expected));
    }
    if (option.fits_item != nullptr && value.is_array()) {
        const auto wrong = std::find_if_not(value.begin(), value.end(), option.fits_item);
        return wrong_options(
            fmt::format("{}; its item {} is {}", expected, wrong - value.begin() + 1, shown_value(*wrong)));
    }
    return wrong_options(fmt::format("{}, not {}", expected, shown_value(value)));
}

std::string known_names(Taker taker) {
    std::string names;
    for (const Option& option : kOptions) {
        if ((option.takers & taker) != 0) {
            names += (names.empty() ? "" : ", ") + std::string(option.name);
        }
    }
    return names;
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

Result<Options> read_options(const char* text, Taker taker) {
    Options options;
    if (text == nullptr) {
        return options;
    }
    json_stage::Fault fault;
    Limits of_options;  // the text is the caller's own; each option says what it may hold
    of_options.name_bytes = std::numeric_limits<std::uint64_t>::max();
    const json document = json_stage::parse_document(text, fault, nullptr, of_options);
    if (fault.found()) {
        return wrong_options(shown(fault.reason) + "; " + shown(fault.remedy));
    }
    if (!document.is_object()) {
        return wrong_options("a JSON object was expected, not " + shown_value(document));
    }
    for (const auto& item : document.items()) {
        const std::string& name = item.key();
        const auto* const option = std::find_if(std::begin(kOptions), std::end(kOptions), [&](const Option& known) {
            return known.name == name && (known.takers & taker) != 0;
        });
        if (option == std::end(kOptions)) {
            return wrong_options(fmt::format("{} is not known to this function, which takes {}",
                                             shown(json(name).dump()), known_names(taker)));
        }
        if (!option->read(item.value(), options)) {
            return wrong_value(*option, item.value());
        }
    }
    return options;
}

Result<Decoding> read_decoding(const char* text, Taker taker) {
    const Result<Options> options = read_options(text, taker);
    if (!options) {
        return options.error();
    }
    const auto catalogue = catalogue_of(*options);
    if (!catalogue) {
        return catalogue.error();
    }
    Decoding decoding{*options, {}};
    decoding.decode.catalogue = *catalogue;
    decoding.decode.limits = options->limits;
    return decoding;
}

ReportOptions report_of(const Options& options) {
    ReportOptions report;
    report.language = options.language;
    report.one_line = true;
    report.tensors = options.tensors;
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
