// Messages on standard error, and exit statuses.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>

#include "remarks/diagnose.hpp"

namespace opdebug::tool {

// The exit statuses of every command; scripts rely on them (docs/reference/commands.md).
constexpr int kEverythingHandled = 0;
constexpr int kSomethingDamaged = 1;  ///< some input was damaged or unreadable; the rest is complete
constexpr int kUsage = 2;             ///< wrong usage, or nothing to do
constexpr int kOverflowFound = 3;     ///< --fail-on overflow, and an overflow exists
constexpr int kInterrupted = 128;     ///< plus the number of the signal (interrupt.hpp); finished results are complete

/// Writes a message to stderr, after "opdebug: ". Escapes control characters in names.
void print_message(const std::string& message);

/// Writes the phrase with this id: see sentence().
void print_phrase(std::string_view id, remarks::Fields fields = {});

/// The language of all messages; English at first.
void set_message_language(Language language);
Language message_language();

/// The phrase with this id (lib/data/diagnostics/tool.jsonl), or the text of an error, in the language of messages.
std::string sentence(std::string_view id, remarks::Fields fields = {});
std::string sentence(const Error& failure);

/// Writes a remark, after `file` and a colon where a file is named.
void print_message(const Diagnostic& remark, const std::string& file = {});

/// Writes a failure.
void print_message(const Error& failure);

/// Writes each failure in a line of its own.
void print_failures(const std::vector<Error>& failures);

/// Reports each remark on its own line.
void print_remarks(const std::vector<Diagnostic>& remarks);

/// Reports the remarks of severity error, each with the prefix `file` if it is not empty.
void print_errors(const std::vector<Diagnostic>& remarks, const std::string& file = {});

/// Whether a remark has severity error: part of the input is damaged or missing.
bool has_errors(const std::vector<Diagnostic>& remarks);

/// A progress line on the terminal. Shows nothing if stderr is no terminal.
class ProgressLine {
public:
    /// `quiet`: never show anything.
    explicit ProgressLine(bool quiet);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const ScanProgress& progress);
    void show_logs(std::uint64_t bytes);
    /// Clears the line.
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
