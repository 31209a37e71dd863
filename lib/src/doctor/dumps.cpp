// Checks of dumps: readability, folders, and the time of the logs.
#include <algorithm>
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
#include "tree/name.hpp"

namespace opdebug::doctor {
namespace {

constexpr std::size_t kLookedAt = 1000;
constexpr std::uint64_t kSecond = 1'000'000;
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

std::optional<std::uint64_t> time_of(const NamedDump& dump) {
    const auto name = tree::parse_name_of_dump(dump.real_name.empty() ? file_name_of(dump.path) : dump.real_name);
    return name ? name->timestamp_us : std::nullopt;
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
