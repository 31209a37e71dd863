// What bash offers at the end of a command line.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tool.hpp"

namespace opdebug::test {

/// The script of `opdebug completion bash`, called as bash calls it, in a folder of its own.
class BashCompletion {
public:
    BashCompletion() { run_tool({"completion", "bash", "-o", scripts_ / "opdebug"}); }

    const TemporaryDirectory& folder() const { return folder_; }

    /// COMPREPLY for the words of a line as bash divides it; the cursor is at the end of the last one.
    std::vector<std::string> offered(const std::vector<std::string>& words) const {
        // -u: a variable that is not set would be an error. compopt needs a line editor, so here it does nothing.
        std::vector<std::string> arguments{
            "/bin/bash",
            "--norc",
            "--noprofile",
            "-uc",
            "source \"$1\" && cd \"$2\" && COMP_WORDS=(\"${@:3}\") && COMP_CWORD=$(($# - 3)) && _opdebug && "
            "((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"",
            "bash",
            scripts_ / "opdebug",
            folder_.path().string(),
            "opdebug"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        const ProcessResult run = run_process(arguments);
        CHECK(run.err.empty());
        return lines_of(run.out);
    }

private:
    TemporaryDirectory scripts_;
    TemporaryDirectory folder_;
};

}  // namespace opdebug::test
