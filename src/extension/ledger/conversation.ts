import type { Clock } from "../../engine/base/timing/clock.ts";
import type { Disposable } from "../../engine/base/disposable.ts";
import type { Result } from "../../engine/base/result.ts";
import {
  panelMessage,
  type HostMessage,
  type OverviewMessage,
  type PanelMessage,
  type Question,
  type SessionMessage,
} from "../../webview/ledger/protocol.ts";
import { LatestAsk } from "../editor/latest-ask.ts";
import { filterOf } from "./days.ts";
import { exportText, type ExportFormat } from "./export.ts";
import type { AskFailure, ServiceConnection } from "../service/connection.ts";
import type { Translate } from "../editor/words.ts";

/** Between two answers that nobody asked for. Milliseconds. */
const updateInterval = 1000;

export interface ConversationPorts {
  readonly service: ServiceConnection;
  readonly clock: Clock;
  readonly t: Translate;
  readonly post: (message: HostMessage) => void;
  readonly save: (file: {
    readonly name: string;
    readonly format: ExportFormat;
    readonly text: string;
  }) => void;
  readonly openTranscript: (id: string) => void;
  readonly getStarted: () => void;
  readonly showLog: () => void;
  readonly onProblem: (message: string) => void;
}

/** What the host of one Ledger panel does about what the panel says, and what it tells it by itself. */
export class LedgerConversation implements Disposable {
  readonly #ports: ConversationPorts;
  readonly #overviews: LatestAsk;
  readonly #sessions: LatestAsk;
  readonly #listening: Disposable;
  #question: Question | undefined;
  #sessionId: string | null = null;
  /** What the panel shows, which is what is exported. */
  #overview: OverviewMessage | undefined;
  #session: SessionMessage | undefined;
  #isVisible = true;
  #isStale = false;
  /** A session to show as soon as the panel's script runs. */
  #awaited: string | undefined;

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
    this.#overviews = new LatestAsk(updateInterval, (signal) => this.#askOverview(signal));
    this.#sessions = new LatestAsk(updateInterval, (signal) => this.#askSession(signal));
    this.#listening = ports.service.onChanged("ledgerChanged", (changed) =>
      this.#update(changed === undefined),
    );
  }

  /** A message of the panel, which is outside data like any other. */
  hear(said: unknown): void {
    const message = panelMessage.safeParse(said);
    if (message.success) this.#answer(message.data);
    else this.#ports.onProblem("The Ledger panel sent a message that is not understood.");
  }

  /** Nothing is asked for a panel nobody sees. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#isStale) this.#update(false);
  }

  show(sessionId: string): void {
    if (this.#question === undefined) this.#awaited = sessionId;
    else this.#ports.post({ type: "show", id: sessionId });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#overviews.dispose();
    this.#sessions.dispose();
  }

  #answer(message: PanelMessage): void {
    switch (message.type) {
      case "ready":
        this.#begin(message.question, message.sessionId);
        return;
      case "ask":
        this.#question = message.question;
        this.#overviews.now();
        return;
      case "openSession":
        this.#sessionId = message.id;
        this.#sessions.now();
        return;
      case "closeSession":
        this.#sessionId = null;
        this.#sessions.stop();
        this.#overviews.now();
        return;
      case "retry":
        void this.#retry();
        return;
      case "export":
        this.#export(message);
        return;
      case "openTranscript":
        this.#ports.openTranscript(message.id);
        return;
      case "getStarted":
        this.#ports.getStarted();
        return;
      case "showLog":
        this.#ports.showLog();
        return;
    }
  }

  async #retry(): Promise<void> {
    await this.#ports.service.retry();
    if (this.#sessionId === null) this.#overviews.now();
    else this.#sessions.now();
  }

  /** The script begins anew each time a hidden panel is shown: it knows nothing then but what it asks. */
  #begin(question: Question, sessionId: string | null): void {
    this.#question = question;
    this.#sessionId = sessionId;
    this.#overview = undefined;
    this.#session = undefined;
    this.#isStale = false;
    if (this.#awaited !== undefined) this.#ports.post({ type: "show", id: this.#awaited });
    this.#awaited = undefined;
    if (sessionId === null) this.#overviews.now();
    else this.#sessions.now();
  }

  /** Only what is looked at; the overview is asked for anew when a session is closed. @param isAnew there is another service, or none */
  #update(isAnew: boolean): void {
    if (this.#question === undefined) return;
    this.#isStale = !this.#isVisible;
    if (!this.#isVisible) return;
    const shown = this.#sessionId === null ? this.#overviews : this.#sessions;
    if (isAnew) shown.now();
    else shown.soon();
  }

  async #askOverview(signal: AbortSignal): Promise<void> {
    const question = this.#question;
    if (question === undefined) return;
    const { service, clock, post } = this.#ports;
    const filter = filterOf(question, clock.now());
    const read = await this.#safely("overview", service.ask("overview", { asked: filter }, signal), signal);
    if (read === undefined) return;
    const { since, until } = filter;
    const { answer: overview, freshness } = read;
    this.#overview = { type: "overview", question, since, until, overview, freshness };
    post(this.#overview);
  }

  async #askSession(signal: AbortSignal): Promise<void> {
    const id = this.#sessionId;
    if (id === null) return;
    const asked = this.#ports.service.ask("sessionPage", { asked: id }, signal);
    const read = await this.#safely("session", asked, signal);
    if (read === undefined) return;
    this.#session = { type: "session", id, page: read.answer, freshness: read.freshness };
    this.#ports.post(this.#session);
  }

  /** The answer, or undefined when there is none, which the panel is told unless it no longer waits. */
  async #safely<Answer>(
    about: "overview" | "session",
    asked: Promise<Result<Answer, AskFailure>>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const answer = await asked;
    if (signal.aborted) return undefined;
    if (answer.ok) return answer.value;
    const { t, post, onProblem } = this.#ports;
    // The panel goes on waiting, or showing what it has: a change is told.
    if (answer.reason === "starting") return undefined;
    onProblem(`The ledger did not answer (${about}): ${answer.detail}`);
    if (answer.reason === "offline") post({ type: "offline", message: answer.detail });
    else post({ type: "error", about, message: t("The ledger could not answer: {0}", answer.detail) });
    return undefined;
  }

  #export({ what, format }: Extract<PanelMessage, { type: "export" }>): void {
    const shown = what === "overview" ? this.#overview : this.#session;
    const text = shown === undefined ? undefined : exportText(shown, format);
    if (text === undefined) return;
    this.#ports.save({ name: `purser-${what}.${format}`, format, text });
  }
}
