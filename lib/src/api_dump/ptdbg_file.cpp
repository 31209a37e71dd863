// A .pkl of ptdbg_ascend: lines of text, despite its name.
#include "api_dump/readers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <opdebug/tree.hpp>

#include "api_dump/call_name.hpp"
#include "api_dump/file_text.hpp"

namespace opdebug::api_dump {

namespace {

constexpr LinesOfDump kLines{LineEnd::at_break, " \t", "api_dump_cut.line", "api_dump_damaged.lines", "no_calls"};

/// Joins the contiguous lines of one call to one entry.
class CallGatherer {
public:
    CallGatherer(ApiFile& file, const std::function<void(ApiEntry&&)>& use) : file_(file), use_(use) {}

    void add(PtdbgLine&& line) {
        if (entry_ && entry_->name != line.call) {
            finish();
        }
        if (!entry_) {
            begin(std::move(line.call));
        }
        file_.lists_overflows_only = file_.lists_overflows_only || line.is_overflow;
        if (line.value) {
            entry_->values.push_back(*std::move(line.value));
        }
    }

    /// A stack line alone is no call.
    void finish() {
        if (entry_ && !entry_->values.empty()) {
            entry_->inputs_dumped =
                std::any_of(entry_->values.begin(), entry_->values.end(),
                            [](const ApiValue& value) { return value.kind != ApiValueKind::output; });
            entry_->position = file_.entries++;
            entry_->is_listed_overflow = file_.lists_overflows_only;
            use_(*std::move(entry_));
        }
        entry_.reset();
    }

private:
    void begin(std::string&& name) {
        entry_.emplace();
        entry_->name = std::move(name);
        read_ptdbg_name(*entry_);
        entry_->inputs_after_call = is_measured_late(*entry_);
    }

    ApiFile& file_;
    const std::function<void(ApiEntry&&)>& use_;
    std::optional<ApiEntry> entry_;
};

}  // namespace

Result<ApiFile> read_ptdbg_file(const std::string& path, const ApiReadOptions& options,
                                const std::function<void(ApiEntry&&)>& use) {
    ApiFile file;
    file.file = path;
    file.source = ApiSource::ptdbg;
    file.framework = ApiFramework::pytorch;
    // The name of overflow files until October 2023. Later ones also have the flag in their lines.
    file.lists_overflows_only = file_name_of(path).starts_with("Overflow_info_");
    CallGatherer calls(file, use);
    const auto read_line = [&calls](const Line& line) -> Result<bool> {
        std::optional<PtdbgLine> read = read_ptdbg_line(line.text, false);
        if (!read) {
            return false;
        }
        calls.add(*std::move(read));
        return true;
    };
    const Result<std::uint64_t> damaged = read_lines(kLines, options, file, read_line, [&calls] { calls.finish(); });
    if (!damaged) {
        return damaged.error();
    }
    if (file.entries == 0 && *damaged != 0) {
        return Error{ErrorCode::api_dump_invalid,
                     "not a .pkl text of ptdbg_ascend: no line is a JSON list that starts with a call name", path,
                     std::nullopt};
    }
    return file;
}

Result<bool> read_ptdbg_stacks(const std::string& path, const ApiReadOptions& options,
                               const std::function<void(std::string&&, std::vector<std::string>&&)>& use) {
    ApiFile file;
    file.file = path;
    const auto read_line = [&use](const Line& line) -> Result<bool> {
        std::optional<PtdbgLine> read = read_ptdbg_line(line.text, true);
        if (read && !read->frames.empty()) {
            use(std::move(read->call), std::move(read->frames));
        }
        return true;
    };
    const Result<std::uint64_t> damaged = read_lines(kLines, options, file, read_line, [] {});
    return damaged ? Result<bool>(true) : damaged.error();
}

}  // namespace opdebug::api_dump
