// What holds for every command: help, version, options, pipes.
#include <doctest/doctest.h>

#include "help_text.hpp"
#include "tool.hpp"

using namespace opdebug::test;

TEST_CASE("--help and --version answer on stdout with exit status 0") {
    for (const char* option : {"--help", "--version"}) {
        const ProcessResult run = run_tool({option});
        CHECK(run.exit_status == 0);
        CHECK(run.err.empty());
        CHECK(contains(run.out, "opdebug "));
    }
    const ProcessResult more = run_tool({"--version", "extra"});
    CHECK(more.exit_status == 2);
    CHECK(more.out.empty());
    CHECK(contains(more.err, "--version accepts no arguments, but got 'extra'"));
    for (const std::string& command : commands_of_help()) {
        const ProcessResult run = run_tool({command, "--help"});
        CAPTURE(command);
        CHECK(run.exit_status == 0);
        CHECK(run.err.empty());
    }
}

TEST_CASE("an empty path is wrong usage, and reported as that") {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"scan", ""},
                                                      {"decode", "x", ""},
                                                      {"decode", "x", "--logs", ""},
                                                      {"index", "", "-o", "x"},
                                                      {"convert", "-d", "x", "-out", ""},
                                                      {"overflow", "-d", "x", "-out", ""},
                                                      {"tensors", "x", "--npy", ""},
                                                      {"formats", "--format", "text", "check", "x", ""}}) {
        CAPTURE(arguments.front());
        const ProcessResult run = run_tool(arguments);
        CHECK(run.exit_status == 2);
        CHECK(contains(run.err, " is empty: expected a path\n"));
        CHECK(contains(run.err, "Usage: opdebug " + arguments.front()));
    }
}

TEST_CASE("no command prints help, a mistyped one gets a suggestion") {
    const ProcessResult none = run_tool({});
    CHECK(none.exit_status == 0);
    CHECK(none.out == run_tool({"--help"}).out);
    CHECK(none.err.empty());
    for (const auto& [typed, meant] : {std::pair<std::string, std::string>{"dekode", "decode"},
                                       {"scna", "scan"},
                                       {"statu", "status"},
                                       {"convrt", "convert"}}) {
        const ProcessResult unknown = run_tool({typed, "x"});
        CHECK(unknown.exit_status == 2);
        CHECK(unknown.out.empty());
        CHECK(contains(unknown.err, "unknown command '" + typed + "'; did you mean '" + meant + "'?"));
    }
    CHECK_FALSE(contains(run_tool({"nothing"}).err, "did you mean"));
}

TEST_CASE("unknown and abbreviated options are wrong usage and named") {
    const TemporaryDirectory directory;
    const std::string path =
        write_file(directory / "Opdebug.Node_OpDebug.1.5.1597922031178434", build_overflow_dump(ai_core_example(32)));
    const auto refused = [&path](const std::vector<std::string>& options, const std::string& named) {
        std::vector<std::string> arguments{"decode", path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProcessResult run = run_tool(arguments);
        CAPTURE(named);
        CHECK(run.exit_status == 2);
        CHECK(run.out.empty());
        CHECK(contains(run.err, named));
    };
    refused({"--no-such-option"}, "--no-such-option");
    refused({"--form", "json"}, "--form");
    refused({"--form=json"}, "--form");
    refused({"-x"}, "-x");
    refused({"--format", "yaml"}, "yaml");
    refused({"--format"}, "--format");
}

TEST_CASE("wrong usage of a command is exit status 2 and a message, nothing else") {
    const TemporaryDirectory directory;
    const std::string dump =
        write_file(directory / "Opdebug.Node_OpDebug.1.5.1597922031178434", build_overflow_dump(ai_core_example(32)));
    const std::string tree = directory / "";
    for (const std::vector<std::string>& arguments : {
             std::vector<std::string>{"decode"},
             {"convert"},
             {"convert", "-out", directory / "out"},
             {"doctor", "--no-environment"},
             {"doctor", tree, "--format", "html"},
             {"doctor", "--format", "text", ""},
             {"doctor", "--format", "text", tree, ""},
             {"formats", "lst"},
             {"formats", "show"},
             {"formats", "check"},
             {"formats", "show", "a", "b"},
             {"formats", "list", "a"},
             {"formats", "--format", "xml"},
             {"formats", "--lang", "fr"},
             {"scan"},
             {"scan", tree, "--format", "xml"},
             {"scan", tree, "--first", "-1"},
             {"scan", tree, "--fail-on", "clean"},
             {"scan", tree, "-j", "0"},
             {"scan", tree, "-o", dump},
             {"scan", tree, "--lang", "fr"},
             {"scan", tree, "--logs"},
             {"tensors"},
             {"tensors", "-"},
             {"tensors", dump, "--format", "xml"},
             {"watch"},
             {"watch", tree, "--report", "html"},
             {"watch", tree, "--poll", "0"},
             {"watch", tree, "--until-idle", "soon"},
             {"watch", tree, "--duration", "-1"},
             {"watch", tree, "--format", "csv"},
             {"watch", tree, "-o", "/nowhere/at/all"},
         }) {
        CAPTURE(arguments.front());
        CAPTURE(arguments.back());
        const ProcessResult run = run_tool(arguments);
        CHECK(run.exit_status == 2);
        CHECK(run.out.empty());
        CHECK_FALSE(run.err.empty());
    }
    CHECK(read_file(dump) == text_of(build_overflow_dump(ai_core_example(32))));
}

TEST_CASE("arguments that are no options keep their order, wherever options stand between them") {
    const TemporaryDirectory directory;
    const std::string in = directory.path().string() + "/";
    const ProcessResult run = run_tool(
        {"decode", in + "a", in + "b", in + "c", "--lang", "en", in + "d", in + "e", "--format=text", in + "f",
         in + "g", in + "h", "-o",     "-",      in + "i", "--", "-j",     in + "k", "--format",      in + "l"});
    CHECK(run.exit_status == 2);
    std::string told;
    for (const std::string& line : lines_of(run.err)) {  // "opdebug: PATH: cannot open it: ..."
        const std::size_t name = line.find(in) == std::string::npos ? 9 : line.find(in) + in.size();
        told += line.substr(name, line.find(':', name) - name) + " ";
    }
    CHECK(told == "a b c d e f g h i -j k --format l ");
    // The value of an option is no argument of the command, and an empty argument is one.
    CHECK(contains(run_tool({"decode", in + "a", in + "b", "--lang", "fr", in + "c"}).err,
                   "--lang must be en or zh, not 'fr'"));
    CHECK(contains(run_tool({"decode", in + "a", in + "b", "", in + "c"}).err, "FILE is empty: expected a path"));
}

TEST_CASE("--utc-offset has hours and at most 59 minutes") {
    const TemporaryDirectory directory;
    const std::string path =
        write_file(directory / "Opdebug.Node_OpDebug.1.5.1597922031178434", build_overflow_dump(ai_core_example(32)));
    for (const char* wrong : {"+08:99", "+08:60", "0860", "+8:5", "18:01", "+008", "530", "east"}) {
        const ProcessResult run = run_tool({"decode", path, "--utc-offset", wrong});
        CAPTURE(wrong);
        CHECK(run.exit_status == 2);
        CHECK(contains(run.err, wrong));
    }
    for (const char* right : {"+08:59", "+05:30", "-3", "0", "0545", "+5:30", "18:00"}) {
        CAPTURE(right);
        CHECK(run_tool({"decode", path, "--utc-offset", right}).exit_status == 0);
    }
}

TEST_CASE("nothing found where something could not be read is exit status 1: dumps may be there") {
    const TemporaryDirectory directory;
    write_file(directory / "tree/a/deeper/Opdebug.Node_OpDebug.1.5.1597922031178434", "x");
    const std::string tree = directory / "tree";
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"scan", tree},
                                                      {"convert", "-d", tree, "-out", directory / "out"},
                                                      {"tensors", tree},
                                                      {"overflow", "-d", tree, "-out", directory / "out"}}) {
        CAPTURE(arguments.front());
        const auto limited = [&arguments](const std::string& folder) {
            std::vector<std::string> all = arguments;
            for (std::string& argument : all) {
                argument = contains(argument, "tree") ? folder : argument;
            }
            all.insert(all.end(), {"--limit", "folder_depth=1"});
            return run_tool(all);
        };
        const ProcessResult unread = limited(tree);
        CHECK(unread.exit_status == 1);
        CHECK(contains(unread.err, tree + "/a/deeper"));
        CHECK(limited(directory / "absent").exit_status == 2);
        CHECK(limited(write_file(directory / "empty/readme.txt", "x").substr(0, (directory / "empty").size()))
                  .exit_status == 2);
    }
}
