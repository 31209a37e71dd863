#include "api_culprits/timelines.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace opdebug::api_culprits {
namespace {

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

std::string_view folder_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

/// Numbers at the end of the name, from the left: those of "Overflow_info_20230711_024501_1.pkl" and of
/// "Tensor_add_1_forward_2.pkl", where the last one counts the overflows of the process.
std::vector<std::uint64_t> numbers_of(std::string_view name) {
    std::vector<std::uint64_t> numbers;
    name = name.substr(0, name.rfind('.'));
    while (!name.empty()) {
        const std::size_t begin = name.find_last_of('_') + 1;
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(name.data() + begin, name.data() + name.size(), number);
        if (error != std::errc() || end != name.data() + name.size()) {
            break;
        }
        numbers.insert(numbers.begin(), number);
        name = name.substr(0, begin == 0 ? 0 : begin - 1);
    }
    return numbers;
}

/// Files of one time line follow one another by time where they tell it (statistic.csv), overflow files by their
/// numbers: newer ones have only the last, older ones their time in front.
auto order_of(const FileFacts& facts) {
    std::vector<std::uint64_t> numbers;
    if (facts.file.lists_overflows_only && facts.file.source == ApiSource::ptdbg) {
        const std::string_view path = facts.file.file;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        numbers = numbers_of(name);
        if (name.substr(0, 13) != "Overflow_info" && !numbers.empty()) {
            numbers = {numbers.back()};
        }
    }
    return std::tuple(facts.first_time.value_or(0), numbers);
}

using Place = std::tuple<std::optional<std::uint64_t>, std::optional<std::uint64_t>, std::optional<std::uint64_t>>;

/// Step, rank, process. Files without rank and process are time lines of their own folders.
Place place_of(const FileFacts& facts) {
    return {facts.file.step, facts.file.rank, facts.file.process};
}

bool roots_share_a_rank(const std::vector<FileFacts>& files) {
    std::map<Place, std::string> roots;
    for (const FileFacts& facts : files) {
        const auto [place, is_new] = roots.emplace(place_of(facts), root_of(facts.file.file));
        if (!is_new && place->second != root_of(facts.file.file)) {
            return true;
        }
    }
    return false;
}

void add_events(TimeLine& line, std::uint32_t number) {
    const FileFacts& facts = *line.files[number];
    std::vector<bool> placed(facts.found.size());
    const std::size_t begin = line.events.size();
    for (std::size_t i = 0; i < facts.transfers.size();) {
        Event event{number, facts.transfers[i].order, facts.transfers[i].call, facts.transfers[i].found, i, 0};
        const std::uint64_t call = facts.transfers[i].call;
        while (i < facts.transfers.size() && facts.transfers[i].call == call) {
            ++i;
            ++event.transfers;
        }
        if (event.found) {
            placed[*event.found] = true;
        }
        line.events.push_back(event);
    }
    for (std::size_t i = 0; i < facts.found.size(); ++i) {
        if (!placed[i]) {
            line.events.push_back({number, facts.found[i].order, facts.found[i].finding.position, i, 0, 0});
        }
    }
    const auto key = [&facts](const Event& event) {
        const Found* const found = event.found ? &facts.found[*event.found] : nullptr;
        return std::tuple(event.order, found != nullptr && found->is_module, found != nullptr && !found->behind.empty(),
                          event.call);
    };
    std::sort(line.events.begin() + static_cast<std::ptrdiff_t>(begin), line.events.end(),
              [&key](const Event& left, const Event& right) { return key(left) < key(right); });
}

Step step_of(std::optional<std::uint64_t> number,
             const std::map<std::tuple<Place, std::string>, std::vector<FileFacts*>>& places) {
    Step step;
    step.number = number;
    const auto first = places.lower_bound({Place(number, std::nullopt, std::nullopt), std::string()});
    for (auto at = first; at != places.end() && std::get<0>(std::get<0>(at->first)) == number; ++at) {
        const auto& [key, files] = *at;
        const Place& place = std::get<0>(key);
        TimeLine line;
        line.rank = std::get<1>(place);
        line.process = std::get<2>(place);
        line.files = files;
        std::stable_sort(line.files.begin(), line.files.end(), [](const FileFacts* left, const FileFacts* right) {
            return order_of(*left) < order_of(*right);
        });
        for (std::uint32_t i = 0; i < line.files.size(); ++i) {
            add_events(line, i);
        }
        step.lines.push_back(std::move(line));
    }
    return step;
}

}  // namespace

std::string root_of(const std::string& file) {
    std::string_view path = folder_of(file);
    for (std::string_view above = path; !above.empty(); above = folder_of(above)) {
        if (names_part_of_run(above.substr(above.rfind('/') + 1))) {
            path = folder_of(above);
        }
    }
    return std::string(path);
}

std::vector<Run> runs_of(std::vector<FileFacts>& files) {
    const bool apart = roots_share_a_rank(files);
    std::map<std::string, std::map<std::tuple<Place, std::string>, std::vector<FileFacts*>>> by_root;
    for (FileFacts& facts : files) {
        const std::string root = apart ? root_of(facts.file.file) : std::string();
        const bool nameless = !facts.file.rank && !facts.file.process;
        const std::string folder = nameless ? std::string(folder_of(facts.file.file)) : std::string();
        by_root[root][{place_of(facts), folder}].push_back(&facts);
    }
    std::vector<Run> runs;
    for (const auto& [root, places] : by_root) {
        Run run;
        run.root = root;
        std::set<std::optional<std::uint64_t>> steps;
        for (const auto& place : places) {
            steps.insert(std::get<0>(std::get<0>(place.first)));
        }
        for (const auto& number : steps) {
            run.steps.push_back(step_of(number, places));
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

}  // namespace opdebug::api_culprits
