#include "locate/op_dump.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "bytes/file.hpp"
#include "bytes/passed_limit.hpp"
#include "container/container.hpp"
#include "locate/op_dump_folders.hpp"
#include "tree/folder.hpp"
#include "tree/no_id.hpp"

namespace opdebug::locate_stage {
namespace {

/// The operator's dump is written within milliseconds of the overflow dump; beyond this the ids may have been reused.
constexpr std::uint64_t kNearUs = 60'000'000;
constexpr std::uint64_t kUnknownDistance = std::numeric_limits<std::uint64_t>::max();

/// A file whose name fits the record.
struct Candidate {
    const OpDumpFile* file = nullptr;
    DumpName name;
    bool context_fits = false;  ///< the name carries the record's context, or neither has one
    std::uint64_t distance_us = kUnknownDistance;
};

/// Names of 2020 carry no stream: then only the task can be compared, which is too little for ids that are a hint. A
/// record without a stream takes names that say the same.
bool stream_fits(const DumpName& name, const TaskQuery& query) {
    if (query.is_hint) {
        return name.stream_id == query.stream_id;
    }
    if (!query.stream_id) {
        return name.stream_id && tree::is_no_id(*name.stream_id);
    }
    return !name.stream_id || tree::is_no_id(*name.stream_id) || name.stream_id == query.stream_id;
}

bool contexts_contradict(const DumpName& name, const TaskQuery& query) {
    return (name.context_id && query.context_id && name.context_id != query.context_id) ||
           (name.thread_id && query.thread_id && name.thread_id != query.thread_id);
}

std::uint64_t distance(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
    return a && b ? std::max(*a, *b) - std::min(*a, *b) : kUnknownDistance;
}

void add_fitting(const OpDumpFolder& folder, std::uint64_t task_id, const TaskQuery& query,
                 std::vector<Candidate>& candidates) {
    const auto [first, last] = folder.of_task(task_id);
    for (auto file = first; file != last; ++file) {
        std::optional<DumpName> name = parse_dump_name(file->real_name);
        if (!name || !stream_fits(*name, query) || contexts_contradict(*name, query)) {
            continue;
        }
        const bool context_fits = name->context_id.has_value() == query.context_id.has_value();
        const std::uint64_t distance_us = distance(name->timestamp_us, query.timestamp_us);
        if (!query.is_hint || distance_us <= kNearUs) {
            candidates.push_back({&*file, *std::move(name), context_fits, distance_us});
        }
    }
}

/// Task ids wrap at 16 bits: names carry the lower half where a record holds the wraps in its upper half.
std::vector<Candidate> fitting_files(const OpDumpFolder& folder, const TaskQuery& query) {
    constexpr std::uint64_t kHardwareTaskIds = 65536;
    std::vector<Candidate> candidates;
    add_fitting(folder, *query.task_id, query, candidates);
    if (candidates.empty() && *query.task_id >= kHardwareTaskIds) {
        add_fitting(folder, *query.task_id % kHardwareTaskIds, query, candidates);
    }
    return candidates;
}

/// The AICPU scheduler of custom operators writes texts beside the dumps, called as the operator's dump would be, with
/// "Debug" behind its name. They hold no tensor, and their name is that of no node.
bool may_be_scheduler_text(const Candidate& candidate) {
    return candidate.name.op_name.ends_with("Debug");
}

bool is_scheduler_text(const Candidate& candidate, const std::string& folder, const Limits& limits) {
    const Result<bytes::FileReader> reader = bytes::FileReader::open(tree::join_path(folder, candidate.file->name));
    if (!reader) {
        return false;
    }
    const Result<container::Contents> contents = container::read_container(*reader, limits);
    if (contents) {
        return false;
    }
    const ErrorCode fault = contents.error().code;
    return fault == ErrorCode::not_a_dump || fault == ErrorCode::file_too_short || fault == ErrorCode::empty_file;
}

/// Whether a name fits better: the context in it first, then the nearest time.
bool is_nearer(const Candidate& a, const Candidate& b) noexcept {
    return a.context_fits != b.context_fits ? a.context_fits : a.distance_us < b.distance_us;
}

struct NearestDumps {
    std::vector<Candidate> dumps;  ///< that fit best, in order of names
    bool leaves_out = false;       ///< files that may be texts were not looked at
};

/// Files that may be texts are opened from the nearest on until one is none: a job that runs the operator at each step
/// leaves a text of each step beside one dump. A folder may have thousands for each of its records, so no more are
/// opened than `limits` lets.
NearestDumps nearest_dumps(std::vector<Candidate> candidates, const std::string& folder, const Limits& limits) {
    if (candidates.size() > 1) {  // else it asks for memory all the same
        std::stable_sort(candidates.begin(), candidates.end(), is_nearer);
    }
    NearestDumps nearest;
    std::uint64_t may_open = limits.candidates;
    const auto is_dump = [&](const Candidate& candidate) {
        if (!may_be_scheduler_text(candidate)) {
            return true;
        }
        if (may_open == 0) {
            nearest.leaves_out = true;
            return false;
        }
        --may_open;
        return !is_scheduler_text(candidate, folder, limits);
    };
    for (auto first = candidates.begin(); first != candidates.end() && nearest.dumps.empty();) {
        const auto last = std::upper_bound(first, candidates.end(), *first, is_nearer);
        std::copy_if(std::move_iterator(first), std::move_iterator(last), std::back_inserter(nearest.dumps), is_dump);
        first = last;
    }
    return nearest;
}

/// The node name as GE spells it stands in the header; in the file name "/", "." and spaces have become "_".
std::optional<std::string> name_in_header(const std::string& path, const bytes::OpenFolder* folder,
                                          const Limits& limits) {
    const Result<bytes::FileReader> file = bytes::FileReader::open(path, folder);
    if (!file) {
        return std::nullopt;
    }
    const Result<container::Contents> contents = container::read_container(*file, limits);
    return contents && !contents->op_name.empty() ? std::optional<std::string>(contents->op_name) : std::nullopt;
}

std::string describe_distance(const Candidate& candidate, const TaskQuery& query) {
    if (candidate.distance_us == kUnknownDistance) {
        return "one of the times is unknown";
    }
    return std::to_string(candidate.distance_us) +
           (*candidate.name.timestamp_us < *query.timestamp_us ? " us before" : " us after") + " the overflow dump";
}

OperatorAnswer answer_of(const Candidate& candidate, const std::string& path, const TaskQuery& query,
                         const std::optional<std::string>& header_name) {
    OperatorAnswer answer;
    answer.name = header_name.value_or(candidate.name.op_name);
    answer.type = candidate.name.op_type;
    std::string text(candidate.file->real_name);
    text +=
        " (" + describe_distance(candidate, query) +
        (header_name ? ")" : "; the name is the file's, where / . and spaces are _, for its header does not tell it)");
    answer.evidence.push_back({EvidenceKind::op_dump, path, std::nullopt, std::move(text)});
    return answer;
}

void tell_unread(const OpDumpFolder& folder, std::vector<Diagnostic>& diagnostics) {
    if (folder.unread()) {
        diagnostics.push_back({Severity::warning, "op_dumps_unread",
                               "the folder of the dump could not be read wholly, the operator's dump may be missing: " +
                                   to_string(*folder.unread())});
    }
    if (folder.names_unread()) {
        diagnostics.push_back(
            {Severity::warning, std::string(to_string(folder.names_unread()->code)),
             "operator dumps called by numbers lie beside the dump and are not looked at, for the list of their names "
             "cannot be used: " +
                 to_string(*folder.names_unread())});
    }
}

/// The dumps that fit best, no more than the limit lets: the header of each is read.
std::vector<Candidate> looked_at(NearestDumps nearest, const Limits& limits, std::vector<Diagnostic>& diagnostics) {
    if (nearest.leaves_out) {
        diagnostics.push_back({Severity::warning, "candidates_cut",
                               fmt::format("more than {} files beside the dump may be the operator's dump or texts of "
                                           "the AICPU scheduler: further ones are not looked at; {}",
                                           limits.candidates, bytes::passed_limit(limits, &Limits::candidates))});
    }
    if (nearest.dumps.size() > limits.candidates) {
        diagnostics.push_back(
            {Severity::warning, "candidates_cut",
             fmt::format("the first {} of {} operator dumps that fit equally well are looked at; {}", limits.candidates,
                         nearest.dumps.size(), bytes::passed_limit(limits, &Limits::candidates))});
        nearest.dumps.resize(static_cast<std::size_t>(limits.candidates));
    }
    return std::move(nearest.dumps);
}

/// Adds what a dump says to an answer that says the same, else as one of its own. `path`: of the dump.
void add_answer(OperatorAnswer answer, const Candidate& candidate, const std::string& path,
                std::vector<OperatorAnswer>& answers, std::vector<Diagnostic>& diagnostics) {
    const auto same = std::find_if(answers.begin(), answers.end(), [&answer](const OperatorAnswer& known) {
        return known.name == answer.name && known.type == answer.type;
    });
    if (same != answers.end()) {
        same->evidence.push_back(std::move(answer.evidence.front()));
        return;
    }
    answers.push_back(std::move(answer));
    if (candidate.distance_us != kUnknownDistance && candidate.distance_us > kNearUs) {
        diagnostics.push_back(
            {Severity::warning, "op_dump_far_in_time",
             fmt::format("the operator dump {} is {} s away from the overflow dump; task ids are reused, so it may be "
                         "another execution",
                         path, candidate.distance_us / 1'000'000)});
    }
}

}  // namespace

FoundOpDumps find_op_dumps(const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                           std::vector<Diagnostic>& diagnostics) {
    FoundOpDumps found;
    if (dump.file.empty() || !query.task_id) {
        return found;
    }
    const std::string folder_path = tree::folder_of(dump.file);
    OpDumpFolders::Contents& folders = options.folders->contents();
    const std::shared_ptr<const OpDumpFolder> folder = folders.index_of(folder_path, options.limits);
    if (!query.is_hint) {  // else the search for the record's ids told it
        tell_unread(*folder, diagnostics);
    }
    NearestDumps nearest = nearest_dumps(fitting_files(*folder, query), folder_path, options.limits);
    const std::size_t fitting_best = nearest.dumps.size();
    for (const Candidate& candidate : looked_at(std::move(nearest), options.limits, diagnostics)) {
        const std::string path = tree::join_path(folder_path, candidate.file->name);
        const std::optional<std::string> header_name = name_in_header(path, folders.open_folder(), options.limits);
        found.files.push_back({path, std::string(candidate.file->real_name), fitting_best - 1});
        add_answer(answer_of(candidate, path, query, header_name), candidate, path, found.answers, diagnostics);
    }
    return found;
}

std::optional<LocatedOpDump> op_dump_of(const OperatorAnswer& answer, std::vector<LocatedOpDump> files) {
    for (const Evidence& evidence : answer.evidence) {
        const auto file = std::find_if(files.begin(), files.end(), [&evidence](const LocatedOpDump& dump) {
            return evidence.kind == EvidenceKind::op_dump && dump.file == evidence.file;
        });
        if (file != files.end()) {
            return std::move(*file);
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::locate_stage
