#include "byte_ranges.hpp"

#include <algorithm>
#include <vector>

#include "require.hpp"

namespace opdebug::fuzz {
namespace {

struct Range {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// v2 and nano files hold inputs and outputs in the order of the header; a v1 message may hold its fields in any.
void require_disjoint(std::vector<Range> ranges, Container form, std::uint64_t file_size) {
    if (form == Container::dump_data_v1) {
        std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.offset < b.offset; });
    }
    std::uint64_t end = 0;
    for (const Range& range : ranges) {
        if (range.size == 0) {
            continue;
        }
        require(range.offset >= end, "byte ranges are sorted and disjoint");
        require(range.offset < file_size && range.size <= file_size - range.offset, "byte ranges are within the file");
        end = range.offset + range.size;
    }
}

Range range_in_file(const container::Tensor& tensor, std::uint64_t file_size) {
    const std::uint64_t there = tensor.offset < file_size ? file_size - tensor.offset : 0;
    return {tensor.offset, tensor.skipped ? 0 : std::min(tensor.size, there)};
}

}  // namespace

void require_sound_ranges(const container::Contents& contents, std::uint64_t file_size) {
    if (contents.size_overflow) {
        return;
    }
    std::vector<Range> ranges;
    for (const std::vector<container::Tensor>* tensors : {&contents.inputs, &contents.outputs}) {
        for (const container::Tensor& tensor : *tensors) {
            ranges.push_back(range_in_file(tensor, file_size));
            require(ranges.back().size == 0 || tensor.offset >= contents.data_begin, "tensors lie behind the header");
            require(ranges.back().size == 0 || tensor.offset + ranges.back().size <= contents.end,
                    "tensors lie before the end of the dump");
        }
    }
    require_disjoint(std::move(ranges), contents.form, file_size);
}

void require_sound_ranges(const OpDump& dump, std::uint64_t file_size) {
    std::vector<Range> ranges;
    for (const DumpedTensor& tensor : dump.tensors) {
        ranges.push_back({tensor.offset, tensor.size});
    }
    require_disjoint(std::move(ranges), dump.container, file_size);
}

}  // namespace opdebug::fuzz
