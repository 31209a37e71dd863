// Dumps of the same path and time, as they come from several parts.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "merge/merged_dumps.hpp"
#include "merge/run.hpp"

namespace opdebug::merge {

/// Of one host there is one dump. Others, and those whose host is not named, are the same only where all is that is
/// told of them: hosts may have different dumps under one path. Ordinary reports need not name their hosts.
class OnePlace {
public:
    explicit OnePlace(const std::vector<std::shared_ptr<const Part>>& parts);

    /// Whether the dump was there already. It is noted, and its document, which may be needed to tell others from it.
    bool has(Run& run, std::size_t part, PassNotes& notes);

private:
    struct Dump {
        report::ScanEntry entry;
        std::string document;  ///< where a report is ordinary
        std::size_t part = 0;
    };
    /// By which dumps are known: the host, the line without its host, what dumps of a partial or an ordinary report
    /// show.
    enum class KeyOf { host, line, partial, ordinary };
    struct Key {
        KeyOf of = KeyOf::host;
        std::string text, failure_code = {}, failure_message = {};
        bool operator<(const Key& other) const noexcept {
            return std::tie(of, text, failure_code, failure_message) <
                   std::tie(other.of, other.text, other.failure_code, other.failure_message);
        }
    };
    /// A dump is the same as one before it that has a key of those that it asks for.
    struct Keys {
        std::vector<Key> asked, had;
    };

    Keys keys_of(const Dump& dump) const;
    void add(Keys&& keys, std::size_t part);
    /// The part of the first dump that is the same; null: none is.
    const std::size_t* same_as(const Keys& keys) const;
    void note(SeveralParts& several, const std::string& file, std::size_t a, std::size_t b) const;

    const std::vector<std::shared_ptr<const Part>>& parts_;
    bool any_ordinary_;
    bool is_empty_ = true;
    Dump first_, next_;  ///< nearly every dump is the only one of its place: their memory is used again
    std::vector<std::size_t> parts_of_dumps_;  ///< in the order in which they came; empty while there is only the first
    std::map<Key, std::size_t> numbers_;       ///< the first dump that has a key
};

}  // namespace opdebug::merge
