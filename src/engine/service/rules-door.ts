import type { Disposable } from "../base/disposable.ts";
import { fail, succeed } from "../base/result.ts";
import { LatestSender } from "./latest-sender.ts";
import type { AnswerOf, Peer } from "./peer.ts";
import type { RequestKind } from "./protocol.ts";
import type { RulesKeeper } from "./rules-keeper.ts";
import type { RulesNudge } from "./rules-nudge.ts";
import {
  memoryCompile,
  memoryUndo,
  rulesAct,
  rulesChanged,
  rulesDistil,
  rulesEvidence,
  rulesEvidenceOf,
  rulesMeasured,
  rulesNudge,
  rulesPropose,
  rulesRead,
  rulesReceipt,
  rulesReport,
} from "./rules-protocol.ts";

/** Answers one client's questions about rules. @param keeper undefined where a service holds no ledger */
export function answerOfRules(peer: Peer, keeper: RulesKeeper | undefined): void {
  const answer = <Params, Answer>(
    kind: RequestKind<Params, Answer>,
    ask: (rules: RulesKeeper, params: Params) => Promise<AnswerOf<Answer>>,
  ) =>
    peer.answer(kind, (params) =>
      keeper === undefined ? fail("no_rules", "this service holds no ledger") : ask(keeper, params),
    );
  answer(rulesRead, (rules, { root }) => rules.view(root));
  answer(rulesPropose, (rules, { agent, origin, rules: proposed }) =>
    rules.proposeAll(proposed.map((each) => ({ ...each, agent, origin, replaces: null }))),
  );
  answer(rulesAct, (rules, { id, act, root }) => rules.act(id, act, root));
  answer(rulesMeasured, (rules, { root, ...told }) => rules.measured(told, root));
  answer(rulesEvidence, (rules, { agent }) => rules.evidence(agent));
  answer(rulesEvidenceOf, (rules, { id }) => rules.evidenceOfRule(id));
  answer(rulesReceipt, (rules, { id }) => rules.receipt(id));
  answer(memoryCompile, (rules, asked) => rules.compile(asked));
  answer(memoryUndo, (rules, asked) => rules.undoMemory(asked));
  answer(rulesDistil, (rules, { sessionId, isPreview }) => rules.distil(sessionId, isPreview));
  answer(rulesReport, (rules, { project }) => rules.report(project));
}

/** Answers a client that has a person to tell of rules that wait. */
export function answerOfWaiting(peer: Peer, nudge: Pick<RulesNudge, "claim">): void {
  peer.answer(rulesNudge, async () => succeed({ waiting: await nudge.claim() }));
}

/** Tells a client when rules change, from now on. */
export function tellOfRules(peer: Peer, keeper: RulesKeeper): Disposable {
  const sender = new LatestSender((change: { waiting: number }) => peer.tell(rulesChanged, change));
  const listening = keeper.onChange((change) => sender.offer(change));
  return {
    dispose: () => {
      listening.dispose();
      sender.clear();
    },
  };
}
