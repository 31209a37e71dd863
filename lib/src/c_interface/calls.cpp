// Error objects, texts for the caller, and exceptions turned into errors.
#include "c_interface/calls.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <opdebug/version.hpp>

namespace opdebug::c_interface {
namespace {

/// An error with its texts.
struct OwnedError : opdebug_error {
    explicit OwnedError(Error given) : opdebug_error(), error(std::move(given)) {
        constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        code = to_string(error.code).data();  // a literal, so there is a NUL after it
        message = error.message.c_str();
        file = error.file.empty() ? nullptr : error.file.c_str();
        offset = error.offset ? static_cast<std::int64_t>(std::min(*error.offset, kLargest)) : -1;
    }
    Error error;
};

/// There may be no memory to report that there is no memory. Nobody changes an error object.
constexpr opdebug_error kNoMemory = {"out_of_memory", "there is not enough memory", nullptr, -1};

/// For what is not std::bad_alloc.
Error error_of(const std::exception& problem) {
    const auto* const system = dynamic_cast<const std::system_error*>(&problem);
    if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again) {
        return {ErrorCode::out_of_memory, std::string("no thread could be started: ") + problem.what(), {}, {}};
    }
    return {
        ErrorCode::internal_error, std::string("a fault of the library, please report it: ") + problem.what(), {}, {}};
}

opdebug_error* no_memory() noexcept {
    return const_cast<opdebug_error*>(&kNoMemory);
}

}  // namespace

opdebug_error* new_error(Error error) {
    return new OwnedError(std::move(error));
}

opdebug_error* error_of_exception() noexcept {
    try {
        try {
            throw;
        } catch (const std::bad_alloc&) {
            return no_memory();
        } catch (const std::length_error&) {  // a text or list larger than any memory
            return no_memory();
        } catch (const std::exception& problem) {
            return new_error(error_of(problem));
        }
    } catch (const std::bad_alloc&) {
        return no_memory();
    } catch (...) {
        return no_memory();
    }
}

Error null_argument(std::string_view name) {
    return {ErrorCode::invalid_argument, std::string(name) + " is NULL; a value was expected", {}, {}};
}

Error empty_path(std::string_view name) {
    return {ErrorCode::invalid_argument,
            std::string(name) + " is empty; the path of a file or folder was expected",
            {},
            {}};
}

std::optional<Error> fault_of_path(const char* path) {
    return path == nullptr ? std::optional(null_argument("path"))
           : *path == '\0' ? std::optional(empty_path("path"))
                           : std::nullopt;
}

Error interrupted_while(std::string_view what) {
    return {ErrorCode::interrupted, "stopped by the caller while " + std::string(what), {}, {}};
}

Result<std::vector<std::string>> paths_of(const char* const* paths, std::size_t count) {
    if (count == 0) {
        return Error{ErrorCode::invalid_argument, "no path was given: count is 0", {}, {}};
    }
    if (paths == nullptr) {
        return null_argument("paths");
    }
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i) {
        if (paths[i] == nullptr) {
            return null_argument("paths[" + std::to_string(i) + "]");
        }
        if (*paths[i] == '\0') {
            return empty_path("paths[" + std::to_string(i) + "]");
        }
        all.emplace_back(paths[i]);
    }
    return all;
}

char* new_text(const std::string& text) {
    auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy == nullptr) {
        throw std::bad_alloc();
    }
    std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

}  // namespace opdebug::c_interface

using opdebug::c_interface::OwnedError;

const char* opdebug_version(void) {
    return opdebug::version().data();
}

const char* opdebug_error_code(const opdebug_error* error) {
    return error == nullptr ? nullptr : error->code;
}

const char* opdebug_error_message(const opdebug_error* error) {
    return error == nullptr ? nullptr : error->message;
}

const char* opdebug_error_file(const opdebug_error* error) {
    return error == nullptr ? nullptr : error->file;
}

int64_t opdebug_error_offset(const opdebug_error* error) {
    return error == nullptr ? -1 : error->offset;
}

void opdebug_error_free(opdebug_error* error) {
    if (error != &opdebug::c_interface::kNoMemory) {
        delete static_cast<OwnedError*>(error);
    }
}

void opdebug_string_free(char* text) {
    std::free(text);
}

int opdebug_stop_when_set(void* flag) {
    // Whoever sets it writes a plain int, so it is no std::atomic<int>.
    return flag != nullptr && __atomic_load_n(static_cast<const int*>(flag), __ATOMIC_ACQUIRE) != 0 ? 1 : 0;
}
