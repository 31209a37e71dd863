// Dumps of API calls. dump.json is read next to a JSON parser that knows nothing of it; in .pkl texts and statistic.csv
// each line speaks for itself.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api_reading.hpp"
#include "every_byte.hpp"
#include "is_json.hpp"
#include "memory_file.hpp"

namespace opdebug::damage {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;

/// A call as the reader gives it.
struct Call {
    std::string name;
    std::string values;
    bool operator==(const Call&) const = default;
};

std::vector<Call> calls_of(const ApiReading& reading) {
    std::vector<Call> calls;
    for (const ApiEntry& entry : reading.entries) {
        calls.push_back({entry.name, shown_values(entry)});
    }
    return calls;
}

ApiReading read(std::string_view text) {
    const MemoryFile file{Bytes(text)};
    std::vector<ApiEntry> entries;
    Result<ApiFile> read =
        read_api_dump(file.path(), {}, [&entries](ApiEntry&& entry) { entries.push_back(std::move(entry)); });
    return {std::move(read), std::move(entries)};
}

bool tells_of_damage(const ApiReading& reading) {
    if (!reading.file) {
        return !reading.file.error().message.empty() && !reading.file.error().file.empty();
    }
    return std::any_of(reading.file->diagnostics.begin(), reading.file->diagnostics.end(),
                       [](const Diagnostic& told) { return told.code.rfind("api_dump_", 0) == 0; });
}

/// Whether the file is stated to hold all that was written.
bool passes_for_whole(const ApiReading& reading) {
    return reading.file && reading.file->complete && !tells_of_damage(reading);
}

/// No two keys differ in one byte only, so that none is written twice after a change.
constexpr std::string_view kDumpJson =
    R"({"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null, "data": {)"
    R"("Torch.cat.0.forward": {"input_args": [[{"type": "torch.Tensor", "dtype": "torch.float16", "shape": [4, 8], )"
    R"("Max": 1.5, "Min": -2.25, "Mean": 0.5, "Norm": 3.125, "requires_grad": true}, {"type": "int", "value": 7}]], )"
    R"("input_kwargs": {"dim": {"type": "int", "value": 13}}, "output": [null]}, )"
    R"("Functional.linear.21.forward": {"input_args": [{"type": "torch.Tensor", "dtype": "torch.bfloat16", )"
    R"("shape": [16], "Max": 65504.0, "Min": 6.1e-5, "Mean": 17.0, "Norm": 70000.5, "requires_grad": false}], )"
    R"("input_kwargs": {}, "is_nan": 1}, )"
    R"("Module.net.fc.Linear.backward.345": {"input": [], "output": [{"type": "torch.Tensor", )"
    R"("dtype": "torch.float32", "shape": [2, 3], "Max": 9.75, "Min": 8.5, "Mean": 9.0, "Norm": 22.0, )"
    R"("requires_grad": false}]}}})";

/// For each call of the sound text: where it ends, after its closing brace.
std::vector<std::size_t> ends_of_calls(std::string_view text) {
    std::vector<std::size_t> ends;
    std::size_t depth = 0;
    for (std::size_t place = 0; place < text.size(); ++place) {  // no string of it holds a brace
        depth += text[place] == '{' ? 1U : 0U;
        if (text[place] == '}' && depth-- == 3) {  // the document, "data", the call
            ends.push_back(place + 1);
        }
    }
    return ends;
}

/// All that a reader may give as maximum, minimum or norm of values below a node: the numbers there.
void add_numbers(const Json& node, std::set<double>& numbers) {
    if (node.is_number()) {
        numbers.insert(node.get<double>());
    } else if (node.is_structured()) {
        for (const Json& inside : node) {
            add_numbers(inside, numbers);
        }
    }
}

bool stand_below(const ApiEntry& entry, const Json& node) {
    std::set<double> numbers;
    add_numbers(node, numbers);
    return std::all_of(entry.values.begin(), entry.values.end(), [&numbers](const ApiValue& value) {
        const bool none_else = (!value.max || numbers.count(*value.max) != 0) &&
                               (!value.min || numbers.count(*value.min) != 0) &&
                               (!value.norm || numbers.count(*value.norm) != 0);
        return none_else || value.dtype == "bool" || value.dtype == "str";
    });
}

class DumpJson {
public:
    explicit DumpJson(Findings& findings)
        : findings_(findings), ends_(ends_of_calls(kDumpJson)), sound_(read(kDumpJson)) {
        findings.require(passes_for_whole(sound_), "the file is sound at first", codes(sound_));
        findings.require(ends_.size() == 3 && sound_.entries.size() == 3, "it has three calls");
    }

    std::string look(const Buffer& damaged, const Damage& damage) {
        const std::string text(damaged.begin(), damaged.end());
        const ApiReading reading = read(text);
        const Json document = Json::parse(with_plain_bytes(text), nullptr, false);
        const auto before = static_cast<std::size_t>(
            std::count_if(ends_.begin(), ends_.end(), [&damage](std::size_t end) { return end <= damage.place; }));
        require_calls_before(reading, before);
        if (document.is_discarded()) {
            findings_.require(tells_of_damage(reading), "what is no JSON is told", text);
            // What a brace too many makes of one call may look like two.
            findings_.require(reading.entries.size() <= before + (damage.cut ? 0 : 2),
                              "nothing is read of calls that are not whole", codes(reading));
        } else {
            look_at_json(reading, document);
        }
        return reading.file ? fmt::format("{} calls {}", reading.entries.size(), codes(reading)) : codes(reading);
    }

private:
    void require_calls_before(const ApiReading& reading, std::size_t before) {
        const std::vector<Call> sound = calls_of(sound_), now = calls_of(reading);
        findings_.require(now.size() >= before, "each whole call in front of the damage is read", codes(reading));
        for (std::size_t i = 0; i < std::min(before, now.size()); ++i) {
            findings_.require(now[i] == sound[i], "a call in front of the damage is what it was", now[i].values);
        }
    }

    void look_at_json(const ApiReading& reading, const Json& document) {
        const Json* const data = document.is_object() && document.contains("data") && document["data"].is_object()
                                     ? &document["data"]
                                     : nullptr;
        findings_.require(data == nullptr ? !reading.file : reading.file.ok(), "what has an object of calls is read",
                          codes(reading));
        if (data == nullptr || !reading.file) {
            return;
        }
        findings_.require(passes_for_whole(reading), "what is whole is not called damaged", codes(reading));
        findings_.require(reading.entries.size() == data->size(), "each call is read");
        std::size_t i = 0;
        for (const auto& [name, call] : data->items()) {
            if (i < reading.entries.size()) {
                findings_.require(with_plain_bytes(reading.entries[i].name) == with_plain_bytes(name),
                                  "calls keep their names", reading.entries[i].name);
                findings_.require(stand_below(reading.entries[i], call), "a number stands in the call",
                                  shown_values(reading.entries[i]));
            }
            ++i;
        }
    }

    Findings& findings_;
    std::vector<std::size_t> ends_;
    ApiReading sound_;
};

struct Line {
    std::size_t begin, end;  ///< after the line break
    std::string row;         ///< what is read of it; empty: nothing
};

/// One row for each value: the call, and what is reported of the value.
std::vector<std::string> rows_of(const ApiReading& reading) {
    std::vector<std::string> rows;
    for (const ApiEntry& entry : reading.entries) {
        for (const ApiValue& value : entry.values) {
            rows.push_back(entry.name + " " + shown(value));
        }
    }
    return rows;
}

/// Texts of which each line gives one row, except the first `headings` lines.
class LineText {
public:
    LineText(Findings& findings, std::string_view text, std::size_t headings)
        : findings_(findings), headings_(headings) {
        const ApiReading sound = read(text);
        const std::vector<std::string> rows = rows_of(sound);
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find('\n', begin) + 1;
            lines_.push_back({begin, end, ""});
            begin = end;
        }
        findings.require(passes_for_whole(sound) && rows.size() + headings == lines_.size(),
                         "each line of the sound file gives one row", codes(sound));
        for (std::size_t i = 0; i < std::min(rows.size(), lines_.size() - headings); ++i) {
            lines_[headings + i].row = rows[i];
        }
    }

    std::string look(const Buffer& damaged, const Damage& damage) {
        const ApiReading reading = read({reinterpret_cast<const char*>(damaged.data()), damaged.size()});
        const bool in_heading =
            damage.place < lines_[headings_].begin;  // what is left of it states which columns there are
        if (in_heading || !reading.file) {
            findings_.require(reading.file.ok() || tells_of_damage(reading), "a file that is not read is told");
            findings_.require(damage.place < lines_[headings_].end, "the first line tells what a file is",
                              codes(reading));
            return codes(reading);
        }
        std::vector<std::string> rows = rows_of(reading);
        std::size_t at = 0, whole = 0;
        for (std::size_t i = headings_; i < lines_.size(); ++i) {
            if (is_whole(i, damage)) {
                const auto found = std::find(rows.begin() + static_cast<std::ptrdiff_t>(at), rows.end(), lines_[i].row);
                findings_.require(found != rows.end(), "a whole line gives its row", lines_[i].row);
                at = found == rows.end() ? at : static_cast<std::size_t>(found - rows.begin()) + 1;
                ++whole;
            }
        }
        findings_.require(rows.size() <= whole + 2, "a damaged line gives its own rows only", codes(reading));
        return fmt::format("{} of {} rows", rows.size(), lines_.size() - headings_);
    }

private:
    /// A line break that is gone joins two lines.
    bool is_whole(std::size_t line, const Damage& damage) const {
        const Line& each = lines_[line];
        return damage.cut ? each.end <= damage.place : damage.place + 1 < each.begin || damage.place >= each.end;
    }

    Findings& findings_;
    std::size_t headings_;
    std::vector<Line> lines_;
};

}  // namespace

void try_api_dumps(Findings& findings) {
    DumpJson dump(findings);
    findings.try_all("dump.json", Buffer(kDumpJson.begin(), kDumpJson.end()),
                     [&dump](const Buffer& damaged, const Damage& damage) { return dump.look(damaged, damage); });
    const struct {
        const char* name;
        std::string_view text;
        std::size_t headings;
    } files[] = {
        {"ptdbg_dump_v6.0/rank0/dump.pkl",
         R"(["Functional.linear.0.forward.input.0", 0, [], "torch.bfloat16", [4, 5], [3.5, -3.25, 0.5]])"
         "\n"
         R"(["Functional.linear.0.forward.output", 0, [], "torch.bfloat16", [4, 5], [1.75, -2.5, 0.25]])"
         "\n"
         R"(["Tensor.__add__.71.forward.input.0", 0, [], "torch.float32", [7], [13.0, 11.0, 12.0]])"
         "\n"
         R"(["Torch.cat.352.backward.output.0", 0, [], "torch.float16", [2], [65504.0, 17.0, 99.0]])"
         "\n",
         0},
        {"statistic.csv",
         "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Type,Shape,Max Value,Min Value\n"
         "Add,net/Add,11,21,1001,input,0,float16,\"(1,3)\",1.5,-1.25\n"
         "Add,net/Add,11,21,1001,output,0,float16,\"(1,3)\",65504,-2.5\n"
         "Mul,net/last/Mul,345,21,2702,input,0,float32,\"(7)\",13,11\n"
         "Relu,net/Relu_9,6789,21,5903,output,1,bfloat16,\"(8,8)\",99,17\n",
         1},
    };
    for (const auto& file : files) {
        LineText lines(findings, file.text, file.headings);
        findings.try_all(file.name, Buffer(file.text.begin(), file.text.end()),
                         [&lines](const Buffer& damaged, const Damage& damage) { return lines.look(damaged, damage); });
    }
}

}  // namespace opdebug::damage
