#include "log_options.hpp"

#include <charconv>
#include <iterator>

#include <opdebug/log_formats.hpp>

namespace opdebug::tool {

void add_log_formats_option(options::options_description& description) {
    description.add_options()  //
        ("log-formats", options::value<std::vector<std::string>>()->value_name("DIR"),
         "definitions of further log lines: a folder with .json files, or one file; may be repeated");
}

std::optional<std::string> read_log_formats(const ParsedArguments& arguments, std::vector<NamedText>& files) {
    for (const std::string& path : arguments.texts("log-formats")) {
        Result<std::vector<NamedText>> found = read_log_format_files(path);
        if (!found) {
            return "--log-formats: " + to_string(found.error());
        }
        files.insert(files.end(), std::make_move_iterator(found->begin()), std::make_move_iterator(found->end()));
    }
    if (files.empty()) {
        return std::nullopt;
    }
    const auto formats = list_log_formats(files);
    return formats ? std::nullopt : std::optional<std::string>("--log-formats: " + to_string(formats.error()));
}

std::optional<std::string> read_threads(const ParsedArguments& arguments, unsigned& threads) {
    constexpr unsigned kMostThreads = 1024;
    if (!arguments.has("jobs")) {
        return std::nullopt;
    }
    const std::string text = arguments.text("jobs");
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), threads);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || threads == 0 || threads > kMostThreads) {
        return "-j is a number of threads from 1 to 1024, not '" + text + "'";
    }
    return std::nullopt;
}

}  // namespace opdebug::tool
