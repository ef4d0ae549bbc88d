import { LitElement, html, nothing, type PropertyDeclarations, type PropertyValues } from "lit";
import { styles } from "./styles.ts";
import type { PageActions, PageContext, PageModel } from "./page-context.ts";

/** The page's connection to its host. */
interface Host<Message, State> {
  readonly post: (message: Message) => void;
  /** Stores the state while the panel is hidden and over a reload of the window. */
  readonly keep: (state: State) => void;
}

/** Messages common to all panels' protocols. */
type PageMessage = { readonly type: "retry" } | { readonly type: "showLog" };

/** A message, and the model before and after it. */
export interface Change<Model, HostMessage> {
  readonly before: Model;
  readonly now: Model;
  readonly message: HostMessage;
}

/** A panel's own functions for its model. */
interface PageKind<Model extends PageModel, HostMessage, PanelMessage> {
  readonly firstState: Model["kept"];
  /** Creates the model of a newly opened page. */
  readonly firstModel: (kept: Model["kept"]) => Model;
  /** Creates the first message to the host, which answers with everything the page shows. */
  readonly ready: (kept: Model["kept"]) => PanelMessage;
  /** Applies a message of the host to the model. */
  readonly applyMessage: (model: Model, message: HostMessage) => Model;
  /** Whether the page waits for an answer that it cannot do without. */
  readonly isAwaiting: (model: Model) => boolean;
  /** The page's state in a sentence, for screen readers. */
  readonly spoken: (model: Model) => string;
  /** Whether a message is announced; by default every message that changes the sentence. */
  readonly isNews?: (change: Change<Model, HostMessage>) => boolean;
  /** Whether the page has its full height, so that it can scroll to the stored position; by default once nothing is awaited. */
  readonly isComplete?: (model: Model) => boolean;
}

/**
 * Base class of a panel's whole page. It holds the model, exchanges messages with the host, and does what all pages
 * share: it shows a progress line, announces news to screen readers, focuses the heading of a new page, restores the
 * scroll position, and goes back on Escape.
 */
export abstract class PanelPage<Model extends PageModel, HostMessage, PanelMessage> extends LitElement {
  static override readonly styles = styles;
  static override readonly properties: PropertyDeclarations = {
    model: { state: true },
    tables: { state: true },
    announcement: { state: true },
  };
  declare model: Model;
  declare tables: ReadonlySet<string>;
  /** Read out by screen readers when it changes. */
  declare announcement: string;
  #host: Host<PanelMessage | PageMessage, Model["kept"]> = { post: () => undefined, keep: () => undefined };
  readonly #kind: PageKind<Model, HostMessage, PanelMessage>;
  #isNewPage = false;
  /** The scroll position may be stored: an earlier one was restored, or given up. */
  protected hasRestoredScroll = false;

  /** The common actions, to which each panel adds its own. */
  protected readonly pageActions: PageActions = {
    back: () => void this.back(),
    retry: () => {
      this.model = { ...this.model, trouble: null };
      this.post({ type: "retry" });
    },
    showLog: () => this.post({ type: "showLog" }),
    toggleTable: (chart) => {
      const tables = new Set(this.tables);
      if (!tables.delete(chart)) tables.add(chart);
      this.tables = tables;
    },
  };

  constructor(kind: PageKind<Model, HostMessage, PanelMessage>) {
    super();
    this.#kind = kind;
    this.model = kind.firstModel(kind.firstState);
    this.tables = new Set();
    this.announcement = "";
  }

  protected abstract content(): unknown;

  /** Goes one page back. Returns whether there was one. */
  protected back(): boolean {
    return false;
  }

  /** Shows the panel's first page. */
  home(): void {
    this.back();
  }

  /** @param kept the stored state, if there is one */
  start(kept: Model["kept"] | undefined, host: Host<PanelMessage | PageMessage, Model["kept"]>): void {
    const { firstModel, firstState, ready } = this.#kind;
    this.#host = host;
    this.model = firstModel(kept ?? firstState);
    this.post(ready(this.model.kept));
  }

  /** Handles a message of the host. */
  handle(message: HostMessage): void {
    const { applyMessage, spoken, isNews } = this.#kind;
    const before = this.model;
    this.setModel(applyMessage(before, message));
    const { model: now } = this;
    const isAnnounced = isNews?.({ before, now, message }) ?? spoken(now) !== spoken(before);
    if (isAnnounced) this.announcement = spoken(now);
  }

  rememberScroll(scroll: number): void {
    if (this.hasRestoredScroll) this.setModel({ ...this.model, kept: { ...this.model.kept, scroll } });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("page");
    this.ownerDocument.addEventListener("keydown", this.#onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener("keydown", this.#onKey);
  }

  protected override render() {
    const isAwaited = this.#kind.isAwaiting(this.model);
    return html`${isAwaited || this.model.isBusy === true ? html`<div class="progress"></div>` : nothing}
      <main aria-busy=${isAwaited ? "true" : "false"}>${this.content()}</main>
      <p class="hidden-text" role="status">${this.announcement}</p>`;
  }

  protected override updated(changed: PropertyValues): void {
    const { isAwaiting, isComplete } = this.#kind;
    const isThere = isComplete?.(this.model) ?? !isAwaiting(this.model);
    if (!changed.has("model") || !isThere) return;
    if (!this.showNewPage()) this.restoreScroll();
    this.hasRestoredScroll = true;
  }

  /** The context without the panel's actions. */
  protected get renderContext(): Omit<PageContext<Model, never>, "actions"> {
    return { model: this.model, tables: this.tables, now: Date.now() };
  }

  protected post(message: PanelMessage | PageMessage): void {
    this.#host.post(message);
  }

  /** Posts a message and waits for its effect. */
  protected press(message: PanelMessage): void {
    this.model = { ...this.model, isBusy: true, trouble: null };
    this.post(message);
  }

  /** Shows another model, and stores its state if that changed. */
  protected setModel(model: Model): void {
    const { kept } = this.model;
    this.model = model;
    if (model.kept !== kept) this.#host.keep(model.kept);
  }

  protected keep(change: Partial<Model["kept"]>): void {
    this.setModel({ ...this.model, kept: { ...this.model.kept, ...change } });
  }

  /**
   * Shows another model.
   * @param isNewPage whether it is another page with a heading to read aloud
   */
  protected navigate(model: Model, isNewPage: boolean): void {
    this.setModel(model);
    this.#isNewPage = isNewPage;
  }

  /** Shows the top of a newly opened page. Returns whether there was one. */
  protected showNewPage(): boolean {
    if (!this.#isNewPage) return false;
    this.#isNewPage = false;
    this.ownerDocument.defaultView?.scrollTo(0, 0);
    this.focusHeading();
    return true;
  }

  protected focusHeading(): void {
    focusInPage(this.renderRoot.querySelector<HTMLElement>("h1"));
  }

  /** Restores the stored scroll position, once. */
  protected restoreScroll(): void {
    if (!this.hasRestoredScroll) void this.scrollWhole(this.model.kept.scroll ?? 0);
    this.hasRestoredScroll = true;
  }

  /** Scrolls as soon as the tables and charts have their final heights. */
  protected async scrollWhole(scroll: number): Promise<void> {
    await this.whole();
    this.ownerDocument.defaultView?.scrollTo(0, scroll);
  }

  /** Resolves when everything on the page is rendered. */
  protected async whole(): Promise<void> {
    const parts = [...this.renderRoot.querySelectorAll("*")].filter((part) => part instanceof LitElement);
    await Promise.all(parts.map((part) => part.updateComplete));
  }

  /** Escape and Alt+Left go back. */
  protected handleKey(event: KeyboardEvent): void {
    const { key, altKey, defaultPrevented } = event;
    const isBack = key === "Escape" || (altKey && key === "ArrowLeft");
    if (isBack && !defaultPrevented && this.back()) event.preventDefault();
  }

  readonly #onKey = (event: KeyboardEvent) => this.handleKey(event);
}

/** Ends the wait for the last requested focus. */
let waiting = new AbortController();

/**
 * Moves the focus to an element: at once if the page has the focus, else when it gets it. A late answer then
 * does not take the focus from elsewhere: VS Code's command palette closes when it loses it.
 */
export function focusInPage(element: HTMLElement | null | undefined): void {
  if (element === null || element === undefined) return;
  waiting.abort();
  waiting = new AbortController();
  const focus = () => element.focus({ preventScroll: true });
  if (element.ownerDocument.hasFocus()) focus();
  else
    element.ownerDocument.defaultView?.addEventListener("focus", focus, {
      once: true,
      signal: waiting.signal,
    });
}
