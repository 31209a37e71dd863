// The last line of an ordinary report, for merging.
#include <utility>

#include <opdebug/tree.hpp>

#include "report/json/json_members.hpp"
#include "report/parts/ordinary_lines.hpp"
#include "report/parts/part_api.hpp"
#include "tree/dump_name.hpp"

namespace opdebug::report {
namespace {

ScanCounts read_counts(const json& object, bool& sound) {
    const Members members(object, sound);
    ScanCounts counts;
    members.number("dumps", counts.dumps);
    members.number("overflowed", counts.overflowed);
    members.number("clean", counts.clean);
    members.number("failed", counts.failed);
    members.number("op_dumps", counts.op_dumps);
    members.number("other_files", counts.other_files);
    return counts;
}

/// A dump that failed, by its path alone.
ScanEntry failed_entry(const json& object, bool& sound) {
    const Members members(object, sound);
    ScanEntry entry;
    members.text("file", entry.item.file);
    members.text("code", entry.failure_code);
    members.text("message", entry.failure_message);
    entry.item.path_ids = parse_path_ids(entry.item.file);
    const std::optional<DumpName> name = tree::parse_name_of_dump(file_name_of(entry.item.file));
    entry.item.timestamp_us = name ? name->timestamp_us : std::nullopt;
    entry.item.model = model_in_groups(entry.item.path_ids.model_name.value_or(""));
    return entry;
}

}  // namespace

std::optional<OrdinaryEnd> read_ordinary_end(std::string_view line) {
    const json object = parsed_line(line);
    bool sound = true;
    const Members members(object, sound);
    std::string type;
    members.text("type", type);
    const json* counts = members.find("counts");
    if (type != "summary" || counts == nullptr) {
        return std::nullopt;
    }
    OrdinaryEnd end;
    end.counts = read_counts(*counts, sound);
    end.tensors = members.find("chains") != nullptr;
    end.facts.op_dumps = end.counts.op_dumps;
    end.facts.other_files = end.counts.other_files;
    members.truth("complete", end.facts.complete);
    if (const json* api = members.find("api"); api != nullptr && !api->is_null()) {
        end.facts.api = read_ordinary_api(*api, sound);
    }
    members.each("failures", [&](const json& item) {
        if (end.failed.size() < end.counts.failed) {  // these stand first
            end.failed.push_back(failed_entry(item, sound));
        } else {
            end.facts.failures.push_back(read_failure(item, sound));
        }
    });
    members.check(end.failed.size() == end.counts.failed);
    members.each("diagnostics", [&](const json& item) {
        Diagnostic diagnostic = read_diagnostic(item, sound);
        if (diagnostic.code != "chains_cut") {  // the chains of all are made anew
            auto& list = diagnostic.code == "first_uncertain" ? end.doubts : end.facts.diagnostics;
            list.push_back(std::move(diagnostic));
        }
    });
    return sound ? std::optional(std::move(end)) : std::nullopt;
}

}  // namespace opdebug::report
