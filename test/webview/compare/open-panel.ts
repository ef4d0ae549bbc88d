import { plainSentence } from "../../../src/engine/base/language.ts";
import type { JobView } from "../../../src/engine/jobs/bench-answers.ts";
import {
  panelMessage,
  type HostMessage,
  type PanelMessage,
  type Place,
} from "../../../src/webview/compare/compare-protocol.ts";
import type { PanelKind } from "../panel-page.ts";
import { makeComparison, makeListed, makeRunning, plan, regression } from "./fixtures.ts";

export const comparePanel: PanelKind<PanelMessage> = {
  folder: "compare",
  title: "Compare",
  panelMessages: panelMessage,
};

/** A host that answers at once. */
export function replyAsHost(view: JobView = makeComparison()) {
  const ofPlace = (place: Place): HostMessage[] => {
    switch (place.kind) {
      case "home": {
        const paused = makeRunning({ kind: "paused", reason: "environment", detail: plainSentence("quota") });
        const broken = makeComparison({
          comparison: { title: plainSentence("lean.md vs. the shipped prompt"), result: regression },
        });
        return [
          {
            type: "jobs",
            jobs: [makeListed(view), makeListed(paused, { id: "c2" }), makeListed(broken, { id: "c3" })],
          },
        ];
      }
      case "comparison":
        return [{ type: "comparison", id: place.id, view }];
      case "plan":
        return [];
    }
  };
  return (message: PanelMessage): HostMessage[] => {
    switch (message.type) {
      case "ready": {
        const { place, ask } = message;
        const planned: HostMessage[] =
          place.kind === "plan" && ask !== null ? [{ type: "plan", ask, plan, problem: null }] : [];
        return [...ofPlace(place), ...planned];
      }
      case "look":
        return ofPlace(message.place);
      case "plan":
        return [{ type: "plan", ask: message.ask, plan, problem: null }];
      case "pick":
      case "start":
      case "cancel":
      case "resume":
      case "export":
      case "openRun":
      case "retry":
      case "showLog":
        return [];
    }
  };
}
