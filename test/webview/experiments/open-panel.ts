import { plainSentence } from "../../../src/engine/base/language.ts";
import type { JobView } from "../../../src/engine/jobs/bench-answers.ts";
import type { TrialHead } from "../../../src/engine/rules/trial-answers.ts";
import { formOf } from "../../../src/webview/experiments/form/form.ts";
import {
  panelMessage,
  type HostMessage,
  type PanelMessage,
  type PanelState,
  type Place,
  type PlannedAsk,
} from "../../../src/webview/experiments/experiments-protocol.ts";
import { hourMs, now } from "../ledger/fixtures.ts";
import type { PanelKind } from "../panel-page.ts";
import {
  choicesMessage,
  freePlan,
  jobMessage,
  jobsMessage,
  makeRunning,
  makeSummary,
  makeView,
  plan,
  runMessage,
} from "./bench/fixtures.ts";
import { makePage } from "./bench/page-fixture.ts";
import { makeComparison, makeListed, plan as comparisonPlan, regression } from "./compare/fixtures.ts";

export const experimentsPanel: PanelKind<PanelMessage> = {
  folder: "experiments",
  title: "Experiments",
  panelMessages: panelMessage,
};

export const trial: TrialHead = {
  holdOut: 0.05,
  switchesOff: false,
  id: "t1",
  agent: "backend",
  project: null,
  startedAt: now - 50 * hourMs,
  stoppedAt: null,
  approvedBy: "mara",
  ruleIds: ["r1", "r2"],
  planned: 40,
  sessions: 12,
};

/** A stored state. @param ask what the form asks for */
export function stateOf(place: Place, ask: PlannedAsk | null = null): PanelState {
  return { place, form: ask === null ? null : formOf(ask, null), scroll: 0 };
}

export interface HostOptions {
  readonly isRunning?: boolean;
  /** The experiment that is shown, and first in the list. */
  readonly view?: JobView;
}

/** A host that answers at once, with several messages when a panel starts. */
export function replyAsHost({ isRunning = false, view }: HostOptions = {}) {
  const shown = view ?? (isRunning ? makeRunning() : makeView());
  const paused = makeRunning({ kind: "paused", reason: "environment", detail: plainSentence("quota") });
  const failed = makeRunning({ kind: "failed", detail: plainSentence("the fixture was changed") });
  const broken = makeComparison({
    comparison: { title: plainSentence("lean.md vs. the shipped prompt"), result: regression },
  });
  const jobs = () => [
    shown.comparison === undefined ? makeSummary(shown) : makeListed(shown),
    makeSummary(paused, { id: "b2" }),
    makeSummary(failed, { id: "b1" }),
    makeListed(broken, { id: "c3" }),
  ];
  const ofPlace = (place: Place): HostMessage[] => {
    switch (place.kind) {
      case "home":
        return [jobsMessage(jobs(), [trial])];
      case "form":
        return [choicesMessage()];
      case "job":
      case "run": {
        const pages = place.kind === "job" ? [] : [place.runId, place.beside?.runId ?? place.runId];
        return [
          jobMessage(shown),
          ...pages.flatMap((id, index) => {
            const run = shown.runs.find((one) => one.id === id);
            return run === undefined ? [] : [runMessage(makePage(run, 11 + 4 * index))];
          }),
        ];
      }
    }
  };
  return (message: PanelMessage): HostMessage[] => {
    switch (message.type) {
      case "ready":
      case "look":
        return ofPlace(message.place);
      case "plan": {
        const { ask } = message;
        const price = ask.kind === "compare" ? comparisonPlan : ask.driver === "replay" ? freePlan : plan;
        return [{ type: "plan", ask, plan: price, problem: null }];
      }
      case "start":
      case "cancel":
      case "resume":
      case "export":
      case "retry":
      case "openChange":
      case "chooseFile":
      case "copyPrompt":
      case "openPrompt":
      case "openRules":
      case "shorten":
      case "draftTasks":
      case "showLog":
      case "manageTrust":
        return [];
    }
  };
}
