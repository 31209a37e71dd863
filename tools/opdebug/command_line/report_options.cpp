#include "command_line/report_options.hpp"

#include "system/environment.hpp"

namespace opdebug::tool {

Option output_option() {
    return {"output,o", result_file_value("FILE"), "write there instead of standard output"};
}

Option language_option(const char* summary) {
    return {"lang", word_value("LANG", {"en", "zh"}), summary};
}

void add_report_options(CommandLine& line) {
    line.options.push_back(output_option());
    line.options.push_back(language_option("language of texts: en or zh (default from LANG)"));
    line.options.push_back(help_option());
}

std::optional<std::string> output_path(const ParsedArguments& arguments) {
    // "-" is standard output, as it is standard input among the files.
    const bool is_file = arguments.has("output") && arguments.text("output") != "-";
    return is_file ? std::optional<std::string>(arguments.text("output")) : std::nullopt;
}

void read_language(const ParsedArguments& arguments, ReportOptions& report) {
    report.language = arguments.has("lang") && arguments.text("lang") == "zh" ? Language::chinese
                      : arguments.has("lang")                                 ? Language::english
                                                                              : language_of_environment();
}

}  // namespace opdebug::tool
