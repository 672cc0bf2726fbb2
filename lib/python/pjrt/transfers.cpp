// Buffers of host memory, host memory of buffers, and copies between devices.
#include "python/pjrt/entries.h"

#include <cstring>

#include "python/kernels/numpy.h"

namespace nb = nanobind;

namespace hlokit::pjrt {
namespace {

using numpy::Extents;

Extents row_major_strides(const Extents &shape, size_t item_size) {
  Extents strides(shape.size());
  intptr_t stride = static_cast<intptr_t>(item_size);
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

// The strides of a layout of the host.
Extents strides_of(const PJRT_Buffer_MemoryLayout *layout, const Extents &shape, size_t item_size) {
  if (!layout)
    return row_major_strides(shape, item_size);
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Strides)
    return {layout->strides.byte_strides, layout->strides.byte_strides + layout->strides.num_byte_strides};
  Extents strides(shape.size());
  intptr_t stride = static_cast<intptr_t>(item_size);
  for (size_t i = 0; i < layout->tiled.minor_to_major_size; ++i) {
    const size_t dimension = static_cast<size_t>(layout->tiled.minor_to_major[i]);
    strides[dimension] = stride;
    stride *= shape[dimension];
  }
  return strides;
}

size_t count_of(const Extents &shape) {
  size_t count = 1;
  for (intptr_t size : shape)
    count *= static_cast<size_t>(size);
  return count;
}

// An owner that calls a function when it is no longer used.
nb::object owner(std::function<void()> at_end) {
  return nb::capsule(new std::function<void()>(std::move(at_end)), [](void *data) noexcept {
    auto *function = static_cast<std::function<void()> *>(data);
    (*function)();
    delete function;
  });
}

PJRT_Memory *memory_of(PJRT_Device *device, PJRT_Memory *memory) { return memory ? memory : device->memories[0]; }

PJRT_Buffer *new_buffer(PJRT_Memory *memory, PJRT_Buffer_Type type, const Extents &shape, CompletionPointer ready) {
  auto value = std::make_shared<Value>(*memory->device, std::move(ready));
  return new PJRT_Buffer(memory, type, {shape.begin(), shape.end()}, std::move(value));
}

void Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args &args) {
  const Extents shape(args.dims, args.dims + args.num_dims);
  CompletionPointer host_is_free = done();
  std::unique_ptr<PJRT_Buffer> buffer{new_buffer(memory_of(args.device, args.memory), args.type, shape, done())};
  with_python([&] {
    const nb::object dtype = dtype_of(args.type);
    const size_t item_size = numpy::item_size(dtype);
    const Extents dense = row_major_strides(shape, item_size);
    const Extents strides = args.num_byte_strides ? Extents(args.byte_strides, args.byte_strides + args.num_byte_strides) : dense;
    auto *data = static_cast<unsigned char *>(const_cast<void *>(args.data));
    const bool is_row_major = strides == dense || count_of(shape) <= 1;
    const bool may_stay = args.host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableZeroCopy ||
                          args.host_buffer_semantics == PJRT_HostBufferSemantics_kMutableZeroCopy;
    if (may_stay && is_row_major && reinterpret_cast<uintptr_t>(data) % item_size == 0) {
      host_is_free = std::make_shared<Completion>();
      nb::object end = owner([host_is_free] { host_is_free->finish(); });
      buffer->value->set(numpy::array_over(data, shape, dense, dtype, end));
    } else if (is_row_major) {
      nb::object array = numpy::new_array(shape, dtype);
      unsigned char *to = numpy::data_of(array);
      buffer->value->set(array);
      if (const size_t size = count_of(shape) * item_size) {
        nb::gil_scoped_release others;
        std::memcpy(to, data, size);
      }
    } else {
      buffer->value->set(numpy::copy_of(numpy::array_over(data, shape, strides, dtype, nb::none())));
    }
  });
  args.done_with_host_buffer = new PJRT_Event{host_is_free};
  args.buffer = buffer.release();
}

void Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args &args) {
  const Extents shape(args.dims, args.dims + args.num_dims);
  std::unique_ptr<PJRT_Buffer> buffer{new_buffer(memory_of(args.device, args.memory), args.element_type, shape, done())};
  with_python([&] {
    const nb::object dtype = dtype_of(args.element_type);
    const size_t item_size = numpy::item_size(dtype);
    const Extents strides = strides_of(args.layout, shape, item_size);
    auto *data = static_cast<unsigned char *>(args.device_buffer_ptr);
    nb::object end = nb::none();
    if (args.on_delete_callback)
      end = owner([callback = args.on_delete_callback, pointer = args.device_buffer_ptr,
                   argument = args.on_delete_callback_arg] { callback(pointer, argument); });
    nb::object array = numpy::array_over(data, shape, strides, dtype, end);
    const bool is_aligned = reinterpret_cast<uintptr_t>(data) % item_size == 0;
    const bool is_row_major = strides == row_major_strides(shape, item_size) || count_of(shape) <= 1;
    buffer->value->set(is_aligned && is_row_major ? array : numpy::copy_of(array));
  });
  args.buffer = buffer.release();
}

void Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args &args) {
  const Extents shape(args.shape_dims, args.shape_dims + args.shape_num_dims);
  std::unique_ptr<PJRT_Buffer> buffer{new_buffer(memory_of(args.device, args.memory), args.shape_element_type, shape, done())};
  with_python([&] { buffer->value->set(numpy::new_array(shape, dtype_of(args.shape_element_type))); });
  args.buffer = buffer.release();
}

void Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args &args) {
  const Extents shape(args.shape_dims, args.shape_dims + args.shape_num_dims);
  CompletionPointer failed = std::make_shared<Completion>();
  failed->fail({args.error_code, {args.error_message, args.error_message_size}});
  args.buffer = new_buffer(args.memory, args.shape_element_type, shape, failed);
}

// Calls a function with the value of a buffer when it is computed, and gives the event of the function's end.
PJRT_Event *when_computed(const PJRT_Buffer &buffer, std::function<void(Value &)> function) {
  const ValuePointer value = buffer.value;
  if (!value)
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the buffer must exist, got one that was deleted or donated"};
  CompletionPointer completion = std::make_shared<Completion>();
  value->ready->when_done([value, completion, function = std::move(function)](PJRT_Error *error) {
    std::unique_ptr<PJRT_Error> owned{error};
    try {
      if (!owned)
        function(*value);
    } catch (const Failure &failure) {
      owned = std::make_unique<PJRT_Error>(PJRT_Error{failure.code, failure.message});
    }
    if (owned)
      completion->fail(*owned);
    else
      completion->finish();
  });
  return new PJRT_Event{completion};
}

void Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args &args) {
  const Extents shape(args.src->dims.begin(), args.src->dims.end());
  const size_t item_size = with_python([&] { return item_size_of(args.src->type); });
  const size_t size = count_of(shape) * item_size;
  if (!args.dst) {
    args.dst_size = size;
    return;
  }
  if (args.dst_size < size)
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the host's memory must have " + std::to_string(size) +
                                                        " bytes, got " + std::to_string(args.dst_size)};
  const Extents strides = strides_of(args.host_layout, shape, item_size);
  const bool is_row_major = count_of(shape) <= 1 || strides == row_major_strides(shape, item_size);
  auto *to = static_cast<unsigned char *>(args.dst);
  args.event = when_computed(*args.src, [to, size, shape, strides, is_row_major](Value &value) {
    if (is_row_major) {
      std::memcpy(to, value.data, size);
      return;
    }
    with_python([&] {
      nb::object target = numpy::array_over(to, shape, strides, value.array.attr("dtype"), nb::none());
      target[nb::ellipsis()] = value.array;
    });
  });
}

void Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args &args) {
  const size_t offset = static_cast<size_t>(args.offset), count = static_cast<size_t>(args.transfer_size);
  args.event = when_computed(*args.buffer, [to = args.dst, offset, count](Value &value) {
    if (offset > value.size || count > value.size - offset)
      throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "a copy must end within the buffer of " +
                                                          std::to_string(value.size) + " bytes, got one of " +
                                                          std::to_string(count) + " bytes from " + std::to_string(offset)};
    std::memcpy(to, static_cast<unsigned char *>(value.data) + offset, count);
  });
}

// Devices share the memory of the process, and nothing writes into an array: a copy is another owner.
PJRT_Buffer *copy_to(const PJRT_Buffer &buffer, PJRT_Memory *memory) {
  if (!buffer.value)
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the buffer must exist, got one that was deleted or donated"};
  return new PJRT_Buffer(memory, buffer.type, buffer.dims, buffer.value);
}

void Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args &args) {
  args.dst_buffer = copy_to(*args.buffer, args.dst_device->memories[0]);
}

void Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args &args) {
  args.dst_buffer = copy_to(*args.buffer, args.dst_memory);
}

} // namespace

size_t item_size_of(PJRT_Buffer_Type type) { return numpy::item_size(dtype_of(type)); }

void set_transfers(PJRT_Api &api) {
  HLOKIT_PJRT_SET(api, Client_BufferFromHostBuffer);
  HLOKIT_PJRT_SET(api, Client_CreateViewOfDeviceBuffer);
  HLOKIT_PJRT_SET(api, Client_CreateUninitializedBuffer);
  HLOKIT_PJRT_SET(api, Client_CreateErrorBuffer);
  HLOKIT_PJRT_SET(api, Buffer_ToHostBuffer);
  HLOKIT_PJRT_SET(api, Buffer_CopyRawToHost);
  HLOKIT_PJRT_SET(api, Buffer_CopyToDevice);
  HLOKIT_PJRT_SET(api, Buffer_CopyToMemory);
}

} // namespace hlokit::pjrt
