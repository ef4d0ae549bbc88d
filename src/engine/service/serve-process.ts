import { fail, succeed } from "../base/result.ts";
import { serve, type ServeClient } from "../protocol/serve.ts";
import { serviceRequests, type ServiceDescription } from "../sessions/session-requests.ts";
import { english } from "../base/text/english.ts";

const { describe, shutdown } = serviceRequests;
const requests = { describe, shutdown };

/** What clients may request from the service's process. */
export interface ServiceProcess {
  readonly describe: () => ServiceDescription;
  readonly shutdown: (reason: "asked" | "handover") => void;
}

export function serveProcess(part: ServiceProcess): ServeClient {
  return serve({
    requests,
    part,
    missing: fail("no_process", english("this service has no process")),
    handlers: () => ({
      describe: ({ describe }) => succeed(describe()),
      shutdown({ shutdown }, { reason }) {
        shutdown(reason);
        return succeed({});
      },
    }),
  });
}
