import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/format.ts";
import { PurserChart } from "../components/chart.ts";
import { panelStyles } from "../components/panel-styles.ts";
import { banner, skeleton, stateStyles, stateView } from "../components/states.ts";
import { controls, shared } from "../components/styles.ts";
import { PurserTable } from "../components/table.ts";
import type { Actions, Scene } from "./actions.ts";
import { filters } from "./filters.ts";
import { overviewHeader, sessionHeader } from "./header.ts";
import { processingTokens } from "./measure.ts";
import { firstModel, heard, withAsking, withQuestion, withSession, type Model } from "./model.ts";
import { overviewPage } from "./overview-page.ts";
import { pageStyles } from "./page-styles.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState } from "./protocol.ts";
import { sessionView } from "./session-view.ts";
import { mainTurns } from "./turns.ts";

interface Ports {
  readonly say: (message: PanelMessage) => void;
  /** Remembers it while the panel is hidden and over a reload of the window. */
  readonly keep: (state: PanelState) => void;
}

/** The whole panel. What the host says it is told by `hear`. */
export class PurserLedger extends LitElement {
  static override readonly styles = [shared, controls, stateStyles, panelStyles, pageStyles];
  static override readonly properties = {
    model: { state: true },
    tables: { state: true },
    announcement: { state: true },
  };
  declare model: Model;
  declare tables: ReadonlySet<string>;
  /** What a screen reader is told of. */
  declare announcement: string;
  #ports: Ports = { say: () => undefined, keep: () => undefined };
  /** Where the page was when a session was opened. */
  #scrollBehind = 0;
  /** The session whose link gets the focus when the overview is back. */
  #cameFrom: string | null = null;
  #hasToShowHeading = false;
  #restoredScroll = false;

  constructor() {
    super();
    this.model = firstModel(firstState);
    this.tables = new Set();
    this.announcement = "";
  }

  /** @param kept what it remembered when it was last there */
  begin(kept: PanelState, ports: Ports): void {
    this.#ports = ports;
    this.model = firstModel(kept);
    this.#ports.say({ type: "ready", question: kept.question, sessionId: kept.sessionId });
  }

  hear(message: HostMessage): void {
    if (message.type === "show") {
      this.#actions.openSession(message.id);
      return;
    }
    const wasAsking = this.model.isAsking;
    this.model = heard(this.model, message);
    // Updates that come by themselves are not read out: they come every second while transcripts are read.
    if (wasAsking && !this.model.isAsking) this.announcement = spoken(this.model);
  }

  rememberScroll(scroll: number): void {
    if (this.model.kept.sessionId === null && this.#restoredScroll) this.#keep({ scroll });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.ownerDocument.addEventListener("keydown", this.#onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener("keydown", this.#onKey);
  }

  protected override render() {
    const { model, tables } = this;
    const scene: Scene = { model, tables, actions: this.#actions, now: Date.now() };
    return html`${model.isAsking ? html`<div class="progress"></div>` : nothing}
      <main aria-busy=${model.isAsking ? "true" : "false"}>
        ${model.kept.sessionId === null ? overviewOf(scene) : sessionOf(scene)}
      </main>
      <p class="hidden-text" role="status">${this.announcement}</p>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("model")) return;
    if (this.#hasToShowHeading && this.model.kept.sessionId !== null) {
      this.#hasToShowHeading = false;
      this.ownerDocument.defaultView?.scrollTo(0, 0);
      this.renderRoot.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    }
    if (this.model.kept.sessionId !== null || this.model.overview === null) return;
    if (this.#cameFrom !== null) void this.#return(this.#cameFrom, this.#scrollBehind);
    else if (!this.#restoredScroll) void this.#scrollTo(this.model.kept.scroll);
    this.#cameFrom = null;
    this.#restoredScroll = true;
  }

  /** The tables and charts below have to be there first. */
  async #scrollTo(scroll: number): Promise<void> {
    await this.#whole();
    this.ownerDocument.defaultView?.scrollTo(0, scroll);
  }

  async #return(session: string, scroll: number): Promise<void> {
    await this.#scrollTo(scroll);
    const table = this.renderRoot.querySelector("#sessions");
    const found = table instanceof PurserTable && table.focusRow(session);
    if (!found) this.renderRoot.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    this.ownerDocument.defaultView?.scrollTo(0, scroll);
  }

  async #whole(): Promise<void> {
    const parts = [...this.renderRoot.querySelectorAll("*")].filter((part) => part instanceof LitElement);
    await Promise.all(parts.map((part) => part.updateComplete));
  }

  readonly #onKey = (event: KeyboardEvent) => {
    const { key, altKey, defaultPrevented } = event;
    const isBack = key === "Escape" || (altKey && key === "ArrowLeft");
    if (!isBack || defaultPrevented || this.model.kept.sessionId === null) return;
    event.preventDefault();
    this.#actions.back();
  };

  readonly #actions: Actions = {
    ask: (question) => {
      this.model = withQuestion(this.model, question);
      this.#keep({ question });
      this.#ports.say({ type: "ask", question });
    },
    openSession: (id) => {
      if (this.model.kept.sessionId === null) {
        this.#scrollBehind = this.ownerDocument.defaultView?.scrollY ?? 0;
        this.#cameFrom = null;
      }
      this.model = withSession(this.model, id);
      this.#hasToShowHeading = true;
      this.#keep({ sessionId: id });
      this.#ports.say({ type: "openSession", id });
    },
    back: () => {
      this.#cameFrom = this.model.kept.sessionId;
      this.model = withSession(this.model, null);
      this.#keep({ sessionId: null });
      this.#ports.say({ type: "closeSession" });
    },
    exportAs: (format) => {
      const what = this.model.kept.sessionId === null ? "overview" : "session";
      this.#ports.say({ type: "export", what, format });
    },
    openTranscript: (id) => this.#ports.say({ type: "openTranscript", id }),
    retry: () => {
      this.model = withAsking(this.model);
      this.#ports.say({ type: "retry" });
    },
    getStarted: () => this.#ports.say({ type: "getStarted" }),
    showLog: () => this.#ports.say({ type: "showLog" }),
    setMetric: (metric) => this.#keep({ metric }),
    setBreakdown: (breakdown) => this.#keep({ breakdown }),
    toggleTable: (chart) => {
      const tables = new Set(this.tables);
      if (!tables.delete(chart)) tables.add(chart);
      this.tables = tables;
    },
    showTurn: (messageId) => this.#showTurn(messageId),
  };

  #showTurn(messageId: string): void {
    const page = this.model.session?.page ?? null;
    const chart = this.renderRoot.querySelector("#context");
    if (page === null || !(chart instanceof PurserChart)) return;
    chart.scrollIntoView({ block: "center" });
    chart.focusColumn(mainTurns(page).findIndex((turn) => turn.messageId === messageId));
  }

  #keep(change: Partial<PanelState>): void {
    this.model = { ...this.model, kept: { ...this.model.kept, ...change } };
    this.#ports.keep(this.model.kept);
  }
}

customElements.define("purser-ledger", PurserLedger);

/** The same templates whatever there is to show: what has the focus stays. */
function overviewOf(scene: Scene): TemplateResult {
  const { model } = scene;
  const { overview, trouble } = model;
  const body =
    overview !== null
      ? overviewPage(scene, overview)
      : trouble === null
        ? skeleton()
        : troubleView(scene, trouble);
  const isBare = overview === null && trouble !== null;
  return html`<div class="top">
      ${overviewHeader(scene)}${overview === null ? nothing : troubleBanner(scene)}
      ${isBare ? nothing : filters(scene)}
    </div>
    ${body}`;
}

function sessionOf(scene: Scene): TemplateResult {
  const { session, trouble } = scene.model;
  const page = session?.page ?? null;
  const body =
    page !== null
      ? sessionView(scene, page)
      : trouble !== null
        ? troubleView(scene, trouble)
        : session === null
          ? skeleton()
          : unknownSession(scene);
  return html`<div class="top">${sessionHeader(scene)}${page === null ? nothing : troubleBanner(scene)}</div>
    ${body}`;
}

function unknownSession({ actions }: Scene): TemplateResult {
  return stateView({
    icon: "none",
    heading: "The ledger does not know this session",
    text: "It may not have been read yet, or it has no response.",
    actions: [
      { label: "Try Again", run: () => actions.retry() },
      { label: "Back to Ledger", run: () => actions.back() },
    ],
  });
}

/** Above what is still worth reading. */
function troubleBanner({ model, actions }: Scene): TemplateResult | typeof nothing {
  if (model.trouble === null) return nothing;
  return banner(model.trouble.message, { label: "Try Again", run: () => actions.retry() });
}

function troubleView({ actions }: Scene, trouble: NonNullable<Model["trouble"]>): TemplateResult {
  const retry = { label: "Try Again", run: () => actions.retry() };
  const log = { label: "Show Log", run: () => actions.showLog() };
  const isOffline = trouble.type === "offline";
  return stateView({
    icon: isOffline ? "disconnect" : "error",
    heading: isOffline ? "The ledger is offline" : "The ledger could not answer",
    text: trouble.message,
    actions: [retry, log],
  });
}

function spoken({ kept, overview, session, trouble }: Model): string {
  if (trouble !== null) return trouble.message;
  if (kept.sessionId !== null)
    return session?.page === null ? "The ledger does not know this session." : "Session shown.";
  if (overview === null) return "";
  const { totals, sessionCount } = overview.overview;
  return `${wholeNumber(processingTokens(totals.usage))} processing tokens in ${wholeNumber(sessionCount)} sessions.`;
}
