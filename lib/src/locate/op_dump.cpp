#include "locate/op_dump.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "tree/folder.hpp"
#include "tree/mapping.hpp"

namespace opdebug::locate_stage {
namespace {

/// Headers of operator dumps have some hundred bytes; a larger one is read again as a whole.
constexpr std::size_t kHeaderGuess = 64U << 10U;
/// The operator's dump is written within milliseconds of the overflow dump; beyond this the ids may have been reused.
constexpr std::uint64_t kNearUs = 60'000'000;
constexpr std::uint64_t kUnknownDistance = std::numeric_limits<std::uint64_t>::max();

/// A file whose name fits the record.
struct Candidate {
    std::string path;
    std::string real_name;  ///< differs from the path's last part when mapping.csv gives it
    DumpName name;
    bool context_fits = false;  ///< the name carries the record's context, or neither has one
    std::uint64_t distance_us = kUnknownDistance;
};

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Names of 2020 carry no stream: then only the task can be compared.
bool ids_fit(const DumpName& name, const TaskQuery& query) {
    return name.task_id == query.task_id &&
           (!name.stream_id || *name.stream_id == 65535 || name.stream_id == query.stream_id);
}

bool contexts_contradict(const DumpName& name, const TaskQuery& query) {
    return (name.context_id && query.context_id && name.context_id != query.context_id) ||
           (name.thread_id && query.thread_id && name.thread_id != query.thread_id);
}

std::uint64_t distance(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
    return a && b ? std::max(*a, *b) - std::min(*a, *b) : kUnknownDistance;
}

std::vector<Candidate> fitting_files(const Dump& dump, const TaskQuery& query) {
    std::vector<Candidate> candidates;
    const std::string folder = tree::folder_of(dump.file);
    const auto entries = tree::list_folder(folder);
    if (!entries) {
        return candidates;  // the dump may be gone by now; its record still stands
    }
    std::optional<tree::NameMapping> mapping;  // read only when a file of that kind is there
    for (const tree::FolderEntry& entry : *entries) {
        std::string real_name = entry.name;
        if (is_number(entry.name)) {
            mapping = mapping ? std::move(mapping) : tree::read_mapping(folder);
            const auto mapped = mapping->find(entry.name);
            real_name = mapped != mapping->end() ? mapped->second : real_name;
        }
        const std::optional<DumpName> name = parse_dump_name(real_name);
        if (!name || name->is_overflow_dump || !ids_fit(*name, query) || contexts_contradict(*name, query)) {
            continue;
        }
        const bool context_fits = name->context_id.has_value() == query.context_id.has_value();
        candidates.push_back({tree::join_path(folder, entry.name), real_name, *name, context_fits,
                              distance(name->timestamp_us, dump.timestamp_us)});
    }
    return candidates;
}

/// Keeps the best: the context in the name first, then the nearest time.
void keep_nearest(std::vector<Candidate>& candidates) {
    const bool any_context =
        std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.context_fits; });
    std::uint64_t nearest = kUnknownDistance;
    for (const Candidate& candidate : candidates) {
        if (candidate.context_fits == any_context) {
            nearest = std::min(nearest, candidate.distance_us);
        }
    }
    const auto is_worse = [any_context, nearest](const Candidate& c) {
        return c.context_fits != any_context || c.distance_us != nearest;
    };
    candidates.erase(std::remove_if(candidates.begin(), candidates.end(), is_worse), candidates.end());
}

/// The node name as GE spells it stands in the header; in the file name "/", "." and spaces have become "_".
std::optional<std::string> name_in_header(const std::string& path) {
    auto start = bytes::read_file_start(path, kHeaderGuess);
    if (!start) {
        return std::nullopt;
    }
    auto contents = container::read_container(start->bytes, start->file_size);
    if (!contents && start->bytes.size() < start->file_size) {
        start = bytes::read_file_start(path, container::kHeaderLimit + 8);
        contents = start ? container::read_container(start->bytes, start->file_size) : std::move(contents);
    }
    return contents && !contents->op_name.empty() ? std::optional<std::string>(contents->op_name) : std::nullopt;
}

std::string describe_distance(const Candidate& candidate, const Dump& dump) {
    if (candidate.distance_us == kUnknownDistance) {
        return "one of the times is unknown";
    }
    return fmt::format("{} us {} the overflow dump", candidate.distance_us,
                       *candidate.name.timestamp_us < *dump.timestamp_us ? "before" : "after");
}

OperatorAnswer answer_of(const Candidate& candidate, const Dump& dump) {
    OperatorAnswer answer;
    const std::optional<std::string> header_name = name_in_header(candidate.path);
    answer.name = header_name.value_or(candidate.name.op_name);
    answer.type = candidate.name.op_type;
    answer.evidence.push_back(
        {EvidenceKind::op_dump, candidate.path, std::nullopt,
         fmt::format("{} ({}{})", candidate.real_name, describe_distance(candidate, dump),
                     header_name
                         ? ""
                         : "; the name is the file's, where / . and spaces are _, for its header is not readable")});
    return answer;
}

}  // namespace

std::vector<OperatorAnswer> find_op_dumps(const Dump& dump, const TaskQuery& query,
                                          std::vector<Diagnostic>& diagnostics) {
    std::vector<OperatorAnswer> answers;
    if (dump.file.empty() || !query.task_id) {
        return answers;
    }
    std::vector<Candidate> candidates = fitting_files(dump, query);
    keep_nearest(candidates);
    for (const Candidate& candidate : candidates) {
        answers.push_back(answer_of(candidate, dump));
        if (candidate.distance_us != kUnknownDistance && candidate.distance_us > kNearUs) {
            diagnostics.push_back({Severity::warning, "op_dump_far_in_time",
                                   fmt::format("the operator dump {} is {} s away from the overflow dump; task ids are "
                                               "reused, so it may be another "
                                               "execution",
                                               candidate.path, candidate.distance_us / 1'000'000)});
        }
    }
    return answers;
}

}  // namespace opdebug::locate_stage
