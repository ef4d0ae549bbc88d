import { fail, succeed } from "../../base/result.ts";
import { feature, type Feature } from "./feature.ts";
import type { ServiceDescription } from "../../sessions/session-requests.ts";
import { english } from "../../base/text/english.ts";

/** What clients may request from the service's process. */
export interface ServiceProcess {
  readonly describe: () => ServiceDescription;
  readonly shutdown: (reason: "asked" | "handover") => void;
}

export function processFeature(part: ServiceProcess): Feature {
  return feature<ServiceProcess, "describe" | "shutdown">({
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
