import type * as vscode from "vscode";
import type { Mutes } from "./sessions/mutes.ts";
import type { ServiceConnection } from "./service/connection.ts";
import type { ServiceLink } from "./service/link.ts";
import type { WindowSessions } from "./sessions/in-window.ts";

/** What a feature is handed: the whole of what it may know besides the editor's API. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly link: ServiceLink;
  /** The service, to be asked and heard over the link. */
  readonly service: ServiceConnection;
  readonly sessions: WindowSessions;
  readonly mutes: Mutes;
}
