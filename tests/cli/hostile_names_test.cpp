// What names of files, operators and models, and log lines, can do to what is shown: nothing, in any form of any
// command.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "build_paths.hpp"
#include "hostile_names.hpp"
#include "skip.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;

namespace {

/// A job and a log full of hostile names, and a folder for what commands write about them.
struct HostileJob {
    TemporaryDirectory directory;
    std::string root = directory / "job", logs = directory / "logs", outputs = directory / "outputs";
    std::size_t files = 0;  ///< in `outputs`

    HostileJob() {
        write_hostile_job(root);
        write_hostile_log(logs);
        std::string all;
        for (const std::string& name : hostile_names()) {
            all += (all.empty() ? "" : std::string(1, '\0')) + name;
        }
        write_file(outputs + "/names", all);
    }

    /// Keeps one output for the judge. `name`: "all-..." where every name must be reported in it.
    void keep(const std::string& name, const std::string& text) {
        write_file(outputs + "/" + name, text);
        ++files;
    }

    ProcessResult run(const std::string& name, const std::vector<std::string>& arguments, ProcessOptions options = {}) {
        const ProcessResult result = run_tool(arguments, std::move(options));
        CAPTURE(name);
        CHECK(result.signal == 0);
        keep(name, result.out);
        keep("said-" + name + ".text", result.err);
        return result;
    }

    /// What Python's parsers report.
    void judge() const {
        const ProcessResult said =
            run_process({"/usr/bin/python3", std::string(source_folder) + "/tests/support/check_output.py", outputs});
        if (said.exit_status == 127) {
            skip("python3 is not installed");
            return;
        }
        CHECK(said.err == "");
        CHECK(said.out == std::to_string(files) + " files\n");
    }
};

std::vector<std::string> with_dumps(std::vector<std::string> arguments, const std::string& root, bool logged) {
    for (std::size_t i = 0; i < hostile_names().size(); ++i) {
        arguments.push_back(logged ? hostile_logged_dump(root, i) : hostile_dump(root, i));
    }
    return arguments;
}

}  // namespace

TEST_CASE("hostile names: what every command writes in every form is safe, and tells the names") {
    HostileJob job;
    for (const std::string form : {"json", "jsonl", "text"}) {
        job.run("all-decode." + form, with_dumps({"decode", "--format", form, "--tensors"}, job.root, false));
        const std::vector<std::string> with_logs{"decode", "--format", form, "--logs", job.logs};
        const ProcessResult logged = job.run("decode-logs." + form, with_dumps(with_logs, job.root, true));
        // Each operator is known by its line only.
        CHECK(count_of(logged.out, "plog-5100_") >= hostile_names().size());
        std::vector<std::string> verbose = with_logs;
        verbose.emplace_back("-v");
        const ProcessResult details = job.run("decode-details." + form, with_dumps(verbose, job.root, true));
        CHECK(count_of(details.out, "ge_log") >= hostile_names().size());
        job.run("all-tensors." + form, {"tensors", job.root, "--format", form});
    }
    for (const std::string form : {"json", "jsonl", "text", "csv", "html"}) {
        const std::vector<std::string> scan{"scan", job.root, "--format", form, "--all", "--logs", job.logs};
        std::vector<std::string> tensors = scan;
        tensors.emplace_back("--tensors");
        job.run("all-scan." + form, scan);
        job.run("all-scan-tensors." + form, tensors);
    }
    const std::string count = std::to_string(3 * hostile_names().size());
    job.run("all-overflow.text", {"overflow", "-d", job.root, "-out", job.directory / "results", "-n", count});
    job.run("convert.text", {"convert", "-d", job.root, "-out", job.directory / "converted"});
    job.run("npy.json", {"tensors", job.root, "--npy", job.directory / "npy"});
    job.run("index.text", {"index", job.logs, "-o", job.directory / "map"});
    job.run("decode-map.json", with_dumps({"decode", "--logs", job.directory / "map"}, job.root, true));
    job.judge();
}

TEST_CASE("hostile names: errors show them as text, whatever argument they are") {
    HostileJob job;
    const std::string dump = hostile_dump(job.root, 0);
    for (std::size_t i = 0; i < hostile_names().size(); ++i) {
        const std::string& name = hostile_names()[i];
        const std::vector<std::vector<std::string>> commands{
            {name},
            {"decode", "--", name},
            {"decode", "--" + name},
            {"scan", dump, "--format", name},
            {"status", "--format", "text", name, "1"},
            {"formats", "--format", "text", "show", name},
            {"overflow", "-out", name, "-d", job.directory / name},
            {"decode", dump, "--utc-offset=" + name},
            {"scan", dump, "--first=" + name},
            {"decode", dump, "--log-formats", job.directory / name},
            {"scan", dump, "-o", job.directory / (name + "/missing")},
        };
        for (std::size_t turn = i % 4; turn < commands.size();
             turn += 4) {  // each command meets a quarter of the names
            job.run(std::to_string(i) + "-" + std::to_string(turn) + ".text", commands[turn]);
        }
    }
    job.judge();
}

TEST_CASE("hostile names: texts of log format definitions are shown as text") {
    HostileJob job;
    const std::string sound = read_file(std::string(source_folder) + "/testdata/log-formats-example/my-launch.json");
    nlohmann::ordered_json definitions = nlohmann::ordered_json::parse(sound);
    const std::string evil =
        "\x1b]0;title\a\xc2\x9b"
        "31m\nopdebug: forged \xe2\x80\xae";
    definitions["formats"][0]["source"] = definitions["formats"][0]["versions"] = evil;
    const std::string file = write_file(job.directory / ("\x1b[1m"
                                                         "formats/sound.json"),
                                        definitions.dump());
    definitions["formats"][0]["states"] = evil;
    const std::string broken = write_file(job.directory / ("\x1b[1m"
                                                           "broken/broken.json"),
                                          definitions.dump());
    const std::string id = definitions["formats"][0]["id"];
    for (const std::string form : {"text", "json"}) {
        CHECK(job.run("list." + form, {"formats", "--log-formats", file, "--format", form}).exit_status == 0);
        CHECK(contains(job.run("show." + form, {"formats", "show", id, "--log-formats", file, "--format", form}).out,
                       form == "text" ? "\\x0aopdebug: forged \\xe2\\x80\\xae" : "\\nopdebug: forged \\u202e"));
        CHECK(job.run("check." + form, {"formats", "check", file, broken, "--format", form}).exit_status == 1);
    }
    job.judge();
}
