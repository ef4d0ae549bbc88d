import { plainSentence } from "../../../src/engine/base/language.ts";
import {
  panelMessage,
  type HostMessage,
  type PanelMessage,
} from "../../../src/webview/bench/bench-protocol.ts";
import type { JobView } from "../../../src/engine/jobs/bench-answers.ts";
import type { PanelKind } from "../panel-page.ts";
import {
  benchMessage,
  choicesMessage,
  freePlan,
  jobsMessage,
  makeRunning,
  makeSummary,
  makeView,
  plan,
  runMessage,
} from "./fixtures.ts";
import { makePage } from "./page-fixture.ts";

export const benchPanel: PanelKind<PanelMessage> = {
  folder: "bench",
  title: "Benchmark",
  panelMessages: panelMessage,
};

export interface HostOptions {
  readonly isRunning?: boolean;
  readonly view?: JobView;
}

/** A host that answers at once, with several messages when a panel starts. */
export function replyAsHost({ isRunning = false, view }: HostOptions = {}) {
  const bench = view ?? (isRunning ? makeRunning() : makeView());
  const ofPlace = (place: Extract<PanelMessage, { type: "look" }>["place"]): HostMessage[] => {
    if (place.kind === "home") {
      const other = makeSummary(
        makeRunning({ kind: "paused", reason: "environment", detail: plainSentence("quota") }),
        {
          id: "b2",
        },
      );
      return [choicesMessage(), jobsMessage([makeSummary(bench), other])];
    }
    const pages = place.kind === "bench" ? [] : [place.runId, place.beside?.runId ?? place.runId];
    return [
      benchMessage(bench),
      ...pages.flatMap((id, index) => {
        const run = bench.runs.find((one) => one.id === id);
        return run === undefined ? [] : [runMessage(makePage(run, 11 + 4 * index))];
      }),
    ];
  };
  return (message: PanelMessage): HostMessage[] => {
    switch (message.type) {
      case "ready":
      case "look":
        return ofPlace(message.place);
      case "plan": {
        const { ask } = message;
        return [{ type: "plan", ask, plan: ask.driver === "replay" ? freePlan : plan, problem: null }];
      }
      case "start":
      case "cancel":
      case "resume":
      case "export":
      case "retry":
      case "openChange":
      case "showLog":
      case "manageTrust":
      case "openComparison":
        return [];
    }
  };
}
