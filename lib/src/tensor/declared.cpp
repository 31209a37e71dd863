#include "tensor/declared.hpp"

#include <utility>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "tensor/element_type.hpp"

namespace opdebug::tensor_stage {

Result<std::vector<DeclaredTensor>> declared_tensors(const std::string& path, const Limits& limits) {
    const Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return file.error();
    }
    Result<container::Contents> contents = container::read_container(*file, limits);
    if (!contents) {
        return std::move(contents).error();
    }
    if (contents->rest_fault) {  // what is there cannot tell that no tensor is of a type and shape
        return *contents->rest_fault;
    }
    std::vector<DeclaredTensor> declared;
    declared.reserve(contents->inputs.size() + contents->outputs.size());
    for (std::vector<container::Tensor>* tensors : {&contents->inputs, &contents->outputs}) {
        for (container::Tensor& tensor : *tensors) {
            declared.push_back({type_name(contents->form, tensor.data_type), std::move(tensor.dims)});
        }
    }
    return declared;
}

}  // namespace opdebug::tensor_stage
