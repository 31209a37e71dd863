// Finds the reference dumps and reads their manifest.
#include "reference_data.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "outcome.hpp"
#include "skip.hpp"

namespace opdebug::test {

std::optional<std::filesystem::path> reference_data() {
    const char* folder = std::getenv("OPDEBUG_REFERENCE_DATA");
    if (folder == nullptr || *folder == '\0') {
        skip("OPDEBUG_REFERENCE_DATA is not set");
        return std::nullopt;
    }
    return std::filesystem::path(folder);
}

std::vector<ReferenceDump> reference_dumps(const std::filesystem::path& reference) {
    const std::filesystem::path dumps = reference / "dumps";
    std::ifstream in(dumps / "manifest.json");
    if (!in) {
        throw std::runtime_error("cannot read " + (dumps / "manifest.json").string());
    }
    std::vector<ReferenceDump> result;
    for (const auto& entry : nlohmann::json::parse(in)) {
        ReferenceDump dump;
        dump.relative = entry.at("path").get<std::string>();
        dump.path = dumps / dump.relative;
        dump.kind = entry.at("kind").get<std::string>();
        dump.what = entry.at("what").get<std::string>();
        if (entry.contains("json")) {
            dump.json = entry.at("json").get<std::string>();
        }
        result.push_back(std::move(dump));
    }
    return result;
}

void each_converted_reference_dump(const std::function<void(const ReferenceDump&, const Dump&)>& check) {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    int checked = 0;
    for (const ReferenceDump& item : reference_dumps(*reference)) {
        if (!item.json) {
            continue;
        }
        CAPTURE(item.relative);
        const auto dump = decode_file(item.path.string());
        REQUIRE(outcome(dump) == "ok");
        check(item, *dump);
        ++checked;
    }
    CHECK(checked >= 50);
}

}  // namespace opdebug::test
