import * as vscode from "vscode";
import type { Services } from "./services.ts";

/** Tells the editor when commands make sense: `purser.hasPin`, `purser.hasProblems`. Set only when they change. */
export function registerContextKeys({ sessions, monitor }: Services): vscode.Disposable {
  const known = new Map<string, boolean>();
  const set = (key: string, value: boolean) => {
    if (known.get(key) === value) return;
    known.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  };
  const update = () => {
    const { state } = monitor;
    set("purser.hasPin", sessions.pinned !== undefined);
    set(
      "purser.hasProblems",
      state.kind === "failed" || (state.kind === "ready" && state.snapshot.problems.length > 0),
    );
  };
  update();
  return vscode.Disposable.from(sessions.onChange(update), monitor.onChange(update));
}
