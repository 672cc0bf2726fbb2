// Buffers: what callers ask of them.
#include "python/pjrt/entries.h"

void PJRT_Buffer::release() {
  if (!value)
    return;
  const bool is_pending = !value->ready->is_done();
  if (references > 0)
    held = value;
  value.reset();
  if (is_pending)
    memory->device->client->worker.interrupt_unwanted();
}

namespace hlokit::pjrt {
namespace {

Value &value_of(const PJRT_Buffer &buffer) {
  if (!buffer.value)
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the buffer must exist, got one that was deleted or donated"};
  return *buffer.value;
}

// The value after its computation.
Value &computed_value_of(const PJRT_Buffer &buffer) {
  Value &value = value_of(buffer);
  wait(*value.ready);
  if (std::unique_ptr<PJRT_Error> error{value.ready->error()})
    throw Failure{error->code, error->message};
  return value;
}

void Buffer_Destroy(PJRT_Buffer_Destroy_Args &args) { delete args.buffer; }

void Buffer_ElementType(PJRT_Buffer_ElementType_Args &args) { args.type = args.buffer->type; }

void Buffer_Dimensions(PJRT_Buffer_Dimensions_Args &args) {
  args.dims = args.buffer->dims.data();
  args.num_dims = args.buffer->dims.size();
}

void Buffer_UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args &args) {
  args.unpadded_dims = args.buffer->dims.data();
  args.num_dims = args.buffer->dims.size();
}

void Buffer_DynamicDimensionIndices(PJRT_Buffer_DynamicDimensionIndices_Args &args) {
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
}

void Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args &args) {
  const size_t rank = args.buffer->dims.size();
  // Row-major: the last dimension is the most minor. A rank is below 64 (NumPy's limit).
  static const std::vector<int64_t> descending = [] {
    std::vector<int64_t> numbers;
    for (int64_t i = 63; i >= 0; --i)
      numbers.push_back(i);
    return numbers;
  }();
  args.layout = {};
  args.layout.struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE;
  args.layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  args.layout.tiled.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE;
  args.layout.tiled.minor_to_major = descending.data() + (descending.size() - rank);
  args.layout.tiled.minor_to_major_size = rank;
}

void Buffer_OnDeviceSizeInBytes(PJRT_Buffer_OnDeviceSizeInBytes_Args &args) {
  size_t size = with_python([&] { return item_size_of(args.buffer->type); });
  for (int64_t dim : args.buffer->dims)
    size *= static_cast<size_t>(dim);
  args.on_device_size_in_bytes = size;
}

void Buffer_Device(PJRT_Buffer_Device_Args &args) { args.device = args.buffer->memory->device; }

void Buffer_Memory(PJRT_Buffer_Memory_Args &args) { args.memory = args.buffer->memory; }

void Buffer_Delete(PJRT_Buffer_Delete_Args &args) { args.buffer->release(); }

void Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args &args) { args.is_deleted = !args.buffer->value; }

void Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args &args) { args.is_on_cpu = true; }

void Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args &args) {
  CompletionPointer completion;
  if (args.buffer->value) {
    completion = args.buffer->value->ready;
  } else {
    completion = std::make_shared<Completion>();
    completion->fail({PJRT_Error_Code_INVALID_ARGUMENT, "the buffer must exist, got one that was deleted or donated"});
  }
  args.event = new PJRT_Event{completion};
}

void Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args &args) {
  args.buffer_pointer = reinterpret_cast<uintptr_t>(computed_value_of(*args.buffer).data);
}

void Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args &args) {
  args.device_memory_ptr = computed_value_of(*args.buffer).data;
}

void Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args &args) {
  value_of(*args.buffer);
  ++args.buffer->references;
}

void Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args &args) {
  if (args.buffer->references <= 0)
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the buffer must have an external reference, got none"};
  if (--args.buffer->references == 0)
    args.buffer->held.reset();
}

} // namespace

void set_buffers(PJRT_Api &api) {
  HLOKIT_PJRT_SET(api, Buffer_Destroy);
  HLOKIT_PJRT_SET(api, Buffer_ElementType);
  HLOKIT_PJRT_SET(api, Buffer_Dimensions);
  HLOKIT_PJRT_SET(api, Buffer_UnpaddedDimensions);
  HLOKIT_PJRT_SET(api, Buffer_DynamicDimensionIndices);
  HLOKIT_PJRT_SET(api, Buffer_GetMemoryLayout);
  HLOKIT_PJRT_SET(api, Buffer_OnDeviceSizeInBytes);
  HLOKIT_PJRT_SET(api, Buffer_Device);
  HLOKIT_PJRT_SET(api, Buffer_Memory);
  HLOKIT_PJRT_SET(api, Buffer_Delete);
  HLOKIT_PJRT_SET(api, Buffer_IsDeleted);
  HLOKIT_PJRT_SET(api, Buffer_IsOnCpu);
  HLOKIT_PJRT_SET(api, Buffer_ReadyEvent);
  HLOKIT_PJRT_SET(api, Buffer_UnsafePointer);
  HLOKIT_PJRT_SET(api, Buffer_IncreaseExternalReferenceCount);
  HLOKIT_PJRT_SET(api, Buffer_DecreaseExternalReferenceCount);
  HLOKIT_PJRT_SET(api, Buffer_OpaqueDeviceMemoryDataPointer);
}

} // namespace hlokit::pjrt
