// When a stream id means one and the same stream, and which model it belongs to.
#include "logs/lookup/stream_window.hpp"

#include <string>

#include <doctest/doctest.h>

#include "fact_log.hpp"
#include "log_builder.hpp"

using namespace opdebug::logs;
using opdebug::test::binding;
using opdebug::test::fact;
using opdebug::test::FactLog;
using opdebug::test::log_begin_us;
using opdebug::test::log_time_us;
using opdebug::test::LogText;
using opdebug::test::process_of;
using opdebug::test::task_map_of;

namespace {

std::string shown(const Span& span) {
    const auto milliseconds = [](std::int64_t time) { return std::to_string((time - log_begin_us) / 1000); };
    return (span.begin == kBeginOfTime ? "begin" : milliseconds(span.begin)) + ".." +
           (span.end == kEndOfTime ? "end" : milliseconds(span.end));
}

auto map_of(const LogText& log) {
    return task_map_of(log);
}
auto map_of(const FactLog& log) {
    return task_map_of({log});
}

/// "1000..2000, 3000..end" in milliseconds of the log builder's clock. `log`: a LogText or a FactLog.
template <class Log>
std::string windows_of(const Log& log, std::uint64_t stream, DeviceFilter device = {}) {
    const auto map = map_of(log);
    std::string text;
    for (const StreamWindow& window : stream_windows(process_of(*map), stream, device)) {
        text += (text.empty() ? "" : ", ") + shown(window.span);
    }
    return text;
}

/// "model 3 1000..2000" for each binding in that window of the stream.
template <class Log>
std::string bindings_of(const Log& log, std::uint64_t stream, std::size_t window = 0) {
    const auto map = map_of(log);
    const auto windows = stream_windows(process_of(*map), stream);
    REQUIRE(window < windows.size());
    std::string text;
    for (const ModelBinding& binding : model_bindings(process_of(*map), stream, windows[window])) {
        text += (text.empty() ? "model " : ", model ") + std::to_string(binding.model_id) + " " + shown(binding.span);
    }
    return text;
}

Fact on_device(Fact fact, std::uint64_t device) {
    fact.device_id = device;
    return fact;
}

Fact gone_model(std::uint64_t model) {
    Fact made = fact(FactKind::model_end, -1);
    made.model_id = model;
    return made;
}

}  // namespace

TEST_CASE("stream window: a stream of which nothing is logged is open all the time") {
    CHECK(windows_of(LogText().at(0).set_up_stream(1), 7) == "begin..end");
}

TEST_CASE("stream window: from set-up to release, and again when the id is reused") {
    LogText log;
    log.at(1000).set_up_stream(7).at(2000).free_stream(7).at(3000).set_up_stream(7).at(2500).set_up_stream(8);
    CHECK(windows_of(log, 7) == "1000..2000, 3000..end");
    CHECK(windows_of(log, 8) == "2500..end");
}

TEST_CASE("stream window: begin belongs to it, end does not") {
    const Span span{10, 20};
    CHECK_FALSE(span.contains(9));
    CHECK(span.contains(10));
    CHECK(span.contains(19));
    CHECK_FALSE(span.contains(20));
}

TEST_CASE("stream window: a release without a set-up closes a stream that was open before the log begins") {
    CHECK(windows_of(LogText().at(2000).free_stream(7), 7) == "begin..2000");
}

TEST_CASE("stream window: two lines of different wording about one set-up open one window") {
    LogText log;
    log.at(1000).runtime_2021("StreamIdAlloc", "Stream id alloc success, stream_id=7, device_id=0, tsId=0!");
    log.at(1001).set_up_stream(7).at(2000).free_stream(7);
    CHECK(windows_of(log, 7) == "1000..2000");
}

TEST_CASE("stream window: a second set-up without a release between them begins a new stream") {
    CHECK(windows_of(LogText().at(1000).set_up_stream(7).at(2000).set_up_stream(7), 7) == "1000..2000, 2000..end");
}

TEST_CASE("stream window: a release that is logged twice closes one stream") {
    LogText log;
    log.at(1000).set_up_stream(7).at(2000).free_stream(7).at(2001).free_stream(7);
    CHECK(windows_of(log, 7) == "1000..2000");
}

TEST_CASE("stream window: streams that the graph compiler sets up on device 64 are left out") {
    LogText log;
    log.at(1000).set_up_stream(7, 64).at(2000).free_stream(7).at(3000).set_up_stream(7, 0);
    CHECK(windows_of(log, 7) == "3000..end");
    CHECK(windows_of(LogText().at(1000).set_up_stream(7, 64), 7).empty());
}

TEST_CASE("stream window: each window knows the lines that begin and end it") {
    LogText log;
    log.at(1000).set_up_stream(7).at(2000).free_stream(7);
    const auto map = task_map_of(log);
    const auto windows = stream_windows(process_of(*map), 7);
    REQUIRE(windows.size() == 1);
    REQUIRE(windows[0].opened_by != nullptr);
    REQUIRE(windows[0].closed_by != nullptr);
    CHECK(windows[0].opened_by->place.line == 1);
    CHECK(windows[0].closed_by->place.line == 2);
}

TEST_CASE("model binding: from bind to unbind; later lines that say the same change nothing") {
    LogText log;
    log.at(1000).set_up_stream(7).at(1100).bind(3, 7, "toy").at(2000).unbind(3, 7, "toy");
    log.at(2001).runtime("UnbindStream", "unbind stream end, stream_id=7, model_id=3.");
    CHECK(bindings_of(log, 7) == "model 3 1100..2000");
}

TEST_CASE("model binding: without an unbind it ends with the stream") {
    LogText log;
    log.at(1000).set_up_stream(7).at(1100).bind(3, 7).at(3000).free_stream(7);
    CHECK(bindings_of(log, 7) == "model 3 1100..3000");
}

TEST_CASE("model binding: the wordings of 2021 and 2023 count as well") {
    LogText of_2021;
    of_2021.at(1000).runtime_2021("ModelBindStream", "model bind stream, model_id=0, stream_id=7, flag=0");
    of_2021.at(2000).runtime_2021("ModelUnbindStream", "model unbind stream, model_id=0, stream_id=7, ");
    CHECK(bindings_of(of_2021, 7) == "model 0 1000..2000");
    LogText of_2023;
    of_2023.at(1000).runtime("ModelBindStream", "model_id=36, stream_id=7, flag=0.");
    of_2023.at(2000).runtime("ModelUnbindStream", "model_id=36, stream_id=7, ");
    CHECK(bindings_of(of_2023, 7) == "model 36 1000..2000");
}

TEST_CASE("model binding: only those inside the window of the stream") {
    LogText log;
    log.at(1000).set_up_stream(7).at(1100).bind(3, 7).at(1900).unbind(3, 7).at(2000).free_stream(7);
    log.at(3000).set_up_stream(7).at(3100).bind(4, 7);
    CHECK(bindings_of(log, 7, 0) == "model 3 1100..1900");
    CHECK(bindings_of(log, 7, 1) == "model 4 3100..end");
}

TEST_CASE("model binding: one stream can serve one model after another") {
    LogText log;
    log.at(1000).bind(3, 7).at(1900).unbind(3, 7).at(2000).bind(4, 7);
    CHECK(bindings_of(log, 7) == "model 3 1000..1900, model 4 2000..end");
}

TEST_CASE("model binding: the unbinding of another model does not end it") {
    LogText log;
    log.at(1000).bind(3, 7).at(1900).unbind(4, 7);
    CHECK(bindings_of(log, 7) == "model 3 1000..end");
}

TEST_CASE("stream window: a stream that the compiler sets up on device 64 leaves that of a real device alone") {
    FactLog log;
    log.at(1000).state(on_device(fact(FactKind::stream_open, 7), 0));
    log.at(2000).state(on_device(fact(FactKind::stream_open, 7), 64)).at(2100).state(fact(FactKind::stream_close, 7));
    CHECK(windows_of(log, 7) == "1000..end");
    CHECK(windows_of(log, 7, 0) == "1000..end");
    CHECK(windows_of(log.at(3000).state(fact(FactKind::stream_close, 7)), 7) == "1000..3000");
}

TEST_CASE("stream window: a release on device 64 ends the compiler's stream only") {
    FactLog log;
    log.at(1000).state(on_device(fact(FactKind::stream_open, 7), 0));
    log.at(2000).state(on_device(fact(FactKind::stream_close, 7), 64));
    CHECK(windows_of(log, 7) == "1000..end");
}

TEST_CASE("model binding: it ends with the model, and the id may come back as another model") {
    FactLog log;
    log.at(1000).state(binding(FactKind::model_bind, 3, 7)).at(2000).state(gone_model(3));
    log.at(3000).state(binding(FactKind::model_bind, 3, 7));
    CHECK(bindings_of(log, 7) == "model 3 1000..2000, model 3 3000..end");
}

TEST_CASE("model binding: the end of another model does not end it") {
    FactLog log;
    log.at(1000).state(binding(FactKind::model_bind, 3, 7)).at(2000).state(gone_model(4));
    CHECK(bindings_of(log, 7) == "model 3 1000..end");
}

TEST_CASE("model binding: several wordings of one binding are one, proved by the one that names the model") {
    Fact named = binding(FactKind::model_bind, 3, 7);
    named.model_name = "net";
    FactLog log;
    log.at(1000).state(binding(FactKind::model_bind, 3, 7)).at(1500).state(named);
    log.at(1501).state(binding(FactKind::model_bind, 3, 7));
    CHECK(bindings_of(log, 7) == "model 3 1000..end");
    const auto map = map_of(log);
    const ModelBinding found = model_bindings(process_of(*map), 7, StreamWindow{}).front();
    CHECK(found.bound_by->fact.model_name == "net");
}

TEST_CASE("model binding: those of the compiler's device 64 are left out") {
    FactLog log;
    log.at(1000).state(on_device(binding(FactKind::model_bind, 576, 7), 64));
    log.at(2000).state(on_device(binding(FactKind::model_bind, 3, 7), 0));
    CHECK(bindings_of(log, 7) == "model 3 2000..end");
}

TEST_CASE("model binding: what is bound while the compiler has a stream of the same id is the compiler's") {
    FactLog log;
    log.at(500).state(on_device(fact(FactKind::stream_open, 7), 0)).at(1000).state(binding(FactKind::model_bind, 3, 7));
    log.at(2000).state(on_device(fact(FactKind::stream_open, 7), 64));
    log.at(2001).state(binding(FactKind::model_bind, 576, 7)).at(2002).state(binding(FactKind::model_unbind, 576, 7));
    log.at(2003).state(fact(FactKind::stream_close, 7)).at(4000).state(binding(FactKind::model_unbind, 3, 7));
    CHECK(bindings_of(log, 7) == "model 3 1000..4000");
}

TEST_CASE("stream ids of very many devices: a line without device stays without one") {
    // Its thread set the stream up on one device only. That is followed on as many devices as a machine may have.
    const auto device_of_launch = [](int devices) {
        LogText log;
        for (int device = 0; device < devices; ++device) {
            log.at(device).thread(100 + device).set_up_stream(7, device);
        }
        log.at(1000).thread(100).launch_2023(7, 5, "te_toy");
        const auto map = task_map_of(log);
        for (const StoredFact& stored : process_of(*map).facts) {
            if (stored.fact.kind == FactKind::kernel_of_task) {
                return stored.fact.device_id;
            }
        }
        return std::optional<std::uint64_t>(9999);
    };
    CHECK(device_of_launch(2) == std::optional<std::uint64_t>(0));
    CHECK(device_of_launch(64) == std::optional<std::uint64_t>(0));
    CHECK(device_of_launch(66) == std::nullopt);  // 64 is the graph compiler's own
}
