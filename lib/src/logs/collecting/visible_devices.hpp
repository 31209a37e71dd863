// ASCEND_RT_VISIBLE_DEVICES: the process numbers the devices that it may use from 0 on. Lines of the runtime have the
// driver's numbers, those of GE, AscendCL, the dump module and frameworks the process's own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "logs/facts/fact.hpp"

namespace opdebug::logs {

/// Gives the facts of one process the driver's numbers, in the order of its lines: the devices are told before any is
/// used.
class VisibleDevices {
public:
    void learn_or_renumber(Fact& fact) {
        if (fact.kind == FactKind::visible_device) {
            if (fact.user_device_id && fact.device_id) {
                of_driver_[*fact.user_device_id] = *fact.device_id;
            }
        } else if (fact.user_device_id) {
            const auto known = of_driver_.find(*fact.user_device_id);
            fact.device_id = known == of_driver_.end() ? *fact.user_device_id : known->second;
            fact.user_device_id.reset();
        }
    }

private:
    std::map<std::uint64_t, std::uint64_t> of_driver_;  ///< the driver's number by the process's; none: they are equal
};

}  // namespace opdebug::logs
