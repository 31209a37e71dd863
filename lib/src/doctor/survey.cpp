// What lies below a path, by names alone.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include <opdebug/tree.hpp>

#include "doctor/checks.hpp"
#include "logs/log_name.hpp"

namespace opdebug::doctor {
namespace {

/// The files of msprobe, ptdbg_ascend and MindSpore that tell of single calls.
bool is_api_dump(std::string_view name) {
    return name == "dump.json" || name == "statistic.csv" ||
           (name.size() > 4 && name.substr(name.size() - 4) == ".pkl");
}

bool is_log(std::string_view name) {
    return logs::read_log_name(name).kind == logs::NameKind::log;
}

void add_file(const std::string& path, tree::EntryKind kind, tree::NameReader& names, Survey& survey) {
    const std::string_view name = file_name_of(path);
    if (add_dump(path, kind, names, survey)) {
        return;
    }
    if (is_api_dump(name)) {
        survey.api_dumps.push_back(path);
    } else if (is_log(name)) {
        survey.logs.push_back(path);
    }
}

void add_folder(const std::string& path, Survey& survey) {
    const std::string_view name = file_name_of(path);
    const std::string parent = tree::folder_of(path);
    if (name == "debug") {
        survey.debug_parents.push_back(parent);
    } else if (name == "run") {
        survey.run_parents.push_back(parent);
    } else if (name.starts_with("device-")) {
        survey.device_parents.push_back(parent);
    }
}

/// Reads the folders below one; links to folders are not followed, for their targets are mostly below as well.
void read_folders(const std::string& top, const DoctorOptions& options, Survey& survey, Findings& findings) {
    struct Waiting {
        std::string path;
        std::uint64_t depth = 0;
    };
    std::vector<Waiting> waiting{{top, 0}};
    while (!waiting.empty() && !(options.stop && options.stop())) {
        const Waiting folder = std::move(waiting.back());
        waiting.pop_back();
        const tree::FolderListing listing = tree::list_folder(folder.path);
        if (listing.failure) {
            findings.add("path_unreadable", folder.path, {{"reason", listing.failure->message}});
        }
        tree::NameReader names(folder.path, options.limits);
        for (const tree::FolderEntry& entry : listing.entries) {
            const std::string path = tree::join_path(folder.path, entry.name);
            tree::EntryKind kind = entry.kind;
            if (kind == tree::EntryKind::unknown) {
                const auto examined = tree::examine_entry(path, false);
                kind = examined ? *examined : tree::EntryKind::other;
            }
            if (kind == tree::EntryKind::folder && folder.depth < options.limits.folder_depth) {
                add_folder(path, survey);
                waiting.push_back({path, folder.depth + 1});
            } else if (kind == tree::EntryKind::file || kind == tree::EntryKind::link) {
                add_file(path, kind, names, survey);
            }
        }
        add_failure(names, findings);
    }
}

template <typename Path>
void sort_once(std::vector<Path>& paths) {
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
}

}  // namespace

bool add_dump(const std::string& path, tree::EntryKind kind, tree::NameReader& names, Survey& survey) {
    const std::string_view name = file_name_of(path);
    const tree::NameKind named = names.kind_of(name);
    if (named != tree::NameKind::overflow_dump && named != tree::NameKind::op_dump) {
        return false;
    }
    if (kind == tree::EntryKind::link) {
        const Result<tree::EntryKind> target = tree::examine_entry(path, true);
        if (target && *target != tree::EntryKind::file) {
            if (*target == tree::EntryKind::nothing && named == tree::NameKind::overflow_dump) {
                survey.dangling.add(path);
            }
            return true;
        }
    }
    if (named == tree::NameKind::op_dump) {
        ++survey.op_dumps;
    } else {
        const std::string_view real_name = names.real_name_of(name);
        survey.dumps.push_back({path, real_name == name ? std::string() : std::string(real_name)});
    }
    return true;
}

void add_failure(const tree::NameReader& names, Findings& findings) {
    if (const std::optional<Error>& failure = names.failure()) {
        findings.add("mapping_unusable", failure->file, {{"reason", failure->message}});
    }
}

Survey survey_of(const std::string& path, const DoctorOptions& options, Findings& findings) {
    Survey survey;
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            findings.add("path_missing", path);
            check_room(path, findings);
        } else {
            findings.add("path_unreadable", path, {{"reason", tree::path_error(path, "look at it", errno).message}});
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
        if (survey.dangling.count != 0) {
            findings.add("dangling_links", path,
                         {{"count", std::to_string(survey.dangling.count)}, {"file", survey.dangling.first}});
        }
        if (survey.dumps.empty() && survey.op_dumps == 0 && survey.logs.empty() && survey.api_dumps.empty()) {
            findings.add("nothing_there_yet", path);
        }
    } else {
        add_given_file(path, options, survey, findings);
    }
    sort_once(survey.dumps);
    for (auto* paths :
         {&survey.logs, &survey.api_dumps, &survey.debug_parents, &survey.run_parents, &survey.device_parents}) {
        sort_once(*paths);
    }
    return survey;
}

}  // namespace opdebug::doctor
