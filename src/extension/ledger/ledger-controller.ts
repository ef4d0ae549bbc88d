import type { Disposable } from "../../engine/base/events.ts";
import type { Clock } from "../../engine/base/timing.ts";
import type { Failure } from "../../engine/base/result.ts";
import {
  panelMessage,
  type HostMessage,
  type OverviewMessage,
  type PanelMessage,
  type Question,
  type SessionMessage,
  type SessionWork,
  type WhyMessage,
} from "../../webview/ledger/ledger-protocol.ts";
import type { RelayCardHost, RelayPorts } from "../handover/relay-card.ts";
import type { LatestRequest } from "../editor/latest-request.ts";
import { exportText, type ExportFormat } from "./export-ledger.ts";
import { BasePanelController, type ControllerPorts, type Own } from "../panels/panels-controller.ts";
import type { AskFailure } from "../service/connection.ts";
import { cleanText, shorten } from "../../engine/base/text.ts";
import { sessionLabel } from "../editor/describe-editor.ts";
import { inWords } from "../../engine/base/language.ts";
import type { LedgerFilter } from "../../engine/ledger/ledger-answers.ts";
import type { WhyQuestion } from "../../engine/ledger/why-answers.ts";

const kind = { name: "Ledger", messages: panelMessage, updateInterval: 1000 };

type About = "overview" | "session";

export interface LedgerControllerPorts extends ControllerPorts<HostMessage> {
  readonly clock: Clock;
  readonly save: (file: {
    readonly name: string;
    readonly format: ExportFormat;
    readonly text: string;
  }) => void;
  /** @param agent the session's agent, by its adapter's name; null if the ledger does not know it */
  readonly openTranscript: (id: string, agent: string | null) => void;
  /** Creates the card that hands a session over. Null for the sample, whose sessions are nobody's work. */
  readonly relay: ((post: RelayPorts["post"]) => RelayCardHost) | null;
  /** The window's data about the session that its page lacks. */
  readonly workOf: (id: string) => Omit<SessionWork, "scorecard">;
  readonly getStarted: () => void;
  /** Titles the panel by the session that it shows; null for the overview. */
  readonly setTitle: (title: string | null) => void;
}

/** Host side of the Usage panel: answers its messages and pushes updates. */
export class LedgerController extends BasePanelController<PanelMessage, HostMessage, About> {
  readonly #ports: LedgerControllerPorts;
  readonly #overviews: LatestRequest;
  readonly #sessions: LatestRequest;
  #question: Question | undefined;
  #sessionId: string | null = null;
  /** What the panel shows, for exports. */
  #overview: OverviewMessage | undefined;
  #session: SessionMessage | undefined;
  readonly #relay: RelayCardHost | undefined;

  constructor(ports: LedgerControllerPorts) {
    super(ports, kind);
    this.#ports = ports;
    this.#relay = ports.relay?.((card) => ports.post({ type: "card", card }));
    this.#overviews = this.latest((signal) => this.#askOverview(signal));
    this.#sessions = this.latest((signal) => this.#askSession(signal));
    this.updateOn("ledgerChanged");
  }

  /** @param compaction one of the session's, by its id in the ledger; null to choose none */
  show(sessionId: string, compaction: string | null = null): void {
    this.postOnceStarted({ type: "show", id: sessionId, compaction });
  }

  /** Shows a session, and the card that hands it over. */
  handOver(sessionId: string): void {
    this.show(sessionId);
    void this.#handOver(sessionId);
  }

  /** Ends something together with the panel. */
  alsoDispose(owned: Disposable): void {
    this.owned.add(owned);
  }

  /** Shows at once what became of a document. */
  handoversChanged(): void {
    if (this.#sessionId !== null) void this.#relay?.look(this.#sessionId);
  }

  async #handOver(sessionId: string): Promise<void> {
    const message = (await this.#relay?.begin(sessionId)) ?? null;
    if (message !== null) this.#ports.post({ type: "error", about: "session", message });
  }

  protected override answer(message: Own<PanelMessage>): void {
    switch (message.type) {
      case "ready":
        this.#show(message.question, message.sessionId);
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
        this.#relay?.hide();
        this.#ports.setTitle(null);
        this.#overviews.now();
        return;
      case "export":
        this.#export(message);
        return;
      case "putBack":
        void this.#putBack(message);
        return;
      case "openTranscript":
        this.#ports.openTranscript(message.id, this.#agentOf(message.id));
        return;
      case "handOver":
        void this.#handOver(message.id);
        return;
      case "startCard":
        void this.#relay?.start(message);
        return;
      case "openCard":
        void this.#relay?.openFile(message);
        return;
      case "copyCard":
        void this.#relay?.copy(message);
        return;
      case "closeCard":
        void this.#relay?.close(message);
        return;
      case "putBackCard":
        void this.#relay?.putBack(message);
        return;
      case "getStarted":
        this.#ports.getStarted();
        return;
    }
  }

  #agentOf(id: string): string | null {
    const shown = this.#session;
    return shown?.id === id ? (shown.page?.session.program ?? null) : null;
  }

  #show(question: Question, sessionId: string | null): void {
    this.#question = question;
    this.#sessionId = sessionId;
    this.#overview = undefined;
    this.#session = undefined;
    this.begin();
    this.#relay?.again();
    this.refresh(true);
  }

  /** Refreshes only what is shown; closing a session requests the overview again. */
  protected override refresh(isAtOnce: boolean): void {
    const shown = this.#sessionId === null ? this.#overviews : this.#sessions;
    shown.again(isAtOnce);
  }

  protected override failed({ detail }: Failure<AskFailure>, about: About): HostMessage {
    return {
      type: "error",
      about,
      message: this.#ports.t("Usage could not be read: {0}", inWords(detail)),
    };
  }

  async #askOverview(signal: AbortSignal): Promise<void> {
    const question = this.#question;
    if (question === undefined) return;
    const { service, clock, post } = this.#ports;
    const filter = filterOf(question, clock.now());
    const comparing = this.#previous(question, signal);
    const read = await this.safely("overview", service.ask("overview", { asked: filter }, signal), signal);
    const previous = await comparing;
    if (read === undefined || signal.aborted) return;
    const { since, until } = filter;
    const { answer: overview, freshness } = read;
    this.#overview = { type: "overview", question, since, until, overview, previous, freshness };
    post(this.#overview);
    await this.#explain({ question, sessionId: null }, { ...filter, session: null }, signal);
  }

  /** The page is whole without it. */
  async #explain(
    of: Pick<WhyMessage, "question" | "sessionId">,
    asked: WhyQuestion,
    signal: AbortSignal,
  ): Promise<void> {
    const { service, post } = this.#ports;
    const read = await service.ask("why", { asked }, signal);
    if (signal.aborted || !read.ok || read.value.answer === null) return;
    post({ type: "why", ...of, why: read.value.answer });
  }

  /** The page is whole without it. */
  async #previous(question: Question, signal: AbortSignal): Promise<OverviewMessage["previous"]> {
    const { service, clock } = this.#ports;
    const filter = filterBefore(filterOf(question, clock.now()), clock.now());
    if (filter === null) return null;
    const read = await service.ask("usage", { by: "model", ...filter }, signal);
    if (!read.ok || read.value.report.totals.responses === 0) return null;
    return { since: filter.since, until: filter.until, totals: read.value.report.totals };
  }

  async #askSession(signal: AbortSignal): Promise<void> {
    const id = this.#sessionId;
    if (id === null) return;
    const { service, workOf } = this.#ports;
    const comparing = service.ask("sessionScorecard", { session: id }, signal);
    const read = await this.safely("session", service.ask("sessionPage", { asked: id }, signal), signal);
    const compared = await comparing;
    if (read === undefined || signal.aborted) return;
    // The page is whole without the comparison.
    const scorecard = compared.ok ? compared.value.scorecard : null;
    const work = { ...workOf(id), scorecard };
    this.#session = { type: "session", id, page: read.answer, work, freshness: read.freshness };
    this.#ports.post(this.#session);
    this.#ports.setTitle(titleOf(this.#session));
    const days = { since: null, until: null, project: null, program: null };
    await Promise.all([
      this.#relay?.look(id),
      this.#explain({ question: null, sessionId: id }, { ...days, session: id }, signal),
    ]);
  }

  async #putBack({ session, diff, items }: Extract<PanelMessage, { type: "putBack" }>): Promise<void> {
    const { service, post, t } = this.#ports;
    const done = await service.ask("putBack", { session, diff, items });
    if (done.ok) this.#sessions.now();
    else
      post({
        type: "error",
        about: "session",
        message: t("It could not be restored: {0}", inWords(done.detail)),
      });
  }

  #export({ what, format }: Extract<PanelMessage, { type: "export" }>): void {
    const shown = what === "overview" ? this.#overview : this.#session;
    const text = shown === undefined ? undefined : exportText(shown, format);
    if (text === undefined) return;
    this.#ports.save({ name: `purser-${what}.${format}`, format, text });
  }
}

const maxTitleLength = 40;

/** A session's own title, else its project and branch; null if nothing is known of it. */
function titleOf({ page }: SessionMessage): string | null {
  if (page === null) return null;
  const { title, cwd, branch } = page.session;
  const name = title === null || title.trim() === "" ? sessionLabel({ model: null, cwd, branch }) : title;
  return name === "" ? null : shorten(cleanText(name), maxTitleLength);
}

/** The ledger's filter for a question: its range as local calendar days. @param now milliseconds since the epoch */
export function filterOf({ range, project, program, machine }: Question, now: number): LedgerFilter {
  const of = { project, program, ...(machine === undefined || machine === null ? {} : { machine }) };
  switch (range.kind) {
    case "all":
      return { since: null, until: null, ...of };
    case "between":
      return { since: range.since, until: range.until, ...of };
    case "yesterday": {
      const day = localDay(now, 1);
      return { since: day, until: day, ...of };
    }
    case "last":
      return { since: localDay(now, range.days - 1), until: localDay(now, 0), ...of };
  }
}

/**
 * The same number of days right before a filter's. Null without a first and a last day, and for today, which is not over
 * yet. @param now milliseconds since the epoch
 */
export function filterBefore(
  filter: LedgerFilter,
  now: number,
): (LedgerFilter & { readonly since: string; readonly until: string }) | null {
  const { since, until } = filter;
  if (since === null || until === null || since > until || since === localDay(now, 0)) return null;
  // In UTC every day has 24 hours.
  const [first, last] = [Date.parse(since), Date.parse(until)];
  const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { ...filter, since: isoDay(2 * first - last - dayMs), until: isoDay(first - dayMs) };
}

const dayMs = 86_400_000;

/** `2026-11-21`. By calendar: a day is not always 24 hours. */
function localDay(now: number, daysBefore: number): string {
  const date = new Date(now);
  date.setDate(date.getDate() - daysBefore);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
