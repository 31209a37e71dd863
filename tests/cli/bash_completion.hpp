// What bash offers at the end of a command line, and what it makes of keys that are typed.
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
        // -u: a variable that is not set would be an error. compopt, by which files are left to bash, needs a line
        // editor: here it does nothing.
        std::vector<std::string> arguments{"/bin/bash",
                                           "--norc",
                                           "--noprofile",
                                           "-uc",
                                           "compopt() { :; }; source \"$1\" && cd \"$2\" && COMP_WORDS=(\"${@:3}\") && "
                                           "COMP_CWORD=$(($# - 3)) && _opdebug && "
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

    /// What the lines of typed keys hand to a command opdebug: a line for each call, its arguments in angle brackets.
    /// \t completes, \n enters the line, \x15 takes it back. `setup`: commands that bash reads first.
    std::vector<std::string> entered(const std::string& keys, const std::string& setup = "") const {
        ProcessOptions options;
        options.environment = {{"HOME", folder_.path().string()}, {"INPUTRC", "/dev/null"}, {"TERM", "dumb"}};
        options.input = "cd\nsource " + (scripts_ / "opdebug") + "\nopdebug() { printf '<%s>' \"$@\"; echo; } >> " +
                        (scripts_ / "calls") + "\n" + setup + "\n" + keys;
        // Its own session: an interactive bash would take the terminal of the one who runs the tests.
        run_process({"/usr/bin/setsid", "--wait", "/bin/bash", "--norc", "--noprofile", "-i"}, options);
        return lines_of(read_file(scripts_ / "calls"));
    }

private:
    TemporaryDirectory scripts_;
    TemporaryDirectory folder_;
};

}  // namespace opdebug::test
