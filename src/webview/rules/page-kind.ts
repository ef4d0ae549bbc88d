import type { Model } from "./page-model.ts";
import type { PanelMessage, PanelState } from "./protocol.ts";

export function ready({ place }: PanelState): PanelMessage {
  return { type: "ready", place };
}

export function isAwaiting({ view, trouble }: Model): boolean {
  return view === null && trouble === null;
}

export function spoken({ trouble, done }: Model): string {
  return trouble?.message ?? done;
}

/** Messages that must take effect before anything else is done. */
export const awaited: ReadonlySet<PanelMessage["type"]> = new Set([
  "compile",
  "undoMemory",
  "start",
  "resume",
  "startTrial",
  "stopTrial",
  "letInByTrial",
  "markLearned",
]);
