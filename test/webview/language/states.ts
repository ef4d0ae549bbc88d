import { plainSentence } from "../../../src/engine/base/language.ts";
import {
  ask as benchAsk,
  makeRunning as makeRunningBench,
  makeView as makeBench,
} from "../experiments/bench/fixtures.ts";
import {
  experimentsPanel,
  replyAsHost as replyAsExperimentsHost,
  stateOf,
} from "../experiments/open-panel.ts";
import { ask, makeArms, makeComparison, makeRunning, regression } from "../experiments/compare/fixtures.ts";
import { economyMessage, failedSinceChange, makeEconomy } from "../economy/fixtures.ts";
import { economyPanel } from "../economy/open-panel.ts";
import {
  decidedTrial,
  emptyView,
  makeBook,
  makeHit,
  makeRule,
  makeView,
  replay,
  rulesMessage,
  trialsMessage,
  viewMessage,
} from "../guard/fixtures.ts";
import { guardPanel } from "../guard/open-panel.ts";
import { emptyOverview, makeOverview, overviewMessage } from "../ledger/fixtures.ts";
import { whyOfDays, whyOfSession } from "../ledger/why-fixture.ts";
import { handover, makeSession, sessionMessage, sessionWork } from "../ledger/session-fixture.ts";
import { ledgerPanel, type PanelKind } from "../panel-page.ts";
import * as rules from "../rules/fixtures.ts";
import { makeLearned } from "../rules/learned-fixtures.ts";
import { rulesPanel } from "../rules/open-panel.ts";
import { makeHead, makeTrial, trialMessage, trialPlanMessage } from "../rules/trial-fixtures.ts";
import type { JobState } from "../../../src/engine/jobs/bench-answers.ts";
import { firstState as guardState } from "../../../src/webview/guard/guard-protocol.ts";
import { firstState as ledgerState } from "../../../src/webview/ledger/ledger-protocol.ts";

interface Typed {
  readonly type: string;
}

/** One view of a panel, by its saved state and its host's answers. */
export interface ShownState {
  readonly name: string;
  readonly kind: PanelKind<Typed>;
  readonly state: unknown;
  readonly reply: (message: Typed) => unknown;
}

/** A state that the host's first messages make. */
function told(
  kind: PanelKind<Typed>,
  name: string,
  state: unknown,
  ...messages: readonly object[]
): ShownState {
  return { kind, name, state, reply: ({ type }) => (type === "ready" ? messages : []) };
}

function experiments(name: string, state: object | undefined, reply = replyAsExperimentsHost()): ShownState {
  return {
    kind: experimentsPanel,
    name,
    state,
    reply: (message) => reply(experimentsPanel.panelMessages.parse(message)),
  };
}

const economyState = { days: 30, project: null };
const comparison = stateOf({ kind: "job", id: "c1" });
const benchmark = stateOf({ kind: "job", id: "b3" });
const runs = makeBench().runs;
const run = { kind: "run" as const, id: "b3", runId: runs[0]?.id ?? "", beside: null };
const beside = { ...run, beside: { id: "b3", runId: runs[1]?.id ?? "" } };

/** The form with other choices. */
function formOfKind(chosen: object) {
  const state = stateOf({ kind: "form" }, ask);
  return { ...state, form: { ...state.form, ...chosen } };
}

/** Rule Review with everything its host knows, at one of its pages. */
function review(name: string, place: object | null, ...more: readonly object[]): ShownState {
  return told(
    rulesPanel,
    name,
    { place, isOpen: place !== null },
    rules.rulesMessage(rules.makeRules()),
    ...more,
  );
}

const offline = { type: "offline", message: "* * *" };
const error = { type: "error", message: "* * *" };
const replayed = { days: 30, family: "safety" };
const goesOn = { type: "replay", state: { kind: "playing", asked: replayed, far: { files: 3, of: 40 } } };
const ended = { type: "replay", state: { kind: "done", asked: replayed, replay } };
const nothingJudged = {
  type: "replay",
  state: { kind: "done", asked: replayed, replay: { ...replay, calls: 0, rules: [] } },
};

const reading = {
  asOf: null,
  files: 400,
  done: 123,
  problems: [{ path: "/x.jsonl", reason: plainSentence("EACCES") }],
};
const stopped = makeTrial({
  stoppedAt: 5,
  drawn: [],
  undrawn: [],
  sessions: 0,
  missing: [plainSentence("* * *")],
});
const unreached = {
  type: "unreached",
  agents: [{ agent: "test-writer", kind: "no-memory", words: plainSentence("* * *") }],
};
const job = (state: JobState) => replyAsExperimentsHost({ view: makeRunningBench(state) });

/** Nearly everything that panels can show. */
export const shownStates: readonly ShownState[] = [
  told(ledgerPanel, "the Ledger", ledgerState, overviewMessage(makeOverview(30)), whyOfDays()),
  told(
    ledgerPanel,
    "the Ledger's costs",
    { ...ledgerState, metric: "cost", breakdown: "tool" },
    overviewMessage(makeOverview(30)),
  ),
  told(ledgerPanel, "an empty Ledger", ledgerState, overviewMessage(emptyOverview())),
  told(ledgerPanel, "the Ledger offline", ledgerState, offline),
  told(ledgerPanel, "the Ledger without an answer", ledgerState, { ...error, about: "overview" }),
  told(
    ledgerPanel,
    "the Ledger while it reads",
    ledgerState,
    overviewMessage(makeOverview(5), { freshness: reading }),
  ),
  told(
    ledgerPanel,
    "nothing in this time",
    ledgerState,
    overviewMessage({ ...emptyOverview(), choices: makeOverview(3).choices }),
  ),
  told(ledgerPanel, "a session that is not known", { ...ledgerState, sessionId: "x" }, sessionMessage(null)),
  told(
    ledgerPanel,
    "a session",
    { ...ledgerState, sessionId: "one" },
    sessionMessage(makeSession("one", 12), "one", {
      ...sessionWork,
      handedTo: handover(),
      cameFrom: handover(),
    }),
    whyOfSession("one"),
  ),
  experiments("all experiments", stateOf({ kind: "home" })),
  experiments("the form of a benchmark", stateOf({ kind: "form" }, benchAsk)),
  experiments("the form of a comparison", stateOf({ kind: "form" }, ask)),
  ...(["rules", "trial", "prompt"] as const).map((kind) =>
    experiments(`the form: ${kind}`, formOfKind({ kind })),
  ),
  ...(["effort", "prompt", "skill"] as const).map((subject) =>
    experiments(`the form: another ${subject}`, formOfKind({ kind: "comparison", subject })),
  ),
  experiments("a benchmark", benchmark),
  experiments("a benchmark under way", benchmark, replyAsExperimentsHost({ view: makeRunningBench() })),
  ...(["environment", "token-cap", "budget"] as const).map((reason) =>
    experiments(
      `a benchmark that is paused: ${reason}`,
      benchmark,
      job({ kind: "paused", reason, detail: plainSentence("* * *") }),
    ),
  ),
  experiments("a benchmark that waits", benchmark, job({ kind: "queued", ahead: 2 })),
  experiments(
    "a benchmark that was interrupted",
    benchmark,
    job({ kind: "interrupted", detail: plainSentence("* * *") }),
  ),
  experiments("a run", stateOf(run)),
  experiments("two runs", stateOf(beside)),
  experiments("a verdict", comparison, replyAsExperimentsHost({ view: makeComparison() })),
  experiments(
    "a regression",
    comparison,
    replyAsExperimentsHost({ view: makeComparison({ comparison: { result: regression } }) }),
  ),
  experiments("a comparison under way", comparison, replyAsExperimentsHost({ view: makeRunning() })),
  experiments("several changes", comparison, replyAsExperimentsHost({ view: makeArms({ kind: "done" }) })),
  told(guardPanel, "Guard", guardState, viewMessage(makeView()), rulesMessage(), goesOn),
  told(
    guardPanel,
    "Guard with a trial",
    guardState,
    viewMessage(makeView()),
    rulesMessage(),
    trialsMessage(decidedTrial),
  ),
  told(
    guardPanel,
    "Guard before a trial",
    guardState,
    viewMessage(makeView()),
    rulesMessage(),
    trialsMessage(),
  ),
  told(guardPanel, "Guard after a replay", guardState, viewMessage(makeView()), rulesMessage(), ended),
  told(
    guardPanel,
    "Guard after an empty replay",
    guardState,
    viewMessage(makeView()),
    rulesMessage(),
    nothingJudged,
  ),
  told(
    guardPanel,
    "Guard with a rules file that is not used",
    { ...guardState, family: "safety", search: "no such rule" },
    viewMessage(makeView()),
    rulesMessage(makeBook({ problem: plainSentence("line 3: * * *") })),
  ),
  told(
    guardPanel,
    "a guard rule that is gone",
    { ...guardState, rule: "gone" },
    viewMessage(),
    rulesMessage(),
  ),
  told(guardPanel, "Guard, with nothing", guardState, viewMessage(emptyView()), rulesMessage()),
  told(
    guardPanel,
    "a guard rule",
    { ...guardState, rule: makeRule().id },
    viewMessage(makeView({ hits: [makeHit({ rule: makeRule().id })] })),
    rulesMessage(),
  ),
  told(guardPanel, "Guard without an answer", guardState, error),
  told(economyPanel, "Recurring Agents", economyState, economyMessage(makeEconomy())),
  told(
    economyPanel,
    "Recurring Agents after a change that made runs fail",
    economyState,
    economyMessage(makeEconomy({ wakes: failedSinceChange() })),
  ),
  told(
    economyPanel,
    "Recurring Agents without runs",
    economyState,
    economyMessage(makeEconomy({ wakes: [] })),
  ),
  told(economyPanel, "Recurring Agents without an answer", economyState, error),
  review("rules", null),
  review(
    "a rule",
    { kind: "rule", id: "r0000000002" },
    rules.evidenceMessage("r0000000002", rules.makeEvidence()),
  ),
  told(
    rulesPanel,
    "no rules",
    { place: null, isOpen: false },
    rules.rulesMessage({ rules: [], memories: [] }),
  ),
  told(rulesPanel, "rules without an answer", { place: null, isOpen: false }, error),
  told(rulesPanel, "rules offline", { place: null, isOpen: false }, offline),
  review("a rule that nobody reads", { kind: "rule", id: "r0000000002" }, unreached),
  ...rules.makeRules().rules.map(({ id, status }) => review(`a rule, ${status}`, { kind: "rule", id })),
  review(
    "a rule of a demo",
    { kind: "rule", id: "r0000000002" },
    rules.evidenceMessage("r0000000002", rules.makeEvidence({ driver: "replay", saving: null, pairs: [] })),
  ),
  review("a memory", { kind: "memory", agent: "test-writer" }),
  review(
    "rules to be measured",
    { kind: "selection", agent: "test-writer" },
    rules.offerMessage(),
    rules.planMessage(rules.selectAsk),
  ),
  review(
    "rules that are measured",
    { kind: "selection", agent: "test-writer" },
    rules.selectionsMessage([rules.makeSelection()]),
  ),
  review(
    "rules that are measured together",
    { kind: "selection", agent: "test-writer" },
    rules.selectionsMessage([rules.makeWhole()]),
  ),
  review(
    "a whole set that was not measured",
    { kind: "selection", agent: "test-writer" },
    rules.selectionsMessage([rules.makeWhole({ state: "unpaid", looks: [] })]),
  ),
  review(
    "a trial that was stopped",
    { kind: "trial", agent: "test-writer" },
    trialMessage(stopped),
    trialPlanMessage("* * *"),
  ),
  review(
    "a trial",
    { kind: "trial", agent: "test-writer" },
    { type: "trials", trials: [makeHead()] },
    trialMessage(makeTrial()),
  ),
  review("a trial's plan", { kind: "trial", agent: "test-writer" }, trialMessage(null), trialPlanMessage()),
  review(
    "what was learned",
    { kind: "learned", project: makeLearned().project },
    {
      type: "learned",
      items: [makeLearned(), makeLearned({ id: "l2", kind: "dead-end", uses: 2, helped: 1, state: "kept" })],
    },
  ),
];
