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
struct FreeScan {
    void operator()(opdebug_scan* scan) const { opdebug_scan_free(scan); }
};
struct FreeFiles {
    void operator()(opdebug_files* files) const { opdebug_files_free(files); }
};
using FoundFiles = std::unique_ptr<opdebug_files, FreeFiles>;
using Logs = std::unique_ptr<opdebug_logs, FreeLogs>;
using RunningScan = std::unique_ptr<opdebug_scan, FreeScan>;

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

/// Options that are all right: COptions().flag("tensors", true).get().
class COptions {
public:
    COptions& text(const char* name, const char* value) {
        return checked(opdebug_options_set_text(options_.get(), name, value, error_.out()));
    }
    COptions& number(const char* name, std::int64_t value) {
        return checked(opdebug_options_set_number(options_.get(), name, value, error_.out()));
    }
    COptions& flag(const char* name, bool value) {
        return checked(opdebug_options_set_flag(options_.get(), name, value ? 1 : 0, error_.out()));
    }
    COptions& path(const char* name, const std::string& path) {
        return checked(opdebug_options_add_path(options_.get(), name, path.c_str(), error_.out()));
    }
    COptions& limit(const char* name, std::int64_t value) {
        return checked(opdebug_options_set_limit(options_.get(), name, value, error_.out()));
    }
    const opdebug_options* get() const { return options_.get(); }

private:
    struct Free {
        void operator()(opdebug_options* options) const { opdebug_options_free(options); }
    };
    COptions& checked(int done) {
        REQUIRE_MESSAGE(done == 1, error_.message());
        return *this;
    }

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

inline RunningScan start_c_scan(const std::vector<std::string>& paths, const opdebug_logs* logs = nullptr,
                                const opdebug_options* options = nullptr) {
    const std::vector<const char*> pointers = c_paths(paths);
    CError error;
    RunningScan scan(
        opdebug_scan_start(pointers.data(), pointers.size(), logs, options, nullptr, nullptr, error.out()));
    REQUIRE_MESSAGE(scan, error.message());
    return scan;
}

inline FoundFiles find_c_dumps(const std::vector<std::string>& paths) {
    const std::vector<const char*> pointers = c_paths(paths);
    CError error;
    FoundFiles files(opdebug_find_dumps(pointers.data(), pointers.size(), nullptr, nullptr, nullptr, error.out()));
    REQUIRE_MESSAGE(files, error.message());
    return files;
}

/// The documents of a scan up to its end.
inline std::vector<std::string> documents_of(opdebug_scan* scan) {
    std::vector<std::string> documents;
    CError error;
    while (char* document = opdebug_scan_next(scan, error.out())) {
        documents.push_back(taken(document));
    }
    CHECK(error.code() == "none");
    return documents;
}

}  // namespace opdebug::test
