import * as vscode from "vscode";
import { wrongThings } from "../sessions/problem-words.ts";
import type { LinkState } from "./link.ts";
import type { Services } from "../services.ts";

/**
 * Tells the editor when commands and welcome texts make sense: `purser.hasPin`, `purser.hasProblems`, and `purser.state`
 * (`starting`, `ready`, `unreadable`, `failed`). Set only when they change.
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

/** Transcripts that are there but cannot be read are no reason to say that there are none. */
function stateName(state: LinkState): string {
  if (state.kind !== "ready") return state.kind;
  const { sessions, problems } = state.snapshot;
  return sessions.length === 0 && problems.length > 0 ? "unreadable" : "ready";
}
