// Following dumps: what is told where the system or the paths do not do as they should.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scan_items.hpp"
#include "temporary_directory.hpp"
#include "watched_dumps.hpp"

namespace fs = std::filesystem;
using namespace opdebug;
using namespace opdebug::test;

namespace {

std::string one_told(DumpWatch& watch, Severity severity, const char* code) {
    const std::vector<Diagnostic> told = watch.take_diagnostics();
    REQUIRE(remark_codes(told) == code);
    CHECK(told[0].severity == severity);
    return told[0].message;
}

/// While it lives, this process can open no further file.
class NoFurtherFile {
public:
    NoFurtherFile() {
        REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
        const int lowest = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        REQUIRE(lowest >= 0);
        ::close(lowest);
        rlimit limit = before_;
        limit.rlim_cur = static_cast<rlim_t>(lowest);
        REQUIRE(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
    }
    ~NoFurtherFile() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    NoFurtherFile(const NoFurtherFile&) = delete;
    NoFurtherFile& operator=(const NoFurtherFile&) = delete;

private:
    rlimit before_{};
};

/// How many changes the system keeps for who watches; 0: not known.
std::uint64_t kept_changes() {
    std::uint64_t count = 0;
    std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> count;
    return count;
}

}  // namespace

TEST_CASE("watch: a path that is not there is waited for, and told once each time") {
    for (const bool poll : {false, true}) {
        CAPTURE(poll);
        const TemporaryDirectory directory;
        const std::string root = directory / "dump";
        DumpWatch watch({root}, quick(poll));
        const auto look = [&watch] { watch.look([](WatchedDump&&) { FAIL("there is none"); }); };
        look();
        CHECK(one_told(watch, Severity::warning, "path_awaited") == root + " is not there: it is waited for");
        look();
        CHECK(watch.take_diagnostics().empty());
        const std::string file = write_file(root + "/Opdebug.Node_OpDebug.1.563.1772618405000000", overflowed());
        CHECK(look_until(watch, 1).size() == 1);
        CHECK(watch.take_diagnostics().empty());
        fs::remove_all(root);
        look();
        CHECK(one_told(watch, Severity::warning, "path_awaited") == root + " is gone: it is waited for");
    }
}

TEST_CASE("watch: where the system tells of no changes, the folders are read again and again, and that is told") {
    const TemporaryDirectory directory;
    std::optional<DumpWatch> watch;
    {
        const NoFurtherFile limit;
        watch.emplace(std::vector<std::string>{directory / ""}, quick(false));
    }
    CHECK(watch->method() == WatchMethod::polling);
    watch->look([](WatchedDump&&) { FAIL("there is none"); });
    CHECK(one_told(*watch, Severity::warning, "watch_limit") ==
          "the system gives no way to be told of changes (inotify): the folders are read every 0.02 s");
    write_file(dump_below(directory, 0, 1), overflowed());
    CHECK(look_until(*watch, 1).size() == 1);
}

TEST_CASE("watch: a dump that came while more changed than the system keeps is found, and that is told") {
    const std::uint64_t kept = kept_changes();
    if (kept == 0 || kept > 1'000'000) {
        MESSAGE("not shown: the system keeps " << kept << " changes");
        return;
    }
    const TemporaryDirectory directory;
    const std::string file = dump_below(directory, 0, 1);
    const std::string a = write_file(directory / "rank_0/a", ""), b = directory / "rank_0/b";
    fs::create_directories(fs::path(file).parent_path());
    DumpWatch watch({directory / ""}, quick(false));
    watch.look([](WatchedDump&&) { FAIL("there is none"); });
    for (std::uint64_t i = 0; i <= kept; i += 2) {  // two equal changes one behind the other would count as one
        fs::rename(a, b);
        fs::rename(b, a);
    }
    write_file(file, overflowed());
    const auto found = look_until(watch, 1);
    REQUIRE(found.size() == 1);
    CHECK(found[0].scanned.file == file);
    CHECK(watch.method() == WatchMethod::inotify);
    CHECK(one_told(watch, Severity::info, "events_lost") ==
          "more changed at a time than the system keeps: all folders are read once more");
}
