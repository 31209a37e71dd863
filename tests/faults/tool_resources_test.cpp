// The tool where the system gives little: descriptors, memory, lengths of paths and names, permissions.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api_run.hpp"
#include "faulty_job.hpp"
#include "planned_faults.hpp"
#include "sanitized.hpp"
#include "skip.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// The tool below a program that limits it, such as prlimit or setpriv, under a plan of faults.
ProcessResult run_below(std::vector<std::string> program, const std::vector<std::string>& arguments,
                        const std::string& plan = "") {
    ProcessOptions options;
    options.environment.emplace_back("LANG", "C");
    if (!plan.empty()) {
        // For the tool alone: built with a sanitizer, what is loaded before it cannot be loaded into the program above.
        ProcessOptions planned;
        add_plan(plan, planned);
        program.emplace_back("/usr/bin/env");
        for (const auto& [name, value] : planned.environment) {
            program.push_back(name + "=" + value);
        }
    }
    program.emplace_back(tool_path);
    program.insert(program.end(), arguments.begin(), arguments.end());
    return run_process(program, options);
}

}  // namespace

TEST_CASE("64 descriptors are enough for 8 threads, 200 rotated logs and operators' dumps") {
    const FaultyJob job;
    for (int i = 1; i <= 200; ++i) {
        write_file(job.logs + "/debug/plog/plog-6000_1.log." + std::to_string(i),
                   FaultyJob::log_of(6000, "net/rotated", 300 + i));
    }
    for (int folder = 0; folder < 100; ++folder) {
        const MadeUpOverflow one{static_cast<std::uint64_t>(10 + folder),
                                 3,
                                 1,
                                 "net/exp_1",
                                 {half_tensor({half_one})},
                                 {half_tensor({half_inf})}};
        write_overflow(job.dumps, one);
    }
    const std::vector<std::string> arguments{"scan",      job.dumps, "--logs",   job.logs,
                                             "--tensors", "-j8",     "--format", "json"};
    const ProcessResult usual = run_tool(arguments);
    CHECK(usual.exit_status == 0);
    const ProcessResult few = run_below({"/usr/bin/prlimit", "--nofile=64"}, arguments);
    CHECK(few.exit_status == 0);
    CHECK(few.out == usual.out);
    CHECK(ordered_json::parse(few.out).at("counts").at("dumps") == 105);
}

TEST_CASE("too little memory is said, and ends with exit status 1") {
    if (kIsSanitized) {
        skip("the sanitizer needs more address space than any limit leaves");
        return;
    }
    const FaultyJob job;
    for (int file = 0; file < 40; ++file) {
        write_file(job.logs + "/debug/plog/plog-" + std::to_string(7000 + file) + "_1.log",
                   FaultyJob::log_of(7000 + file, "net/more", 300));
    }
    // What the program takes before it does anything, then in steps up to what it needs.
    const auto limited = [](long kilobytes, const std::vector<std::string>& arguments) {
        return run_below({"/usr/bin/prlimit", "--as=" + std::to_string(kilobytes * 1024)}, arguments);
    };
    long enough_to_start = 8 << 10;
    while (enough_to_start < 1 << 20 && limited(enough_to_start, {"--version"}).exit_status != 0) {
        enough_to_start += 1 << 10;
    }
    REQUIRE(enough_to_start < 1 << 20);
    int too_little = 0;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"scan", job.dumps, "--logs", job.logs, "--format", "html", "--tensors", "-j2"},
          {"decode", job.overflow, "--logs", job.logs},
          {"index", job.logs, "-o", job.directory / "map", "-j2"}}) {
        bool enough = false;
        for (long more = 0; more < 1 << 20 && !enough; more += 4 << 10) {
            const ProcessResult run = limited(enough_to_start + more, arguments);
            CAPTURE(arguments[0]);
            CAPTURE(more);
            CAPTURE(run.err);
            CHECK(run.signal == 0);
            enough = run.exit_status == 0;
            if (!enough) {
                ++too_little;
                CHECK(run.exit_status == 1);
                CHECK(contains(run.err, "memory"));
            }
        }
        CHECK(enough);
    }
    CHECK(too_little > 0);
}

TEST_CASE("paths at the length that the system takes, and names of 255 bytes") {
    const TemporaryDirectory directory;
    const std::string name = "Opdebug.Node_OpDebug.57.563.1772618405000016";
    const Buffer dump = build_overflow_dump(ai_core_example(32));
    // Folders until the dump's path has 4095 bytes, one less than PATH_MAX, the NUL counted.
    const fs::path before = fs::current_path();
    std::string path = directory.path().string();
    fs::current_path(path);
    while (path.size() + 1 + name.size() < 4095) {
        const std::size_t left = 4095 - path.size() - name.size() - 1;
        const std::string folder(left > 257 ? 255 : left > 2 ? left - 1 : 1, 'f');
        fs::create_directory(folder);
        fs::current_path(folder);
        path += "/" + folder;
    }
    write_file("../" + fs::path(path).filename().string() + "/" + name, dump);
    // One folder deeper nothing can be opened by its path.
    fs::create_directory("g");
    fs::current_path("g");
    write_file(fs::path("../g") / name, dump);
    fs::current_path(before);
    CAPTURE(path.size());
    const ProcessResult run = run_tool({"scan", directory.path().string(), "--format", "json"});
    const ordered_json report = ordered_json::parse(run.out);
    CHECK(run.exit_status == 1);
    CHECK(report.at("counts").at("overflowed") == 1);
    // What is too deep is reported, as a folder or as a dump that failed.
    CHECK(contains(run.out, "File name too long") + contains(run.out, "path is too long") > 0);

    const std::string longest = name + std::string(255 - name.size(), '0');
    const std::string file = write_file(directory / ("names/" + longest), dump);
    CHECK(run_tool({"decode", file}).exit_status == 0);
    const ProcessResult scanned = run_tool({"scan", directory / "names", "--format", "json"});
    CHECK(scanned.exit_status == 0);
    CHECK(contains(scanned.out, longest));
    const ProcessResult converted = run_tool({"convert", "-d", file, "-out", directory / "out"});
    CHECK(converted.exit_status == 1);
    CHECK(contains(converted.err, "File name too long"));
}

TEST_CASE("files and folders that the user may not read cost themselves only") {
    if (::geteuid() != 0) {
        skip("only root can become another user");
        return;
    }
    const FaultyJob job;
    for (const auto& entry : fs::recursive_directory_iterator(job.directory.path())) {
        fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0755) : fs::perms(0644));
    }
    fs::permissions(job.directory.path(), fs::perms(0755));
    const std::vector<std::string> nobody{"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
    if (run_below(nobody, {"--version"}).exit_status != 0) {
        skip("user 65534 cannot run the tool where it was built");
        return;
    }
    const std::vector<std::string> scan{"scan", job.dumps, "--logs", job.logs, "--format", "json"};
    CHECK(run_below(nobody, scan).exit_status == 0);

    fs::permissions(job.overflow, fs::perms::none);
    fs::permissions(job.dumps + "/rank_1", fs::perms::none);
    fs::permissions(job.plain_log, fs::perms::none);
    const ProcessResult run = run_below(nobody, scan);
    CHECK(run.exit_status == 1);
    const ordered_json counts = ordered_json::parse(run.out).at("counts");
    CHECK(counts.at("dumps") == 3);  // two of rank 0, one that mapping.csv names
    CHECK(counts.at("failed") == 1);
    for (const std::string& told : {job.overflow, job.dumps + "/rank_1"}) {
        CHECK(contains(run.out, told));
    }
    CHECK(contains(run.err, job.plain_log + ": cannot open the file: Permission denied"));
    CHECK(contains(run.out, "logs_unread"));

    const fs::path listed_only = fs::path(job.overflow).parent_path();  // its names are known, its files are not
    fs::permissions(listed_only, fs::perms(0744));
    const ProcessResult watched = run_below(nobody, {"watch", job.dumps, "--duration", "0", "--format", "jsonl"});
    CHECK(watched.exit_status == 1);
    CHECK(contains(watched.err, job.overflow + ": cannot open the file: Permission denied"));
    CHECK_FALSE(contains(watched.err, "gone"));
    fs::permissions(listed_only, fs::perms(0755));

    const ProcessResult unwritable = run_below(nobody, {"decode", job.clean, "-o", job.directory / "result"});
    CHECK(unwritable.exit_status == 2);
    CHECK(contains(unwritable.err, "Permission denied"));
    CHECK_FALSE(fs::exists(job.directory / "result"));
    fs::permissions(job.dumps + "/rank_1", fs::perms::owner_all);
}
