// Names of the hardware units; the built-in catalogue and the user's.
#include "status/catalogue.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "embedded/status_data.hpp"
#include "status/catalogue_reader.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

struct UnitNames {
    Unit unit;
    std::string_view name;
    std::string_view key;
};

constexpr std::array<UnitNames, 7> kUnitNames{{
    {Unit::ai_core, "AI Core", "ai-core"},
    {Unit::dha_atomic, "DHA Atomic Add", "dha-atomic"},
    {Unit::l2_atomic, "L2 Atomic Add", "l2-atomic"},
    {Unit::aic, "AIC", "aic"},
    {Unit::aiv, "AIV", "aiv"},
    {Unit::aicpu, "AICPU", "aicpu"},
    {Unit::sdma, "SDMA", "sdma"},
}};

using RegisterPtr = std::shared_ptr<const status::Register>;

/// The descriptions of one set of files. Checks that units, names and ids are unique over all files.
Result<std::vector<RegisterPtr>> read_registers(const std::vector<NamedText>& files, const Limits& limits) {
    std::vector<RegisterPtr> registers;
    std::map<Unit, std::string> file_of_unit;
    std::map<std::string, std::string> file_of_name;
    for (const NamedText& file : files) {
        Result<status::Register> read = status::read_register(file, limits);
        if (!read) {
            return std::move(read.error());
        }
        auto description = std::make_shared<const status::Register>(std::move(read.value()));
        for (const Unit unit : description->units) {
            const auto [place, added] = file_of_unit.emplace(unit, file.name);
            if (!added) {
                return status::catalogue_error(
                    file.name, "/units",
                    fmt::format("unit \"{}\" is already described by {}", unit_key(unit), place->second),
                    "name each unit in one file only");
            }
        }
        // Ids begin with the name of the register, so unique names imply unique ids.
        const auto [place, added] = file_of_name.emplace(description->name, file.name);
        if (!added) {
            return status::catalogue_error(
                file.name, "/register",
                fmt::format("register \"{}\" is already described by {}", description->name, place->second),
                "give each register one file and one name");
        }
        registers.push_back(std::move(description));
    }
    return registers;
}

std::shared_ptr<const StatusCatalogue> load_embedded() {
    std::vector<NamedText> files;
    for (const embedded::File& file : embedded::status_files()) {
        files.push_back({std::string(file.name), std::string(file.text)});
    }
    auto catalogue = std::make_shared<StatusCatalogue>();
    // Tests of the library check these files. If one is invalid anyway, the catalogue stays empty and every explanation
    // reports no_status_table.
    if (const Result<std::vector<RegisterPtr>> registers = read_registers(files, {})) {
        for (const RegisterPtr& description : registers.value()) {
            catalogue->set(description);
        }
    }
    return catalogue;
}

}  // namespace

std::string_view unit_name(Unit unit) noexcept {
    for (const UnitNames& row : kUnitNames) {
        if (row.unit == unit) {
            return row.name;
        }
    }
    return {};
}

std::string_view unit_key(Unit unit) noexcept {
    for (const UnitNames& row : kUnitNames) {
        if (row.unit == unit) {
            return row.key;
        }
    }
    return {};
}

namespace {

/// Compares without case, blanks, '-' and '_': "AI Core", "ai-core" and "aicore" are one name.
bool is_same_name(std::string_view a, std::string_view b) noexcept {
    const auto take = [](std::string_view& text) {
        text.remove_prefix(std::min(text.find_first_not_of(" -_"), text.size()));
        const char c = text.empty() ? '\0' : text.front();
        text.remove_prefix(text.empty() ? 0 : 1);
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    while (!a.empty() || !b.empty()) {
        if (take(a) != take(b)) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::optional<Unit> unit_from_key(std::string_view key) noexcept {
    for (const UnitNames& row : kUnitNames) {
        if (is_same_name(row.key, key) || is_same_name(row.name, key)) {
            return row.unit;
        }
    }
    return std::nullopt;
}

void StatusCatalogue::set(const RegisterPtr& description) {
    for (const Unit unit : description->units) {
        registers_[static_cast<std::size_t>(unit)] = description;
    }
}

std::shared_ptr<const StatusCatalogue> built_in_status_catalogue() {
    // Never destroyed: a thread may still use it at program exit.
    static const auto* const catalogue = new std::shared_ptr<const StatusCatalogue>(load_embedded());
    return *catalogue;
}

Result<std::shared_ptr<const StatusCatalogue>> load_status_catalogue(const std::vector<NamedText>& files,
                                                                     const Limits& limits) {
    if (files.empty()) {
        return status::catalogue_error("", "", "no catalogue file was given", "give at least one file");
    }
    Result<std::vector<RegisterPtr>> registers = read_registers(files, limits);
    if (!registers) {
        return std::move(registers.error());
    }
    // Units without a user description keep the built-in one.
    auto catalogue = std::make_shared<StatusCatalogue>(*built_in_status_catalogue());
    for (const RegisterPtr& description : registers.value()) {
        catalogue->set(description);
    }
    return std::shared_ptr<const StatusCatalogue>(std::move(catalogue));
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::status {

std::string unit_keys() {
    std::string keys;
    for (const UnitNames& row : kUnitNames) {
        keys += keys.empty() ? "" : &row == &kUnitNames.back() ? " or " : ", ";
        keys += row.key;
    }
    return keys;
}

}  // namespace opdebug::status
