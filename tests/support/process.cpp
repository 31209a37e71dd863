// Runs a program with posix_spawn and three pipes.
#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>

extern char** environ;

namespace opdebug::test {
namespace {

constexpr std::chrono::seconds time_limit{60};

// Two ends of a pipe; what is still open is closed at the end.
struct Pipe {
    int read_end = -1;
    int write_end = -1;

    Pipe() {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            throw std::runtime_error("cannot create a pipe");
        }
        read_end = ends[0];
        write_end = ends[1];
    }
    /// A terminal: what is written to one end as to a screen is read from the other, line breaks as they were written.
    explicit Pipe(unsigned short columns) : read_end(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
        std::array<char, 64> name{};
        const winsize window{24, columns, 0, 0};
        if (read_end < 0 || ::grantpt(read_end) != 0 || ::unlockpt(read_end) != 0 ||
            ::ptsname_r(read_end, name.data(), name.size()) != 0 || ::ioctl(read_end, TIOCSWINSZ, &window) != 0 ||
            (write_end = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) {
            close_end(read_end);
            throw std::runtime_error("cannot create a terminal");
        }
        termios settings{};
        ::tcgetattr(write_end, &settings);
        settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
        ::tcsetattr(write_end, TCSANOW, &settings);
    }
    ~Pipe() {
        close_end(read_end);
        close_end(write_end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    static void close_end(int& end) {
        if (end >= 0) {
            ::close(end);
            end = -1;
        }
    }
};

std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& additions) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        bool replaced = false;
        for (const auto& [name, value] : additions) {
            replaced = replaced || text.compare(0, name.size() + 1, name + "=") == 0;
        }
        if (!replaced) {
            result.push_back(text);
        }
    }
    for (const auto& [name, value] : additions) {
        result.push_back(name + "=" + value);
    }
    return result;
}

/// A terminal of a test knows colours, whatever the one of its user is, unless the test states otherwise.
std::vector<std::pair<std::string, std::string>> with_terminal(const ProcessOptions& options) {
    std::vector<std::pair<std::string, std::string>> environment = options.environment;
    const bool is_told = std::any_of(environment.begin(), environment.end(),
                                     [](const auto& variable) { return variable.first == "TERM"; });
    if (!is_told && (options.terminal_columns != 0 || options.output_columns != 0)) {
        environment.emplace_back("TERM", "xterm");
    }
    return environment;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) {
        result.push_back(text.data());
    }
    result.push_back(nullptr);
    return result;
}

pid_t spawn(const std::vector<std::string>& arguments, const ProcessOptions& options, const Pipe& in, const Pipe& out,
            const Pipe& err) {
    std::vector<std::string> argument_texts = arguments;
    std::vector<std::string> environment_texts = merged_environment(with_terminal(options));
    std::vector<char*> argument_pointers = pointers_to(argument_texts);
    std::vector<char*> environment_pointers = pointers_to(environment_texts);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.read_end, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
    // What whoever runs the tests left open would count where descriptors are limited.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    // This process ignores SIGPIPE (see run_process); the program starts with the usual disposition.
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    const int failure = posix_spawn(&child, arguments.at(0).c_str(), &actions, &attributes, argument_pointers.data(),
                                    environment_pointers.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        throw std::runtime_error("cannot start " + arguments.at(0));
    }
    return child;
}

// Takes what is there; closes the end when the program closed its own.
void drain(int& end, std::string& text) {
    std::array<char, 65536> chunk{};
    const ssize_t count = ::read(end, chunk.data(), chunk.size());
    if (count > 0) {
        text.append(chunk.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
        Pipe::close_end(end);
    }
}

void feed(int& end, const std::string& text, std::size_t& done) {
    const ssize_t count = ::write(end, text.data() + done, text.size() - done);
    if (count > 0) {
        done += static_cast<std::size_t>(count);
    } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
        done = text.size();  // the program does not read its input
    }
    if (done == text.size()) {
        Pipe::close_end(end);
    }
}

/// Whether the program has a handler of its own for the signal: the bits of SigCgt in its status file.
bool catches(pid_t child, int signal) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.rfind("SigCgt:", 0) == 0) {
            return (std::stoull(line.substr(7), nullptr, 16) >> static_cast<unsigned>(signal - 1) & 1U) != 0;
        }
    }
    return false;
}

/// Whether the program has the file open, or no file is expected. Descriptors may go while they are looked at.
bool has_open(pid_t child, const std::string& file) {
    std::error_code failure;
    std::filesystem::directory_iterator descriptor("/proc/" + std::to_string(child) + "/fd", failure);
    bool found = file.empty();
    for (; !found && !failure && descriptor != std::filesystem::directory_iterator(); descriptor.increment(failure)) {
        std::error_code gone;
        found = std::filesystem::equivalent(descriptor->path(), file, gone);
    }
    return found;
}

/// Whether the signal that the options request may be sent.
bool is_due(pid_t child, const ProcessOptions& options, const ProcessResult& result) {
    return result.err.find(options.signal_once_said) != std::string::npos &&
           catches(child, options.signal_once_caught) && has_open(child, options.signal_once_open);
}

void exchange(pid_t child, const ProcessOptions& options, Pipe& in, Pipe& out, Pipe& err, ProcessResult& result) {
    const std::string& input = options.input;
    bool signal_waits = options.signal_once_caught != 0;
    const auto deadline = std::chrono::steady_clock::now() + time_limit;
    std::size_t done = 0;
    fcntl(in.write_end, F_SETFL, O_NONBLOCK);
    if (input.empty()) {
        Pipe::close_end(in.write_end);
    }
    while (out.read_end >= 0 || err.read_end >= 0) {
        if (std::chrono::steady_clock::now() > deadline) {
            ::kill(child, SIGKILL);
            return;
        }
        if (signal_waits && is_due(child, options, result)) {
            ::kill(child, options.signal_once_caught);
            signal_waits = false;
        }
        if (const int signal = options.meanwhile ? options.meanwhile(result) : 0) {
            ::kill(child, signal);
        }
        std::array<pollfd, 3> ends{{{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}, {in.write_end, POLLOUT, 0}}};
        if (::poll(ends.data(), ends.size(), signal_waits || options.meanwhile ? 5 : 100) <= 0) {
            continue;
        }
        if (ends[0].revents != 0) {
            drain(out.read_end, result.out);
        }
        if (ends[1].revents != 0) {
            drain(err.read_end, result.err);
        }
        if (ends[2].revents != 0) {
            feed(in.write_end, input, done);
        }
    }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
    // A program that ends without reading its input must not end the test.
    std::signal(SIGPIPE, SIG_IGN);
    Pipe in;
    Pipe out = options.output_columns == 0 ? Pipe() : Pipe(options.output_columns);
    Pipe err = options.terminal_columns == 0 ? Pipe() : Pipe(options.terminal_columns);
    if (options.closed_output) {
        Pipe::close_end(out.read_end);
    }
    const pid_t child = spawn(arguments, options, in, out, err);
    Pipe::close_end(in.read_end);
    Pipe::close_end(out.write_end);
    Pipe::close_end(err.write_end);

    ProcessResult result;
    exchange(child, options, in, out, err, result);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) {
        result.exit_status = WEXITSTATUS(status);
    } else if (WIFSIGNALED(status)) {
        result.signal = WTERMSIG(status);
    }
    return result;
}

}  // namespace opdebug::test
