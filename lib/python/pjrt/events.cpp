// Errors and events.
#include "python/pjrt/entries.h"

namespace hlokit::pjrt {
namespace {

void Error_Destroy(PJRT_Error_Destroy_Args *args) { delete args->error; }

void Error_Message(PJRT_Error_Message_Args *args) {
  args->message = args->error->message.c_str();
  args->message_size = args->error->message.size();
}

PJRT_Error *Error_GetCode(PJRT_Error_GetCode_Args *args) {
  args->code = args->error->code;
  return nullptr;
}

void Event_Destroy(PJRT_Event_Destroy_Args &args) { delete args.event; }

void Event_IsReady(PJRT_Event_IsReady_Args &args) { args.is_ready = args.event->completion->is_done(); }

PJRT_Error *Event_Error(PJRT_Event_Error_Args *args) { return args->event->completion->error(); }

PJRT_Error *Event_Await(PJRT_Event_Await_Args *args) {
  const CompletionPointer completion = args->event->completion;
  wait(*completion);
  return completion->error();
}

void Event_OnReady(PJRT_Event_OnReady_Args &args) {
  args.event->completion->when_done(
      [callback = args.callback, argument = args.user_arg](PJRT_Error *error) { callback(error, argument); });
}

void Event_Create(PJRT_Event_Create_Args &args) { args.event = new PJRT_Event{std::make_shared<Completion>()}; }

void Event_Set(PJRT_Event_Set_Args &args) {
  if (args.error_code == PJRT_Error_Code_OK)
    args.event->completion->finish();
  else
    args.event->completion->fail({args.error_code, {args.error_message, args.error_message_size}});
}

} // namespace

void set_errors_and_events(PJRT_Api &api) {
  api.PJRT_Error_Destroy = Error_Destroy;
  api.PJRT_Error_Message = Error_Message;
  api.PJRT_Error_GetCode = Error_GetCode;
  api.PJRT_Event_Error = Event_Error;
  api.PJRT_Event_Await = Event_Await;
  HLOKIT_PJRT_SET(api, Event_Destroy);
  HLOKIT_PJRT_SET(api, Event_IsReady);
  HLOKIT_PJRT_SET(api, Event_OnReady);
  HLOKIT_PJRT_SET(api, Event_Create);
  HLOKIT_PJRT_SET(api, Event_Set);
}

} // namespace hlokit::pjrt
