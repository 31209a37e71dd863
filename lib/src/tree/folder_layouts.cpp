#include "tree/path_ids.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include <boost/container/small_vector.hpp>

#include "tree/name.hpp"

namespace opdebug::tree {
namespace {

/// Folders that give ids. "{id}" is the value, "{}" a number without meaning here, "…" any folders, "|" between two
/// names of one folder.
struct Layout {
    std::array<std::string_view, 5> folders;
    bool at_end = false;  ///< directly above the file
};

constexpr std::string_view kOfRank = "rank_{}|worldsize{}_global_rank{}";

/// In the order of increasing priority: a later layout replaces the ids of the earlier ones. Each matches as near to
/// the file as it can, and a folder with one meaning gets no other one. A part that is not set is not written, so a
/// single number after {time}/{device} may be either id and gives none. Sources: docs/internals/formats.md,
/// "Directories".
constexpr Layout kLayouts[] = {
    {{"pid{}", "device{device}"}},
    // Above rank_{r}, where msprobe does not write it, a step counts only if no other folder has one.
    {{"step{step}", kOfRank}},
    {{"{time}", "{device}"}},
    {{"{time}", "{device}", "{name}"}, true},
    {{"{time}", "{device}", "{name}", "{}"}, true},
    {{"{time}", "{device}", "{model_id}", "{step}"}, true},
    {{"{time}", "{device}", "{any_name}", "{model_id}", "{step}"}, true},
    {{"step{step}", "rank{rank}"}},
    {{"rank_{rank}|worldsize{}_global_rank{rank}"}},
    {{kOfRank, "debug_files", "{step}"}, true},
    // The second number is MindSpore's graph, which is no model id.
    {{kOfRank, "{any_name}", "{}", "{step}"}, true},
    {{"step{step}", "proc{}"}},
    {{"step{step}", "{time}", "{device}"}},
    // The folder is named after the step; GE's index counts the loops of one execution.
    {{kOfRank, "…", "step_{step}"}},
};

constexpr std::size_t kDigitsOfTime = 14;
constexpr std::size_t kUsualDepth = 16;  ///< folders without a heap allocation

struct Folder {
    std::string_view name;
    std::string_view meaning;  ///< of a layout that matched, for example "step"
};
using Folders = boost::container::small_vector<Folder, kUsualDepth>;

Folders folders_of(std::string_view path) {
    Folders folders;
    std::size_t begin = 0;
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', begin)) {
        const std::string_view name = path.substr(begin, slash - begin);
        if (!name.empty() && name != ".") {
            folders.push_back({name, {}});
        }
        begin = slash + 1;
    }
    return folders;
}

struct Value {
    std::string_view meaning;
    std::string_view text;
    std::size_t folder = 0;
};
using Values = boost::container::small_vector<Value, 5>;

bool is_value_of(std::string_view meaning, std::string_view text) {
    if (meaning == "time") {
        return text.size() == kDigitsOfTime &&
               std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    }
    return meaning == "any_name" || (meaning == "name") != parse_number(text).has_value();
}

/// Whether the folder's name is that of the layout. `meaning` and `text`: its value.
bool matches_one(std::string_view name, std::string_view layout, std::string_view& meaning, std::string_view& text) {
    for (;;) {
        const std::size_t brace = std::min(layout.find('{'), layout.size());
        if (!name.starts_with(layout.substr(0, brace))) {
            return false;
        }
        name.remove_prefix(brace);
        layout.remove_prefix(brace);
        if (layout.empty()) {
            return name.empty();
        }
        const std::size_t end = layout.find('}');
        meaning = layout.substr(1, end - 1);
        layout.remove_prefix(end + 1);
        text = layout.empty() ? name : name.substr(0, name.find(layout.substr(0, layout.find('{'))));
        if (!is_value_of(meaning, text)) {
            return false;
        }
        name.remove_prefix(text.size());
    }
}

bool matches(std::string_view name, std::string_view layout, std::string_view& meaning, std::string_view& text) {
    const std::size_t second = layout.find('|');
    return matches_one(name, layout.substr(0, second), meaning, text) ||
           (second != std::string_view::npos && matches_one(name, layout.substr(second + 1), meaning, text));
}

/// Whether the folders from `first` on are those of the layout from `part` on.
bool matches_from(const Folders& folders, std::size_t first, const Layout& layout, std::size_t part, Values& values) {
    if (part == layout.folders.size() || layout.folders[part].empty()) {
        return !layout.at_end || first == folders.size();
    }
    if (layout.folders[part] == "…") {
        for (std::size_t next = folders.size(); next-- > first;) {
            if (matches_from(folders, next, layout, part + 1, values)) {
                return true;
            }
        }
        return false;
    }
    Value value{{}, {}, first};
    if (first == folders.size() || !matches(folders[first].name, layout.folders[part], value.meaning, value.text)) {
        return false;
    }
    const std::string_view known = folders[first].meaning;
    if (!value.meaning.empty()) {
        if (!known.empty() && known != value.meaning) {
            return false;
        }
        values.push_back(value);
    }
    return matches_from(folders, first + 1, layout, part + 1, values);
}

Values match(const Folders& folders, const Layout& layout) {
    Values values;
    const auto parts = static_cast<std::size_t>(
        std::count_if(layout.folders.begin(), layout.folders.end(),
                      [](std::string_view folder) { return !folder.empty() && folder != "…"; }));
    if (folders.size() < parts) {
        return values;
    }
    const std::size_t last = folders.size() - parts;
    for (std::size_t first = last + 1; first-- > (layout.at_end ? last : 0);) {
        if (matches_from(folders, first, layout, 0, values)) {
            break;
        }
        values.clear();
    }
    return values;
}

void set(const Value& value, PathIds& ids) {
    struct Number {
        std::string_view meaning;
        std::optional<std::uint64_t> PathIds::*id;
    };
    constexpr Number kNumbers[] = {{"rank", &PathIds::rank},
                                   {"device", &PathIds::device_id},
                                   {"model_id", &PathIds::model_id},
                                   {"step", &PathIds::data_index}};
    const auto* const number =
        std::find_if(std::begin(kNumbers), std::end(kNumbers),
                     [&value](const Number& candidate) { return candidate.meaning == value.meaning; });
    if (number != std::end(kNumbers)) {
        ids.*number->id = parse_number(value.text);
    } else {
        (value.meaning == "time" ? ids.time : ids.model_name) = value.text;
    }
}

std::string_view root_of(std::string_view path, const Folders& folders) {
    const auto place_of = [&folders](std::string_view meaning) {
        std::size_t place = folders.size();
        while (place > 0 && folders[place - 1].meaning != meaning) {
            --place;
        }
        return place;  // one after the folder; 0 if there is none
    };
    std::size_t first = place_of("rank");
    first = first != 0 ? first : place_of("time");
    if (first == 0) {
        const std::size_t slash = path.rfind('/');
        return path.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    first -= first > 1 && folders[first - 2].meaning == "step" ? 1U : 0U;  // steps of a rank are one source
    return path.substr(0, static_cast<std::size_t>(folders[first - 1].name.data() - path.data()));
}

}  // namespace

FolderIds match_folder_layouts(std::string_view path) {
    Folders folders = folders_of(path);
    FolderIds result;
    for (const Layout& layout : kLayouts) {
        for (const Value& value : match(folders, layout)) {
            set(value, result.ids);
            folders[value.folder].meaning = value.meaning;
            if (value.meaning == "time") {
                result.time_folder =
                    path.substr(0, static_cast<std::size_t>(value.text.data() + value.text.size() - path.data()));
            }
        }
    }
    result.root = root_of(path, folders);
    return result;
}

}  // namespace opdebug::tree
