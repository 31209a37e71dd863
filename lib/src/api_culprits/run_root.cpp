#include "api_culprits/run_root.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

namespace opdebug::api_culprits {
namespace {

constexpr std::string_view kHalves[] = {"graph", "pynative"};

bool is_number(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "rank3", "rank_3", "rank", "proc12", "pid12", "step0"; dump_tensor_data and others are none.
bool names_part_of_run(std::string_view folder) {
    for (const std::string_view word : {"rank", "step", "proc", "pid"}) {
        if (folder.substr(0, word.size()) == word) {
            std::string_view rest = folder.substr(word.size());
            rest.remove_prefix(!rest.empty() && rest.front() == '_' ? 1 : 0);
            return is_number(rest);
        }
    }
    return false;
}

std::string_view parent_folder(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// Where a file lies below a half and a folder of a step in it.
struct HalfPlace {
    std::string_view dump_path;  ///< with the '/' at its end; empty: a relative path
    std::string_view half;       ///< empty: below none
    bool operator<(const HalfPlace& other) const {
        return std::tie(dump_path, half) < std::tie(other.dump_path, other.half);
    }
};

HalfPlace half_place_of(std::string_view file) {
    std::string_view step = parent_folder(file);
    for (std::string_view above = parent_folder(step); !above.empty(); step = above, above = parent_folder(above)) {
        const std::string_view name = name_of(above);
        const bool is_half = std::find(std::begin(kHalves), std::end(kHalves), name) != std::end(kHalves);
        if (is_half && name_of(step).starts_with("step") && names_part_of_run(name_of(step))) {
            return {above.substr(0, above.size() - name.size()), name};
        }
    }
    return {};
}

}  // namespace

std::string root_of_run(std::string_view file) {
    std::string_view path = parent_folder(file);
    for (std::string_view above = path; !above.empty(); above = parent_folder(above)) {
        if (names_part_of_run(name_of(above))) {
            path = parent_folder(above);
        }
    }
    return std::string(path);
}

std::vector<RunRoot> run_roots_of(const std::vector<FileFacts>& files) {
    std::set<HalfPlace> known;
    for (const FileFacts& facts : files) {
        known.insert(half_place_of(facts.file.file));
    }
    std::vector<RunRoot> roots;
    roots.reserve(files.size());
    for (const FileFacts& facts : files) {
        const HalfPlace place = half_place_of(facts.file.file);
        const bool has_other = !place.half.empty() && std::all_of(std::begin(kHalves), std::end(kHalves),
                                                                  [&known, &place](std::string_view half) {
                                                                      return known.count({place.dump_path, half}) != 0;
                                                                  });
        roots.push_back(has_other ? RunRoot{root_of_run(place.dump_path), std::string(place.half)}
                                  : RunRoot{root_of_run(facts.file.file), {}});
    }
    return roots;
}

}  // namespace opdebug::api_culprits
