import { fail, succeed } from "../../base/result.ts";
import { type Handlers, type ServeClient, serve, sendLatest } from "../../protocol/serve.ts";
import type { RulesService } from "./rules-host.ts";
import type { RulesNudge } from "../nudge.ts";
import { rulesNotices, rulesRequests, trialRequests } from "../rule-requests.ts";
import { sentence } from "../../base/language.ts";
import type { TrialHost } from "./trial-host.ts";

export type TaskWeights = () => ReadonlyMap<string, number>;

const missing = fail("no_rules", sentence("this service holds no ledger"));

const { rulesNudge, ...requests } = rulesRequests;

const handlers: Omit<Handlers<RulesService, typeof requests>, "rulesReport"> = {
  rulesRead: (rules, { root }) => rules.view(root),
  rulesPropose: (rules, { agent, origin, rules: proposed }) =>
    rules.proposeAll(proposed.map((each) => ({ ...each, agent, origin, replaces: null }))),
  rulesAct: (rules, { id, act, root }) => rules.perform(id, act, root),
  rulesActOnMany: (rules, { ids, act, root }) => rules.performOnMany(ids, act, root),
  rulesMeasured: (rules, { root, ...measurement }) => rules.measured(measurement, root),
  rulesConfirmed: (rules, { root, ...measurement }) => rules.confirmed(measurement, root),
  rulesFoundAlone: (rules, { ruleId, isActivated, root }) => rules.foundAlone(ruleId, isActivated, root),
  rulesEvidence: (rules, { agent }) => rules.evidence(agent),
  rulesEvidenceOf: (rules, { id }) => rules.evidenceOfRule(id),
  rulesReceipt: (rules, { id }) => rules.receipt(id),
  memoryCompile: (rules, asked) => rules.compile(asked),
  memoryUndo: (rules, asked) => rules.undoMemory(asked),
  rulesMainFile: (rules, { root, ...chosen }) => rules.chooseMainFile(chosen, root),
  rulesDistil: (rules, { sessionId, isPreview }) => rules.distil(sessionId, isPreview),
};

export function serveRules(
  part: RulesService | undefined,
  taskWeights: TaskWeights = () => new Map(),
): ServeClient {
  return serve({
    requests,
    part,
    missing,
    handlers: (): Handlers<RulesService, typeof requests> => ({
      ...handlers,
      rulesReport: (rules, { project }) => rules.report(project, taskWeights()),
    }),
    publish: (rules, client) =>
      sendLatest(rules.onChange, (change) => client.notify(rulesNotices.rulesChanged, change)),
  });
}

export function serveNudge(part: Pick<RulesNudge, "claim"> | undefined): ServeClient {
  return serve({
    requests: { rulesNudge },
    part,
    missing,
    handlers: () => ({
      rulesNudge: async (nudge) => succeed({ waiting: await nudge.claim() }),
    }),
  });
}

const trialHandlers: Handlers<TrialHost, typeof trialRequests> = {
  trialList: (trials) => trials.list(),
  trialStatus: (trials, { id, isWhole }) => trials.status(id, isWhole),
  trialStart: (trials, { isApproved, guards, ...asked }) => trials.start(asked, guards ?? null, isApproved),
  trialStop: (trials, { id }) => trials.stop(id),
  trialLetIn: (trials, { ruleId, root }) => trials.letIn(ruleId, root),
};

export function serveTrials(part: TrialHost | undefined): ServeClient {
  return serve({
    requests: trialRequests,
    part,
    missing,
    handlers: () => trialHandlers,
  });
}
