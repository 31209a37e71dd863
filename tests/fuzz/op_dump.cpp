// The dump of an operator: every tensor measured, from memory and from a file, and written as .npy.
#include <algorithm>
#include <cmath>

#include <opdebug/report.hpp>
#include <opdebug/tensor.hpp>

#include "byte_ranges.hpp"
#include "memory_file.hpp"
#include "require.hpp"
#include "target.hpp"
#include "valid_output.hpp"

using namespace opdebug;

namespace {

double as_double(const TensorNumber& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

void require_sound_statistics(const DumpedTensor& tensor) {
    const TensorStatistics& statistics = *tensor.statistics;
    fuzz::require(statistics.nan + statistics.pos_inf + statistics.neg_inf <= tensor.elements,
                  "there are no more bad values than elements");
    // A complex element may be both: one part at the limit, the other subnormal.
    fuzz::require(statistics.zero + std::max(statistics.subnormal, statistics.saturated) <= tensor.elements,
                  "an element counts once in each count, and zero excludes the others");
    fuzz::require(statistics.max.has_value() == statistics.min.has_value() &&
                      statistics.max.has_value() == statistics.mean.has_value(),
                  "finite values have a largest, a smallest and a mean");
    if (statistics.max) {
        const double largest = as_double(*statistics.max), smallest = as_double(*statistics.min);
        fuzz::require(std::isfinite(largest) && std::isfinite(smallest), "max and min are finite");
        fuzz::require(smallest <= largest, "min is not above max");
        fuzz::require(*statistics.mean >= smallest && *statistics.mean <= largest, "the mean is between min and max");
    }
}

void require_npy_written(const std::string& file, const DumpedTensor& tensor) {
    std::uint64_t written = 0;
    const auto error = write_npy(file, tensor, [&](Bytes piece) {
        written += piece.size();
        return true;
    });
    fuzz::require(!error, "a measured tensor can be written", error ? error->message : "");
    fuzz::require(written >= tensor.elements, "each element is written");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes(data, size);
    const test::MemoryFile file(bytes);
    OpDumpOptions options;
    options.file = file.path();
    options.real_name = "Add.net_add.3.2.1694385648123456";
    const Result<OpDump> dump = measure_op_dump(bytes, options);
    const Result<OpDump> from_file = measure_op_dump(file.path(), options);
    fuzz::require(dump.ok() == from_file.ok(), "memory and file give the same");
    if (!dump) {
        fuzz::require(dump.error().code == from_file.error().code, "memory and file give the same error");
        fuzz::require_sound_error(dump.error(), size);
        return 0;
    }
    const std::string document = tensors_to_json(*dump);
    fuzz::require(document == tensors_to_json(*from_file), "memory and file give the same document", document);
    fuzz::require_valid_document("tensors", document);
    fuzz::require_safe_text(tensors_to_text(*dump));
    fuzz::require_sound_ranges(*dump, size);
    for (const DumpedTensor& tensor : dump->tensors) {
        if (tensor.statistics) {
            require_sound_statistics(tensor);
            require_npy_written(file.path(), tensor);
        }
    }
    fuzz::require(!origin_of(*dump).because.empty(), "a verdict has its reason");
    return 0;
}
