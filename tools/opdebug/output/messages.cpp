#include "output/messages.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include <opdebug/report.hpp>

namespace opdebug::tool {

void say(const std::string& message) {
    const std::string line = fmt::format("opdebug: {}\n", printable(message));
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void say_failures(const std::vector<Error>& failures) {
    for (const Error& failure : failures) {
        say(to_string(failure));
    }
}

void say_remarks(const std::vector<Diagnostic>& remarks) {
    for (const Diagnostic& remark : remarks) {
        say(remark.message);
    }
}

void say_errors(const std::vector<Diagnostic>& remarks, const std::string& file) {
    for (const Diagnostic& remark : remarks) {
        if (remark.severity == Severity::error) {
            say(file.empty() ? remark.message : file + ": " + remark.message);
        }
    }
}

bool has_errors(const std::vector<Diagnostic>& remarks) {
    return std::any_of(remarks.begin(), remarks.end(),
                       [](const Diagnostic& remark) { return remark.severity == Severity::error; });
}

}  // namespace opdebug::tool
