// The rules of the verdicts. Each gives its finding, or nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "training/training.hpp"

namespace opdebug::training {

/// `step`: where the fault begins; may be null.
Finding finding_at(Verdict verdict, std::string_view rule, LocalizedText because, const Step* step = nullptr);

/// The first step with a skip; null: none.
const Step* first_skip(const Run& run);

/// A number as logs print it; "-": none.
std::string show_number(const std::optional<double>& value);

std::optional<Finding> sinking_in(const Run& run);

/// For runs without another finding.
Finding sound_or_undecided(const Run& run);

}  // namespace opdebug::training
