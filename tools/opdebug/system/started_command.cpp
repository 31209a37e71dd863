#include "system/system.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "output/messages.hpp"

namespace opdebug::tool {

std::optional<Error> StartedCommand::start(const std::string& command, std::string_view input) {
    const int document = ::memfd_create("opdebug-record", MFD_CLOEXEC);
    const bool is_stored = document >= 0 && write_fully(document, input) && ::lseek(document, 0, SEEK_SET) == 0;
    process_ = is_stored ? ::fork() : -1;
    if (process_ == 0) {  // the command gets the default signal handling, not that of this program
        ::setpgid(0, 0);
        ::signal(SIGPIPE, SIG_DFL);
        ::signal(SIGXFSZ, SIG_DFL);
        ::dup2(document, STDIN_FILENO);
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
        ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        ::_exit(127);
    }
    const int failure = errno;
    ::close(document);
    if (process_ > 0) {
        return std::nullopt;
    }
    process_ = 0;
    return write_error(fmt::format("--exec: cannot start /bin/sh: {}", std::strerror(failure)), "");
}

std::optional<std::string> StartedCommand::ended() {
    int status = 0;
    if (process_ == 0 || uninterrupted([&] { return ::waitpid(process_, &status, WNOHANG); }) != process_) {
        return std::nullopt;
    }
    process_ = 0;
    return WIFSIGNALED(status) ? sentence("exec.signal", {{"number", WTERMSIG(status)}})
                               : sentence("exec.status", {{"number", WEXITSTATUS(status)}});
}

std::optional<std::string> StartedCommand::wait(std::chrono::milliseconds longest) {
    constexpr std::chrono::milliseconds kStep{20};
    for (std::chrono::milliseconds waited{0}; process_ != 0; waited += kStep) {
        if (auto words = ended()) {
            return words;
        }
        if (waited > longest) {
            return sentence("exec.runs");  // the system adopts it when this program ends
        }
        if (waited + kStep > longest) {
            ::kill(-process_, SIGTERM);
        }
        std::this_thread::sleep_for(kStep);
    }
    return std::nullopt;
}

}  // namespace opdebug::tool
