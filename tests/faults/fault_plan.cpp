#include "fault_plan.hpp"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace opdebug::faults {
namespace {

enum class What { error, shorten, truncate, remove, folder, pause, hold };

struct NamedWhat {
    std::string_view name;
    What what;
    int error;
};
constexpr NamedWhat kWhats[] = {
    {"EINTR", What::error, EINTR},   {"EIO", What::error, EIO},       {"ENOSPC", What::error, ENOSPC},
    {"EDQUOT", What::error, EDQUOT}, {"EPIPE", What::error, EPIPE},   {"EACCES", What::error, EACCES},
    {"EMFILE", What::error, EMFILE}, {"ENOMEM", What::error, ENOMEM}, {"ESTALE", What::error, ESTALE},
    {"ENOENT", What::error, ENOENT}, {"SHORT", What::shorten, 0},     {"TRUNCATE", What::truncate, 0},
    {"REMOVE", What::remove, 0},     {"FOLDER", What::folder, 0},     {"PAUSE", What::pause, 0},
    {"HOLD", What::hold, 0}};

struct NamedCall {
    std::string_view name;
    Call call;
};
constexpr NamedCall kCalls[] = {{"open", Call::open},     {"read", Call::read},       {"write", Call::write},
                                {"close", Call::close},   {"opendir", Call::opendir}, {"readdir", Call::readdir},
                                {"create", Call::create}, {"rename", Call::rename}};

constexpr unsigned bit_of(Call call) {
    return 1U << static_cast<unsigned>(call);
}

struct Fault {
    unsigned calls = 0;
    std::string pattern;
    What what = What::error;
    int error = 0;
    std::int64_t skip = 0, times = INT64_MAX, every = 1, bytes = 0, seconds = 0;
    std::optional<std::int64_t> after;
    std::atomic<std::int64_t> asked = 0;  ///< calls that the fault was about
    std::atomic<std::int64_t> hit = 0;
};

struct Plan {
    std::deque<Fault> faults;  // their location must not change: they hold counters
    unsigned calls = 0;
    std::atomic<std::uint64_t> hits = 0;
};

/// Null: nothing fails. There before any code runs, and never destroyed: calls come before main(), from inside
/// allocators (a sanitizer's reads the time), and after the end of main().
constinit std::atomic<Plan*> the_plan = nullptr;

/// Nothing fails while the plans are exchanged.
void replace_plan(std::unique_ptr<Plan> plan) {
    const std::unique_ptr<Plan> former(the_plan.exchange(nullptr));
    the_plan = plan.release();
}

std::string_view next_word(std::string_view& text, char separator) {
    while (!text.empty() && text.front() == separator) {
        text.remove_prefix(1);
    }
    const std::string_view word = text.substr(0, text.find(separator));
    text.remove_prefix(word.size());
    return word;
}

bool read_number(std::string_view word, Fault& fault) {
    const std::string_view name = word.substr(0, word.find('='));
    std::int64_t number = 0;
    const char* const begin = word.data() + std::min(word.size(), name.size() + 1);
    const auto parsed = std::from_chars(begin, word.data() + word.size(), number);
    std::int64_t* const target = name == "skip"      ? &fault.skip
                                 : name == "times"   ? &fault.times
                                 : name == "every"   ? &fault.every
                                 : name == "bytes"   ? &fault.bytes
                                 : name == "seconds" ? &fault.seconds
                                 : name == "after"   ? &fault.after.emplace()
                                                     : nullptr;
    if (target == nullptr || parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) {
        return false;
    }
    *target = number;
    return true;
}

bool read_fault(std::string_view text, Fault& fault) {
    std::string_view names = next_word(text, ' ');
    while (!names.empty()) {
        const std::string_view name = next_word(names, '|');
        const auto* const call = std::find_if(std::begin(kCalls), std::end(kCalls),
                                              [name](const NamedCall& one) { return one.name == name; });
        if (call == std::end(kCalls)) {
            return false;
        }
        fault.calls |= bit_of(call->call);
    }
    fault.pattern = next_word(text, ' ');
    const std::string_view name = next_word(text, ' ');
    const auto* const what =
        std::find_if(std::begin(kWhats), std::end(kWhats), [name](const NamedWhat& one) { return one.name == name; });
    if (fault.calls == 0 || what == std::end(kWhats)) {
        return false;
    }
    fault.what = what->what;
    fault.error = what->error;
    if (fault.what != What::error && fault.what != What::shorten && fault.what != What::hold) {
        fault.times = 1;
    }
    for (std::string_view word = next_word(text, ' '); !word.empty(); word = next_word(text, ' ')) {
        if (!read_number(word, fault)) {
            return false;
        }
    }
    return fault.every > 0;
}

void change_file(const Fault& fault, const char* path) noexcept {
    switch (fault.what) {
        case What::truncate: (void)!::truncate(path, fault.bytes); break;
        case What::remove: ::unlink(path); break;
        case What::folder:
            ::unlink(path);
            ::mkdir(path, 0700);
            break;
        default: break;
    }
}

/// Signals do not shorten it.
void pause_for(std::int64_t seconds) noexcept {
    timespec left{seconds, 0};
    while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

void hold(const char* path) noexcept {
    std::array<char, 4200> held{};
    std::snprintf(held.data(), held.size(), "%s.held", path);
    const int file = ::open(held.data(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) {
        ::close(file);
    }
    for (int milliseconds = 0; milliseconds < 60'000 && ::access(held.data(), F_OK) == 0; ++milliseconds) {
        const timespec moment{0, 1'000'000};
        ::nanosleep(&moment, nullptr);
    }
}

/// Whether the fault touches this call, which is one of those that it is about.
bool is_due(Fault& fault, std::uint64_t offset, std::size_t count) noexcept {
    if (fault.after && offset + count <= static_cast<std::uint64_t>(*fault.after)) {
        return false;
    }
    const std::int64_t number = fault.asked++;
    if (number < fault.skip || (number - fault.skip) % fault.every != 0) {
        return false;
    }
    return fault.hit++ < fault.times;
}

}  // namespace

bool set_plan(std::string_view text) {
    replace_plan(nullptr);
    auto plan = std::make_unique<Plan>();
    while (!text.empty()) {
        const std::string_view one = next_word(text, ';');
        if (one.find_first_not_of(' ') == std::string_view::npos) {
            continue;
        }
        Fault& fault = plan->faults.emplace_back();
        if (!read_fault(one, fault)) {
            std::fprintf(stderr, "no fault: '%.*s'\n", static_cast<int>(one.size()), one.data());
            return false;
        }
        plan->calls |= fault.calls;
    }
    if (!plan->faults.empty()) {
        replace_plan(std::move(plan));
    }
    return true;
}

std::uint64_t hits() {
    const Plan* const plan = the_plan;
    return plan == nullptr ? 0 : plan->hits.load();
}

bool concerns(Call call) noexcept {
    const Plan* const plan = the_plan;
    return plan != nullptr && (plan->calls & bit_of(call)) != 0;
}

Verdict judge(Call call, const char* path, std::uint64_t offset, std::size_t count) noexcept {
    Verdict verdict;
    if (!concerns(call)) {
        return verdict;
    }
    // What a fault does to a file are calls as well, which nothing shall happen to.
    static thread_local bool at_work = false;
    if (at_work) {
        return verdict;
    }
    at_work = true;
    Plan& plan = *the_plan;
    for (Fault& fault : plan.faults) {
        if ((fault.calls & bit_of(call)) == 0 || ::fnmatch(fault.pattern.c_str(), path, 0) != 0 ||
            !is_due(fault, offset, count)) {
            continue;
        }
        ++plan.hits;
        if (fault.what == What::shorten) {
            verdict.most = std::min(verdict.most, static_cast<std::size_t>(fault.bytes));
        } else if (fault.what == What::pause) {
            pause_for(fault.seconds);
        } else if (fault.what == What::hold) {
            hold(path);
        } else if (fault.what != What::error) {
            change_file(fault, path);
        } else if (fault.after && offset < static_cast<std::uint64_t>(*fault.after)) {
            verdict.most = std::min<std::size_t>(verdict.most, static_cast<std::uint64_t>(*fault.after) - offset);
        } else {
            verdict.error = fault.error;
        }
    }
    at_work = false;
    return verdict;
}

}  // namespace opdebug::faults
