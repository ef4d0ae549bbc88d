import { homedir } from "node:os";
import * as vscode from "vscode";
import type { LiveSnapshot } from "../../engine/sessions/session-requests.ts";
import { sessionRoots } from "../../engine/transcripts/agents.ts";
import { wrongThings } from "../sessions/describe-problem.ts";
import { hasUnknownWindow } from "../sessions/set-window.ts";
import type { LinkState } from "./link.ts";
import type { Services } from "../services.ts";

/**
 * Sets the context keys for commands and welcome views: `purser.hasPin`, `purser.hasProblems`, and `purser.state`
 * (`starting`, `ready`, `unreadable`, `failed`), `purser.hasMovedAgents`, `purser.hasSessions` and
 * `purser.hasUnknownWindow`. Updated only when they change.
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
    set("purser.hasMovedAgents", state.kind === "ready" && hasMoved(state.snapshot));
    set("purser.hasSessions", sessions.all.length > 0);
    set("purser.hasUnknownWindow", sessions.all.some(hasUnknownWindow));
    set("purser.hasPin", sessions.pinned !== undefined);
    set(
      "purser.hasProblems",
      state.kind === "failed" || (state.kind === "ready" && wrongThings(state.snapshot).length > 0),
    );
  };
  update();
  return vscode.Disposable.from(sessions.onChange(update), link.onChange(update));
}

/**
 * Whether any agent keeps its sessions outside its usual folder: then the view does not name the usual
 * folders. The editor's own chats are stored with the editor's files.
 */
function hasMoved({ roots }: LiveSnapshot): boolean {
  const usual = new Set(sessionRoots({ env: {}, home: homedir() }).map(({ path }) => path));
  return roots.some(({ agent, path }) => agent !== "vscode-chat" && !usual.has(path));
}

/** Distinguishes unreadable transcripts from none at all. */
function stateName(state: LinkState): string {
  if (state.kind !== "ready") return state.kind;
  const { sessions, problems } = state.snapshot;
  return sessions.length === 0 && problems.length > 0 ? "unreadable" : "ready";
}
