import { plainSentence } from "../../engine/base/language.ts";
import { fail } from "../../engine/base/result.ts";
import type { RequestName } from "../../engine/jobs/all-requests.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** Requests that could start an agent, or ask a model. The sample's service would refuse them too. */
const refused: ReadonlySet<RequestName> = new Set<RequestName>([
  "benchPlan",
  "benchStart",
  "benchResume",
  "benchCancel",
  "rulesDistil",
]);

/** The sample's service, as its panels may use it: nothing runs, and nothing of the window's environment is sent. */
export function guardedConnection(service: ServiceConnection, t: Translate): ServiceConnection {
  return {
    ask: async (name, params, signal) => {
      if (refused.has(name)) return fail("failed", plainSentence(nothingRuns(t)));
      return await service.ask(name, params, signal);
    },
    onChanged: (name, listener) => service.onChanged(name, listener),
    ready: () => service.ready(),
    retry: () => service.retry(),
  };
}

export function nothingRuns(t: Translate): string {
  return t("Nothing runs in the sample. Close it to measure your own agents.");
}
