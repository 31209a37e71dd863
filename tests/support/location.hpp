// Calls locate() for the operator of made-up records, and reads its answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/locate.hpp>

namespace opdebug::test {

/// The ids of one overflowed record. Without a context the record is an AI Core one, else an AIC one.
struct RecordIds {
    std::uint64_t stream = 0;
    std::uint64_t task = 0;
    std::optional<std::uint64_t> model =
        std::nullopt;  ///< nothing: the record shows nothing of a model; 65535: of none
    std::optional<std::uint64_t> context = std::nullopt;
    std::optional<std::uint64_t> thread = std::nullopt;
};

Record overflowed_record(const RecordIds& ids, Unit unit = Unit::ai_core);

/// A dump with one overflowed record that is in no folder. Its time is that of log_builder.hpp's clock; nothing means
/// that the dump has none.
Dump dump_of(const RecordIds& ids, std::optional<std::int64_t> log_milliseconds);

/// locate() with the logs' clock read as UTC.
Location locate_in(const std::shared_ptr<const TaskMap>& map, const Dump& dump);

/// "NAME|TYPE|KERNEL|CONFIDENCE", with "-" for what is unknown; "none" without an operator.
std::string shown(const OperatorAnswer& answer);
std::string shown(const std::optional<LocatedOperator>& op);
/// "NAME|RUNTIME ID|GE ID|GRAPH ID", with "-" for what is unknown; "none" without a model.
std::string shown(const std::optional<LocatedModel>& model);
/// The candidates by shown(), in their order, with "; " between them.
std::string candidates_of(const Location& location);
/// "KIND FILE:LINE" of each piece of evidence, in their order, with ", " between them; "none" without an answer.
std::string proof_of_operator(const Location& location);
std::string proof_of_model(const Location& location);
/// "warning no_logs": severity and code of each diagnostic, with ", " between them; the info "time_zone" is left
/// out.
std::string remarks_of(const Location& location);
/// What a test expects of an answer, in the forms of the functions above.
struct Located {
    std::optional<std::string> op = {}, candidates = {}, model = {}, remarks = {}, proof = {}, model_proof = {};
    std::pair<std::string, std::string> said = {};  ///< a code, and a part of the message of the first such remark
};
void check_located(const Location& location, const Located& expected);

/// The message of the first diagnostic with that code; empty when there is none.
std::string message_of(const Location& location, std::string_view code);

}  // namespace opdebug::test
