#include "api_dump/dump_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "bytes/file.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"
#include "tree/path_ids.hpp"
#include "tree/walk.hpp"

namespace opdebug::api_dump {
namespace {

void sort_by_file(std::vector<Error>& failures) {
    std::sort(failures.begin(), failures.end(), [](const Error& a, const Error& b) { return a.file < b.file; });
}

/// A binary pickle where ptdbg_ascend writes: it is reported as rejected. A given file of another format may be an
/// overflow dump with any name.
bool is_pickled_dump(const std::string& path) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, 1);
    return path.ends_with(".pkl") && is_where_tools_write(path) && start && is_pickle(Bytes(start->bytes).text());
}

/// An empty file is a dump only by its name. Only msprobe uses its name.
bool is_empty_of_others(const std::string& path, ApiSource source) {
    std::error_code failed;
    return source != ApiSource::msprobe && std::filesystem::file_size(path, failed) == 0 && !failed &&
           !is_where_tools_write(path);
}

/// A table without a complete first line. A table with other columns is from another program.
bool has_lost_header(const std::string& path) {
    constexpr std::size_t kLongest = 64 << 10U;
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kLongest);
    const std::string_view text = start ? Bytes(start->bytes).text() : std::string_view();
    const std::size_t end = text.find('\n');
    return end == std::string_view::npos || text.substr(0, end).find('\0') != std::string_view::npos;
}

/// "step3", "rank_0": the name of an archive of a run's part, without its ending.
std::string packed_folder(const std::string& archive) {
    const std::size_t name = archive.size() - file_name_of(archive).size();
    return archive.substr(0, archive.find('.', name));
}

}  // namespace

/// A file whose identity is unknown counts as new: reading it reports the fault.
void DumpFinder::add_given(const std::string& path) {
    const std::optional<tree::FileIdentity> identity = tree::target_identity(path);
    if (!identity || seen_.insert(*identity).second) {
        list_.files.push_back({path, std::nullopt});
    }
}

/// An unreadable file is reported only if its name is that of a dump.
Result<std::optional<ApiSource>> DumpFinder::source_in(const std::string& path) {
    const std::string_view name = file_name_of(path);
    const bool is_named_as_dump = tree::may_be_api_dump(name);
    Result<std::optional<ApiSource>> source = is_named_as_dump ? api_source_of(path) : source_by_content(path);
    if (!source && is_named_as_dump && (!name.ends_with(".csv") || name == "statistic.csv")) {
        list_.failures.push_back(source.error());
    }
    return source;
}

bool DumpFinder::add_if_dump(const std::string& path, bool is_given) {
    const std::optional<tree::FileIdentity> identity = tree::target_identity(path);
    if (identity && seen_.count(*identity) != 0) {
        return true;
    }
    const Result<std::optional<ApiSource>> source = source_in(path);
    const bool is_empty = source && *source && is_empty_of_others(path, **source);
    const bool is_dump =
        source && ((*source && !is_empty) || (is_given ? is_pickled_dump(path) : is_damaged_dump(path)));
    if (identity && (is_dump || is_given)) {
        seen_.insert(*identity);  // a given file stays a given file below a given folder
    }
    if (is_dump) {
        list_.files.push_back({path, is_empty ? std::nullopt : *source});
    }
    return is_dump;
}

/// Decides by the location.
bool DumpFinder::is_damaged_dump(const std::string& path) {
    return is_where_tools_write(path) && (file_name_of(path) != "statistic.csv" || has_lost_header(path));
}

/// Skips archives without dumps below a folder next to them, and archives whose own folder was read.
void DumpFinder::report_packed() {
    const auto has_dumps_in = [this](const std::string& folder) {
        return std::any_of(list_.files.begin(), list_.files.end(),
                           [&folder](const DumpFile& dump) { return dump.file.starts_with(folder); });
    };
    std::erase_if(packed_, [&](const std::string& archive) {
        constexpr std::size_t kWord = 4;  // "step", "rank"
        const std::size_t name = archive.size() - file_name_of(archive).size();
        return has_dumps_in(packed_folder(archive) + "/") || !has_dumps_in(archive.substr(0, name + kWord));
    });
    if (packed_.empty()) {
        return;
    }
    const LocalizedText others =
        packed_.size() == 1 ? LocalizedText() : remarks::phrase("and_more", {{"count", packed_.size() - 1}});
    list_.diagnostics.push_back(remarks::diagnose(
        "packed_not_read", {{"file", *std::min_element(packed_.begin(), packed_.end())}, {"others", others}}));
}

DumpList DumpFinder::take() {
    std::sort(list_.files.begin(), list_.files.end(),
              [](const DumpFile& a, const DumpFile& b) { return a.file < b.file; });
    report_packed();
    sort_by_file(list_.failures);
    return std::move(list_);
}

void DumpFinder::add_walked(const tree::NamedAsApiDump& named) {
    if (named.given) {
        add_given(named.path);
    } else if (tree::is_packed_part_of_run(file_name_of(named.path))) {
        packed_.push_back(named.path);
    } else {
        add_if_dump(named.path, false);
    }
}

Result<DumpList> find_dumps(const std::vector<std::string>& paths, const ApiReadOptions& options) {
    tree::WalkOptions walking;
    walking.stop = options.stop;
    walking.limits = options.limits;
    const Result<tree::Walk> walk = tree::walk(paths, walking);
    if (!walk) {
        return walk.error();
    }
    if (!walk->complete) {
        return Error{ErrorCode::interrupted, "stopped before all folders were read", {}, std::nullopt};
    }
    DumpFinder files;
    for (const tree::NamedAsApiDump& named : walk->named_as_api_dumps) {
        files.add_walked(named);
    }
    for (const tree::WalkedFolder& folder : walk->folders) {  // the user may name an overflow dump: reading rejects it
        for (const tree::WalkedDump& dump : folder.dumps) {
            const std::string path = folder.prefix + dump.name;
            if (std::find(paths.begin(), paths.end(), path) != paths.end()) {
                files.add_given(path);
            }
        }
    }
    DumpList list = files.take();
    list.failures.insert(list.failures.end(), walk->failures.begin(), walk->failures.end());
    sort_by_file(list.failures);
    return list;
}

}  // namespace opdebug::api_dump
