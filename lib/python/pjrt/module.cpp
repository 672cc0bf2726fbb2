// The extension module hlokit._pjrt: a plugin of PJRT's C API, whose work Python does.
#include "python/pjrt/entries.h"

#include "python/kernels/numpy.h"

namespace nb = nanobind;

namespace hlokit::pjrt {
namespace {

std::atomic<bool> is_alive{false}, is_ending{false};
std::thread::id main_thread;

// Functions that hlokit does not have: those of transfers in pieces and between processes.
template <typename Args> PJRT_Error *unimplemented(Args *) {
  return new PJRT_Error{PJRT_Error_Code_UNIMPLEMENTED, "hlokit does not have this function of PJRT's C API"};
}

const PJRT_Api *api() {
  static const PJRT_Api table = [] {
    PJRT_Api made{};
    made.struct_size = PJRT_Api_STRUCT_SIZE;
    made.pjrt_api_version.struct_size = PJRT_Api_Version_STRUCT_SIZE;
    made.pjrt_api_version.major_version = PJRT_API_MAJOR;
    made.pjrt_api_version.minor_version = PJRT_API_MINOR;
    set_errors_and_events(made);
    set_client(made);
    set_devices(made);
    set_buffers(made);
    set_transfers(made);
    set_executables(made);
    set_loaded_executables(made);
    set_unimplemented(made);
    return made;
  }();
  return &table;
}

} // namespace

bool is_python_alive() { return is_alive && (!is_ending || std::this_thread::get_id() == main_thread); }

namespace {

// Before Python ends: threads that ask for the GIL later would end the process.
void end_use_of_python() {
  {
    nb::gil_scoped_release others;
    stop_workers();
  }
  main_thread = std::this_thread::get_id();
  is_ending = true;
}

} // namespace

void set_unimplemented(PJRT_Api &api) {
#define HLOKIT_PJRT_UNIMPLEMENTED(name) api.PJRT_##name = unimplemented<PJRT_##name##_Args>
  HLOKIT_PJRT_UNIMPLEMENTED(CopyToDeviceStream_Destroy);
  HLOKIT_PJRT_UNIMPLEMENTED(CopyToDeviceStream_AddChunk);
  HLOKIT_PJRT_UNIMPLEMENTED(CopyToDeviceStream_TotalBytes);
  HLOKIT_PJRT_UNIMPLEMENTED(CopyToDeviceStream_GranuleSize);
  HLOKIT_PJRT_UNIMPLEMENTED(CopyToDeviceStream_CurrentBytes);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_Destroy);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_TransferData);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_RetrieveBuffer);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_Device);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_BufferCount);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_BufferSize);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_SetBufferError);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_AddMetadata);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncHostToDeviceTransferManager_TransferLiteral);
  HLOKIT_PJRT_UNIMPLEMENTED(AsyncTrackingEvent_Destroy);
  HLOKIT_PJRT_UNIMPLEMENTED(Buffer_CopyRawToHostFuture);
  HLOKIT_PJRT_UNIMPLEMENTED(Buffer_DonateWithControlDependency);
  HLOKIT_PJRT_UNIMPLEMENTED(Client_CreateAliasBuffer);
  HLOKIT_PJRT_UNIMPLEMENTED(Client_CreateBuffersForAsyncHostToDevice);
  HLOKIT_PJRT_UNIMPLEMENTED(Client_DmaMap);
  HLOKIT_PJRT_UNIMPLEMENTED(Client_DmaUnmap);
  HLOKIT_PJRT_UNIMPLEMENTED(Client_FulfillAliasBuffer);
  HLOKIT_PJRT_UNIMPLEMENTED(Client_UpdateGlobalProcessInfo);
  HLOKIT_PJRT_UNIMPLEMENTED(Device_CreateAsyncTrackingEvent);
  HLOKIT_PJRT_UNIMPLEMENTED(Device_PoisonExecution);
  HLOKIT_PJRT_UNIMPLEMENTED(TopologyDescription_Deserialize);
#undef HLOKIT_PJRT_UNIMPLEMENTED
}

} // namespace hlokit::pjrt

// What frameworks look up in a plugin.
extern "C" NB_EXPORT const PJRT_Api *GetPjrtApi() { return hlokit::pjrt::api(); }

NB_MODULE(_pjrt, m) {
  m.doc() = "A plugin of PJRT's C API: frameworks load this library and call GetPjrtApi.";
  nanobind::set_leak_warnings(false); // programs and values of the last buffers live until the process ends
  hlokit::numpy::import();
  hlokit::pjrt::is_alive = true;
  Py_AtExit([] { hlokit::pjrt::is_alive = false; });
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(hlokit::pjrt::end_use_of_python));
  m.def("api_version", [] { return std::make_pair(PJRT_API_MAJOR, PJRT_API_MINOR); }, "The version of the C API: major and minor.");
  m.def("run_beside_callers", [](bool is_on) { hlokit::pjrt::runs_beside_callers = is_on; }, nb::arg("is_on"),
        "Whether long runs go to a thread beside their caller, as they do at first.");
  m.def("wait_for_runs", &hlokit::pjrt::wait_for_runs, nb::call_guard<nb::gil_scoped_release>(),
        "Wait until no run is under way beside its caller.");
}
