// One JSON file of log formats: the document around the entries.
#include "logs/formats/format_file.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bytes/utf8.hpp"
#include "json/document.hpp"
#include "json/values.hpp"

namespace opdebug::logs {
namespace {

constexpr std::uint64_t kMostJsonNested = 8;  // lists of texts in the rules of a format in the list of a file: 5
constexpr const char* kForm = R"(a file of log formats is an object with the members "schema" and "formats" only)";

Error file_error(const NamedText& file, const std::string& message) {
    return Error{ErrorCode::log_format_invalid, message, file.name, std::nullopt};
}

/// The fault of a text that is not JSON, or is not sound JSON: with its line, which the cursor does not know.
std::optional<Error> json_fault(const NamedText& file, const Limits& limits) {
    json_stage::Fault fault;
    std::optional<std::uint64_t> offset;
    json_stage::parse_document(file.text, fault, &offset, limits);
    if (!fault.found()) {
        return std::nullopt;
    }
    Error error = file_error(file, fault.reason + "; " + fault.remedy);
    error.offset = offset;
    error.code = fault.passed_limit.value_or(error.code);
    return error;
}

class FileReader {
public:
    explicit FileReader(const NamedText& file) : file_(file), cursor_(file.text, kMostJsonNested) {}

    Result<std::vector<FormatDefinition>> read() {
        const auto member = [this](std::string_view key) {
            return key == "schema"    ? read_schema()
                   : key == "formats" ? read_formats()
                                      : fail(fmt::format("the member \"{}\" does not belong here: {}", key, kForm));
        };
        cursor_.pass_text(bytes::kByteOrderMark);
        if (!json_stage::each_member(cursor_, member)) {
            fail(kForm);
        }
        if (!has_schema_ || !has_formats_) {
            fail(fmt::format("the member \"{}\" is missing: {}", has_schema_ ? "formats" : "schema", kForm));
        }
        if (error_) {
            return *std::move(error_);
        }
        return std::move(formats_);
    }

private:
    bool fail(const std::string& message) {
        if (!error_) {
            error_ = file_error(file_, message);
        }
        return false;
    }

    bool read_schema() {
        std::string_view schema;
        has_schema_ = true;
        const bool is_text = json_stage::read_scalar(cursor_, json_stage::JsonScalar::Kind::text, schema);
        return (is_text && (schema == kFormatSchema || schema == kFormatSchema1)) ||
               fail(fmt::format("\"schema\" must be \"{}\"; this version reads no other but \"{}\"", kFormatSchema,
                                kFormatSchema1));
    }

    bool read_formats() {
        has_formats_ = true;
        std::size_t entries = 0;
        const auto entry = [this, &entries] {
            FormatDefinition format;
            format.file = file_.name;
            format.id = fmt::format("formats[{}]", entries++);
            error_ = read_format_entry(cursor_, std::move(format), formats_);
            return !error_;
        };
        const bool are_read = json_stage::each_item(cursor_, entry) && !formats_.empty();
        return are_read || fail(R"("formats" must be a list with at least one log format)");
    }

    const NamedText& file_;
    json_stage::JsonCursor cursor_;
    std::vector<FormatDefinition> formats_;
    bool has_schema_ = false, has_formats_ = false;
    std::optional<Error> error_;
};

}  // namespace

Result<std::vector<FormatDefinition>> read_format_file(const NamedText& file, const Limits& limits, Samples samples) {
    if (samples == Samples::trusted) {
        return FileReader(file).read();
    }
    if (std::optional<Error> fault = json_fault(file, limits)) {
        return *std::move(fault);
    }
    Result<std::vector<FormatDefinition>> formats = FileReader(file).read();
    if (formats) {
        for (const FormatDefinition& format : *formats) {
            if (std::optional<Error> error = check_definition(format)) {
                return *std::move(error);
            }
        }
    }
    return formats;
}

Error format_error(const FormatDefinition& format, const std::string& member, const std::string& reason,
                   const std::string& remedy) {
    return Error{ErrorCode::log_format_invalid,
                 fmt::format("log format \"{}\": \"{}\" {}; {}", format.id, member, reason, remedy), format.file,
                 std::nullopt};
}

}  // namespace opdebug::logs
