// Dumps and groups in one line each, for people.
#include <fmt/format.h>

#include <opdebug/scan_report.hpp>

#include "report/scan/scan_page.hpp"
#include "report/text/labels.hpp"
#include "report/text/labels_scan.hpp"
#include "report/text/text_time.hpp"

namespace opdebug {
inline namespace v0 {

std::string item_to_line(const ScanItem& item, Language language) {
    const report::Labels& labels = report::labels_in(language);
    const report::ScanLabels& words = report::scan_labels_in(language);
    std::string text = item.timestamp_us ? report::show_time(*item.timestamp_us) : std::string(words.unknown_time);
    const auto add = [&text](std::string_view name, const std::optional<std::uint64_t>& value) {
        text += value ? fmt::format("  {} {}", name, *value) : std::string();
    };
    add("step", item.path_ids.data_index);
    add("rank", item.path_ids.rank);
    add("device", item.path_ids.device_id);
    std::string causes;
    for (const std::string& cause : cause_ids(item)) {
        causes += (causes.empty() ? "" : ", ") + report::cause_name(cause, language);
    }
    if (item.state == DumpState::clean) {
        causes = labels.clean;
    }
    const std::string op = report::show_operator(item.operator_name, item.operator_type);
    const std::string origin =
        item.origin ? fmt::format("  {}", report::verdict_label(item.origin->verdict, labels)) : std::string();
    return fmt::format("{}  {}{}{}{}  {}", text, causes, op.empty() ? "" : "  ", op, origin, printable(item.file));
}

std::string group_to_line(const ScanGroup& group, Language language) {
    const report::ScanLabels& words = report::scan_labels_in(language);
    std::string text = report::cause_name(group.cause, language);
    const std::string op = report::show_operator(group.operator_name, group.operator_type);
    text += op.empty() ? "" : fmt::format("  {} {}", words.op, op);
    return text + (group.model.empty() ? "" : fmt::format("  {} {}", words.model, printable(group.model)));
}

}  // namespace v0
}  // namespace opdebug
