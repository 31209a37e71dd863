#include "api_dump/ptdbg_file.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "api_dump/call_name.hpp"
#include "api_dump/early_end.hpp"
#include "api_dump/line_reader.hpp"
#include "api_dump/ptdbg_line.hpp"
#include "bytes/counted.hpp"

namespace opdebug::api_dump {
namespace {

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t") == std::string_view::npos;
}

/// Overflow files are named by time until October 2023, then by their call; the lines' flag tells the latter.
bool is_named_as_overflow(std::string_view path) {
    constexpr std::string_view kStart = "Overflow_info_";
    return file_name_of(path).substr(0, kStart.size()) == kStart;
}

/// Lines of one call stand together; they become one entry.
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
            use_(*std::move(entry_));
        }
        entry_.reset();
    }

private:
    /// Inputs are read after the call, those of collectives before it as well.
    void begin(std::string&& name) {
        constexpr std::string_view kDistributed = "Distributed.";
        entry_.emplace();
        entry_->name = std::move(name);
        read_ptdbg_name(*entry_);
        entry_->inputs_after_call =
            entry_->phase == ApiPhase::forward && entry_->api.compare(0, kDistributed.size(), kDistributed) != 0;
    }

    ApiFile& file_;
    const std::function<void(ApiEntry&&)>& use_;
    std::optional<ApiEntry> entry_;
};

struct DamagedLines {
    std::uint64_t count = 0, first = 0;
    bool last_was_cut = false;
};

void tell(const DamagedLines& damaged, ApiFile& file) {
    const std::uint64_t others = damaged.count - (damaged.last_was_cut ? 1 : 0);
    if (damaged.last_was_cut) {
        file.complete = false;
        file.diagnostics.push_back(
            {Severity::error, "api_dump_cut",
             fmt::format(
                 "the file ends inside of its last line; {} {} read. Its writer was ended; what came later is not "
                 "known",
                 bytes::counted(file.entries, "call"), file.entries == 1 ? "was" : "were")});
    }
    if (others != 0) {
        file.diagnostics.push_back(
            {Severity::error, "api_dump_damaged",
             fmt::format("{} {} of a tensor or a stack and {} left out, the first is line {}",
                         bytes::counted(others, "line"), others == 1 ? "is no JSON list" : "are no JSON lists",
                         bytes::is_or_are(others), damaged.first)});
    }
}

Error not_a_dump(const std::string& path) {
    return {ErrorCode::api_dump_invalid,
            "no line is a JSON list that begins with the name of a call, as in a .pkl of ptdbg_ascend", path,
            std::nullopt};
}

}  // namespace

Result<ApiFile> read_ptdbg_file(const std::string& path, const ApiReadOptions& options,
                                const std::function<void(ApiEntry&&)>& use) {
    Result<FileWindow> window = FileWindow::open(path, options);
    if (!window) {
        return window.error();
    }
    ApiFile file;
    file.file = path;
    file.source = ApiSource::ptdbg;
    file.framework = ApiFramework::pytorch;
    file.lists_overflows_only = is_named_as_overflow(path);
    LineReader lines(*window);
    CallGatherer calls(file, use);
    DamagedLines damaged;
    while (true) {
        const Result<std::optional<Line>> line = lines.next();
        if (!line) {
            calls.finish();
            if (const std::optional<Error> error = end_at_limit(line.error(), file)) {
                return *error;
            }
            break;
        }
        if (!*line) {
            break;
        }
        if (is_blank((*line)->text)) {
            continue;
        }
        if (std::optional<PtdbgLine> read = read_ptdbg_line((*line)->text, false)) {
            calls.add(*std::move(read));
        } else {
            damaged.first = damaged.count++ == 0 ? (*line)->number : damaged.first;
            damaged.last_was_cut = !(*line)->has_end;
        }
    }
    calls.finish();
    if (file.entries == 0 && damaged.count > (damaged.last_was_cut ? 1U : 0U)) {
        return not_a_dump(path);
    }
    tell(damaged, file);
    if (file.entries == 0 && damaged.count == 0 && window->file().size() == 0) {
        tell_empty(file);
    } else if (file.entries == 0 && file.complete) {
        file.diagnostics.push_back({Severity::warning, "no_calls", "the file lists no calls"});
    }
    return file;
}

Result<bool> read_ptdbg_stacks(const std::string& path, const ApiReadOptions& options,
                               const std::function<void(std::string&&, std::vector<std::string>&&)>& use) {
    Result<FileWindow> window = FileWindow::open(path, options);
    if (!window) {
        return window.error();
    }
    LineReader lines(*window);
    while (true) {
        const Result<std::optional<Line>> line = lines.next();
        if (!line) {
            return line.error();
        }
        if (!*line) {
            return true;
        }
        std::optional<PtdbgLine> read = read_ptdbg_line((*line)->text, true);
        if (read && !read->frames.empty()) {
            use(std::move(read->call), std::move(read->frames));
        }
    }
}

}  // namespace opdebug::api_dump
