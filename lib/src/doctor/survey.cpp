// Lists a path by file names. The content decides for ambiguous names and for files that the user named.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/api.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tree.hpp>

#include "bytes/system_path.hpp"
#include "doctor/checks.hpp"
#include "logs/files/log_files.hpp"
#include "logs/saved_map/saved_map.hpp"
#include "scan/dump_tree.hpp"
#include "tree/entry.hpp"
#include "tree/folder.hpp"
#include "tree/mapping.hpp"
#include "tree/name.hpp"

namespace opdebug::doctor {
namespace {

void count_exception_dump(std::string_view name, Survey& survey) {
    const std::optional<DumpName> parts = parse_dump_name(name);
    survey.exception_dumps += parts && parts->is_exception_dump ? 1U : 0U;
}

/// Adds the file if its name is a dump's. Returns whether it was added.
bool add_dump(const std::string& file, tree::NameReader& names, Survey& survey) {
    const std::string_view name = file_name_of(file);
    switch (names.kind_of(name)) {
        case tree::NameKind::op_dump:
            ++survey.op_dumps;
            count_exception_dump(name, survey);
            return true;
        case tree::NameKind::overflow_dump: {
            const std::string_view real_name = names.real_name_of(name);
            survey.dumps.push_back({file, real_name == name ? std::string() : std::string(real_name)});
            return true;
        }
        default: return false;
    }
}

/// Decides by the name, and by the content for ambiguous names.
bool is_api_dump(const std::string& path) {
    const std::string_view name = file_name_of(path);
    if (!tree::may_be_api_dump(name)) {
        return false;
    }
    const bool has_own_name = name == "dump.json" || name == "statistic.csv" || name.ends_with(".pkl");
    return has_own_name || has_api_calls(path);
}

bool is_log(std::string_view name) {
    return logs::read_log_name(name).kind == logs::NameKind::log;
}

void add_file(const std::string& path, Survey& survey) {
    count_exception_dump(file_name_of(path), survey);
    if (is_api_dump(path)) {
        survey.api_dumps.push_back(path);
    } else if (is_log(file_name_of(path))) {
        survey.logs.push_back(path);
    }
}

/// World size and rank in a folder name "worldsize{N}_global_rank{R}", which TorchAir makes for each process.
std::optional<std::pair<std::uint64_t, std::uint64_t>> world_and_rank(std::string_view name) {
    constexpr std::string_view kWorld = "worldsize", kRank = "_global_rank";
    const std::size_t middle = name.find(kRank);
    if (!name.starts_with(kWorld) || middle == std::string_view::npos) {
        return std::nullopt;
    }
    const auto world = tree::parse_number(name.substr(kWorld.size(), middle - kWorld.size()));
    const auto rank = tree::parse_number(name.substr(middle + kRank.size()));
    return world && rank && *rank < *world ? std::optional(std::pair(*world, *rank)) : std::nullopt;
}

void add_folder(const std::string& path, Survey& survey) {
    const std::string_view name = file_name_of(path);
    const std::string parent = tree::folder_of(path);
    if (const auto ids = world_and_rank(name)) {
        survey.ranks_of_world[{parent, ids->first}].insert(ids->second);
    }
    if (name == "debug") {
        survey.debug_parents.insert(parent);
    } else if (name == "run") {
        survey.run_parents.insert(parent);
    } else if (name.starts_with("device-")) {
        survey.device_parents.insert(parent);
    }
}

/// Adds logs, API dumps and folders with known names. Adds nothing below links to folders, because their targets are
/// mostly listed too.
void add_listed(const tree::ListedFolder& folder, Survey& survey) {
    if (folder.behind_link) {
        return;
    }
    for (const tree::FolderEntry& entry : folder.entries) {
        const std::string path = tree::join_path(folder.path, entry.name);
        tree::EntryKind kind = entry.kind;
        if (kind == tree::EntryKind::unknown) {
            const auto examined = tree::examine_entry(path, false);
            kind = examined ? *examined : tree::EntryKind::other;
        }
        if (kind == tree::EntryKind::folder) {
            add_folder(path, survey);
        } else if (kind == tree::EntryKind::file || kind == tree::EntryKind::link) {
            add_file(path, survey);
        }
    }
}

/// Lists the dumps like a scan, with the same rules for links, converted dumps, copies and numbers.
void read_folders(const std::string& top, const DoctorOptions& options, Survey& survey, Findings& findings) {
    ScanOptions by_name;
    by_name.decode.limits = options.limits;
    by_name.stop = options.stop;
    by_name.api_dumps = false;
    const Result<DumpTree> found = scan_stage::find_dump_tree(
        {top}, by_name, [&](const tree::ListedFolder& folder) { add_listed(folder, survey); });
    if (!found) {
        findings.add("path_unreadable", top, {{"reason", found.error().message}});
        survey.read_wholly = false;
        return;
    }
    tree::KnownMappings mappings;
    for (std::string& file : files_of(*found)) {
        const Result<std::string> real_name = mappings.real_name_of(file, options.limits);
        survey.dumps.push_back({std::move(file), real_name ? *real_name : std::string()});
    }
    survey.op_dumps = found->contents().found.op_dumps;
    survey.read_wholly = found->contents().found.complete && found->contents().found.failures.empty();
    for (const Error& failure : found->contents().found.failures) {
        const bool is_list = file_name_of(failure.file) == "mapping.csv";
        findings.add(is_list ? "mapping_unusable" : "path_unreadable", failure.file, {{"reason", failure.message}});
    }
}

template <typename Path>
void sort_once(std::vector<Path>& paths) {
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
}

/// Adds a file that the user named, by its name or otherwise by its content. Adds a finding if both are unknown.
void add_given_file(const std::string& file, const DoctorOptions& options, Survey& survey, Findings& findings) {
    const std::string folder = tree::folder_of(file);
    tree::NameReader names(folder, options.limits);
    if (add_dump(file, names, survey)) {
        return;
    }
    if (const std::optional<Error>& failure = names.failure()) {
        findings.add("mapping_unusable", failure->file, {{"reason", failure->message}});
    }
    if (has_api_calls(file)) {
        survey.api_dumps.push_back(file);
        return;
    }
    if (logs::is_map_file(file)) {
        survey.maps.push_back(file);
        return;
    }
    if (may_be_log(file)) {
        survey.logs.push_back(file);
        return;
    }
    DecodeOptions decoding;
    decoding.limits = options.limits;
    const Result<Dump> dump = decode_file(file, decoding);
    if (dump) {
        survey.dumps.push_back({file, {}});
    } else if (dump.error().code == ErrorCode::not_an_overflow_dump) {
        ++survey.op_dumps;
    } else {
        findings.add("file_unknown", file, {{"reason", dump.error().message}});
    }
}

}  // namespace

bool has_api_calls(const std::string& file) {
    const Result<std::optional<ApiSource>> source = api_source_of(file);
    return source && *source;
}

Survey survey_of(const std::string& path, const DoctorOptions& options, Findings& findings) {
    Survey survey;
    struct stat status {};
    if (::stat(bytes::system_path(path), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            findings.add("path_missing", path);
            check_room(path, findings);
        } else {
            findings.add("path_unreadable", path,
                         {{"reason", tree::path_error(path, "get the file type", errno).message}});
        }
        return survey;
    }
    if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) {
        findings.add("not_a_regular_file", path);
        return survey;
    }
    if (S_ISDIR(status.st_mode)) {
        check_room(path, findings);
        read_folders(path, options, survey, findings);
        if (survey.read_wholly && survey.dumps.empty() && survey.op_dumps == 0 && survey.logs.empty() &&
            survey.api_dumps.empty()) {
            findings.add("nothing_there_yet", path);
        }
    } else {
        add_given_file(path, options, survey, findings);
    }
    sort_once(survey.dumps);
    sort_once(survey.logs);
    sort_once(survey.api_dumps);
    return survey;
}

}  // namespace opdebug::doctor
