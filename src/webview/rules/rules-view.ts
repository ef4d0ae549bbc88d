import type { PropertyDeclarations, PropertyValues, TemplateResult } from "lit";
import type { RuleView } from "../../engine/rules/rules-answers.ts";
import { focusInPage, PanelPage } from "../components/components-page.ts";
import { type Actions, type Model, awaited, isAwaiting, ready, spoken } from "./page-model.ts";
import {
  canDecide,
  undoable,
  undoesMany,
  decisionActions,
  type FocusTarget,
  type PageHandle,
} from "./decision.ts";
import { commandOf, isInSight, isReadable, type Command } from "./keys.ts";
import {
  firstModel,
  applyMessage,
  placeOf,
  withConfirming,
  withOpen,
  withPlace,
  withTab,
} from "./rules-model.ts";
import { listedRules, moved, type Move } from "./list/list-entries.ts";
import { manyActions, markedFor } from "./marked.ts";
import { pageOf } from "./rules-page.ts";
import { firstState, type HostMessage, type PanelMessage, type Place } from "./rules-protocol.ts";
import { askOf, planOf } from "./selection/selection.ts";

/** From this width on, the list and the chosen entry are side by side. */
const wide = "(min-width: 641px)";

/** Where to move the focus after the next update. */
const selectors: Readonly<Record<FocusTarget, string>> = {
  entry: '.item[tabindex="0"]',
  title: ".detail h1",
  field: ".writing input",
  filter: ".find",
  bar: ".marked .button.primary",
};

/**
 * The Rules panel's page: the list and the chosen entry. Each scrolls separately, so the page stores no scroll
 * position.
 */
export class PurserRules extends PanelPage<Model, HostMessage, PanelMessage> {
  static override readonly properties: PropertyDeclarations = {
    isNarrow: { state: true },
    isLegendOpen: { state: true },
  };
  declare isNarrow: boolean;
  declare isLegendOpen: boolean;
  readonly #wide = window.matchMedia(wide);
  #focus: FocusTarget | null = null;
  #shown: Place | null = null;
  /** Whether the chosen entry was visible before the current update. */
  #wasInSight = false;

  constructor() {
    super({ firstState, firstModel, ready, applyMessage, isAwaiting, spoken });
    this.isLegendOpen = false;
    this.isNarrow = !this.#wide.matches;
  }

  override handle(message: HostMessage): void {
    const before = this.model;
    super.handle(message);
    // The next rule replaces the decided one. Screen readers read its title when that gets the focus.
    const isDecided = before.deciding !== null && this.model.deciding === null;
    if (isDecided || message.type === "manyDone") this.#focusShown();
    if (message.type === "show" && this.isNarrow) this.#focusOn("title");
    if (message.type === "offer" || message.type === "rules") this.#plan();
  }

  /** Also notifies the host which place is shown. */
  protected override setModel(model: Model): void {
    const before = this.model.kept.place;
    super.setModel(model);
    const { place } = model.kept;
    if (place !== null && place !== before) this.post({ type: "look", place });
  }

  /** Requests the price of the form's content, unless it is known. */
  #plan(): void {
    if (this.model.kept.place?.kind !== "selection" || planOf(this.model) !== null) return;
    const ask = askOf(this.model);
    if (ask !== null) this.post({ type: "plan", ask });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#wide.addEventListener("change", this.#onWidth);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#wide.removeEventListener("change", this.#onWidth);
  }

  protected override content(): TemplateResult {
    const { renderContext: context, isNarrow, isLegendOpen } = this;
    return pageOf({ ...context, isNarrow, isLegendOpen, actions: this.#actions });
  }

  protected override back(): boolean {
    this.setModel(withOpen(this.model, false));
    this.#focusOn("entry");
    return true;
  }

  protected override willUpdate(): void {
    // The announcement follows every change here: pressing a button clears the last message.
    this.announcement = spoken(this.model);
    const entry = this.renderRoot.querySelector(selectors.entry);
    this.#wasInSight = entry !== null && isInSight(entry, this.renderRoot.querySelector(".groups"));
  }

  protected override updated(changed: PropertyValues): void {
    const { place } = this.model.kept;
    const isOther = place !== this.#shown;
    this.#shown = place;
    const target = this.#focus;
    this.#focus = null;
    if (isOther) this.#detail?.scrollTo(0, 0);
    // Keep the chosen entry visible when its rule moves to another group.
    if (isOther || target === "entry" || this.#wasInSight || changed.has("isNarrow"))
      this.renderRoot.querySelector(selectors.entry)?.scrollIntoView({ block: "nearest" });
    if (target !== null) focusInPage(this.renderRoot.querySelector<HTMLElement>(selectors[target]));
  }

  readonly #onWidth = () => {
    const hadFocus = this.shadowRoot?.activeElement ?? null;
    this.isNarrow = !this.#wide.matches;
    if (hadFocus !== null) this.#focusShown();
  };

  protected override handleKey(event: KeyboardEvent): void {
    const { key, defaultPrevented } = event;
    if (defaultPrevented) return;
    const path = event.composedPath();
    const isTyping = path.some(
      (part) => part instanceof HTMLInputElement || part instanceof HTMLSelectElement,
    );
    if (isTyping) {
      if (!this.#obeyInField(key, path)) return;
    } else {
      const isInList = path.some((part) => part instanceof Element && part.matches(".item"));
      const command = commandOf(event, isInList);
      if (command === null || !this.#obey(command, event.repeat)) return;
    }
    event.preventDefault();
  }

  /** Escape closes a field, or empties the filter; from the filter, Enter and the arrow go to what is listed. */
  #obeyInField(key: string, path: readonly EventTarget[]): boolean {
    const isFilter = path.some((part) => part instanceof Element && part.matches(".filters"));
    const { filter } = this.model.kept;
    if (isFilter) {
      const isField = path.some((part) => part instanceof HTMLInputElement);
      const isDown = isField && (key === "Enter" || key === "ArrowDown");
      if (!isDown && key !== "Escape") return false;
      if (isDown) this.#actions.lookAtFirst();
      else if (filter.text !== "") this.#actions.filter({ ...filter, text: "" });
      else this.#focusOn("entry");
      return true;
    }
    if (key !== "Escape") return false;
    if (this.model.askingMany !== null) this.#actions.askMany(null);
    else {
      this.model = { ...this.model, writing: null };
      this.#focusOn("title");
    }
    return true;
  }

  /** Returns whether the command applies here. @param isRepeat whether the key is held down, which decides nothing */
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
      case "filter":
        this.setModel(withOpen(this.model, false));
        this.#focusOn("filter");
        return true;
      case "mark":
        return this.#mark();
      case "markTo": {
        const next = moved(this.model, command.move);
        if (next?.kind === "rule") this.#actions.markTo(next.id);
        return true;
      }
      case "markAll":
        this.#actions.markAll();
        return true;
      case "back":
        if (this.model.askingMany !== null) this.#actions.askMany(null);
        else if (this.model.marked.size > 0 && !this.isLegendOpen) this.#actions.clearMarks();
        else if (this.isLegendOpen) this.#actions.toggleLegend();
        else this.back();
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
        if (isRepeat || this.model.isBusy) return false;
        return this.#decideMarked(command.kind) || this.#decide(command.kind);
    }
  }

  /** Chooses another entry. A narrow page keeps showing the entry instead of the list. */
  #move(move: Move): void {
    const next = moved(this.model, move);
    if (next === null) return;
    this.setModel(withPlace(this.model, next));
    this.#focusShown();
  }

  /** Selects the chosen rule beside others, or no longer; another entry is opened. */
  #mark(): boolean {
    const { place } = this.model.kept;
    if (place === null) return false;
    if (place.kind === "rule") this.#actions.mark(place.id);
    else this.#actions.look(place);
    return true;
  }

  /** While rules are selected, the keys that approve and reject decide about them. Returns whether they did. */
  #decideMarked(kind: "approve" | "protect" | "reject" | "edit"): boolean {
    if (this.model.marked.size === 0 || (kind !== "approve" && kind !== "reject")) return false;
    if (kind === "approve") this.#actions.actOnMarked({ kind });
    else if (markedFor(this.model, kind).length > 0) this.#actions.askMany(kind);
    return true;
  }

  /** Decides about the shown rule. Returns whether the decision applies to it. */
  #decide(kind: "approve" | "protect" | "reject" | "edit"): boolean {
    const rule = this.#shownRule;
    if (rule === null || !canDecide(kind, rule, this.model)) return false;
    if (!this.#bringsInSight()) return true;
    if (kind === "reject" || kind === "edit") this.#actions.write(rule, kind);
    else if (kind === "approve") this.#actions.act(rule, { kind });
    else this.#actions.act(rule, { kind, isProtected: !rule.isProtected });
    return true;
  }

  /** Undoes the last action on the shown rule, or else the decision named in the bar below. */
  #undo(): boolean {
    const rule = this.#shownRule;
    if (rule?.canUndo === true && !undoesMany(this.model, rule)) {
      if (this.#bringsInSight()) this.#actions.act(rule, { kind: "undo" });
      return true;
    }
    if (undoable(this.model).length === 0 || this.model.marked.size > 0) return false;
    this.#actions.undoDecided();
    return true;
  }

  get #detail(): HTMLElement | null {
    return this.renderRoot.querySelector(".detail");
  }

  /** Null while something else is shown, or only the list. */
  get #shownRule(): RuleView | null {
    const shown = placeOf(this.model);
    return shown?.kind === "rule" && (!this.isNarrow || this.model.kept.isOpen) ? shown.rule : null;
  }

  /**
   * Scrolls back to the rule's sentence: no key decides about a sentence that is out of view. Returns whether it was
   * already visible.
   */
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

  /** Focuses the title if the chosen entry is shown alone or already has the focus, else its entry in the list. */
  #focusShown(): void {
    const focused = this.shadowRoot?.activeElement ?? null;
    const isInDetail = focused !== null && focused.closest(".detail") !== null;
    const isAlone = this.isNarrow && this.model.kept.isOpen;
    this.#focusOn(isAlone || (!this.isNarrow && isInDetail) ? "title" : "entry");
  }

  readonly #handle: PageHandle = {
    model: () => this.model,
    show: (model) => this.setModel(model),
    post: (message) => this.post(message),
    focus: (target) => {
      if (target === "shown") this.#focusShown();
      else this.#focusOn(target);
    },
    look: (place) => this.#actions.look(place),
  };

  readonly #actions: Actions = {
    ...this.pageActions,
    ...decisionActions(this.#handle),
    ...manyActions(this.#handle),
    look: (place) => {
      this.setModel(withOpen(withPlace(this.model, place), true));
      if (this.isNarrow) this.#focusOn("title");
    },
    confirmTogether: (agent) => {
      this.setModel(withConfirming(this.model, agent));
      this.#plan();
      if (this.isNarrow) this.#focusOn("title");
    },
    post: (message) => {
      if (awaited.has(message.type)) this.press(message);
      else this.post(message);
    },
    choose: (form) => {
      // A plan has the price of both grades.
      const plan = form.grade === this.model.form?.grade ? null : this.model.plan;
      this.model = { ...this.model, form, plan };
      this.#plan();
    },
    chooseTab: (tab) => this.setModel(withTab(this.model, tab)),
    filter: (filter) => this.keep({ filter }),
    lookAtFirst: () => {
      const [first] = listedRules(this.model);
      if (first !== undefined) this.setModel(withPlace(this.model, { kind: "rule", id: first.id }));
      this.#focusOn("entry");
    },
    toggleLegend: () => {
      this.isLegendOpen = !this.isLegendOpen;
    },
  };
}

customElements.define("purser-rules", PurserRules);
