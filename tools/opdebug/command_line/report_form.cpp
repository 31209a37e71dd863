#include "command_line/report_form.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "system/environment.hpp"

namespace opdebug::tool {
namespace {

struct Form {
    std::string_view name;
    WriteReport write;
    bool shows_documents, shows_rows;  ///< of single dumps: else they need not be made
};
constexpr Form kForms[] = {{"text", &ScanReport::write_text, false, false},
                           {"json", &ScanReport::write_json, true, false},
                           {"jsonl", &ScanReport::write_json_lines, true, false},
                           {"csv", &ScanReport::write_csv, false, true},
                           {"html", &ScanReport::write_html, false, false}};

std::vector<std::string> form_names() {
    std::vector<std::string> names;
    for (const Form& form : kForms) {
        names.emplace_back(form.name);
    }
    return names;
}

}  // namespace

Option form_option() {
    return {"format", word_value("FORM", form_names()),
            "text (default on a terminal), json (default elsewhere), jsonl (one line each), csv or html"};
}

Option trace_option() {
    return {"trace", repeated(file_value("FILE")),
            "trace_view.json of PyTorch's profiler of the same run, plain, .gz or .zst: which API call launched the "
            "kernel that overflowed; may be repeated"};
}

WriteReport read_form(const ParsedArguments& arguments, bool to_file, ScanReportOptions& report) {
    const bool on_terminal = !to_file && ::isatty(STDOUT_FILENO) == 1;
    const std::string name = arguments.has("format") ? arguments.text("format") : on_terminal ? "text" : "json";
    const auto* const form =
        std::find_if(std::begin(kForms), std::end(kForms), [&name](const Form& known) { return known.name == name; });
    report.partial = report.partial && form->write == &ScanReport::write_json_lines;  // the name is one of the table
    report.keep_documents = form->shows_documents;
    report.keep_rows = form->shows_rows || report.partial;
    report.color = on_terminal && colors_are_wanted();
    return form->write;
}

}  // namespace opdebug::tool
