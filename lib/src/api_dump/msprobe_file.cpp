// A dump.json or debug.json of msprobe, call by call.
#include "api_dump/readers.hpp"

#include <utility>

#include <fmt/format.h>

#include "api_dump/call_name.hpp"
#include "api_dump/file_text.hpp"
#include "api_dump/msprobe_call.hpp"
#include "bytes/passed_limit.hpp"
#include "json/cursor.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;
using json_stage::JsonStop;

namespace {

class MsprobeReader {
public:
    MsprobeReader(FileWindow window, const std::string& path, const ApiReadOptions& options,
                  const std::function<void(ApiEntry&&)>& use)
        : window_(std::move(window)), options_(options), use_(use) {
        file_.file = path;
    }

    Result<ApiFile> read() {
        const Result<StreamEnd> end = object_.read(window_, options_.limits.call_nesting);
        if (!end) {
            return end_at(end.error());
        }
        if (call_size_ > options_.limits.call_bytes) {
            return end_at(*window_.refuse_call(call_size_));
        }
        return end->is_closed ? finish() : end_early(end->stop, end->position);
    }

private:
    bool read_member(JsonCursor& cursor, std::string_view key) {
        char next = 0;
        if (!cursor.peek(next)) {
            return false;
        }
        if (next == '{' || next == '[') {
            return cursor.skip_value();
        }
        JsonScalar value;
        if (!cursor.scalar(value)) {
            return false;
        }
        take(key, value);
        return true;
    }

    bool read_call(JsonCursor& cursor, std::string_view name) {
        const std::size_t begin = cursor.position();
        if (!calls_.read(cursor, name, entry_)) {
            return false;
        }
        call_size_ = name.size() + cursor.position() - begin;
        if (call_size_ > options_.limits.call_bytes) {
            return false;
        }
        calls_.note_signs(entry_, signs_);
        last_call_ = entry_.name;
        entry_.position = file_.entries++;
        // Inputs are measured before the call since msprobe 1.2.0 (December 2024), which writes parameters of modules;
        // the key "framework" is of 1.2.1 (January 2025). Files with grad_input or grad_output (until July 2024) are
        // old whatever their keys. In a file of 1.2.0 calls before the first module count as old. msprobe writes all
        // keys before the calls: without any, the version is unknown.
        is_rewritten_ = is_rewritten_ || !has_known_key_;
        const bool is_old = signs_.has_torch_words || (has_known_key_ && framework_.empty() && !signs_.has_parameters);
        entry_.inputs_after_call = is_old && is_measured_late(entry_);
        entry_.is_listed_overflow = file_.lists_overflows_only;
        use_(std::move(entry_));
        return true;
    }

    void take(std::string_view key, const JsonScalar& value) {
        has_known_key_ = has_known_key_ || is_msprobe_key(key);
        if (key == "framework") {
            framework_ = value.text;
        } else if (key == "task") {
            file_.task = value.text;
            file_.lists_overflows_only = file_.task.starts_with("overflow");
        } else if (key == "level") {
            file_.level = value.text;
        }
    }

    void judge_signs() {
        const std::string_view framework = framework_;
        const std::string_view type = signs_.tensor_type;
        const auto says = [framework, type](std::string_view name, std::string_view prefix) {
            return framework == name ||
                   ((framework.empty() || framework == "unknown") && type.substr(0, prefix.size()) == prefix);
        };
        if (says("mindspore", "mindspore.") || framework == "mindtorch") {  // mindtorch: PyTorch's API on MindSpore
            file_.framework = ApiFramework::mindspore;
        } else if (says("pytorch", "torch.")) {
            file_.framework = ApiFramework::pytorch;
        }
        if (is_rewritten_ && has_known_key_) {
            file_.diagnostics.push_back(remarks::diagnose("api_dump_damaged.order"));
        }
        if (signs_.placeholders != 0) {
            file_.diagnostics.push_back(remarks::diagnose("statistics_missing", {{"count", signs_.placeholders}}));
        }
    }

    /// The object is complete. The calls in other text after it, possibly another dump, are not read.
    Result<ApiFile> finish() {
        if (!object_.has_items()) {
            return not_a_dump(0, "not a dump.json of msprobe: the \"data\" object is missing");
        }
        const Result<bool> is_end = is_end_of_file(window_);
        if (!is_end) {
            return end_at(is_end.error());
        }
        judge_signs();
        if (!*is_end) {
            file_.complete = false;
            file_.diagnostics.push_back(
                remarks::diagnose("api_dump_damaged.text_after", {{"place", window_.offset()}}));
        } else if (file_.entries == 0) {
            const bool has_names_only = file_.task == "structure";
            file_.diagnostics.push_back(
                remarks::diagnose(has_names_only ? "no_calls.names_only" : "no_calls.nothing_ran"));
        }
        return std::move(file_);
    }

    /// `at`: position in the window where parsing stopped.
    Result<ApiFile> end_early(JsonStop why, std::size_t at) {
        const std::uint64_t offset = window_.offset() + at;
        if (why == JsonStop::too_deep) {
            Error error = bytes::limit_error(
                ErrorCode::nesting_too_deep,
                fmt::format("lists and objects are nested more than {} levels deep", options_.limits.call_nesting),
                options_.limits, &Limits::call_nesting, offset);
            error.file = file_.file;
            return end_at(error);
        }
        if (why == JsonStop::malformed && !object_.has_items()) {
            return not_a_dump(at, "not a dump.json: expected an object with \"task\" and \"data\" members");
        }
        if (why == JsonStop::end && !object_.has_items() && !object_.is_at_start() && !has_known_key_) {
            return not_a_dump(at, "not a dump.json of msprobe, or truncated: the file ends before the \"data\" object");
        }
        judge_signs();
        file_.complete = false;
        const LocalizedText read = last_call_.empty()
                                       ? remarks::phrase("no_whole_call")
                                       : remarks::phrase("whole_calls", {{"count", file_.entries},
                                                                         {"last", fmt::format("{:.200}", last_call_)}});
        file_.diagnostics.push_back(remarks::diagnose(
            why == JsonStop::end ? "api_dump_cut.json" : "api_dump_damaged.json", {{"place", offset}, {"read", read}}));
        return std::move(file_);
    }

    Result<ApiFile> end_at(const Error& why) {
        if (std::optional<Error> error = end_at_limit(why, file_)) {
            return *std::move(error);
        }
        judge_signs();
        return std::move(file_);
    }

    Error not_a_dump(std::size_t at, std::string message) const {
        return {ErrorCode::api_dump_invalid, std::move(message), file_.file, window_.offset() + at};
    }

    FileWindow window_;
    const ApiReadOptions& options_;
    const std::function<void(ApiEntry&&)>& use_;
    ApiFile file_;
    ItemStream object_{{.items = "data"},
                       [this](JsonCursor& cursor, std::string_view key) { return read_member(cursor, key); },
                       [this](JsonCursor& cursor, std::string_view name) { return read_call(cursor, name); }};
    bool has_known_key_ = false;
    bool is_rewritten_ = false;  ///< calls come before the keys
    std::string framework_, last_call_;
    std::size_t call_size_ = 0;  ///< bytes of the last call
    ApiEntry entry_;
    CallReader calls_;
    CallSigns signs_;
};

}  // namespace

Result<ApiFile> read_msprobe_file(const std::string& path, const ApiReadOptions& options,
                                  const std::function<void(ApiEntry&&)>& use) {
    Result<FileWindow> window = FileWindow::open(path, options);
    if (!window) {
        return window.error();
    }
    Result<ApiFile> file = MsprobeReader(std::move(*window), path, options, use).read();
    if (std::optional<Diagnostic> failures = file ? collection_failures(path) : std::nullopt) {
        file->diagnostics.push_back(*std::move(failures));
    }
    if (std::optional<Diagnostic> slice = file ? sliced_values(path) : std::nullopt) {
        file->diagnostics.push_back(*std::move(slice));
    }
    return file;
}

}  // namespace opdebug::api_dump
