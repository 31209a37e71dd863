// What the C interface returns, owned by the test.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <opdebug/opdebug.h>

namespace opdebug::test {

struct FreeLogs {
    void operator()(opdebug_logs* logs) const { opdebug_logs_free(logs); }
};
struct FreeFiles {
    void operator()(opdebug_files* files) const { opdebug_files_free(files); }
};
using FoundFiles = std::unique_ptr<opdebug_files, FreeFiles>;
using Logs = std::unique_ptr<opdebug_logs, FreeLogs>;

/// Receives an error.
class CError {
public:
    CError() = default;
    ~CError() { opdebug_error_free(error_); }
    CError(const CError&) = delete;
    CError& operator=(const CError&) = delete;

    opdebug_error** out() {
        opdebug_error_free(error_);
        error_ = nullptr;
        return &error_;
    }
    /// "none" where there is no error.
    std::string code() const { return error_ == nullptr ? "none" : opdebug_error_code(error_); }
    std::string message() const { return error_ == nullptr ? "" : opdebug_error_message(error_); }
    std::string file() const {
        const char* file = error_ == nullptr ? nullptr : opdebug_error_file(error_);
        return file == nullptr ? "" : file;
    }
    long long offset() const { return opdebug_error_offset(error_); }

private:
    opdebug_error* error_ = nullptr;
};

/// Options that are all right: COptions().set("tensors", "1").get().
class COptions {
public:
    COptions& set(const char* name, const std::string& value) {
        REQUIRE_MESSAGE(opdebug_options_set(options_.get(), name, value.c_str(), error_.out()) == 1, error_.message());
        return *this;
    }
    const opdebug_options* get() const { return options_.get(); }

private:
    struct Free {
        void operator()(opdebug_options* options) const { opdebug_options_free(options); }
    };
    std::unique_ptr<opdebug_options, Free> options_{opdebug_options_new()};
    CError error_;
};

/// The text, freed; "NULL" for none.
inline std::string taken(char* text) {
    const std::string copy = text == nullptr ? "NULL" : text;
    opdebug_string_free(text);
    return copy;
}

/// Paths as C programs hold them. The texts must live longer.
inline std::vector<const char*> c_paths(const std::vector<std::string>& paths) {
    std::vector<const char*> pointers;
    for (const std::string& path : paths) {
        pointers.push_back(path.c_str());
    }
    return pointers;
}

inline Logs read_c_logs(const std::vector<std::string>& paths, const opdebug_options* options = nullptr) {
    const std::vector<const char*> pointers = c_paths(paths);
    CError error;
    Logs logs(opdebug_read_logs(pointers.data(), pointers.size(), options, nullptr, nullptr, error.out()));
    REQUIRE_MESSAGE(logs, error.message());
    return logs;
}

/// The report of a scan.
inline std::string c_scan(const std::vector<std::string>& paths, const opdebug_logs* logs = nullptr,
                          const opdebug_options* options = nullptr) {
    const std::vector<const char*> pointers = c_paths(paths);
    CError error;
    std::string report =
        taken(opdebug_scan(pointers.data(), pointers.size(), logs, options, nullptr, nullptr, error.out()));
    REQUIRE_MESSAGE(error.code() == "none", error.message());
    return report;
}

inline FoundFiles find_c_dumps(const std::vector<std::string>& paths) {
    const std::vector<const char*> pointers = c_paths(paths);
    CError error;
    FoundFiles files(opdebug_find_dumps(pointers.data(), pointers.size(), nullptr, nullptr, nullptr, error.out()));
    REQUIRE_MESSAGE(files, error.message());
    return files;
}

}  // namespace opdebug::test
