#include "interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace opdebug::tool {
namespace {

/// A signal handler can reach nothing else.
volatile std::sig_atomic_t interrupt_came = 0;

extern "C" void note_interrupt(int /*signal*/) {
    interrupt_came = 1;
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one ends the process
    for (const int signal : {SIGINT, SIGTERM}) {
        sigaction(signal, &action, nullptr);
    }
}

bool interrupted() noexcept {
    return interrupt_came != 0;
}

}  // namespace opdebug::tool
