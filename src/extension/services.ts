import type * as vscode from "vscode";
import type { Interruptions } from "./editor/interruptions.ts";
import type { HandoverLinks } from "./handover/links.ts";
import type { Offers } from "./handover/last-work-offers.ts";
import type { Mutes, WindowSessions } from "./sessions/in-window.ts";
import type { ServiceConnection } from "./service/connection.ts";
import type { ServiceLink } from "./service/link.ts";
import type { SampleAction } from "../webview/components/panel-message.ts";

/**
 * Marks a panel as the sample's: its banner names the sample, links to the sample's other panels, and closes
 * it.
 */
export interface SampleMark {
  readonly act: (action: SampleAction) => void;
  /** Plays the handover of the session that is played. Absent where none is. */
  readonly relay?: {
    readonly canHandOver: (sessionId: string) => boolean;
    readonly start: (document: string) => void;
  };
}

/** Everything a feature may use besides the editor's API. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly link: ServiceLink;
  /** The service, for requests and notifications over the link. */
  readonly service: ServiceConnection;
  readonly sessions: WindowSessions;
  readonly mutes: Mutes;
  /** Limits notifications that nobody asked for. */
  readonly interruptions: Interruptions;
  readonly handovers: Pick<HandoverLinks, "of" | "onChange">;
  readonly offers: Pick<Offers, "of" | "onChange">;
  /** Runs a command that a panel links to. The sample's panels lead to each other instead. */
  readonly follow: (command: string, ...targets: readonly unknown[]) => void;
  /** Present in the sample's own services: marks its panels. */
  readonly sample?: SampleMark;
}
