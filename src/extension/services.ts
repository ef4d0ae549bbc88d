import type * as vscode from "vscode";
import type { Mutes } from "./sessions/mutes.ts";
import type { ServiceConnection } from "./service/connection.ts";
import type { ServiceLink } from "./service/link.ts";
import type { WindowSessions } from "./sessions/in-window.ts";

/** Everything a feature may use besides the editor's API. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly link: ServiceLink;
  /** The service, for requests and notifications over the link. */
  readonly service: ServiceConnection;
  readonly sessions: WindowSessions;
  readonly mutes: Mutes;
}
