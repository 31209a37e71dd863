// opdebug_every_byte SUBJECT quick|full: tries all damage of one byte of the subject's files. Exit status 1 when
// something does not hold.
#define DOCTEST_CONFIG_IMPLEMENT  // the builders use its checks
#include <doctest/doctest.h>

#include "every_byte.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <set>

namespace opdebug::damage {
namespace {

constexpr std::uint64_t kShownViolations = 10;
constexpr std::size_t kNear = 3;  // bytes of a run of zeros that are looked at on either side of it

std::set<std::uint8_t> other_values(std::uint8_t value, Extent extent) {
    std::set<std::uint8_t> values;
    if (extent == Extent::full) {
        for (unsigned other = 0; other < 256; ++other) {
            values.insert(static_cast<std::uint8_t>(other));
        }
    } else {
        values = {0x00, 0xFF, static_cast<std::uint8_t>(value + 1), static_cast<std::uint8_t>(value - 1)};
        for (unsigned bit = 0; bit < 8; ++bit) {
            values.insert(static_cast<std::uint8_t>(value ^ (1U << bit)));
        }
    }
    values.erase(value);
    return values;
}

/// Near bytes that are not zero, or one of few among zeros.
bool is_looked_at(const Buffer& bytes, std::size_t place, Extent extent) {
    if (extent == Extent::full || place % 61 == 0) {
        return true;
    }
    const std::size_t begin = place < kNear ? 0 : place - kNear;
    const std::size_t end = std::min(place + kNear + 1, bytes.size());
    return std::any_of(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                       bytes.begin() + static_cast<std::ptrdiff_t>(end), [](std::uint8_t byte) { return byte != 0; });
}

}  // namespace

void Findings::try_one(const Buffer& damaged, const Damage& damage, const Look& look) {
    damaged_ = damaged;
    damage_ = damage;
    ++outcomes_[look(damaged, damage)];
}

void Findings::try_all(const std::string& file, const Buffer& sound, const Look& look) {
    file_ = file;
    ++files_;
    for (std::size_t size = 0; size < sound.size(); ++size) {
        ++prefixes_;
        try_one(Buffer(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size)), {size, true}, look);
    }
    for (std::size_t place = 0; place < sound.size(); ++place) {
        if (!is_looked_at(sound, place, extent_)) {
            continue;
        }
        for (const std::uint8_t value : other_values(sound[place], extent_)) {
            ++changes_;
            Buffer changed = sound;
            changed[place] = value;
            try_one(changed, {place, false}, look);
        }
    }
}

void Findings::try_cuts_before(const std::string& file, const Buffer& sound, const Buffer& behind, const Look& look) {
    file_ = file;
    ++files_;
    for (std::size_t size = 0; size < sound.size(); ++size) {
        ++prefixes_;
        Buffer bytes(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size));
        bytes.insert(bytes.end(), behind.begin(), behind.end());
        try_one(bytes, {size, true}, look);
    }
}

void Findings::require(bool holds, std::string_view property, std::string_view found) {
    if (holds || ++violations_ > kShownViolations) {
        return;
    }
    std::cerr << "DOES NOT HOLD: " << property << "\n  " << file_ << (damage_.cut ? " cut to " : " with byte ")
              << damage_.place;
    if (!damage_.cut && damage_.place < damaged_.size()) {
        std::cerr << " = " << static_cast<unsigned>(damaged_[damage_.place]);
    }
    std::cerr << (found.empty() ? "" : "\n") << found << std::endl;
}

bool Findings::report(const char* subject) const {
    std::printf("%s: %llu files, %llu prefixes, %llu changed bytes, %llu violations\n", subject,
                static_cast<unsigned long long>(files_), static_cast<unsigned long long>(prefixes_),
                static_cast<unsigned long long>(changes_), static_cast<unsigned long long>(violations_));
    for (const auto& [outcome, count] : outcomes_) {
        std::printf("  %-24s %llu\n", outcome.c_str(), static_cast<unsigned long long>(count));
    }
    return violations_ == 0 && prefixes_ + changes_ != 0;
}

}  // namespace opdebug::damage

int main(int count, char** arguments) {
    using namespace opdebug::damage;
    struct Subject {
        const char* name;
        void (*try_files)(Findings&);
    };
    const Subject subjects[] = {
        {"dumps", try_dumps},         {"converted_json", try_converted}, {"op_dumps", try_op_dumps},
        {"task_map", try_task_map},   {"mapping", try_mapping},          {"log", try_log},
        {"api_dumps", try_api_dumps},
    };
    const bool full = count == 3 && std::strcmp(arguments[2], "full") == 0;
    if (count != 3 || (!full && std::strcmp(arguments[2], "quick") != 0)) {
        return std::fprintf(stderr, "usage: %s SUBJECT quick|full\n", arguments[0]), 2;
    }
    const auto* const subject = std::find_if(std::begin(subjects), std::end(subjects), [&](const Subject& item) {
        return std::strcmp(item.name, arguments[1]) == 0;
    });
    if (subject == std::end(subjects)) {
        return std::fprintf(stderr, "no subject is called %s\n", arguments[1]), 2;
    }
    Findings findings(full ? Extent::full : Extent::quick);
    subject->try_files(findings);
    return findings.report(subject->name) ? 0 : 1;
}
