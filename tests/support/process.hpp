// Runs a program and keeps what it wrote and how it ended.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace opdebug::test {

struct ProcessResult;

struct ProcessOptions {
    std::string input;                                             ///< given to the program's stdin
    std::vector<std::pair<std::string, std::string>> environment;  ///< added to the environment of the test
    bool closed_output = false;                                    ///< stdout is a pipe that nobody reads
    int signal_once_caught = 0;                                    ///< sent as soon as the program catches it; 0: none
    std::string signal_once_said;                                  ///< the signal waits for this text on stderr
    std::string signal_once_open;                                  ///< the signal waits until this file is open
    /// Queried again and again while the program runs, with what it wrote so far: a signal to send, or 0.
    std::function<int(const ProcessResult&)> meanwhile;
    unsigned short terminal_columns = 0;  ///< stderr is a terminal so wide; 0: a pipe
    unsigned short output_columns = 0;    ///< the same of stdout
};

struct ProcessResult {
    int exit_status = -1;  ///< -1 when a signal ended the program
    int signal = 0;
    std::string out;
    std::string err;
};

/// arguments[0] is the program's path. A program that takes longer than a minute is killed.
ProcessResult run_process(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

}  // namespace opdebug::test
