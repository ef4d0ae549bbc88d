import { fail } from "../../base/result.ts";
import type { TrialHost } from "./trial-host.ts";
import { trialRequests } from "../trial-requests.ts";
import { serve, type ServeClient, type Handlers } from "../../protocol/serve.ts";
import { sentence } from "../../base/language.ts";

const missing = fail("no_rules", sentence("this service holds no ledger"));

const handlers: Handlers<TrialHost, typeof trialRequests> = {
  trialList: (trials) => trials.list(),
  trialStatus: (trials, { id, isWhole }) => trials.status(id, isWhole),
  trialStart: (trials, { isApproved, ...asked }) => trials.start(asked, isApproved),
  trialStop: (trials, { id }) => trials.stop(id),
  trialLetIn: (trials, { ruleId, root }) => trials.letIn(ruleId, root),
};

/** Trials of rules for clients. @param part undefined where a service has no ledger */
export function serveTrials(part: TrialHost | undefined): ServeClient {
  return serve({
    requests: trialRequests,
    part,
    missing,
    handlers: () => handlers,
  });
}
