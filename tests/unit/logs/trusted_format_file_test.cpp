// Files of log formats that are known to be right: read as strictly read ones, in less time.
#include "logs/formats/trusted_format_file.hpp"

#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "logs/formats/format_file.hpp"
#include "logs/formats/formats.hpp"

using namespace opdebug::logs;
using opdebug::NamedText;

namespace {

/// All that stands in the file or is found from it.
auto texts_of(const FormatDefinition& format) {
    return std::tie(format.file, format.id, format.catalogue, format.modules, format.functions, format.literal,
                    format.pattern, format.captures, format.remembers, format.forgets, format.completed_by,
                    format.versions, format.source, format.samples);
}

auto choices_of(const FormatDefinition& format) {
    return std::tie(format.states, format.log, format.cut_lines, format.fallback, format.task_id_provisional,
                    format.once);
}

std::vector<std::string> rules_of(const FormatDefinition& format) {
    std::vector<std::string> rules;
    for (const IgnoreRule& rule : format.ignore) {
        rules.push_back("ignore " + rule.member);
        rules.insert(rules.end(), rule.values.begin(), rule.values.end());
    }
    for (const Constant& constant : format.constants) {
        rules.push_back(constant.member + " is " + std::to_string(constant.value));
    }
    return rules;
}

NamedText file_of(const std::string& members) {
    return {"toy.json", R"({"schema": "opdebug.log_formats/1", "formats": [{"id": "toy.first", )" + members + "}]}"};
}

}  // namespace

TEST_CASE("log formats: the built-in files are read as the strict reader reads them") {
    for (const NamedText& file : built_in_log_format_files()) {
        CAPTURE(file.name);
        const auto strict = read_format_file(file);
        const auto trusted = read_trusted_format_file(file);
        REQUIRE(strict.ok());
        REQUIRE(trusted.has_value());
        REQUIRE(trusted->size() == strict->size());
        for (std::size_t i = 0; i < strict->size(); ++i) {
            CAPTURE((*strict)[i].id);
            CHECK(texts_of((*trusted)[i]) == texts_of((*strict)[i]));
            CHECK(choices_of((*trusted)[i]) == choices_of((*strict)[i]));
            CHECK(rules_of((*trusted)[i]) == rules_of((*strict)[i]));
        }
    }
}

TEST_CASE("log formats: rules and constants stand in the order of their names, escapes are read") {
    const auto formats = read_trusted_format_file(file_of(
        R"("pattern": "a\"\\d+", "ignore": {"b": ["x", "y"], "a": ["z"]}, "constants": {"d": 18446744073709551615, "c": 2})"));
    REQUIRE(formats.has_value());
    REQUIRE(formats->size() == 1);
    CHECK(formats->front().pattern == "a\"\\d+");
    CHECK(rules_of(formats->front()) ==
          std::vector<std::string>{"ignore a", "z", "ignore b", "x", "y", "c is 2", "d is 18446744073709551615"});
}

TEST_CASE("log formats: of a file that is not what it should be nothing is taken") {
    REQUIRE(read_trusted_format_file(file_of(R"("once": true)")).has_value());
    for (const char* members :
         {R"("once": 1)", R"("states": "all")", R"("log": "my_log")", R"("modules": "GE")", R"("modules": [1])",
          R"("literal": ["a"])", R"("new_member": "a")", R"("ignore": ["a"])", R"("constants": {"c": -1})",
          R"("source": "a)", R"("once": true, )"}) {
        CAPTURE(members);
        CHECK_FALSE(read_trusted_format_file(file_of(members)).has_value());
    }
    CHECK_FALSE(read_trusted_format_file({"empty.json", ""}).has_value());
    CHECK_FALSE(read_trusted_format_file({"other.json", R"({"statuses": []})"}).has_value());
}
