// opdebug: explains overflow dumps of Ascend NPUs.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "system/system.hpp"

int main(int count, char** values) {
    std::signal(SIGPIPE, SIG_IGN);  // write() reports a closed pipe, which is no error
    std::signal(SIGXFSZ, SIG_IGN);  // write() reports a file over ulimit -f
    opdebug::tool::open_standard_streams();
    try {
        return opdebug::tool::run_program({values + 1, values + count});
    } catch (const std::bad_alloc&) {
        std::fputs("opdebug: not enough memory. Use fewer threads (-j) or inputs, or raise the limit (ulimit -v)\n",
                   stderr);
    } catch (const std::exception& error) {
        opdebug::tool::print_message(error.what());
    }
    return opdebug::tool::kSomethingDamaged;
}
