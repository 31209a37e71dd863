#include "merge/first_text.hpp"

#include <string>

#include <opdebug/report.hpp>

namespace opdebug::merge {
namespace {

/// What is left of it: what its document or its line tells.
std::string made_text(const MergedDumps& dumps, Language language) {
    std::string text;
    (void)dumps.each([&](const report::DumpInOrder& dump) {
        if (dump.entry.item.state != DumpState::overflowed) {
            return true;
        }
        const Result<std::string_view> document = dump.text(report::KeptText::document);
        const auto read = document ? report::read_record_document(*document) : std::nullopt;
        ReportOptions options;
        options.language = language;
        text = read ? record_to_text(*read->scanned.dump, read->scanned.location, options)
                    : printable(dump.entry.item.file) + "\n";
        return false;
    });
    return text;
}

}  // namespace

report::FirstText first_text_of(const std::shared_ptr<const Part>& part,
                                const std::shared_ptr<const MergedDumps>& dumps) {
    return [part, dumps](Language language) -> std::string {
        if (!part) {
            return {};
        }
        if (part->end && !part->head.ordinary) {
            return language == Language::chinese ? part->end->first_chinese : part->end->first_english;
        }
        return made_text(*dumps, language);
    };
}

}  // namespace opdebug::merge
