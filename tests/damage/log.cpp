// A log of a few lines, each of which reports a task of its own: damage of one line costs what that line shows, and
// what is still reported is in the log.
#include <string>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

#include "every_byte.hpp"
#include "location.hpp"
#include "log_builder.hpp"
#include "text.hpp"

namespace opdebug::damage {
namespace {

using namespace test;

struct Line {
    std::size_t begin;
    std::size_t end;  ///< after the line break
    std::uint64_t stream;
    std::uint64_t task;
    std::string answer;
};

std::string answer_of(const std::shared_ptr<const TaskMap>& map, std::uint64_t stream, std::uint64_t task) {
    return shown(locate_in(map, dump_of({stream, task}, 500)).op);
}

/// What is in the damaged log where the line was.
std::string text_of(const Line& line, const std::string& text) {
    return line.begin < text.size() ? text.substr(line.begin, line.end - line.begin) : std::string();
}

/// The part of an answer up to the next "|": the operator's name; "-" or "none" when there is none.
std::string name_in(const std::string& answer) {
    return answer.substr(0, answer.find('|'));
}

std::vector<Line> lines_of_log(const std::string& text,
                               const std::vector<std::pair<std::uint64_t, std::uint64_t>>& tasks) {
    const auto map = task_map_of({text});
    std::vector<Line> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        const auto [stream, task] = tasks[lines.size()];
        lines.push_back({begin, end, stream, task, answer_of(map, stream, task)});
        begin = end;
    }
    return lines;
}

/// Numbers that a cut leaves of the task's: 5701 becomes 570, 57 and 5.
void require_no_cut_number(Findings& findings, const std::shared_ptr<const TaskMap>& map, const Line& line) {
    for (std::uint64_t task = line.task / 10; task != 0; task /= 10) {
        findings.require(answer_of(map, line.stream, task) == "none", "no part of a number is taken for the number",
                         answer_of(map, line.stream, task));
    }
    for (std::uint64_t stream = line.stream / 10; stream != 0; stream /= 10) {
        findings.require(answer_of(map, stream, line.task) == "none", "no part of a number is taken for the number",
                         answer_of(map, stream, line.task));
    }
}

std::string look_at(Findings& findings, const std::vector<Line>& lines, const Buffer& damaged, const Damage& damage) {
    const std::string text(damaged.begin(), damaged.end());
    const auto map = task_map_of({text});
    bool all_same = true;
    for (const Line& line : lines) {
        const std::string answer = answer_of(map, line.stream, line.task);
        all_same = all_same && answer == line.answer;
        const bool is_whole =
            damage.cut ? line.end <= damage.place : damage.place < line.begin || damage.place >= line.end;
        // A line break that is gone joins the next line to this one.
        const bool joined = !damage.cut && damage.place + 1 == line.begin;
        if (is_whole && !joined) {
            findings.require(answer == line.answer, "a line that is whole tells what it told",
                             "told " + line.answer + ", now " + answer);
        } else {
            const std::string name = name_in(answer);
            findings.require(name == "none" || name == "-" || contains(text_of(line, text), name),
                             "a name stands in the line of its task", name);
        }
        if (damage.cut && damage.place >= line.begin && damage.place < line.end) {
            require_no_cut_number(findings, map, line);
        }
    }
    return all_same ? "all answers" : "some answers";
}

}  // namespace

void try_log(Findings& findings) {
    LogText log;
    log.at(0).save_dump_task("net/mul_1", 1301, 5701).at(10).kernel_trace("net/sub_4", 2402, 6802);
    log.at(20).launch_2023(3503, 7903, "te_add_kernel").at(30).launch_2021(4604, 8104, "1_2_net/conv_9");
    log.at(40).device("ProcessDump",
                      "[stream id:5705, task id:9205, context id:65535] op name[net/relu_3], op type[Relu]");
    const std::vector<Line> lines =
        lines_of_log(log.text(), {{1301, 5701}, {2402, 6802}, {3503, 7903}, {4604, 8104}, {5705, 9205}});
    for (const Line& line : lines) {
        findings.require(line.answer != "none", "each line tells of its task at first",
                         log.text().substr(line.begin, line.end - line.begin));
    }
    findings.try_all(
        "a log", Buffer(log.text().begin(), log.text().end()),
        [&](const Buffer& damaged, const Damage& damage) { return look_at(findings, lines, damaged, damage); });
}

}  // namespace opdebug::damage
