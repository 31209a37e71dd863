#include "scan/dump_source.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tree/name.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::scan_stage {
namespace {

std::optional<std::uint64_t> number_after(std::string_view folder, std::string_view prefix) {
    return folder.starts_with(prefix) ? tree::parse_number(folder.substr(prefix.size())) : std::nullopt;
}

/// YYYYMMDDhhmmss.
bool is_time_stamp(std::string_view folder) {
    constexpr std::size_t kDigits = 14;
    return folder.size() == kDigits && tree::is_decimal(folder);
}

/// Goes up the folders above a file.
class FoldersAbove {
public:
    explicit FoldersAbove(std::string_view path) : path_(path), end_(path.rfind('/')) { find_begin(); }

    bool at_end() const noexcept { return end_ == std::string_view::npos || end_ == 0; }
    void go_up() {
        end_ = begin_ == 0 ? std::string_view::npos : begin_ - 1;
        find_begin();
    }
    std::string_view folder() const { return path_.substr(begin_, end_ - begin_); }
    std::string_view above() const { return path_.substr(0, begin_); }

private:
    void find_begin() {
        const std::size_t slash = at_end() ? std::string_view::npos : path_.rfind('/', end_ - 1);
        begin_ = slash == std::string_view::npos ? 0 : slash + 1;
    }

    std::string_view path_;
    std::size_t begin_ = 0, end_;
};

/// The path above the nearest folder that meets the condition.
template <class Condition>
std::optional<std::string_view> above_nearest(std::string_view path, Condition is_wanted) {
    for (FoldersAbove folders(path); !folders.at_end(); folders.go_up()) {
        if (is_wanted(folders.folder())) {
            return folders.above();
        }
    }
    return std::nullopt;
}

/// The path above its last folder, whatever the name of that.
std::string_view above_last(std::string_view path) {
    const FoldersAbove folders(path);
    return folders.at_end() ? std::string_view() : folders.above();
}

std::optional<std::string_view> above_rank(std::string_view path, std::uint64_t rank) {
    if (const auto above = above_nearest(path, [&](auto folder) { return tree::rank_of_folder(folder) == rank; })) {
        return above;
    }
    return above_nearest(path, [&](auto folder) { return number_after(folder, "rank") == rank; });
}

/// The path above {device}, which {model_name} with or without numbers follows, or up to two numbers alone.
std::optional<std::string_view> above_device(std::string_view path, const PathIds& ids) {
    std::string_view below = path;
    if (ids.model_name) {
        below = above_nearest(path, [&](auto folder) { return folder == *ids.model_name; }).value_or("");
    } else if (ids.model_id) {
        below = above_last(above_last(path));
    }
    const FoldersAbove device(below);
    const bool is_device = !device.at_end() && tree::parse_number(device.folder()) == ids.device_id;
    return is_device ? std::optional(device.above()) : std::nullopt;
}

/// The path above the content of a rank's folder, as MindSpore and msprobe write it: {net}/{graph}/{iteration},
/// debug_files/{iteration}, {time stamp}/step_{s}.
std::optional<std::string_view> above_content_of_rank(std::string_view path, const PathIds& ids) {
    if (ids.model_name) {
        return above_nearest(path, [&](auto folder) { return folder == *ids.model_name; });
    }
    if (const auto above = above_nearest(path, [](auto folder) { return folder == "debug_files"; })) {
        return above;
    }
    const auto above = above_nearest(
        path, [&](auto folder) { return ids.data_index && number_after(folder, "step_") == ids.data_index; });
    return above ? std::optional(above_last(*above)) : std::nullopt;
}

/// The path above the content of a rank's or time's folder that the path does not show. It includes the name of a link,
/// because the links of one folder may lead to folders of several hosts.
std::string_view above_hidden(std::string_view path, const PathIds& ids) {
    std::optional<std::string_view> content;
    if (ids.time) {
        const auto time = above_nearest(path, [&](auto folder) { return folder == *ids.time; });
        content = time ? time : above_device(path, ids);
    }
    if (!content && ids.rank) {
        content = above_content_of_rank(path, ids);
    }
    return content.value_or(std::string_view());
}

/// Steps of a rank or device are one source.
std::string_view above_step(std::string_view root, const PathIds& ids) {
    const FoldersAbove last(root);
    const bool is_step = ids.data_index && !last.at_end() && number_after(last.folder(), "step") == ids.data_index;
    return is_step ? last.above() : root;
}

/// The folder of a run: {time}, which each process has, or msprobe's {time stamp} in rank_{r}/{time stamp}/step_{s}.
std::optional<std::string_view> run_folder_of(const ScanItem& item) {
    const PathIds& ids = item.path_ids;
    if (ids.time || !ids.rank || !ids.data_index || ids.model_name) {
        return ids.time;
    }
    const FoldersAbove step(item.file);
    const FoldersAbove stamp(step.at_end() ? std::string_view() : step.above());
    const FoldersAbove rank(stamp.at_end() ? std::string_view() : stamp.above());
    const bool is_run = !rank.at_end() && number_after(step.folder(), "step_") == ids.data_index &&
                        is_time_stamp(stamp.folder()) && tree::rank_of_folder(rank.folder()) == ids.rank;
    return is_run ? std::optional(stamp.folder()) : std::nullopt;
}

bool is_numbered(std::string_view folder, std::string_view prefix) {
    return folder.substr(0, prefix.size()) == prefix && tree::parse_number(folder.substr(prefix.size()));
}

/// Where pid{pid}/device{id} begins in a root; without these, its end.
std::size_t end_above_process(std::string_view root) {
    std::size_t before = std::string_view::npos;  // where a folder of a process begins, with this one below it
    for (std::size_t begin = 0; begin < root.size();) {
        const std::size_t end = std::min(root.find('/', begin), root.size());
        const std::string_view folder = root.substr(begin, end - begin);
        if (before != std::string_view::npos && is_numbered(folder, "device")) {
            return before;
        }
        before = is_numbered(folder, "pid") ? begin : std::string_view::npos;
        begin = end + 1;
    }
    return root.size();
}

}  // namespace

std::string_view root_of(const ScanItem& item) {
    const std::string_view path = item.file;
    const PathIds& ids = item.path_ids;
    if (!ids.rank && !ids.time) {
        const std::size_t slash = path.rfind('/');
        return path.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    const auto above =
        ids.rank ? above_rank(path, *ids.rank) : above_nearest(path, [&](auto folder) { return folder == *ids.time; });
    return above_step(above ? *above : above_hidden(path, ids), ids);
}

DumpSource source_of(const ScanItem& item) {
    DumpSource source{item.path_ids.rank, item.path_ids.device_id, std::nullopt, std::string(root_of(item)), item.host};
    if (const auto run = run_folder_of(item)) {
        source.time.emplace(*run);
    }
    return source;
}

DumpSource device_of(DumpSource source) {
    source.time.reset();
    source.root.resize(end_above_process(source.root));
    return source;
}

std::uint32_t SourceTable::number_of(DumpSource source) {
    const auto [entry, is_new] = numbers_.emplace(std::move(source), static_cast<std::uint32_t>(sources_.size()));
    if (is_new) {
        sources_.push_back(&entry->first);
    }
    return entry->second;
}

SourceNumbers SourceTable::add(const ScanItem& item) {
    DumpSource source = source_of(item);
    if (sharing_hosts_.count(source.host) != 0) {
        source.host.clear();
    }
    const auto [entry, is_new] = added_.try_emplace(source);
    SourceNumbers& numbers = entry->second;
    if (is_new) {
        numbers.device = number_of(device_of(source));
        if (!source.host.empty() && source.device_id) {
            numbers.device_of_host = number_of({std::nullopt, source.device_id, std::nullopt, "", source.host});
        }
        numbers.source = number_of(source);
        source.rank.reset();
        source.device_id.reset();
        numbers.run = number_of(std::move(source));
    }
    return numbers;
}

}  // namespace opdebug::scan_stage
