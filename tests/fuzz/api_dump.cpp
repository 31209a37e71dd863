// An API dump of any form, by its first byte: what is read of it holds together, and a prefix gives no call that the
// whole does not give.
#include <opdebug/api.hpp>

#include <string>
#include <vector>

#include <opdebug/result.hpp>

#include "memory_file.hpp"
#include "require.hpp"
#include "target.hpp"

using namespace opdebug;

namespace {

struct Reading {
    Result<ApiFile> file;
    std::vector<std::string> names;
};

void require_sound(const ApiEntry& entry, std::uint64_t position) {
    fuzz::require(entry.position == position, "calls are counted in their order", entry.name);
    fuzz::require(entry.api.size() <= entry.name.size() || entry.phase == ApiPhase::kernel,
                  "an API's name is part of its call's", entry.name);
    for (const ApiCommunication& told : entry.communication) {
        const bool has_tensor = told.value < entry.values.size();
        fuzz::require(has_tensor || told.operation.empty() || told.value + 1 == 0,
                      "the tensor is there or told missing", entry.name);
    }
    for (const ApiValue& value : entry.values) {
        fuzz::require(!value.is_scalar || value.shape.empty(), "a scalar has no shape", entry.name);
    }
}

Reading read(Bytes bytes) {
    const test::MemoryFile file(bytes);
    std::vector<std::string> names;
    Result<ApiFile> read = read_api_dump(file.path(), {}, [&names](ApiEntry&& entry) {
        require_sound(entry, names.size());
        names.push_back(std::move(entry.name));
    });
    if (read) {
        fuzz::require(read->entries == names.size(), "calls are counted");
        const auto stacks = read_api_stacks(file.path(), names);
        fuzz::require(!stacks || stacks->size() <= names.size(), "a call has one stack");
    } else {
        fuzz::require(!read.error().message.empty() && read.error().file == file.path(),
                      "an error says what and where");
    }
    return {std::move(read), std::move(names)};
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Reading whole = read({data, size});
    if (!whole.file || whole.file->source != ApiSource::msprobe) {
        return 0;
    }
    const Reading half = read({data, size / 2});
    fuzz::require(!half.file || half.names.size() <= whole.names.size(), "a prefix gives no further calls");
    for (std::size_t i = 0; i < half.names.size() && half.file; ++i) {
        fuzz::require(half.names[i] == whole.names[i], "a prefix gives the same calls", half.names[i]);
    }
    return 0;
}
