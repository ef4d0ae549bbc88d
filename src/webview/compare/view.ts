import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { gridStyles } from "../bench/grid-styles.ts";
import { pageStyles } from "../bench/page-styles.ts";
import { stateNames } from "../bench/words.ts";
import { panelStyles } from "../components/panel-styles.ts";
import { banner, skeleton, stateStyles, stateView } from "../components/states.ts";
import { controls, shared } from "../components/styles.ts";
import type { Actions, Scene } from "./actions.ts";
import { comparePage } from "./compare-page.ts";
import { homePage } from "./home-page.ts";
import { firstModel, heard, isSameAsk, withAsk, withPlace, type Model } from "./model.ts";
import { compareStyles } from "./page-styles.ts";
import { planPage } from "./plan-page.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState, type Place } from "./protocol.ts";
import { spokenState } from "./words.ts";

interface Ports {
  readonly say: (message: PanelMessage) => void;
  /** Remembers it while the panel is hidden and over a reload of the window. */
  readonly keep: (state: PanelState) => void;
}

/** The whole panel. What the host says it is told by `hear`. */
export class PurserCompare extends LitElement {
  static override readonly styles = [
    ...[shared, controls, stateStyles, panelStyles],
    ...[pageStyles, gridStyles, compareStyles],
  ];
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
    this.#ports.say({ type: "ready", place: kept.place, ask: kept.ask });
  }

  hear(message: HostMessage): void {
    if (message.type === "show") {
      this.#actions.look(message.place);
      return;
    }
    if (message.type === "showPlan") {
      this.#actions.choose(message.ask);
      return;
    }
    const before = this.model;
    this.model = heard(before, message);
    const spoken = spokenOf(this.model);
    if (spoken !== spokenOf(before)) this.announcement = spoken;
  }

  rememberScroll(scroll: number): void {
    if (this.#restoredScroll) this.#keep({ scroll });
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
    const isAwaited = isAwaiting(model);
    return html`${isAwaited || model.isBusy ? html`<div class="progress"></div>` : nothing}
      <main aria-busy=${isAwaited ? "true" : "false"}>${pageOf(scene)}</main>
      <p class="hidden-text" role="status">${this.announcement}</p>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("model") || isAwaiting(this.model)) return;
    if (this.#hasToShowHeading) {
      this.#hasToShowHeading = false;
      this.ownerDocument.defaultView?.scrollTo(0, 0);
      this.renderRoot.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    } else if (!this.#restoredScroll) void this.#scrollTo(this.model.kept.scroll);
    this.#restoredScroll = true;
  }

  /** The tables below have to be there first. */
  async #scrollTo(scroll: number): Promise<void> {
    const parts = [...this.renderRoot.querySelectorAll("*")].filter((part) => part instanceof LitElement);
    await Promise.all(parts.map((part) => part.updateComplete));
    this.ownerDocument.defaultView?.scrollTo(0, scroll);
  }

  readonly #onKey = (event: KeyboardEvent) => {
    const { key, altKey, defaultPrevented } = event;
    const isBack = key === "Escape" || (altKey && key === "ArrowLeft");
    if (!isBack || defaultPrevented || this.model.kept.place.kind === "home") return;
    event.preventDefault();
    this.#actions.back();
  };

  readonly #actions: Actions = {
    look: (place) => {
      this.#hasToShowHeading = !isSamePage(this.model.kept.place, place);
      this.model = withPlace(this.model, place);
      this.#keep({ place });
      this.#ports.say({ type: "look", place });
    },
    back: () => this.#actions.look({ kind: "home" }),
    pick: () => this.#ports.say({ type: "pick" }),
    choose: (ask) => {
      if (this.model.kept.place.kind !== "plan") this.#actions.look({ kind: "plan" });
      this.model = withAsk(this.model, ask);
      this.#keep({ ask });
      this.#ports.say({ type: "plan", ask });
    },
    start: (ask) => {
      this.#press();
      this.#ports.say({ type: "start", ask });
    },
    cancel: (id) => {
      this.#press();
      this.#ports.say({ type: "cancel", id });
    },
    resume: (id) => {
      this.#press();
      this.#ports.say({ type: "resume", id });
    },
    export: (id, format) => this.#ports.say({ type: "export", id, format }),
    openRun: (id, runId, beside) => this.#ports.say({ type: "openRun", id, runId, beside }),
    retry: () => {
      this.model = { ...this.model, trouble: null };
      this.#ports.say({ type: "retry" });
    },
    showLog: () => this.#ports.say({ type: "showLog" }),
    toggleTable: (chart) => {
      const tables = new Set(this.tables);
      if (!tables.delete(chart)) tables.add(chart);
      this.tables = tables;
    },
  };

  #press(): void {
    this.model = { ...this.model, isBusy: true, trouble: null };
  }

  #keep(change: Partial<PanelState>): void {
    this.model = { ...this.model, kept: { ...this.model.kept, ...change } };
    this.#ports.keep(this.model.kept);
  }
}

customElements.define("purser-compare", PurserCompare);

function isSamePage(one: Place, other: Place): boolean {
  return one.kind === "comparison" && other.kind === "comparison"
    ? one.id === other.id
    : one.kind === other.kind;
}

/** There is nothing yet of what is looked at. */
function isAwaiting({ kept, jobs, shown, trouble, plan }: Model): boolean {
  if (trouble !== null) return false;
  switch (kept.place.kind) {
    case "home":
      return jobs === null;
    case "plan":
      return kept.ask !== null && (plan === null || !isSameAsk(plan.ask, kept.ask));
    case "comparison":
      return shown === null;
  }
}

function pageOf(scene: Scene): TemplateResult {
  const { kept, trouble, shown, jobs, plan } = scene.model;
  const { place } = kept;
  const isBare = { home: jobs === null, plan: plan === null, comparison: shown === null }[place.kind];
  if (isBare && trouble !== null) return troubleView(scene, trouble);
  const line =
    trouble === null
      ? nothing
      : banner(trouble.message, { label: "Try Again", run: () => scene.actions.retry() });
  switch (place.kind) {
    case "home":
      return html`${line}${homePage(scene)}`;
    case "plan":
      return html`${line}${planPage(scene)}`;
    case "comparison": {
      if (shown === null) return skeleton();
      const ask = shown.view?.ask;
      return shown.view === null || ask?.kind !== "compare"
        ? unknownComparison(scene)
        : html`${line}${comparePage(scene, shown.view, ask)}`;
    }
  }
}

function unknownComparison({ actions }: Scene): TemplateResult {
  return stateView({
    icon: "none",
    heading: "There is no such comparison any more",
    text: "Its folder below purser's home was removed.",
    actions: [{ label: "Back to Compare", run: () => actions.back() }],
  });
}

function troubleView({ actions }: Scene, trouble: NonNullable<Model["trouble"]>): TemplateResult {
  const isOffline = trouble.type === "offline";
  return stateView({
    icon: isOffline ? "disconnect" : "error",
    heading: isOffline ? "The service is offline" : "That did not work",
    text: trouble.message,
    actions: [
      { label: "Try Again", run: () => actions.retry() },
      { label: "Show Log", run: () => actions.showLog() },
    ],
  });
}

/** What is worth being told of what is looked at. */
function spokenOf({ kept, shown, trouble, plan }: Model): string {
  if (trouble !== null) return trouble.message;
  const view = shown?.view ?? null;
  if (kept.place.kind === "comparison")
    return view === null ? "" : spokenState(view, stateNames[view.state.kind].word);
  return kept.place.kind === "plan" ? (plan?.problem ?? "") : "";
}
