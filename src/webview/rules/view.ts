import { LitElement, html, nothing, type PropertyValues } from "lit";
import type { RuleView } from "../../engine/service/rules-view.ts";
import { panelStyles } from "../components/panel-styles.ts";
import { stateStyles } from "../components/states.ts";
import { controls, shared } from "../components/styles.ts";
import type { Actions, Scene } from "./actions.ts";
import { decidingOf, undoable } from "./decision.ts";
import { commandOf, type Command } from "./keys.ts";
import { layoutStyles } from "./layout-styles.ts";
import type { Model } from "./page-model.ts";
import { firstModel, heard, placeOf, withOpen, withPlace } from "./model.ts";
import { moved, type Move } from "./order.ts";
import { pageOf } from "./page.ts";
import { pageStyles } from "./page-styles.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState, type Place } from "./protocol.ts";
import { askOf, planOf } from "./selection.ts";
import { isInSight, isReadable } from "./sight.ts";
import { approveLabel, ruleWords } from "./words.ts";

interface Ports {
  readonly say: (message: PanelMessage) => void;
  /** Remembers it while the panel is hidden and over a reload of the window. */
  readonly keep: (state: PanelState) => void;
}

/** From this width on the list and what is chosen in it are side by side. */
const wide = "(min-width: 641px)";

/** Where the focus goes once what was changed is shown. */
type FocusTarget = "entry" | "title" | "field";
const selectors: Readonly<Record<FocusTarget, string>> = {
  entry: '.item[tabindex="0"]',
  title: ".detail h1",
  field: ".writing input",
};

/** The whole panel. What the host says it is told by `hear`. */
export class PurserRules extends LitElement {
  static override readonly styles = [shared, controls, stateStyles, panelStyles, pageStyles, layoutStyles];
  static override readonly properties = {
    model: { state: true },
    isTable: { state: true },
    isNarrow: { state: true },
    isLegendOpen: { state: true },
  };
  declare model: Model;
  declare isTable: boolean;
  declare isNarrow: boolean;
  declare isLegendOpen: boolean;
  readonly #wide = window.matchMedia(wide);
  #ports: Ports = { say: () => undefined, keep: () => undefined };
  #focus: FocusTarget | null = null;
  #shown: Place | null = null;
  /** The chosen entry was, before the update that is made now. */
  #wasInSight = false;

  constructor() {
    super();
    this.model = firstModel(firstState);
    this.isTable = false;
    this.isLegendOpen = false;
    this.isNarrow = !this.#wide.matches;
  }

  /** @param kept what it remembered when it was last there */
  begin(kept: PanelState, ports: Ports): void {
    this.#ports = ports;
    this.model = firstModel(kept);
    this.#ports.say({ type: "ready", place: kept.place });
  }

  hear(message: HostMessage): void {
    const before = this.model;
    this.#become(heard(before, message));
    // The rule that was decided made place for another, which is read out where the title has the focus.
    if (before.deciding !== null && this.model.deciding === null) this.#focusShown();
    if (message.type === "show" && this.isNarrow) this.#focusOn("title");
    if (message.type === "offer" || message.type === "rules") this.#plan();
  }

  /** Remembers what is new of it, and tells the host what is looked at now. */
  #become(model: Model): void {
    const { kept } = this.model;
    this.model = model;
    if (model.kept === kept) return;
    this.#ports.keep(model.kept);
    const { place } = model.kept;
    if (place !== null && place !== kept.place) this.#ports.say({ type: "look", place });
  }

  /** Asks what the form would spend, where that is not known. */
  #plan(): void {
    if (this.model.kept.place?.kind !== "selection" || planOf(this.model) !== null) return;
    const ask = askOf(this.model);
    if (ask !== null) this.#ports.say({ type: "plan", ask });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.ownerDocument.addEventListener("keydown", this.#onKey);
    this.#wide.addEventListener("change", this.#onWidth);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ownerDocument.removeEventListener("keydown", this.#onKey);
    this.#wide.removeEventListener("change", this.#onWidth);
  }

  protected override render() {
    const { model, isTable, isNarrow, isLegendOpen } = this;
    const scene: Scene = {
      ...{ model, isTable, isNarrow, isLegendOpen },
      ...{ actions: this.#actions, now: Date.now() },
    };
    const isAwaited = model.view === null && model.trouble === null;
    return html`${isAwaited || model.isBusy ? html`<div class="progress"></div>` : nothing}
      <main aria-busy=${isAwaited ? "true" : "false"}>${pageOf(scene)}</main>
      <p class="hidden-text" role="status">${model.trouble?.message ?? model.done}</p>`;
  }

  protected override willUpdate(): void {
    const entry = this.renderRoot.querySelector(selectors.entry);
    this.#wasInSight = entry !== null && isInSight(entry, this.renderRoot.querySelector(".groups"));
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { place } = this.model.kept;
    const isOther = place !== this.#shown;
    this.#shown = place;
    const target = this.#focus;
    this.#focus = null;
    if (isOther) this.#detail?.scrollTo(0, 0);
    // A rule that a person sees chosen stays in sight when it comes into another group.
    if (isOther || target === "entry" || this.#wasInSight || changed.has("isNarrow"))
      this.renderRoot.querySelector(selectors.entry)?.scrollIntoView({ block: "nearest" });
    if (target !== null)
      this.renderRoot.querySelector<HTMLElement>(selectors[target])?.focus({ preventScroll: true });
  }

  readonly #onWidth = () => {
    const hadFocus = this.shadowRoot?.activeElement ?? null;
    this.isNarrow = !this.#wide.matches;
    if (hadFocus !== null) this.#focusShown();
  };

  readonly #onKey = (event: KeyboardEvent) => {
    const { key, defaultPrevented, ctrlKey, metaKey, altKey } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey) return;
    const path = event.composedPath();
    const isTyping = path.some(
      (part) => part instanceof HTMLInputElement || part instanceof HTMLSelectElement,
    );
    if (isTyping) {
      if (key !== "Escape") return;
      this.model = { ...this.model, writing: null };
      this.#focusOn("title");
    } else {
      const isInList = path.some((part) => part instanceof Element && part.matches(".item"));
      const command = commandOf(key, isInList);
      if (command === null || !this.#obey(command, event.repeat)) return;
    }
    event.preventDefault();
  };

  /** Says whether the command means something here. @param isRepeat its key is held down, which decides nothing */
  #obey(command: Command, isRepeat: boolean): boolean {
    switch (command.kind) {
      case "move":
        this.#move(command.move);
        return true;
      case "open":
        if (this.model.kept.place === null) return false;
        this.#actions.look(this.model.kept.place);
        this.#focusOn("title");
        return true;
      case "back":
        if (this.isLegendOpen) this.#actions.toggleLegend();
        else this.#actions.back();
        return true;
      case "legend":
        this.#actions.toggleLegend();
        return true;
      case "undo":
        if (isRepeat || this.model.isBusy) return false;
        return this.#undo();
      case "approve":
      case "protect":
      case "reject":
      case "edit":
        return !isRepeat && !this.model.isBusy && this.#decide(command.kind);
    }
  }

  /** Where what is chosen stands in place of the list, it stays so. */
  #move(move: Move): void {
    const next = moved(this.model, move);
    if (next === null) return;
    this.#become(withPlace(this.model, next));
    this.#focusShown();
  }

  /** Of the rule that is shown. */
  #decide(kind: "approve" | "protect" | "reject" | "edit"): boolean {
    const rule = this.#shownRule;
    if (rule === null || !can(kind, rule)) return false;
    if (!this.#bringsInSight()) return true;
    if (kind === "reject" || kind === "edit") this.#actions.write(rule, kind);
    else if (kind === "approve") this.#actions.act(rule, { kind });
    else this.#actions.act(rule, { kind, isProtected: !rule.isProtected });
    return true;
  }

  /** Of the rule that is shown, or else of the decision that is told below. */
  #undo(): boolean {
    const rule = this.#shownRule;
    if (rule?.canUndo === true) {
      if (this.#bringsInSight()) this.#actions.act(rule, { kind: "undo" });
      return true;
    }
    if (undoable(this.model) === null) return false;
    this.#actions.undoDecided();
    return true;
  }

  get #detail(): HTMLElement | null {
    return this.renderRoot.querySelector(".detail");
  }

  /** Null while something else is shown, or the list in its place. */
  get #shownRule(): RuleView | null {
    const shown = placeOf(this.model);
    return shown?.kind === "rule" && (!this.isNarrow || this.model.kept.isOpen) ? shown.rule : null;
  }

  /** No key decides about what is not seen: where the sentence was scrolled away it comes back. Says whether it was there. */
  #bringsInSight(): boolean {
    const [pane, title] = [this.#detail, this.renderRoot.querySelector(".detail h1")];
    if (pane === null || title === null) return false;
    const isThere = isReadable(title, pane);
    if (!isThere) pane.scrollTo(0, 0);
    return isThere;
  }

  #focusOn(target: FocusTarget): void {
    this.#focus = target;
    this.requestUpdate();
  }

  /** On the title of what is shown in place of the list, or where the person is now: in the list, or beside it. */
  #focusShown(): void {
    const focused = this.shadowRoot?.activeElement ?? null;
    const isInDetail = focused !== null && focused.closest(".detail") !== null;
    const isAlone = this.isNarrow && this.model.kept.isOpen;
    this.#focusOn(isAlone || (!this.isNarrow && isInDetail) ? "title" : "entry");
  }

  readonly #actions: Actions = {
    look: (place) => {
      this.#become(withOpen(withPlace(this.model, place), true));
      if (this.isNarrow) this.#focusOn("title");
    },
    back: () => {
      this.#become(withOpen(this.model, false));
      this.#focusOn("entry");
    },
    act: (rule, act) => {
      const deciding = decidingOf(this.model, rule, act);
      const isTakenBack = act.kind === "undo" && rule.id === this.model.decided;
      const decided = isTakenBack ? null : this.model.decided;
      this.model = { ...this.model, isBusy: true, trouble: null, deciding, decided };
      this.#ports.say({ type: "act", id: rule.id, act });
    },
    undoDecided: () => {
      const rule = undoable(this.model);
      if (rule === null) return;
      this.#actions.look({ kind: "rule", id: rule.id });
      this.#actions.act(rule, { kind: "undo" });
    },
    forgetDecided: () => {
      this.model = { ...this.model, decided: null };
      this.#focusShown();
    },
    write: (rule, kind) => {
      const text = kind === "edit" ? ruleWords(rule, 400) : "";
      this.model = { ...this.model, writing: kind === null ? null : { id: rule.id, kind, text } };
      this.#focusOn(kind === null ? "title" : "field");
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
    toggleLegend: () => {
      this.isLegendOpen = !this.isLegendOpen;
    },
  };
}

customElements.define("purser-rules", PurserRules);

/** What is waited for before anything else is done. */
const spending: ReadonlySet<PanelMessage["type"]> = new Set(["compile", "undoMemory", "start", "resume"]);

function can(kind: "approve" | "protect" | "reject" | "edit", rule: RuleView): boolean {
  switch (kind) {
    case "approve":
      return approveLabel(rule) !== null;
    case "reject":
      return rule.status !== "evicted";
    case "edit":
      return rule.status === "candidate";
    case "protect":
      return true;
  }
}
