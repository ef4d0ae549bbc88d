import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { panelStyles } from "../components/panel-styles.ts";
import { banner, skeleton, stateStyles, stateView } from "../components/states.ts";
import { controls, shared } from "../components/styles.ts";
import type { Actions, Scene } from "./actions.ts";
import { benchPage } from "./bench-page.ts";
import { gridStyles } from "./grid-styles.ts";
import { homePage } from "./home-page.ts";
import { benchOf, firstModel, heard, isSameAsk, withAsk, withPlace, type Model } from "./model.ts";
import { pageStyles } from "./page-styles.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState, type Place } from "./protocol.ts";
import { runPageOf } from "./run-page.ts";
import { spokenState } from "./words.ts";

interface Ports {
  readonly say: (message: PanelMessage) => void;
  /** Remembers it while the panel is hidden and over a reload of the window. */
  readonly keep: (state: PanelState) => void;
}

/** The whole panel. What the host says it is told by `hear`. */
export class PurserBench extends LitElement {
  static override readonly styles = [shared, controls, stateStyles, panelStyles, pageStyles, gridStyles];
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
    const before = this.model;
    this.model = heard(before, message);
    if (this.model.kept !== before.kept) this.#ports.keep(this.model.kept);
    const { ask } = this.model.kept;
    // The host is asked for the price of whatever the form says, from the first time that it says something.
    if (message.type === "choices" && ask !== null) this.#ports.say({ type: "plan", ask });
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

  /** The tables and charts below have to be there first. */
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
      const before = this.model.kept.place;
      this.model = withPlace(this.model, place);
      // Another run beside the one that is read is no other page.
      this.#hasToShowHeading = !isSamePage(before, place);
      this.#keep({ place });
      this.#ports.say({ type: "look", place });
    },
    back: () => {
      const { place } = this.model.kept;
      this.#actions.look(place.kind === "run" ? { kind: "bench", id: place.id } : { kind: "home" });
    },
    choose: (ask) => {
      if (this.model.kept.place.kind !== "home") this.#actions.look({ kind: "home" });
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
    retry: () => {
      this.model = { ...this.model, trouble: null };
      this.#ports.say({ type: "retry" });
    },
    showLog: () => this.#ports.say({ type: "showLog" }),
    manageTrust: () => this.#ports.say({ type: "manageTrust" }),
    openChange: (asked) => this.#ports.say({ type: "openChange", ...asked }),
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

customElements.define("purser-bench", PurserBench);

function isSamePage(one: Place, other: Place): boolean {
  if (one.kind === "run" && other.kind === "run") return one.id === other.id && one.runId === other.runId;
  return one.kind === other.kind && benchOf(one) === benchOf(other);
}

/** There is nothing yet of what is looked at. */
function isAwaiting({ kept, choices, jobs, bench, pages, trouble, plan }: Model): boolean {
  if (trouble !== null) return false;
  const { place } = kept;
  switch (place.kind) {
    case "home":
      return (
        choices === null ||
        jobs === null ||
        (kept.ask !== null && !isSameAsk(plan?.ask ?? kept.ask, kept.ask))
      );
    case "bench":
      return bench === null;
    case "run":
      return !pages.has(`${place.id} ${place.runId}`);
  }
}

function pageOf(scene: Scene): TemplateResult {
  const { kept, trouble, bench, choices, jobs } = scene.model;
  const { place } = kept;
  const isBare =
    place.kind === "home" ? choices === null && jobs === null : bench === null && place.kind === "bench";
  if (isBare && trouble !== null) return troubleView(scene, trouble);
  const line =
    trouble === null
      ? nothing
      : banner(trouble.message, { label: "Try Again", run: () => scene.actions.retry() });
  switch (place.kind) {
    case "home":
      return html`${line}${homePage(scene)}`;
    case "run":
      return html`${line}${runPageOf(scene, place)}`;
    case "bench":
      if (bench === null) return skeleton();
      return bench.view === null ? unknownBench(scene) : html`${line}${benchPage(scene, bench.view)}`;
  }
}

function unknownBench({ actions }: Scene): TemplateResult {
  return stateView({
    icon: "none",
    heading: "There is no such bench any more",
    text: "Its folder below purser's home was removed.",
    actions: [{ label: "Back to Benchmark", run: () => actions.back() }],
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
function spokenOf({ kept, bench, trouble, plan, choices }: Model): string {
  const view = bench?.view ?? null;
  const problem = plan?.problem ?? null;
  if (trouble !== null) return trouble.message;
  if (kept.place.kind === "bench") return view === null ? "" : spokenState(view);
  if (kept.place.kind === "home" && choices !== null && problem !== null) return problem;
  return "";
}
