#include "report_options.hpp"

#include "environment.hpp"

namespace opdebug::tool {

void add_report_options(options::options_description& description) {
    description.add_options()                                                                                      //
        ("output,o", options::value<std::string>()->value_name("FILE"), "write there instead of standard output")  //
        ("lang", options::value<std::string>()->value_name("LANG"),
         "language of texts: en or zh (default from LANG)")  //
        ("help,h", "show this help");
}

std::optional<std::string> output_path(const ParsedArguments& arguments) {
    // "-" is standard output, as it is standard input among the files.
    const bool is_file = arguments.has("output") && arguments.text("output") != "-";
    return is_file ? std::optional<std::string>(arguments.text("output")) : std::nullopt;
}

std::optional<std::string> read_language(const ParsedArguments& arguments, ReportOptions& report) {
    report.language = language_of_environment();
    if (arguments.has("lang")) {
        const auto language = language_from_name(arguments.text("lang"));
        if (!language) {
            return "--lang is en or zh, not '" + arguments.text("lang") + "'";
        }
        report.language = *language;
    }
    return std::nullopt;
}

}  // namespace opdebug::tool
