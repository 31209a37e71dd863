// Whole logs, and the operator and the model that they name for a dump: testdata/log-answers.
//
// A file has cases. A case has a name, the files of its logs, and dumps with their answers:
//   === case NAME
//   === log PATH          the lines of that file follow; "=== log cut PATH": its last line has no line break
//   === dump STREAM TASK [model ID] [context ID] [thread ID] at MILLISECONDS
//   operator NAME|TYPE|KERNEL|CONFIDENCE from FILE:LINE ...
//   model NAME|RUNTIME ID|GE ID|GRAPH ID from FILE:LINE ...
//   candidates ...        where there are some
//   remarks ...           where there are some
// Times are those after 2026-03-04 10:00:00 of the logs' clock. A file of a log is called by its name up to the first
// "_" or ".". OPDEBUG_WRITE_ANSWERS=1 writes the answers of today into the files.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "location.hpp"
#include "saved_map.hpp"
#include "shown_facts.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kMark = "=== ";

std::shared_ptr<const TaskMap> read_map(const std::string& path, const ReadLogsOptions& options = {}) {
    const Result<ReadLogs> logs = read_logs({path}, options);
    REQUIRE_MESSAGE(logs.ok(), path);
    CHECK(logs->failures.empty());
    CHECK(logs->diagnostics.empty());
    return logs->task_map;
}

std::string places(const std::vector<Evidence>& evidence) {
    std::vector<std::pair<std::string, std::uint64_t>> lines;
    for (const Evidence& item : evidence) {
        const std::string name = std::filesystem::path(item.file).filename().string();
        lines.emplace_back(name.substr(0, name.find_first_of("_.")), item.line.value_or(0));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const auto& [file, number] : lines) {
        text += " " + file + ":" + std::to_string(number);
    }
    return text;
}

std::string answer_of(const Location& location) {
    std::string text = "operator " + shown(location.op);
    text += location.op ? " from" + places(location.op->best.evidence) : "";
    text += "\nmodel " + shown(location.model);
    text += location.model ? " from" + places(location.model->evidence) : "";
    const std::string candidates = candidates_of(location), remarks = remarks_of(location);
    return text + (candidates.empty() ? "" : "\ncandidates " + candidates) +
           (remarks.empty() ? "" : "\nremarks " + remarks) + "\n";
}

/// "21 6 model 3 at 500"
Dump dump_from(const std::string& words) {
    std::istringstream stream(words);
    RecordIds ids;
    std::int64_t milliseconds = 0;
    stream >> ids.stream >> ids.task;
    for (std::string word; stream >> word;) {
        std::uint64_t value = 0;
        if (word == "at") {
            stream >> milliseconds;
        } else if (stream >> value) {
            (word == "model" ? ids.model : word == "context" ? ids.context : ids.thread) = value;
        }
    }
    return dump_of(ids, milliseconds);
}

/// Reading for this dump only, and reading from a saved map, give the same answer.
std::string answer_in(const std::string& logs, const Dump& dump) {
    const std::shared_ptr<const TaskMap> map = read_map(logs);
    const std::string answer = answer_of(locate_in(map, dump));
    ReadLogsOptions for_this;
    for_this.wanted.emplace();
    add_wanted(dump, *for_this.wanted);
    CHECK(answer_of(locate_in(read_map(logs, for_this), dump)) == answer);
    const TemporaryDirectory folder;
    const std::string saved = write_file(folder / "saved.map", test::saved({logs}));
    CHECK(shown_facts(*read_map(saved)) == shown_facts(*map));
    CHECK(answer_of(locate_in(read_map(saved), dump)) == answer);
    CHECK(shown_facts(*read_map(saved, for_this)) == shown_facts(*read_map(logs, for_this)));
    return answer;
}

/// The text with the answers of today.
std::string answered(const std::string& text) {
    std::string result, name;
    std::unique_ptr<TemporaryDirectory> folder;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t line_end = text.find('\n', begin) + 1;
        const std::size_t end = std::min(text.find("\n" + kMark, line_end - 1), text.size() - 1) + 1;
        const std::string line = text.substr(begin, line_end - begin - 1),
                          block = text.substr(line_end, end - line_end);
        begin = end;
        result += line + "\n";
        const auto is = [&line](const std::string& word) { return line.starts_with(kMark + word); };
        if (is("case ")) {
            name = line.substr(kMark.size() + 5);
            folder = std::make_unique<TemporaryDirectory>();
        } else if (is("log cut ")) {
            write_file(folder->path() / line.substr(kMark.size() + 8),
                       std::string_view(block).substr(0, block.size() - 1));
        } else if (is("log ")) {
            write_file(folder->path() / line.substr(kMark.size() + 4), block);
        } else if (is("dump ")) {
            CAPTURE(name);
            CAPTURE(line);
            const std::string answer = answer_in(folder->path().string(), dump_from(line.substr(kMark.size() + 5)));
            CHECK(answer == block);
            result += answer;
            continue;
        }
        result += block;
    }
    return result;
}

}  // namespace

TEST_CASE("log answers: whole logs name operator and model, with the lines that prove it") {
    std::size_t files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(source_folder) + "/testdata/log-answers")) {
        const std::string path = entry.path().string(), text = read_file(path);
        CAPTURE(path);
        REQUIRE(text.starts_with(kMark));
        const std::string now = answered(text);
        if (std::getenv("OPDEBUG_WRITE_ANSWERS") != nullptr) {
            write_file(path, now);
        }
        ++files;
    }
    CHECK(files > 5);
}
