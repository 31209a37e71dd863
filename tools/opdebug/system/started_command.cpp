#include "system/system.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "output/messages.hpp"

extern char** environ;

namespace opdebug::tool {
namespace {

Error failure(const char* action, int number) {
    return write_error(fmt::format("--exec: cannot {}: {}", action, std::strerror(number)), "");
}

/// Writes all and seeks to the start; returns errno on failure.
int write_from_start(int descriptor, std::string_view text) {
    return !write_fully(descriptor, text) || ::lseek(descriptor, 0, SEEK_SET) < 0 ? errno : 0;
}

std::string words_for(int status) {
    return WIFSIGNALED(status) ? sentence("exec.signal", {{"number", WTERMSIG(status)}})
                               : sentence("exec.status", {{"number", WEXITSTATUS(status)}});
}

/// Starts the shell; returns 0 or an errno.
int spawn_shell(const std::string& command, int input, pid_t& process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    // The command gets the default signal handling, not that of this program.
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::string shell = "sh", option = "-c", text = command;
    std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
    const int failed = ::posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

}  // namespace

std::optional<Error> StartedCommand::start(const std::string& command, std::string_view input) {
    const Descriptor document(::memfd_create("opdebug-record", MFD_CLOEXEC));
    if (document.number() < 0) {
        return failure("keep the record for the command", errno);
    }
    if (const int number = write_from_start(document.number(), input)) {
        return failure("keep the record for the command", number);
    }
    pid_t process = 0;
    if (const int number = spawn_shell(command, document.number(), process)) {
        return failure("start /bin/sh", number);
    }
    process_ = process;
    return std::nullopt;
}

std::optional<std::string> StartedCommand::ended() {
    int status = 0;
    if (process_ == 0 || uninterrupted([&] { return ::waitpid(process_, &status, WNOHANG); }) != process_) {
        return std::nullopt;
    }
    process_ = 0;
    return words_for(status);
}

std::optional<std::string> StartedCommand::wait(std::chrono::milliseconds longest) {
    constexpr std::chrono::milliseconds kStep{20};
    for (std::chrono::milliseconds waited{0}; process_ != 0 && waited < longest; waited += kStep) {
        if (auto words = ended()) {
            return words;
        }
        std::this_thread::sleep_for(kStep);
    }
    if (process_ == 0) {
        return std::nullopt;
    }
    ::kill(-process_, SIGTERM);
    std::this_thread::sleep_for(kStep);
    if (auto words = ended()) {
        return words;
    }
    process_ = 0;  // the system adopts it when this program ends
    return sentence("exec.runs");
}

}  // namespace opdebug::tool
