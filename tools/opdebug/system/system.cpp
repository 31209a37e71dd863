#include "system/system.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "output/messages.hpp"

namespace opdebug::tool {

Language language_of_environment() {
    for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value != nullptr && *value != '\0') {
            return std::string_view(value).substr(0, 2) == "zh" ? Language::chinese : Language::english;
        }
    }
    return Language::english;
}

std::string temporary_folder() {
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

bool terminals_know_sequences() {
    const char* terminal = std::getenv("TERM");
    return terminal == nullptr || std::string_view(terminal) != "dumb";
}

bool colors_are_wanted() {
    const char* no_color = std::getenv("NO_COLOR");
    return (no_color == nullptr || *no_color == '\0') && terminals_know_sequences();
}

std::size_t page_columns(bool is_terminal) {
    constexpr std::size_t kDefault = 100, kFewest = 60, kMost = 200;
    std::size_t columns = 0;
    if (const char* text = std::getenv("COLUMNS")) {
        const std::string_view digits = text;
        std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    }
    winsize window{};
    if (columns == 0 && is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) {
        columns = window.ws_col;
    }
    return columns == 0 ? kDefault : std::clamp(columns, kFewest, kMost);
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

namespace {

/// Time of the first interrupt, in nanoseconds of the monotonic clock; 0: none. Atomic, because a signal handler sets
/// it.
std::atomic<std::int64_t> interrupt_time{0};
/// Its signal number. Set before the time.
std::atomic<int> interrupt_signal{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler may not wait for a lock");
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

std::int64_t now() noexcept {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);  // async-signal-safe
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void handle(int signal, void (*handler)(int)) noexcept {
    struct sigaction action {};
    action.sa_handler = handler;
    sigaction(signal, &action, nullptr);  // async-signal-safe
}

extern "C" void note_interrupt(int signal) {
    int none = 0;
    if (interrupt_signal.compare_exchange_strong(none, signal)) {
        interrupt_time = now();
    }
    if (signal != SIGHUP) {  // a closed terminal sends two hangups: from the shell and from the system
        handle(signal, SIG_DFL);
    }
}

}  // namespace

void catch_interrupts() {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_DFL) {
            continue;  // ignored by the parent (nohup; "&" in a script), or already set
        }
        handle(signal, note_interrupt);
    }
}

bool interrupted() noexcept {
    return interrupt_time != 0;
}

bool interrupted_for(std::chrono::milliseconds time) noexcept {
    const std::int64_t begin = interrupt_time;
    return begin != 0 && now() - begin >= std::chrono::nanoseconds(time).count();
}

int interrupted_status() noexcept {
    return kInterrupted + interrupt_signal;
}

void open_standard_streams() noexcept {
    int number = 0;
    while (number <= STDERR_FILENO) {
        number = ::open("/", O_PATH | O_CLOEXEC);
        if (number < 0) {
            return;
        }
    }
    ::close(number);
}

namespace {

Error input_error(ErrorCode code, std::string message) {
    return {code, std::move(message), std::string(kStandardInput), std::nullopt};
}

}  // namespace

// Stops at the limit: the input of a pipe may be endless.
Result<std::vector<std::uint8_t>> read_standard_input(const Limits& limits) {
    std::vector<std::uint8_t> content;
    std::array<std::uint8_t, 65536> chunk{};
    while (!interrupted()) {
        const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());  // a signal ends it: no SA_RESTART
        if (count == 0) {
            return content;
        }
        if (count < 0 && errno != EINTR) {
            return input_error(ErrorCode::read_failed,
                               fmt::format("cannot read standard input: {}", std::strerror(errno)));
        }
        content.insert(content.end(), chunk.begin(), chunk.begin() + std::max<ssize_t>(count, 0));
        if (content.size() > limits.file_bytes) {
            return input_error(
                ErrorCode::file_too_large,
                fmt::format("standard input has more than {} bytes, the limit file_bytes (to raise it: --limit "
                            "file_bytes=NUMBER); an overflow dump has about 2 KB, so this is another file",
                            limits.file_bytes));
        }
    }
    return input_error(ErrorCode::interrupted, "standard input was not read to its end");
}

}  // namespace opdebug::tool
