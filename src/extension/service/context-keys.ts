import * as vscode from "vscode";
import { wrongThings } from "../sessions/describe-problem.ts";
import type { LinkState } from "./link.ts";
import type { Services } from "../services.ts";

/**
 * Sets the context keys for commands and welcome views: `purser.hasPin`, `purser.hasProblems`, and `purser.state`
 * (`starting`, `ready`, `unreadable`, `failed`). Updated only when they change.
 */
export function registerContextKeys({ sessions, link }: Services): vscode.Disposable {
  const known = new Map<string, boolean | string>();
  const set = (key: string, value: boolean | string) => {
    if (known.get(key) === value) return;
    known.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  };
  const update = () => {
    const { state } = link;
    set("purser.state", stateName(state));
    set("purser.hasPin", sessions.pinned !== undefined);
    set(
      "purser.hasProblems",
      state.kind === "failed" || (state.kind === "ready" && wrongThings(state.snapshot).length > 0),
    );
  };
  update();
  return vscode.Disposable.from(sessions.onChange(update), link.onChange(update));
}

/** Distinguishes unreadable transcripts from none at all. */
function stateName(state: LinkState): string {
  if (state.kind !== "ready") return state.kind;
  const { sessions, problems } = state.snapshot;
  return sessions.length === 0 && problems.length > 0 ? "unreadable" : "ready";
}
