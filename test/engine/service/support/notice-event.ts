import type { Disposable } from "../../../../src/engine/base/events.ts";
import type { ServiceClient } from "../../../../src/engine/service/client.ts";
import type { NoticeName, NoticeParams } from "../../../../src/engine/jobs/all-requests.ts";

/** A client's notification as an event. */
export function noticeEvent<Name extends NoticeName>(
  client: Pick<ServiceClient, "on">,
  name: Name,
): (listener: (reported: NoticeParams<Name>) => void) => Disposable {
  return (listener) => client.on(name, listener);
}
