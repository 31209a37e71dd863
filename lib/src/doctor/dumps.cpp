// Checks of dumps: readability, folders, and clocks.
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/dump.hpp>
#include <opdebug/tree.hpp>

#include "doctor/checks.hpp"
#include "dump/dump.hpp"
#include "locate/clock.hpp"
#include "remarks/durations.hpp"
#include "tree/name.hpp"

namespace opdebug::doctor {
namespace {

constexpr std::size_t kLookedAt = 1000;
constexpr std::uint64_t kSecond = 1'000'000;
/// Tolerance of clocks. The device takes the time of a dump; the file is written a little later.
constexpr std::uint64_t kClockTolerance = 5 * kSecond;

/// Samples evenly, including the first and the last dump.
std::vector<NamedDump> sample_of(const std::vector<NamedDump>& dumps) {
    if (dumps.size() <= kLookedAt) {
        return dumps;
    }
    std::vector<NamedDump> sample;
    sample.reserve(kLookedAt);
    for (std::size_t i = 0; i < kLookedAt; ++i) {
        sample.push_back(dumps[i * (dumps.size() - 1) / (kLookedAt - 1)]);
    }
    return sample;
}

/// `all`: the number of dumps that the sample is of.
void check_decoding(const std::string& path, const std::vector<NamedDump>& sample, std::size_t all,
                    const DoctorOptions& options, Findings& findings) {
    std::size_t untold = 0, in_part = 0;
    std::string first, reason;
    DecodeOptions decoding;
    decoding.limits = options.limits;
    for (const NamedDump& file : sample) {
        const Result<Dump> dump = dump_stage::decode_named_file(file.path, file.real_name, decoding);
        if (dump && dump->complete()) {
            continue;
        }
        if (untold + in_part == 0) {
            first = file.path;
            reason = dump ? "parts of the dump are missing" : dump.error().message;
        }
        ++(dump && dump->overflow() ? in_part : untold);  // states damaged and failed of a scan
    }
    if (untold + in_part != 0) {
        findings.add(
            "damaged_dumps", path,
            {{"untold", untold}, {"in_part", in_part}, {"dumps", sample.size()}, {"file", first}, {"reason", reason}});
    } else {
        findings.pass("dumps", path, {{"dumps", sample.size()}, {"all", all}});
    }
}

void check_layout(const std::string& path, const std::vector<NamedDump>& dumps, Findings& findings) {
    std::size_t unknown = 0;
    std::string first;
    bool any_rank = false;
    for (const NamedDump& dump : dumps) {
        const PathIds ids = path_ids_of_file(dump.path);
        any_rank = any_rank || ids.rank;
        if (!ids.time && !ids.device_id && !ids.rank && !ids.data_index) {
            first = unknown++ == 0 ? dump.path : first;
        }
    }
    if (unknown != 0) {
        findings.add("layout_unknown", path, {{"dumps", dumps.size()}, {"unknown", unknown}, {"file", first}});
    }
    if (!any_rank) {
        findings.add("ranks_unknown", path);
    } else if (unknown == 0) {
        findings.pass("layout", path);
    }
}

/// The ranks below `world` that are not in the set, as ranges: "0-2, 4".
std::string ranges_without(const std::set<std::uint64_t>& ranks, std::uint64_t world) {
    constexpr std::size_t kShown = 20;
    std::vector<std::string> ranges;
    std::uint64_t next = 0;
    const auto add_up_to = [&](std::uint64_t end) {
        if (next < end) {
            ranges.push_back(end - next == 1 ? std::to_string(next) : fmt::format("{}-{}", next, end - 1));
        }
        next = end + 1;
    };
    for (const std::uint64_t rank : ranks) {
        add_up_to(rank);
    }
    add_up_to(world);
    const bool all_shown = ranges.size() <= kShown;
    ranges.resize(std::min(ranges.size(), kShown));
    return fmt::format("{}{}", fmt::join(ranges, ", "), all_shown ? "" : ", ...");
}

/// Reports missing ranks, if folder names contain the world size.
void check_ranks(const Survey& survey, Findings& findings) {
    for (const auto& [place, ranks] : survey.ranks_of_world) {
        const auto& [folder, world] = place;
        if (ranks.size() < world) {
            findings.add("ranks_missing", folder,
                         {{"world", world}, {"there", ranks.size()}, {"missing", ranges_without(ranks, world)}});
        }
    }
}

/// Modification time of a file, UTC microseconds.
std::optional<std::uint64_t> changed_at(const std::string& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || status.st_mtim.tv_sec < 0) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(status.st_mtim.tv_sec) * kSecond +
           static_cast<std::uint64_t>(status.st_mtim.tv_nsec) / 1000;
}

std::optional<std::uint64_t> time_of(const NamedDump& dump) {
    const auto name = tree::parse_name_of_dump(dump.real_name.empty() ? file_name_of(dump.path) : dump.real_name);
    return name ? name->timestamp_us : std::nullopt;
}

LocalizedText show_apart(std::uint64_t us) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    return remarks::show_duration(static_cast<std::int64_t>(std::min(us, kMost)));
}

/// A file is written after its dump's time; copies are even newer. An older file means that clocks differ. False: no
/// dump could be compared.
bool check_clocks(const std::string& path, const std::vector<NamedDump>& sample, const DoctorOptions& options,
                  Findings& findings) {
    std::size_t compared = 0, older = 0;
    std::uint64_t most = 0, newest = 0;
    for (const NamedDump& dump : sample) {
        const auto time = time_of(dump), changed = changed_at(dump.path);
        newest = std::max(newest, time.value_or(0));
        compared += time && changed ? 1U : 0U;
        if (time && changed && *changed<*time&& * time - *changed> kClockTolerance) {
            ++older;
            most = std::max(most, *time - *changed);
        }
    }
    if (older != 0) {
        findings.add("dump_clock_differs_from_files", path,
                     {{"count", older}, {"dumps", sample.size()}, {"apart", show_apart(most)}});
    }
    if (options.now_us != 0 && newest > options.now_us && newest - options.now_us > kClockTolerance) {
        findings.add("dump_clock_ahead", path, {{"apart", show_apart(newest - options.now_us)}});
    }
    return compared != 0;
}

/// "+08:00"
std::string show_zone(int minutes) {
    return fmt::format("{}{:02}:{:02}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60, std::abs(minutes) % 60);
}

void check_zone(const std::string& path, const std::vector<NamedDump>& sample, const DoctorOptions& options,
                Findings& findings) {
    std::optional<int> zone;
    for (const NamedDump& dump : sample) {
        const auto time = time_of(dump);
        const PathIds ids = path_ids_of_file(dump.path);
        if (!time || !ids.time) {
            continue;
        }
        const std::optional<int> least = locate_stage::least_offset_by_folder(*ids.time, *time);
        if (!least) {
            findings.add("time_folder_unrelated", path, {{"folder", *ids.time}, {"file", dump.path}});
            return;
        }
        zone = std::max(zone.value_or(*least), *least);
    }
    if (zone) {
        findings.add("time_zone_of_dumps", path,
                     {{"zone", show_zone(*zone)}, {"host_zone", show_zone(options.host_utc_offset_minutes)}});
    }
}

}  // namespace

void check_dumps(const std::string& path, const Survey& survey, const DoctorOptions& options, Findings& findings) {
    check_ranks(survey, findings);
    if (survey.dumps.empty()) {
        if (survey.op_dumps != 0 && survey.read_wholly) {
            findings.add(survey.exception_dumps == survey.op_dumps ? "exception_dumps_only" : "operator_dumps_only",
                         path, {{"op_dumps", survey.op_dumps}});
        }
        return;
    }
    const std::vector<NamedDump> sample = sample_of(survey.dumps);
    check_decoding(path, sample, survey.dumps.size(), options, findings);
    check_layout(path, survey.dumps, findings);
    const std::size_t faults = findings.faults();
    const bool is_compared = check_clocks(path, sample, options, findings);
    check_zone(path, sample, options, findings);
    if (is_compared && findings.faults() == faults) {
        findings.pass("clocks", path);
    }
}

void check_coverage(const std::string& path, const std::vector<NamedDump>& dumps, const LoggedTime& logged,
                    Findings& findings) {
    if (!logged.known || dumps.empty()) {
        return;
    }
    constexpr std::int64_t kHour = std::int64_t{3600} * static_cast<std::int64_t>(kSecond);
    constexpr auto kTolerance = static_cast<std::int64_t>(kClockTolerance);
    bool any_time = false;
    for (const NamedDump& dump : sample_of(dumps)) {
        const auto time = time_of(dump);
        if (!time || *time > static_cast<std::uint64_t>(INT64_MAX / 2)) {
            continue;
        }
        any_time = true;
        for (int hours = -12; hours <= 14; ++hours) {
            const std::int64_t local = static_cast<std::int64_t>(*time) + hours * kHour;
            if (local >= logged.begin - kTolerance && local <= logged.end + kTolerance) {
                findings.pass("log_time", path);
                return;
            }
        }
    }
    if (any_time) {
        const auto show = [](std::int64_t time) {
            return fmt::format("{:%F %T}", fmt::gmtime(time / static_cast<std::int64_t>(kSecond)));
        };
        findings.add("logs_do_not_cover_dumps", path, {{"begin", show(logged.begin)}, {"end", show(logged.end)}});
    }
}

}  // namespace opdebug::doctor
