// Made-up records for locate().
#include "location.hpp"

#include <doctest/doctest.h>

#include "log_builder.hpp"

namespace opdebug::test {
namespace {

std::string text_of(const std::optional<std::string>& text) {
    return text.value_or("-");
}

std::string text_of(const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : "-";
}

std::string places_of(const std::vector<Evidence>& evidence) {
    std::string text;
    for (const Evidence& item : evidence) {
        text +=
            (text.empty() ? "" : ", ") + std::string(to_string(item.kind)) + " " + item.file + ":" + text_of(item.line);
    }
    return text;
}

}  // namespace

Record overflowed_record(const RecordIds& ids, Unit unit) {
    Record record;
    record.unit = unit;
    record.overflow = true;
    record.fields = {{Field::stream_id, ids.stream}, {Field::task_id, ids.task}};
    if (ids.model) {
        record.fields.insert(record.fields.begin(), {Field::model_id, *ids.model});
    }
    if (ids.context) {
        record.unit = Unit::aic;
        record.fields.push_back({Field::context_id, *ids.context});
        record.fields.push_back({Field::thread_id, ids.thread.value_or(65535)});
    }
    record.status.unit = record.unit;
    record.status.words = {0x20};
    record.status.overflow = true;
    record.status.undocumented_bits = {0};
    return record;
}

Dump dump_of(const RecordIds& ids, std::optional<std::int64_t> log_milliseconds) {
    Dump dump;
    DecodedPayload payload;
    payload.kind = ids.context ? Payload::accelerator : Payload::legacy;
    payload.records.push_back(overflowed_record(ids));
    dump.payloads.push_back(std::move(payload));
    if (log_milliseconds) {
        dump.timestamp_us = static_cast<std::uint64_t>(log_time_us(*log_milliseconds));
    }
    return dump;
}

Location locate_in(const std::shared_ptr<const TaskMap>& map, const Dump& dump) {
    LocateOptions options;
    options.task_map = map;
    options.utc_offset_minutes = 0;
    return locate(dump, options);
}

std::string shown(const OperatorAnswer& answer) {
    return text_of(answer.name) + "|" + text_of(answer.type) + "|" + text_of(answer.kernel) + "|" +
           std::string(to_string(answer.confidence));
}

std::string shown(const std::optional<LocatedOperator>& op) {
    return op ? shown(op->best) : "none";
}

std::string shown(const std::optional<LocatedModel>& model) {
    return model ? text_of(model->name) + "|" + text_of(model->runtime_id) + "|" + text_of(model->ge_id) + "|" +
                       text_of(model->graph_id)
                 : "none";
}

std::string candidates_of(const Location& location) {
    std::string text;
    if (location.op) {
        for (const OperatorAnswer& candidate : location.op->candidates) {
            text += (text.empty() ? "" : "; ") + shown(candidate);
        }
    }
    return text;
}

std::string proof_of_operator(const Location& location) {
    return location.op ? places_of(location.op->best.evidence) : "none";
}

std::string proof_of_model(const Location& location) {
    return location.model ? places_of(location.model->evidence) : "none";
}

std::string remarks_of(const Location& location) {
    std::string text;
    for (const Diagnostic& remark : location.diagnostics) {
        const bool is_on_search = remark.code == "time_zone";
        if (!is_on_search || remark.severity != Severity::info) {
            text += (text.empty() ? "" : ", ") + std::string(to_string(remark.severity)) + " " + remark.code;
        }
    }
    return text;
}

void check_located(const Location& location, const Located& expected) {
    const auto check = [](const char* what, const std::optional<std::string>& wanted, const std::string& found) {
        CAPTURE(what);
        CHECK(found == wanted.value_or(found));
    };
    check("operator", expected.op, shown(location.op));
    check("candidates", expected.candidates, candidates_of(location));
    check("model", expected.model, shown(location.model));
    check("remarks", expected.remarks, remarks_of(location));
    check("proof", expected.proof, proof_of_operator(location));
    check("proof of the model", expected.model_proof, proof_of_model(location));
    const std::string message = message_of(location, expected.said.first);
    CHECK_MESSAGE(message.find(expected.said.second) != std::string::npos, expected.said.second, " in: ", message);
}

std::string message_of(const Location& location, std::string_view code) {
    for (const Diagnostic& remark : location.diagnostics) {
        if (remark.code == code) {
            return remark.message;
        }
    }
    return {};
}

}  // namespace opdebug::test
