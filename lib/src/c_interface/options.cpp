// The table of options, and how each is set.
#include "c_interface/options.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <variant>

#include <fmt/format.h>

#include <opdebug/report.hpp>

#include "bytes/file.hpp"
#include "c_interface/calls.hpp"

namespace opdebug::c_interface {
namespace {

struct Path {
    std::string_view bytes;
};

/// What a setter received.
using Value = std::variant<std::string_view, std::int64_t, bool, Path>;

Error wrong_options(std::string message) {
    return {ErrorCode::invalid_argument, "options: " + std::move(message), {}, {}};
}

std::string quoted(std::string_view text) {
    return fmt::format("\"{}\"", shown(text));
}

std::string shown_value(const Value& value) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
        return std::to_string(*number);
    }
    if (const auto* const flag = std::get_if<bool>(&value)) {
        return *flag ? "true" : "false";
    }
    const auto* const path = std::get_if<Path>(&value);
    return path != nullptr ? "the path " + quoted(path->bytes) : quoted(std::get<std::string_view>(value));
}

/// Nothing if the value is no number in this range.
std::optional<std::int64_t> number_in(const Value& value, std::int64_t least, std::int64_t most) {
    const auto* const number = std::get_if<std::int64_t>(&value);
    return number != nullptr && *number >= least && *number <= most ? std::optional(*number) : std::nullopt;
}

// The same ranges as those of the program's options.
constexpr std::int64_t kMostMinutes = 1080;  // 18 hours
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

bool set_language(const Value& value, Options& options) {
    const auto* const text = std::get_if<std::string_view>(&value);
    if (text == nullptr || (*text != "en" && *text != "zh")) {
        return false;
    }
    options.language = *text == "zh" ? Language::chinese : Language::english;
    return true;
}

template <bool Options::*Member>
bool set_flag(const Value& value, Options& options) {
    const auto* const flag = std::get_if<bool>(&value);
    options.*Member = flag != nullptr ? *flag : options.*Member;
    return flag != nullptr;
}

template <std::vector<std::string> Options::*Member>
bool add_path(const Value& value, Options& options) {
    const auto* const path = std::get_if<Path>(&value);
    if (path == nullptr || path->bytes.empty()) {
        return false;
    }
    (options.*Member).emplace_back(path->bytes);
    return true;
}

bool set_utc_offset(const Value& value, Options& options) {
    const auto minutes = number_in(value, -kMostMinutes, kMostMinutes);
    options.utc_offset_minutes = minutes ? std::optional(static_cast<int>(*minutes)) : options.utc_offset_minutes;
    return minutes.has_value();
}

bool set_threads(const Value& value, Options& options) {
    const auto threads = number_in(value, 0, kMostThreads);
    options.threads = threads ? static_cast<unsigned>(*threads) : options.threads;
    return threads.has_value();
}

template <std::optional<std::uint64_t> Options::*Member, std::int64_t Least>
bool set_count(const Value& value, Options& options) {
    const auto count = number_in(value, Least, kLargest);
    options.*Member = count ? std::optional(static_cast<std::uint64_t>(*count)) : options.*Member;
    return count.has_value();
}

bool set_temporary_folder(const Value& value, Options& options) {
    const auto* const text = std::get_if<std::string_view>(&value);
    if (text == nullptr || text->empty()) {
        return false;
    }
    options.temporary_folder = *text;
    return true;
}

/// opdebug_options_set_limit() sets them.
bool refuse(const Value& /*value*/, Options& /*options*/) {
    return false;
}

struct Option {
    std::string_view name;
    unsigned takers;
    std::string_view expected;
    bool (*set)(const Value& value, Options& options);  ///< false: the value is not what was expected
};

constexpr std::string_view kFlag = "true or false";
constexpr std::string_view kPaths = "a list of paths that are not empty";
constexpr unsigned kDecoding = decoding | explaining | scanning;
constexpr unsigned kExplaining = kDecoding | explaining_status;
constexpr Option kOptions[] = {
    {"language", kExplaining | examining | merging, "\"en\" or \"zh\"", set_language},
    {"tensors", kDecoding, kFlag, set_flag<&Options::tensors>},
    {"verbose", explaining, kFlag, set_flag<&Options::verbose>},
    {"utc_offset_minutes", kDecoding, "a whole number from -1080 to 1080", set_utc_offset},
    {"system_time_zone", kDecoding | examining, kFlag, set_flag<&Options::system_time_zone>},
    {"status_catalogue", kExplaining, kPaths, add_path<&Options::status_catalogue>},
    {"log_formats", reading_logs, kPaths, add_path<&Options::log_formats>},
    {"wanted", reading_logs, kPaths, add_path<&Options::wanted>},
    {"threads", reading_logs | scanning | judging_api_dumps, "a whole number from 0 to 1024", set_threads},
    {"all", scanning, kFlag, set_flag<&Options::all>},
    {"first", scanning | merging, "a whole number from 0 on", set_count<&Options::first, 0>},
    {"traces", scanning, kPaths, add_path<&Options::traces>},
    {"findings_per_verdict", judging_api_dumps, "a whole number from 1 on",
     set_count<&Options::findings_per_verdict, 1>},
    {"temporary_folder", scanning | merging, "the path of a folder", set_temporary_folder},
    {"limits", kExplaining | reading_logs | judging_api_dumps | finding | measuring | examining,
     "a set of named limits", refuse},
};
static_assert(std::size(kOptions) <= std::numeric_limits<decltype(opdebug_options::set)>::digits);

constexpr std::uint32_t bit_of(const Option& option) {
    return std::uint32_t{1} << static_cast<unsigned>(&option - kOptions);
}

const Option* option_named(std::string_view name) {
    const auto* const option =
        std::find_if(std::begin(kOptions), std::end(kOptions), [&](const Option& known) { return known.name == name; });
    return option == std::end(kOptions) ? nullptr : option;
}

/// `takers`: the options that one of these functions uses.
std::string known_names(unsigned takers) {
    std::string names;
    for (const Option& option : kOptions) {
        if ((option.takers & takers) != 0) {
            names += (names.empty() ? "" : ", ") + std::string(option.name);
        }
    }
    return names;
}

std::optional<Error> assign(opdebug_options& options, std::string_view name, const Value& value) {
    const Option* const option = option_named(name);
    if (option == nullptr) {
        return wrong_options(fmt::format("{} is no option; there are {}", quoted(name), known_names(~0U)));
    }
    if (!option->set(value, options.values)) {
        return wrong_options(fmt::format("\"{}\" is {}, not {}", name, option->expected, shown_value(value)));
    }
    options.set |= bit_of(*option);
    return std::nullopt;
}

std::optional<Error> assign_limit(opdebug_options& options, std::string_view name, std::int64_t value) {
    if (value < 1) {
        return wrong_options(fmt::format("\"limits\": {} is a whole number from 1 on, not {}", quoted(name), value));
    }
    if (const auto error = set_limit(options.values.limits, name, static_cast<std::uint64_t>(value))) {
        return wrong_options("\"limits\": " + shown(error->message));
    }
    options.set |= bit_of(*option_named("limits"));
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

Result<Options> options_of(const opdebug_options* given, Taker taker) {
    if (given == nullptr) {
        return Options();
    }
    for (const Option& option : kOptions) {
        if ((given->set & bit_of(option)) != 0 && (option.takers & taker) == 0) {
            return wrong_options(
                fmt::format("this function does not use \"{}\"; it uses {}", option.name, known_names(taker)));
        }
    }
    return given->values;
}

Result<Decoding> decoding_of(const opdebug_options* given, Taker taker) {
    const Result<Options> options = options_of(given, taker);
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
    return changed(options, name, value != nullptr, error,
                   [&] { return assign(*options, name, std::string_view(value)); });
}

int opdebug_options_set_number(opdebug_options* options, const char* name, int64_t value, opdebug_error** error) {
    return changed(options, name, true, error, [&] { return assign(*options, name, std::int64_t{value}); });
}

int opdebug_options_set_flag(opdebug_options* options, const char* name, int value, opdebug_error** error) {
    return changed(options, name, true, error, [&] { return assign(*options, name, value != 0); });
}

int opdebug_options_add_path(opdebug_options* options, const char* name, const char* path, opdebug_error** error) {
    return changed(options, name, path != nullptr, error, [&] { return assign(*options, name, Path{path}); });
}

int opdebug_options_set_limit(opdebug_options* options, const char* name, int64_t value, opdebug_error** error) {
    return changed(options, name, true, error, [&] { return assign_limit(*options, name, value); });
}
