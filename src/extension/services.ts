import type * as vscode from "vscode";
import type { MonitorClient } from "./monitor-client.ts";
import type { Mutes } from "./mutes.ts";
import type { WindowSessions } from "./window-sessions.ts";

/** What a feature is handed: the whole of what it may know besides the editor's API. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly monitor: MonitorClient;
  readonly sessions: WindowSessions;
  readonly mutes: Mutes;
}
