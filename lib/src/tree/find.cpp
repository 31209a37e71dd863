// The dumps of one kind below a folder: overflow dumps or operator dumps.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/tree.hpp>

#include "bytes/system_path.hpp"
#include "tree/entry.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"
#include "tree/walk.hpp"

namespace opdebug {
namespace tree {
namespace {

/// Operator dumps may have one file for each tensor. If the binary is in the folder, these files were converted from
/// it.
bool is_op_dump(NameKind kind, std::string_view name, const std::vector<FolderEntry>& entries) {
    const auto tensor = kind == NameKind::op_values ? parse_tensor_file_name(name) : std::nullopt;
    if (!tensor) {
        return kind == NameKind::op_dump;
    }
    const auto binary =
        std::lower_bound(entries.begin(), entries.end(), tensor->dump_name,
                         [](const FolderEntry& entry, std::string_view wanted) { return entry.name < wanted; });
    return binary == entries.end() || binary->name != tensor->dump_name;
}

/// `npy_files`: tensors without the name of an operator dump.
void add_listed(const ListedFolder& folder, NameKind wanted, const Limits& limits, FoundDumps& found,
                std::vector<std::string>& npy_files) {
    NameReader names(folder.path, limits);
    for (const FolderEntry& entry : folder.entries) {
        const std::string path = join_path(folder.path, entry.name);
        const Result<EntryKind> target =
            entry.may_be_folder ? examine_entry(path, true) : Result<EntryKind>(entry.kind);
        if (target && *target == EntryKind::folder) {
            continue;
        }
        const NameKind kind = names.kind_of(entry.name);
        const bool is_file = !target || *target == EntryKind::file;  // reading reports the fault of an unknown one
        const bool is_wanted = wanted == NameKind::op_dump
                                   ? is_op_dump(kind, names.real_name_of(entry.name), folder.entries)
                                   : kind == wanted && is_file;
        if (is_wanted) {
            found.files.push_back(path);
        } else if (wanted == NameKind::op_dump && kind == NameKind::other && is_file && entry.name.ends_with(".npy")) {
            npy_files.push_back(path);
        } else {
            ++found.other_files;
        }
    }
}

/// `remarks`: the remarks of the walk that are about these dumps.
Result<FoundDumps> find_below(const std::string& path, NameKind wanted, std::initializer_list<std::string_view> remarks,
                              const Limits& limits) {
    FoundDumps found;
    struct stat status {};
    if (::stat(bytes::system_path(path), &status) != 0) {
        return path_error(path, "find the file or folder", errno);
    }
    if (!S_ISDIR(status.st_mode)) {
        found.files.push_back(path);
        return found;
    }
    WalkOptions options;
    options.limits = limits;
    std::vector<std::string> npy_files;
    options.listed = [&](const ListedFolder& folder) { add_listed(folder, wanted, limits, found, npy_files); };
    Result<Walk> walked = walk({path}, options);
    if (!walked) {
        return std::move(walked.error());
    }
    if (found.files.empty()) {
        found.files = std::move(npy_files);
    } else {
        found.other_files += npy_files.size();
    }
    std::sort(found.files.begin(), found.files.end());
    found.failures = std::move(walked->failures);
    for (Diagnostic& diagnostic : walked->diagnostics) {
        if (std::find(remarks.begin(), remarks.end(), diagnostic.code) != remarks.end()) {
            found.diagnostics.push_back(std::move(diagnostic));
        }
    }
    return found;
}

}  // namespace
}  // namespace tree

inline namespace v0 {

Result<FoundDumps> find(const std::string& path, const Limits& limits) {
    return tree::find_below(path, tree::NameKind::overflow_dump,
                            {"dangling_links", "special_files", "unnamed_files", "several_names"}, limits);
}

Result<FoundDumps> find_op_dumps(const std::string& path, const Limits& limits) {
    return tree::find_below(path, tree::NameKind::op_dump, {"unnamed_files", "several_names"}, limits);
}

}  // namespace v0
}  // namespace opdebug
