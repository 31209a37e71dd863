// The call stacks of some calls.
#include <opdebug/api_dump.hpp>

#include <map>
#include <utility>

#include <opdebug/tree.hpp>

#include "api_dump/call_name.hpp"
#include "api_dump/ptdbg_file.hpp"
#include "api_dump/stack_file.hpp"
#include "tree/folder.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using Frames = std::vector<std::string>;

/// Stacks by the calls that have them; of the others those of their forwards.
class WantedStacks {
public:
    explicit WantedStacks(const std::vector<std::string>& names) : names_(names) {
        for (const std::string& name : names) {
            found_.emplace(name, Frames());
            if (std::string forward = api_dump::forward_name(name); !forward.empty()) {
                found_.emplace(std::move(forward), Frames());
            }
        }
    }

    bool is_wanted(std::string_view call) const { return found_.find(call) != found_.end(); }

    void add(std::string_view call, const Frames& frames) {
        if (const auto place = found_.find(call); place != found_.end()) {
            place->second = frames;
        }
    }

    std::vector<ApiStack> take() const {
        std::vector<ApiStack> stacks;
        for (const std::string& name : names_) {
            const Frames& own = found_.find(name)->second;
            const auto forward = found_.find(api_dump::forward_name(name));
            const Frames& frames = own.empty() && forward != found_.end() ? forward->second : own;
            if (!frames.empty()) {
                stacks.push_back({name, frames});
            }
        }
        return stacks;
    }

private:
    const std::vector<std::string>& names_;
    std::map<std::string, Frames, std::less<>> found_;
};

}  // namespace

Result<std::vector<ApiStack>> read_api_stacks(const std::string& dump, const std::vector<std::string>& names,
                                              const ApiReadOptions& options) {
    if (names.empty()) {
        return std::vector<ApiStack>();
    }
    const Result<std::optional<ApiSource>> source = api_source_of(dump);
    if (!source) {
        return source.error();
    }
    WantedStacks wanted(names);
    if (*source == ApiSource::ptdbg) {
        const Result<bool> read = api_dump::read_ptdbg_stacks(
            dump, options, [&wanted](std::string&& call, Frames&& frames) { wanted.add(call, frames); });
        return read ? Result<std::vector<ApiStack>>(wanted.take()) : read.error();
    }
    const std::string stack_file = tree::join_path(tree::folder_of(dump), "stack.json");
    const Result<bool> read = api_dump::read_stack_file(
        stack_file, options, [&wanted](std::string_view call) { return wanted.is_wanted(call); },
        [&wanted](const std::string& call, const Frames& frames) { wanted.add(call, frames); });
    if (!read && read.error().code != ErrorCode::file_not_found) {
        return read.error();
    }
    std::vector<ApiStack> stacks = wanted.take();
    if (read && !*read && stacks.empty()) {
        return Error{ErrorCode::api_dump_invalid,
                     "the file ends before its JSON does: its writer was ended; no stack that was asked for lies in "
                     "front of the cut",
                     stack_file, std::nullopt};
    }
    return stacks;
}

}  // namespace v0
}  // namespace opdebug
