#include "dump/declared_sizes.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "container/shape.hpp"

namespace opdebug::dump_stage {
namespace {

constexpr std::uint64_t kUint8DataType = 4;  // the same number in DumpData's and in nano's list

}  // namespace

std::uint64_t payload_size(const container::Tensor& output) {
    if (output.data_type != kUint8DataType || output.dims.empty()) {
        return output.size;
    }
    const std::optional<std::uint64_t> product = container::elements_of_shape(output.dims);
    return product && *product != 0 ? std::min(*product, output.size) : output.size;
}

bool check_declared_size(const container::Tensor& output, std::uint64_t end, std::vector<Diagnostic>& diagnostics) {
    const std::uint64_t read = payload_size(output);
    const std::uint64_t there = std::min(output.size, end - std::min(output.offset, end));
    if (output.declared_size > there) {
        diagnostics.push_back(
            {Severity::error, "payload_size",
             fmt::format(
                 "output {} declares {} from byte {} on, but only {} {} there: the header is damaged or the file "
                 "is cut; the {} that its shape promises {} read, what else belongs to it is not known",
                 output.index, bytes::counted(output.declared_size, "byte"), output.offset, there,
                 bytes::is_or_are(there), bytes::counted(read, "byte"), read == 1 ? "was" : "were")});
        return false;
    }
    const bool differs = output.declared_size != 0 && output.declared_size != output.size;  // v1 only
    if (output.size > read || differs) {
        diagnostics.push_back(
            {Severity::warning, "payload_size",
             fmt::format("output {} declares {} and holds {}, its shape promises {}: the first {} were read, as "
                         "the official converter does",
                         output.index, bytes::counted(output.declared_size, "byte"), output.size, read, read)});
    }
    return true;
}

bool check_further_sizes(const container::Contents& contents, std::uint64_t end, std::vector<Diagnostic>& diagnostics) {
    const container::Tensor& last = contents.outputs.back();
    if (contents.end <= end || last.offset > end || last.size > end - last.offset) {
        return true;  // all there, or an output is cut, which is told of that one
    }
    diagnostics.push_back(
        {Severity::error, "tensors_beyond_file",
         fmt::format(
             "the header declares buffers or workspaces behind the outputs, up to byte {}, but the dump ends at "
             "byte {}: it was cut, or the header is damaged, and then the payload may lie elsewhere",
             contents.end, end)});
    return false;
}

bool check_end_of_message(const container::Contents& contents, std::uint64_t end,
                          std::vector<Diagnostic>& diagnostics) {
    if (!contents.rest_fault) {
        return true;
    }
    diagnostics.push_back(
        {Severity::error, std::string(to_string(contents.rest_fault->code)),
         fmt::format("{}; the message is whole up to byte {}, the {} from there on {} left out",
                     to_string(*contents.rest_fault), contents.end, bytes::counted(end - contents.end, "byte"),
                     bytes::is_or_are(end - contents.end))});
    return false;
}

}  // namespace opdebug::dump_stage
