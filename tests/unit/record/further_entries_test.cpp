// Entries after the first one of an accelerator payload: read where they fit, reported where they are cut or not sure.
#include <doctest/doctest.h>

#include <opdebug/dump.hpp>

#include "decoded.hpp"
#include "dump_builder.hpp"
#include "outcome.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// An AICPU entry without an overflow (8 + 16 + 64 bytes with the payload's header), then one of SDMA (16 + 80) with
/// one.
AcceleratorPayload clean_then_overflow() {
    AcceleratorPayload payload = one_entry(AccType::aicpu);
    payload.entries[0].data.back() = 0;
    payload.entries.push_back(counting_entry(AccType::sdma, 2000));
    return payload;
}

constexpr std::size_t kFirstEnds = 88;
constexpr std::size_t kSecondEnds = 184;

/// The file ends after so many bytes of the payload, of which the header declares all.
Result<Dump> decode_cut_file(const AcceleratorPayload& payload, std::size_t length) {
    const Buffer file = build_overflow_dump(payload);
    return decode(cut(file, build_payload(payload).size() - length));
}

/// The header declares so many bytes of the payload, and all of them are there.
Result<Dump> decode_cut_size(const AcceleratorPayload& payload, std::size_t length) {
    Buffer part = build_payload(payload);
    part.resize(length);
    return decode(build_v2(overflow_dump(part)));
}

}  // namespace

TEST_CASE("further entries are decoded and marked as inferred") {
    AcceleratorPayload payload = one_entry(AccType::aic);
    payload.entries.push_back(counting_entry(AccType::aicpu, 2000));
    payload.entries.push_back(counting_entry(AccType::sdma, 3000));
    const Dump dump = decode_ok(payload);
    const std::string severity = severity_of(dump, "inferred_entry");
    CHECK((severity == "info" || severity == "warning"));
    REQUIRE(dump.payloads.at(0).records.size() == 3);
    const auto& records = dump.payloads[0].records;
    CHECK_FALSE(records[0].inferred);
    CHECK(records[1].inferred);
    CHECK(records[1].unit == Unit::aicpu);
    CHECK(records[1].field(Field::cpu_id) == std::optional<std::uint64_t>(2005));
    CHECK(records[1].status.words == std::vector<std::uint64_t>{2007});
    CHECK(records[2].inferred);
    CHECK(records[2].unit == Unit::sdma);
    CHECK(records[2].status.words == std::vector<std::uint64_t>{3009});
    CHECK(dump.payloads[0].header->acc_type == 0);
}

TEST_CASE("what does not look exactly like an entry is not read as one") {
    const auto count = [](const AcceleratorEntry& second) {
        AcceleratorPayload payload = one_entry(AccType::aic);
        payload.entries.push_back(second);
        return decode_ok(payload).payloads.at(0).records.size();
    };
    AcceleratorEntry second = counting_entry(AccType::aiv, 1);
    CHECK(count(second) == 2);
    second.valid = 0;
    CHECK(count(second) == 1);
    second = counting_entry(AccType::aiv, 1);
    second.acc_type = 4;
    CHECK(count(second) == 1);
    second = counting_entry(AccType::aiv, 1);
    second.data_len = 87;
    CHECK(count(second) == 1);
}

TEST_CASE("a file cut in a further entry leaves open whether it overflowed") {
    const AcceleratorPayload payload = clean_then_overflow();
    CHECK(decode_ok(payload).overflow() == std::optional<bool>(true));
    for (const std::size_t length : {kFirstEnds, kFirstEnds + 3, kFirstEnds + 4, kFirstEnds + 8, kFirstEnds + 15,
                                     kFirstEnds + 16, kFirstEnds + 88, kSecondEnds - 1}) {
        CAPTURE(length);
        const auto dump = decode_cut_file(payload, length);
        REQUIRE(outcome(dump) == "ok");
        CHECK(dump->payloads.at(0).records.size() == 1);
        CHECK_FALSE(dump->payloads.at(0).complete);
        CHECK(dump->overflow() == std::nullopt);
        CHECK(severity_of(*dump, "payload_truncated") == "error");
        // From valid and acc_type on it is known that an entry begins there.
        CHECK(severity_of(*dump, "entry_cut") == (length < kFirstEnds + 8 ? "none" : "error"));
    }
    const auto whole = decode_cut_file(payload, kSecondEnds);
    REQUIRE(outcome(whole) == "ok");
    CHECK(whole->overflow() == std::optional<bool>(true));
}

TEST_CASE("a size that ends within a further entry leaves open whether it overflowed") {
    for (const std::size_t length : {kFirstEnds + 8, kFirstEnds + 16, kSecondEnds - 8, kSecondEnds - 1}) {
        CAPTURE(length);
        const auto dump = decode_cut_size(clean_then_overflow(), length);
        REQUIRE(outcome(dump) == "ok");
        CHECK(dump->overflow() == std::nullopt);
        CHECK(severity_of(*dump, "entry_cut") == "error");
        CHECK(severity_of(*dump, "payload_truncated") == "none");
        CHECK_FALSE(dump->complete());
    }
}

TEST_CASE("a payload that ends with its entry, or in zeros after it, is no overflow") {
    AcceleratorPayload payload = one_entry(AccType::aicpu);
    payload.entries[0].data.back() = 0;
    const auto exact = decode_cut_size(payload, kFirstEnds);
    REQUIRE(outcome(exact) == "ok");
    CHECK(exact->overflow() == std::optional<bool>(false));
    CHECK(exact->complete());
    for (const std::size_t length : {kFirstEnds + 4, kFirstEnds + 16, std::size_t{2047}}) {
        CAPTURE(length);
        const auto dump = decode_cut_file(payload, length);  // valid, which is there, is 0
        REQUIRE(outcome(dump) == "ok");
        CHECK(dump->overflow() == std::optional<bool>(false));
        CHECK(severity_of(*dump, "payload_truncated") == "error");
    }
}

TEST_CASE("what looks like an entry after one of a wrong data_len is reported, and leaves open whether it overflowed") {
    AcceleratorPayload payload = clean_then_overflow();
    for (const std::uint32_t wrong : {66U, 0U, 4096U}) {
        CAPTURE(wrong);
        payload.entries[0].data_len = wrong;
        const Dump dump = decode_ok(payload);
        CHECK(dump.payloads.at(0).records.size() == 1);
        CHECK(dump.overflow() == std::nullopt);
        CHECK(severity_of(dump, "entry_left_out") == "error");
    }
    payload.entries[0].data_len = 72;  // a longer record, whose data_len is right
    payload.entries[0].data.push_back(9);
    CHECK(severity_of(decode_ok(payload), "entry_left_out") == "error");

    payload.entries.pop_back();
    const Dump longer = decode_ok(payload);  // only that longer record
    CHECK(longer.overflow() == std::optional<bool>(false));
    CHECK(longer.complete());
}
