// What a command says on standard error and by its exit status.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>

namespace opdebug::tool {

// The exit statuses of every command; scripts rely on them (docs/cli.md).
constexpr int kEverythingHandled = 0;
constexpr int kSomethingDamaged = 1;  ///< some input was damaged or unreadable; the rest is complete
constexpr int kUsage = 2;             ///< wrong usage, or nothing to do
constexpr int kOverflowFound = 3;     ///< --fail-on overflow, and there is one
constexpr int kInterrupted = 128;     ///< and the number of the signal (interrupt.hpp); what was done is complete

/// Says something on stderr, after "opdebug: ". Control characters of names become visible.
void say(const std::string& message);

/// In which language the following remarks and failures are said; English at first.
void speak(Language language);

/// Says a remark, with `file` and a colon before it where a file is named.
void say(const Diagnostic& remark, const std::string& file = {});

/// Says a failure.
void say(const Error& failure);

/// Says each failure in a line of its own.
void say_failures(const std::vector<Error>& failures);

/// Says each remark in a line of its own.
void say_remarks(const std::vector<Diagnostic>& remarks);

/// Says the remarks of severity error; in front of each stands `file`, where one is given.
void say_errors(const std::vector<Diagnostic>& remarks, const std::string& file = {});

/// Whether a remark of severity error is among them: part of the input is damaged or missing.
bool has_errors(const std::vector<Diagnostic>& remarks);

/// "1 dump", "2 dumps"; `several` where an s does not make it of the word.
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view several = {}) {
    std::string text = std::to_string(count) + " ";
    text += count == 1 || several.empty() ? one : several;
    return count == 1 || !several.empty() ? text : text + "s";
}

/// One line on the terminal that tells how far long work is; nothing where stderr is no terminal.
class ProgressLine {
public:
    /// `quiet`: never show anything.
    explicit ProgressLine(bool quiet);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const ScanProgress& progress);
    void show_logs(std::uint64_t bytes);
    /// Takes the line away.
    void clear();

private:
    bool is_due();
    void write(const std::string& text);

    bool shown_ = false;
    bool enabled_ = false;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_{};
};

}  // namespace opdebug::tool
