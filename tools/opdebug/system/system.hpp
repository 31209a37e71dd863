// What the program needs of the system: environment, signals, standard streams, commands of the user.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::tool {

/// Chinese if LC_ALL, LC_MESSAGES or LANG (the first that is set) starts with "zh".
Language language_of_environment();

/// TMPDIR if it is set, otherwise /tmp.
std::string temporary_folder();

/// Whether terminals support colours and clearing a line: not with TERM=dumb.
bool terminals_know_sequences();

/// Whether to use colours on a terminal: NO_COLOR is not set or empty (no-color.org), and the terminal supports them.
bool colors_are_wanted();

/// Columns of a page: COLUMNS, otherwise the width of the terminal, otherwise 100. The range is 60 to 200.
std::size_t page_columns(bool is_terminal);

/// The name of this machine; empty if the system has none.
std::string host_name();

/// Makes SIGINT (Ctrl-C), SIGTERM and SIGHUP (closed terminal) only set a flag. A second SIGINT or SIGTERM ends the
/// process immediately. Signals that the parent ignores stay ignored (nohup).
void catch_interrupts();

/// Whether an interrupt came. Thread-safe.
bool interrupted() noexcept;

/// Whether an interrupt came at least that long ago.
bool interrupted_for(std::chrono::milliseconds time) noexcept;

/// The exit status for the first interrupt, as in shells: 128 plus its number.
int interrupted_status() noexcept;

/// Repeats a call that signals interrupt. Null or a negative number means failure, with errno set.
template <class Call>
auto uninterrupted(const Call& call) {
    while (true) {
        const auto result = call();
        bool failed = false;
        if constexpr (std::is_pointer_v<decltype(result)>) {
            failed = result == nullptr;
        } else {
            failed = result < 0;
        }
        if (!failed || errno != EINTR) {
            return result;
        }
    }
}

/// Writes all of it. Returns false on failure, with errno set.
inline bool write_fully(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = uninterrupted([&] { return ::write(descriptor, text.data(), text.size()); });
        if (count < 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

/// Opens a placeholder for each stream that was closed before the start (2>&-). Otherwise the first opened file would
/// get its number, and messages would be written into a result. Reading and writing the placeholder fail.
void open_standard_streams() noexcept;

/// The error of a result that cannot be written.
inline Error write_error(std::string message, std::string path) {
    return {ErrorCode::write_failed, std::move(message), std::move(path), std::nullopt};
}

constexpr std::string_view kStandardInput = "-";

/// Reads standard input to its end. Errors: read_failed, file_too_large, interrupted.
Result<std::vector<std::uint8_t>> read_standard_input(const Limits& limits);

/// Runs `/bin/sh -c COMMAND`. The command contains nothing from files: it reads its data from its standard input, a
/// file in memory, so neither side blocks. Its standard output is our standard error, because our own output has one
/// format. It has its own process group, so Ctrl-C does not end it.
class StartedCommand {
public:
    /// Error: write_failed.
    [[nodiscard]] std::optional<Error> start(const std::string& command, std::string_view input);

    /// Checks whether it has ended. Returns how, in words, only the first time.
    std::optional<std::string> ended();

    /// Waits for its end. After `longest`, sends SIGTERM and stops waiting. Returns how it ended, in words; empty if
    /// none runs.
    std::optional<std::string> wait(std::chrono::milliseconds longest);

private:
    pid_t process_ = 0;  ///< 0: none
};

}  // namespace opdebug::tool
