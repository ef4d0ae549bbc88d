import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { panelStyles } from "../components/panel-styles.ts";
import { banner, skeleton, stateStyles, stateView } from "../components/states.ts";
import { controls, shared } from "../components/styles.ts";
import type { Actions, Scene } from "./actions.ts";
import { ruleList } from "./list.ts";
import { memoryPage } from "./memory-page.ts";
import { firstModel, heard, neighbour, placeOf, withPlace, type Model, type Shown } from "./model.ts";
import { pageStyles } from "./page-styles.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState } from "./protocol.ts";
import { rulePage } from "./rule-page.ts";
import { askOf, planOf } from "./selection.ts";
import { selectionPage } from "./selection-page.ts";
import { approveLabel, ruleWords } from "./words.ts";

interface Ports {
  readonly say: (message: PanelMessage) => void;
  /** Remembers it while the panel is hidden and over a reload of the window. */
  readonly keep: (state: PanelState) => void;
}

/** The whole panel. What the host says it is told by `hear`. */
export class PurserRules extends LitElement {
  static override readonly styles = [shared, controls, stateStyles, panelStyles, pageStyles];
  static override readonly properties = { model: { state: true }, isTable: { state: true } };
  declare model: Model;
  declare isTable: boolean;
  #ports: Ports = { say: () => undefined, keep: () => undefined };
  #hasToFocusItem = false;
  #hasToFocusText = false;

  constructor() {
    super();
    this.model = firstModel(firstState);
    this.isTable = false;
  }

  /** @param kept what it remembered when it was last there */
  begin(kept: PanelState, ports: Ports): void {
    this.#ports = ports;
    this.model = firstModel(kept);
    this.#ports.say({ type: "ready", place: kept.place });
  }

  hear(message: HostMessage): void {
    const before = this.model;
    this.model = heard(before, message);
    const { place } = this.model.kept;
    if (place !== before.kept.place && place !== null) {
      this.#ports.keep(this.model.kept);
      this.#ports.say({ type: "look", place });
    }
    if (message.type === "offer" || message.type === "rules") this.#plan();
  }

  /** Asks what the form would spend, where that is not known. */
  #plan(): void {
    if (this.model.kept.place?.kind !== "selection" || planOf(this.model) !== null) return;
    const ask = askOf(this.model);
    if (ask !== null) this.#ports.say({ type: "plan", ask });
  }

  rememberScroll(scroll: number): void {
    this.model = { ...this.model, kept: { ...this.model.kept, scroll } };
    this.#ports.keep(this.model.kept);
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
    const { model } = this;
    const scene: Scene = { model, actions: this.#actions, isTable: this.isTable, now: Date.now() };
    const isAwaited = model.view === null && model.trouble === null;
    return html`${isAwaited || model.isBusy ? html`<div class="progress"></div>` : nothing}
      <main aria-busy=${isAwaited ? "true" : "false"}>${pageOf(scene)}</main>
      <p class="hidden-text" role="status">${model.trouble?.message ?? model.done}</p>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("model")) return;
    if (this.#hasToFocusItem) {
      this.#hasToFocusItem = false;
      this.renderRoot.querySelector<HTMLElement>('.item[aria-current="true"]')?.focus();
    }
    if (this.#hasToFocusText) {
      this.#hasToFocusText = false;
      this.renderRoot.querySelector<HTMLInputElement>(".writing input")?.focus();
    }
  }

  readonly #onKey = (event: KeyboardEvent) => {
    const { key, defaultPrevented, ctrlKey, metaKey, altKey } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey) return;
    const { model } = this;
    const isTyping = event.composedPath().some((part) => part instanceof HTMLInputElement);
    if (isTyping) {
      if (key !== "Escape") return;
      this.model = { ...model, writing: null };
      this.#hasToFocusItem = true;
    } else if (!this.#act(key)) return;
    event.preventDefault();
  };

  /** Says whether the key means something here. */
  #act(key: string): boolean {
    const shown = placeOf(this.model);
    const rule = shown?.kind === "rule" ? shown.rule : null;
    if (key === "j" || key === "k") {
      const next = neighbour(this.model, key === "j" ? 1 : -1);
      if (next === undefined) return false;
      this.#hasToFocusItem = true;
      this.#actions.look({ kind: "rule", id: next.id });
      return true;
    }
    if (rule === null || this.model.isBusy) return false;
    switch (key) {
      case "a":
        if (approveLabel(rule) === null) return false;
        this.#actions.act(rule, { kind: "approve" });
        return true;
      case "r":
        if (rule.status === "evicted") return false;
        this.#actions.write(rule, "reject");
        return true;
      case "e":
        if (rule.status !== "candidate") return false;
        this.#actions.write(rule, "edit");
        return true;
      case "p":
        this.#actions.act(rule, { kind: "protect", isProtected: !rule.isProtected });
        return true;
      case "u":
        if (!rule.canUndo) return false;
        this.#actions.act(rule, { kind: "undo" });
        return true;
      default:
        return false;
    }
  }

  readonly #actions: Actions = {
    look: (place) => {
      this.model = withPlace(this.model, place);
      this.#ports.keep(this.model.kept);
      this.#ports.say({ type: "look", place });
    },
    act: (rule, act) => {
      this.model = { ...this.model, isBusy: true, trouble: null };
      this.#ports.say({ type: "act", id: rule.id, act });
    },
    write: (rule, kind) => {
      const text = kind === "edit" ? ruleWords(rule, 400) : "";
      this.model = { ...this.model, writing: kind === null ? null : { id: rule.id, kind, text } };
      this.#hasToFocusText = kind !== null;
      this.#hasToFocusItem = kind === null;
    },
    rewrite: (text) => {
      const { writing } = this.model;
      if (writing !== null) this.model = { ...this.model, writing: { ...writing, text } };
    },
    say: (message) => {
      if (message.type === "retry") this.model = { ...this.model, trouble: null };
      if (spending.has(message.type)) this.model = { ...this.model, isBusy: true, trouble: null };
      this.#ports.say(message);
    },
    choose: (form) => {
      this.model = { ...this.model, form, plan: null };
      this.#plan();
    },
    toggleTable: () => {
      this.isTable = !this.isTable;
    },
  };
}

customElements.define("purser-rules", PurserRules);

/** What is waited for before anything else is done. */
const spending: ReadonlySet<PanelMessage["type"]> = new Set(["compile", "undoMemory", "start", "resume"]);

/** Where nothing else is a page's title. */
const title = html`<h1 class="hidden-text">Rule Review</h1>`;

function pageOf(scene: Scene): TemplateResult {
  const { model, actions } = scene;
  const { view, trouble } = model;
  if (view === null)
    return trouble === null
      ? skeleton()
      : html`${title}${stateView({
          icon: trouble.type === "offline" ? "disconnect" : "error",
          heading: trouble.type === "offline" ? "The service is offline" : "That did not work",
          text: trouble.message,
          actions: [
            { label: "Try Again", run: () => actions.say({ type: "retry" }) },
            { label: "Show Log", run: () => actions.say({ type: "showLog" }) },
          ],
        })}`;
  const line =
    trouble === null
      ? nothing
      : banner(trouble.message, { label: "Try Again", run: () => actions.say({ type: "retry" }) });
  if (view.rules.length === 0)
    return html`${line}${title}${stateView({
      icon: "inbox",
      heading: "No rules yet",
      text: "When a run takes more than three of four before it, what it could have saved is proposed here. You can write one yourself, or take the lines of a CLAUDE.md. Nothing reaches an agent before you approve it and it is measured.",
      actions: [{ label: "Add Rule…", run: () => actions.say({ type: "add" }) }],
    })}`;
  const shown = placeOf(model);
  return html`${line}
    <div class="columns">
      ${ruleList(scene)}
      ${shown === null ? html`<p class="quiet">Choose a rule.</p>` : shownPage(scene, shown)}
    </div>`;
}

function shownPage(scene: Scene, shown: Shown): TemplateResult {
  switch (shown.kind) {
    case "rule":
      return rulePage(scene, shown.rule);
    case "memory":
      return memoryPage(scene, shown.memory);
    case "selection":
      return selectionPage(scene, shown.agent);
  }
}
