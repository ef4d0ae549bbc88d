import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import { PurserChart } from "../components/charts/chart.ts";
import { focusInPage, PanelPage, type Change } from "../components/components-page.ts";
import { skeleton, stateView, troubleBanner, troubleView } from "../components/states.ts";
import { PurserTable } from "../components/table/table.ts";
import {
  type Actions,
  type RenderContext,
  editedParts,
  firstModel,
  applyMessage,
  withAsking,
  withDays,
  withQuestion,
  withSession,
  type Model,
} from "./ledger-model.ts";
import { filters } from "./filters.ts";
import { overviewHeader, sessionHeader } from "./header.ts";
import { processingTokens } from "./describe-ledger.ts";
import { overviewPage } from "./overview-page.ts";
import {
  firstState,
  type HostMessage,
  type PanelMessage,
  type PanelState,
  type RelayCard,
} from "./ledger-protocol.ts";
import { relayCard } from "./session-page/relay-card-view.ts";
import { sessionView } from "./session-page/session-page-view.ts";
import { mainTurns } from "./turns.ts";

/** The Ledger panel's page: the overview, or one session. */
export class PurserLedger extends PanelPage<Model, HostMessage, PanelMessage> {
  /** The overview's scroll position when a session was opened. */
  #scrollBehind = 0;
  /** The session with the link that gets the focus when the overview is shown again. */
  #cameFrom: string | null = null;
  /** The compaction to scroll to once the session is there. */
  #compaction: string | null = null;
  /** The response to show once the session is there. */
  #turn: string | null = null;

  constructor() {
    super({ firstState, firstModel, ready, applyMessage, isAwaiting, spoken, isNews });
  }

  override handle(message: HostMessage): void {
    if (message.type !== "show") super.handle(message);
    else {
      this.#actions.openSession(message.id);
      this.#compaction = message.compaction;
      this.model = { ...this.model, shownCompaction: message.compaction };
    }
  }

  /** Stores the scroll position only for the overview. */
  override rememberScroll(scroll: number): void {
    if (this.model.kept.sessionId === null) super.rememberScroll(scroll);
  }

  protected override content(): TemplateResult {
    const context: RenderContext = { ...this.renderContext, actions: this.#actions };
    return this.model.kept.sessionId === null ? overviewOf(context) : sessionOf(context);
  }

  protected override back(): boolean {
    const { sessionId } = this.model.kept;
    if (sessionId === null) return false;
    this.#cameFrom = sessionId;
    this.setModel(withSession(this.model, null));
    this.post({ type: "closeSession" });
    return true;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("model")) return;
    const { kept, overview } = this.model;
    if (kept.sessionId !== null) {
      this.showNewPage();
      void this.#showCompaction();
      void this.#showTurn();
    } else if (overview !== null) this.#showOverview();
  }

  async #showCompaction(): Promise<void> {
    const diffs = this.model.session?.page?.compactionDiffs;
    if (this.#compaction === null || diffs === undefined) return;
    const at = diffs.findIndex(({ id }) => id === this.#compaction);
    this.#compaction = null;
    await this.whole();
    const summary = this.renderRoot.querySelector<HTMLElement>(`#compaction-${at} summary`);
    summary?.scrollIntoView({ block: "start" });
    focusInPage(summary);
  }

  async #showTurn(): Promise<void> {
    const turn = this.#turn;
    if (turn === null || this.model.session?.page === undefined) return;
    this.#turn = null;
    await this.whole();
    this.#actions.showTurn(turn);
  }

  #showOverview(): void {
    if (this.#cameFrom === null) this.restoreScroll();
    else void this.#return(this.#cameFrom, this.#scrollBehind);
    this.#cameFrom = null;
    this.hasRestoredScroll = true;
  }

  async #return(session: string, scroll: number): Promise<void> {
    await this.scrollWhole(scroll);
    const table = this.renderRoot.querySelector("#sessions");
    const isFound = table instanceof PurserTable && table.focusRow(session);
    if (!isFound) this.focusHeading();
    this.ownerDocument.defaultView?.scrollTo(0, scroll);
  }

  #withCard(act: (card: { readonly id: string; readonly card: RelayCard["parts"] }) => void): void {
    const { card } = this.model;
    const parts = editedParts(this.model);
    if (card !== null && parts !== null) act({ id: card.id, card: parts });
  }

  readonly #actions: Actions = {
    ...this.pageActions,
    retry: () => {
      this.model = withAsking(this.model);
      this.post({ type: "retry" });
    },
    ask: (question) => {
      this.setModel(withQuestion(this.model, question));
      this.post({ type: "ask", question });
    },
    pickDays: (since, until) => {
      this.setModel(withDays(this.model, since, until));
      this.post({ type: "ask", question: this.model.kept.question });
    },
    openSession: (id) => {
      if (this.model.kept.sessionId === null) {
        this.#scrollBehind = this.ownerDocument.defaultView?.scrollY ?? 0;
        this.#cameFrom = null;
      }
      this.navigate(withSession(this.model, id), true);
      this.post({ type: "openSession", id });
    },
    openTurn: (session, messageId) => {
      this.#turn = messageId;
      this.#actions.openSession(session);
    },
    exportAs: (format) => {
      const what = this.model.kept.sessionId === null ? "overview" : "session";
      this.post({ type: "export", what, format });
    },
    openTranscript: (id) => this.post({ type: "openTranscript", id }),
    handOver: (id) => this.post({ type: "handOver", id }),
    editCard: (part, text) => {
      const { card } = this.model;
      const parts = editedParts(this.model);
      if (card !== null && parts !== null)
        this.keep({ edited: { id: card.id, parts: { ...parts, [part]: text } } });
    },
    chooseAgent: (chosenAgent) => {
      this.model = { ...this.model, chosenAgent };
    },
    startCard: (agent) => this.#withCard((card) => this.post({ type: "startCard", ...card, agent })),
    openCard: () => this.#withCard((card) => this.post({ type: "openCard", ...card })),
    copyCard: () => this.#withCard((card) => this.post({ type: "copyCard", ...card })),
    closeCard: () =>
      this.#withCard(({ id, card }) => {
        const isEdited = this.model.kept.edited?.id === id;
        this.post({ type: "closeCard", id, card: isEdited ? card : null });
        this.keep({ edited: null });
      }),
    putBackCard: (id, items) => this.post({ type: "putBackCard", id, items: [...items] }),
    getStarted: () => this.post({ type: "getStarted" }),
    putBack: (session, diff, items) => this.post({ type: "putBack", session, diff, items: [...items] }),
    setMetric: (metric) => this.keep({ metric }),
    setBreakdown: (breakdown) => this.keep({ breakdown }),
    showTurn: (messageId) => {
      const page = this.model.session?.page ?? null;
      const chart = this.renderRoot.querySelector("#context");
      if (page === null || !(chart instanceof PurserChart)) return;
      chart.scrollIntoView({ block: "center" });
      chart.focusColumn(mainTurns(page).findIndex((turn) => turn.messageId === messageId));
    },
  };
}

customElements.define("purser-ledger", PurserLedger);

function ready({ question, sessionId }: PanelState): PanelMessage {
  return { type: "ready", question, sessionId };
}

function isAwaiting({ isAsking }: Model): boolean {
  return isAsking;
}

/** Announces no unrequested updates: they come every second while transcripts are read. */
function isNews({ before, now }: Change<Model, HostMessage>): boolean {
  const isNewTrouble = now.trouble !== null && now.trouble.message !== before.trouble?.message;
  return isNewTrouble || (before.isAsking && !now.isAsking);
}

/** Uses the same templates for every page, so that the focused element is preserved. */
function overviewOf(context: RenderContext): TemplateResult {
  const { model } = context;
  const { overview, trouble } = model;
  const body =
    overview !== null
      ? overviewPage(context, overview)
      : trouble === null
        ? skeleton()
        : troubleView(trouble, context.actions);
  const isBare = overview === null && trouble !== null;
  return html`<div class="top">
      ${overviewHeader(context)}${overview === null ? nothing : troubleBanner(trouble, context.actions)}
      ${isBare ? nothing : filters(context)}
    </div>
    ${body}`;
}

function sessionOf(context: RenderContext): TemplateResult {
  const { session, trouble } = context.model;
  const page = session?.page ?? null;
  const body =
    page !== null
      ? sessionView(context, page, session?.work ?? null)
      : trouble !== null
        ? troubleView(trouble, context.actions)
        : session === null
          ? skeleton()
          : unknownSession(context);
  return html`<div class="top">
      ${sessionHeader(context)}${page === null ? nothing : troubleBanner(trouble, context.actions)}
    </div>
    ${relayCard(context)} ${body}`;
}

function unknownSession({ actions }: RenderContext): TemplateResult {
  return stateView({
    icon: "none",
    heading: t("Nothing is known of this session"),
    text: t("It may not have been read yet, or it has no response."),
    actions: [
      { label: t("Try Again"), run: () => actions.retry() },
      { label: t("Back to Usage"), run: () => actions.back() },
    ],
  });
}

function spoken({ kept, overview, session, trouble }: Model): string {
  if (trouble !== null) return trouble.message;
  if (kept.sessionId !== null)
    return session?.page === null ? t("Nothing is known of this session.") : t("Session shown.");
  if (overview === null) return "";
  const { totals, sessionCount } = overview.overview;
  return t(
    "{0} new tokens in {1} sessions.",
    wholeNumber(processingTokens(totals.usage)),
    wholeNumber(sessionCount),
  );
}
