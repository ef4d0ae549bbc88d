import type * as vscode from "vscode";
import type { HandoverLinks } from "./handover/links.ts";
import type { Offers } from "./handover/last-work-offers.ts";
import type { Mutes, WindowSessions } from "./sessions/in-window.ts";
import type { ServiceConnection } from "./service/connection.ts";
import type { ServiceLink } from "./service/link.ts";
import type { SampleAction } from "../webview/components/panel-message.ts";

/** Minimum time between two notifications that nobody asked for. Milliseconds. */
const minPause = 30 * 60_000;

/**
 * Limits notifications that nobody asked for to one per window and half hour. What is not shown now stays visible in
 * the status bar and the views, and may be shown later if it still holds.
 */
export class Interruptions {
  readonly #now: () => number;
  #lastAt = -Infinity;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether a notification may be shown now. If so, the caller must show one. */
  take(): boolean {
    const now = this.#now();
    // A time in the future was set by a clock that has been set back since.
    if (this.#lastAt <= now && now - this.#lastAt < minPause) return false;
    this.#lastAt = now;
    return true;
  }
}

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
