#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "bytes/unknown_last.hpp"
#include "tree/name.hpp"

namespace opdebug::api_culprits {
namespace {

/// "rank3", "rank_3", "rank", "proc12", "pid12", "step0"; dump_tensor_data and others are none.
bool names_part_of_run(std::string_view folder) {
    for (const std::string_view word : {"rank", "step", "proc", "pid"}) {
        if (folder.starts_with(word)) {
            std::string_view rest = folder.substr(word.size());
            rest.remove_prefix(!rest.empty() && rest.front() == '_' ? 1 : 0);
            return rest.empty() || tree::is_decimal(rest);
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

/// Orders the files of one time line by time, if known (statistic.csv). Overflow files of ptdbg_ascend are ordered by
/// the number at the end of their name, which counts the overflows of the process.
auto order_of(const FileFacts& facts) {
    std::uint64_t number = 0;
    if (facts.file.lists_overflows_only && facts.file.source == ApiSource::ptdbg) {
        std::string_view name = name_of(facts.file.file);
        name = name.substr(0, name.rfind('.'));
        number = tree::parse_number(name.substr(name.rfind('_') + 1)).value_or(0);
    }
    return std::pair(facts.first_time.value_or(0), number);
}

/// Key of a time line; unknown members are last.
struct LineKey {
    std::optional<std::uint64_t> step, rank, process;
    std::string folder;  ///< of files without rank and process

    auto key() const {
        using bytes::unknown_last;
        return std::tuple(unknown_last(step), unknown_last(rank), unknown_last(process), std::string_view(folder));
    }
    bool operator<(const LineKey& other) const { return key() < other.key(); }
};

LineKey line_key_of(const ApiFile& file) {
    const bool is_nameless = !file.rank && !file.process;
    return {file.step, file.rank, file.process, is_nameless ? std::string(parent_folder(file.file)) : std::string()};
}

bool roots_share_a_rank(const std::vector<FileFacts>& files) {
    std::map<LineKey, std::string> known;
    return std::any_of(files.begin(), files.end(), [&known](const FileFacts& facts) {
        const ApiFile& file = facts.file;
        const std::string root = root_of_run(file.file);
        return known.emplace(LineKey{file.step, file.rank, file.process, {}}, root).first->second != root;
    });
}

void add_events(TimeLine& line, std::uint32_t number) {
    const FileFacts& facts = *line.files[number];
    std::vector<bool> placed(facts.drafts.size());
    const std::size_t begin = line.events.size();
    for (std::size_t i = 0; i < facts.transfers.size();) {
        Event event{number, facts.transfers[i].order, facts.transfers[i].call, facts.transfers[i].draft, i, 0};
        const std::uint64_t call = facts.transfers[i].call;
        while (i < facts.transfers.size() && facts.transfers[i].call == call) {
            ++i;
            ++event.transfers;
        }
        if (event.draft) {
            placed[*event.draft] = true;
        }
        line.events.push_back(event);
    }
    for (std::size_t i = 0; i < facts.drafts.size(); ++i) {
        if (!placed[i]) {
            line.events.push_back({number, facts.drafts[i].order, facts.drafts[i].finding.position, i, 0, 0});
        }
    }
    const auto key = [&facts](const Event& event) {
        const DraftFinding* const draft = event.draft ? &facts.drafts[*event.draft] : nullptr;
        return std::tuple(event.order, draft != nullptr && draft->is_module, event.call);
    };
    std::sort(line.events.begin() + static_cast<std::ptrdiff_t>(begin), line.events.end(),
              [&key](const Event& left, const Event& right) { return key(left) < key(right); });
}

TimeLine line_of(const LineKey& key, std::vector<FileFacts*>&& files) {
    TimeLine line;
    line.rank = key.rank;
    line.process = key.process;
    line.files = std::move(files);
    std::stable_sort(line.files.begin(), line.files.end(),
                     [](const FileFacts* left, const FileFacts* right) { return order_of(*left) < order_of(*right); });
    for (std::uint32_t i = 0; i < line.files.size(); ++i) {
        add_events(line, i);
    }
    return line;
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

std::vector<Run> runs_of(std::vector<FileFacts>& files) {
    const bool are_apart = roots_share_a_rank(files);
    std::map<std::string, std::map<LineKey, std::vector<FileFacts*>>> by_root;
    for (FileFacts& facts : files) {
        by_root[are_apart ? root_of_run(facts.file.file) : std::string()][line_key_of(facts.file)].push_back(&facts);
    }
    std::vector<Run> runs;
    for (auto& [root, lines] : by_root) {
        Run run;
        run.root = root;
        for (auto& [key, of_line] : lines) {
            if (run.steps.empty() || run.steps.back().number != key.step) {
                run.steps.push_back({key.step, {}});
            }
            run.steps.back().lines.push_back(line_of(key, std::move(of_line)));
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

}  // namespace opdebug::api_culprits
