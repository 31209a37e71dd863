// The units of a comparison: which files of both sides belong together.
#include "api_pairs/units.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "api_dump/dump_files.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_pairs {
namespace {

/// A rank, or a process without one.
using Cell = std::pair<Number, Number>;
using Cells = std::map<Cell, std::vector<std::size_t>>;
using Steps = std::map<Number, Cells>;

Steps steps_of(const SideDumps& side) {
    Steps steps;
    for (std::size_t i = 0; i < side.list.files.size(); ++i) {
        ApiFile file;
        file.source = side.list.files[i].source.value_or(ApiSource::msprobe);
        api_dump::read_location(side.list.files[i].file, file);
        steps[file.step][{file.rank, file.rank ? std::nullopt : file.process}].push_back(i);
    }
    return steps;
}

/// Empty: unknown, or below 0.
Number shifted(const Number& step, std::int64_t offset) {
    const bool is_below = step && offset < 0 && *step < static_cast<std::uint64_t>(-offset);
    return step && !is_below ? Number(*step + static_cast<std::uint64_t>(offset)) : std::nullopt;
}

/// Pairs the ranks of one step by number; unknown ranks only if each side has one.
void add_units(const Number& step, const Number& bench_step, const Cells& here, const Cells& there,
               std::vector<Unit>& units) {
    const bool any_unknown =
        here.size() == 1 && there.size() == 1 && (!here.begin()->first.first || !there.begin()->first.first);
    std::set<Cell> cells;
    for (const Cells* const side : {&here, &there}) {
        for (const auto& cell : *side) {
            cells.insert(cell.first);
        }
    }
    for (const Cell& cell : any_unknown ? std::set<Cell>{here.begin()->first} : cells) {
        Unit unit;
        unit.step = step;
        unit.bench_step = bench_step;
        unit.rank = cell.first;
        const auto own = here.find(cell), other = any_unknown ? there.begin() : there.find(cell);
        unit.here = own == here.end() ? std::vector<std::size_t>() : own->second;
        unit.there = other == there.end() ? std::vector<std::size_t>() : other->second;
        units.push_back(std::move(unit));
    }
}

/// Whether two files of a side are the same part of a dump.
bool has_twice(const std::vector<std::size_t>& files, const SideDumps& side) {
    std::set<std::string> names;
    return std::any_of(files.begin(), files.end(), [&](std::size_t i) {
        return !names.insert(std::filesystem::path(side.list.files[i].file).filename().string()).second;
    });
}

}  // namespace

std::vector<Unit> units_of(const SideDumps& here, const SideDumps& there, std::int64_t step_offset,
                           std::vector<Diagnostic>& diagnostics) {
    const Steps steps = steps_of(here), bench_steps = steps_of(there);
    const bool is_one = steps.size() == 1 && bench_steps.size() == 1;
    if (is_one && shifted(steps.begin()->first, step_offset) != bench_steps.begin()->first) {
        diagnostics.push_back(remarks::diagnose("bench_steps_assumed"));
    }
    std::vector<Unit> units;
    std::set<Number> used;
    const Cells none;
    for (const auto& [step, cells] : steps) {
        const Number wanted = shifted(step, step_offset);
        const auto other = is_one ? bench_steps.begin() : bench_steps.find(wanted);
        const bool is_there = other != bench_steps.end() && (is_one || wanted.has_value() == step.has_value());
        add_units(step, is_there ? other->first : wanted, cells, is_there ? other->second : none, units);
        if (is_there) {
            used.insert(other->first);
        }
    }
    for (const auto& [step, cells] : bench_steps) {
        if (!used.contains(step)) {
            add_units(shifted(step, -step_offset), step, none, cells, units);
        }
    }
    std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
        return std::tuple(!a.step, a.step, !a.rank, a.rank) < std::tuple(!b.step, b.step, !b.rank, b.rank);
    });
    for (Unit& unit : units) {
        unit.is_ambiguous = has_twice(unit.here, here) || has_twice(unit.there, there);
    }
    return units;
}

}  // namespace opdebug::api_pairs
