// A file that was given itself: where its name does not say what it is, its content is asked.
#include <optional>
#include <string>

#include <opdebug/api_dump.hpp>
#include <opdebug/dump.hpp>

#include "doctor/checks.hpp"
#include "logs/map_file/map_file.hpp"
#include "tree/folder.hpp"
#include "tree/walk_folder.hpp"

namespace opdebug::doctor {
namespace {

/// Whether the name is a dump's, which is added then.
bool add_dump(const std::string& file, tree::NameReader& names, Survey& survey) {
    const std::string_view name = file_name_of(file);
    switch (names.kind_of(name)) {
        case tree::NameKind::op_dump: ++survey.op_dumps; return true;
        case tree::NameKind::overflow_dump: {
            const std::string_view real_name = names.real_name_of(name);
            survey.dumps.push_back({file, real_name == name ? std::string() : std::string(real_name)});
            return true;
        }
        default: return false;
    }
}

}  // namespace

bool has_api_calls(const std::string& file) {
    const Result<std::optional<ApiSource>> source = api_source_of(file);
    return source && *source;
}

void add_given_file(const std::string& file, const DoctorOptions& options, Survey& survey, Findings& findings) {
    const std::string folder = tree::folder_of(file);
    tree::NameReader names(folder, options.limits);
    if (add_dump(file, names, survey)) {
        return;
    }
    if (const std::optional<Error>& failure = names.failure()) {
        findings.add("mapping_unusable", failure->file, {{"reason", failure->message}});
    }
    if (has_api_calls(file)) {
        survey.api_dumps.push_back(file);
        return;
    }
    if (logs::is_map_file(file)) {
        survey.maps.push_back(file);
        return;
    }
    if (may_be_log(file)) {
        survey.logs.push_back(file);
        return;
    }
    DecodeOptions decoding;
    decoding.limits = options.limits;
    const Result<Dump> dump = decode_file(file, decoding);
    if (dump) {
        survey.dumps.push_back({file, {}});
    } else if (dump.error().code == ErrorCode::not_an_overflow_dump) {
        ++survey.op_dumps;
        survey.op_dump_by_content = true;
    } else {
        findings.add("file_unknown", file, {{"reason", dump.error().message}});
    }
}

}  // namespace opdebug::doctor
