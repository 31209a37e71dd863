// Common parts of all calls of the C interface: error objects, the one function where exceptions end, the caller's stop
// function, options.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <opdebug/opdebug.h>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

/// The texts belong to whoever made the object: see error.cpp.
struct opdebug_error {
    const char* code;
    const char* message;
    const char* file;     ///< null: no file is to blame
    std::int64_t offset;  ///< -1: no location is to blame
};

struct opdebug_logs {
    opdebug::ReadLogs read;
};

namespace opdebug::c_interface {

/// An error object of the caller's. Throws std::bad_alloc.
opdebug_error* new_error(Error error);

/// An error object for the exception that is being handled. Needs no memory where there is none.
opdebug_error* error_of_exception() noexcept;

/// For a NULL where a value is needed.
Error null_argument(std::string_view name);

/// For a path that is "". `name`: of the argument.
Error empty_path(std::string_view name);

/// What is wrong with the one path of a call; nothing if it can be used.
std::optional<Error> fault_of_path(const char* path);

/// The caller's stop function requested it. `what`: "logs were read".
Error interrupted_while(std::string_view what);

/// The paths of a C array. Error: invalid_argument for NULL, for no path at all and for an empty one.
Result<std::vector<std::string>> paths_of(const char* const* paths, std::size_t count);

/// A text that opdebug_string_free() frees. Throws std::bad_alloc.
char* new_text(const std::string& text);

/// Calls `make`, which gives Result<T*>. Its error is not lost, and no exception leaves the library:
/// null, and the error stored where `error` is not null.
template <class T, class Make>
T* guarded(opdebug_error** error, const Make& make) noexcept {
    if (error != nullptr) {
        *error = nullptr;
    }
    opdebug_error* problem = nullptr;
    try {
        Result<T*> made = make();  // NOLINT(clang-analyzer-unix.Malloc): a value is returned, which std::variant hides
        if (made) {
            return made.value();
        }
        problem = error == nullptr ? nullptr : new_error(std::move(made).error());
    } catch (...) {
        problem = error == nullptr ? nullptr : error_of_exception();
    }
    if (error != nullptr) {
        *error = problem;
    }
    return nullptr;
}

/// The same for what gives a document: Result<std::string>.
template <class Make>
char* guarded_text(opdebug_error** error, const Make& make) noexcept {
    return guarded<char>(error, [&make]() -> Result<char*> {
        const Result<std::string> text = make();
        return text ? Result<char*>(new_text(*text)) : text.error();
    });
}

/// The library calls it often and from several threads; the caller's function is called now and then, and in its own
/// thread, as C programs and interpreters need it.
class Stop {
public:
    Stop(opdebug_stop* ask, void* data) : ask_(ask), data_(data) {}

    /// True: give up. Any thread.
    bool operator()() {
        if (ask_ != nullptr && std::this_thread::get_id() == caller_ && !is_stopped_) {
            const Clock::time_point now = Clock::now();
            if (now >= next_) {
                next_ = now + kInterval;
                is_stopped_ = ask_(data_) != 0;
            }
        }
        return is_stopped_;
    }

    /// Whether the caller wanted to stop before. Calls nothing.
    bool gave_up() const { return is_stopped_; }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kInterval{20};

    opdebug_stop* ask_;
    void* data_;
    std::thread::id caller_ = std::this_thread::get_id();
    std::atomic<bool> is_stopped_ = false;
    Clock::time_point next_;  ///< of the calling thread only
};

/// The options of all functions with their defaults. opdebug.h describes them.
struct Options {
    Language language = Language::english;
    bool tensors = false;
    bool verbose = false;
    std::optional<int> utc_offset_minutes;
    bool system_time_zone = true;
    std::vector<std::string> status_catalogue;  ///< paths
    std::vector<std::string> log_formats;       ///< paths
    std::vector<std::string> wanted;            ///< paths
    std::vector<std::string> traces;            ///< paths
    unsigned threads = 0;
    bool all = false;
    std::optional<std::uint64_t> first;
    std::optional<std::uint64_t> findings_per_verdict;
    std::string temporary_folder = "/tmp";
    Limits limits;
};

/// The options of a call; with NULL the defaults.
const Options& options_of(const opdebug_options* given);

/// Options, and the catalogue that they name.
struct Decoding {
    const Options& options;
    DecodeOptions decode;
};

/// Errors: as for reading a file, and catalogue_invalid.
Result<Decoding> decoding_of(const opdebug_options* given);

/// Documents on one line.
ReportOptions report_of(const Options& options);

/// `logs` may be null. The zone of the machine stays unset: it depends on the dump's time.
LocateOptions locate_of(const Options& options, const opdebug_logs* logs);

/// On one line, safe for a terminal, and not longer than a message can be read: the first 200 bytes, then "..." if
/// there are more.
std::string shown(std::string_view given);

}  // namespace opdebug::c_interface

struct opdebug_options {
    opdebug::c_interface::Options values;
};
