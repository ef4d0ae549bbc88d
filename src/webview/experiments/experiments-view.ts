import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { PanelPage } from "../components/components-page.ts";
import { skeleton, stateView, troubleBanner, troubleView } from "../components/states.ts";
import {
  type Actions,
  type RenderContext,
  firstModel,
  applyMessage,
  askIn,
  jobOf,
  pageKey,
  withEarlier,
  withForm,
  withPlace,
  type Model,
} from "./experiments-model.ts";
import { benchPage } from "./bench/bench-page.ts";
import { comparePage } from "./compare/compare-page.ts";
import { spokenComparison } from "./compare/describe-compare.ts";
import { spokenState, stateNames } from "./describe-jobs.ts";
import { isSameAsk } from "./form/form.ts";
import { formPage } from "./form/form-page.ts";
import { listPage } from "./list-page.ts";
import {
  firstState,
  type HostMessage,
  type PanelMessage,
  type PanelState,
  type Place,
} from "./experiments-protocol.ts";
import { runPageOf } from "./runs/run-page.ts";

/** The Experiments panel's page: all experiments, the form for a new one, one of them, or one of its runs. */
export class PurserExperiments extends PanelPage<Model, HostMessage, PanelMessage> {
  constructor() {
    super({ firstState, firstModel, ready, applyMessage, isAwaiting, spoken });
  }

  override handle(message: HostMessage): void {
    const before = askIn(this.model);
    if (message.type === "show") this.#actions.look(message.place);
    else if (message.type === "begin") {
      this.#actions.look({ kind: "form" });
      super.handle(message);
    } else super.handle(message);
    // New choices may fill the form: request the price of its content.
    const isFilled = message.type === "choices" || !isSame(askIn(this.model), before);
    if (isFilled && this.model.kept.place.kind === "form") this.#plan();
  }

  protected override content(): TemplateResult {
    return pageOf({ ...this.renderContext, actions: this.#actions });
  }

  protected override back(): boolean {
    const { place } = this.model.kept;
    if (place.kind === "home") return false;
    this.#actions.look(place.kind === "run" ? { kind: "job", id: place.id } : { kind: "home" });
    return true;
  }

  override home(): void {
    this.#actions.look({ kind: "home" });
  }

  #plan(): void {
    const ask = askIn(this.model);
    if (ask !== null) this.post({ type: "plan", ask });
  }

  readonly #actions: Actions = {
    ...this.pageActions,
    look: (place) => {
      // Adding a run beside the shown one does not make it a new page.
      this.navigate(withPlace(this.model, place), !isSamePage(this.model.kept.place, place));
      this.post({ type: "look", place });
    },
    fill: (form) => {
      this.setModel(withForm(this.model, form));
      this.#plan();
    },
    planAgain: (ask) => {
      this.setModel(withEarlier(this.model, ask));
      this.#actions.look({ kind: "form" });
    },
    start: (ask) => this.press({ type: "start", ask }),
    cancel: (id) => this.press({ type: "cancel", id }),
    resume: (id) => this.press({ type: "resume", id }),
    export: (id, format) => this.post({ type: "export", id, format }),
    openChange: (asked) => this.post({ type: "openChange", ...asked }),
    ask: (message) => this.post(message),
  };
}

customElements.define("purser-experiments", PurserExperiments);

function ready(kept: PanelState): PanelMessage {
  return { type: "ready", place: kept.place, ask: askIn({ kept }) };
}

function isSame(one: ReturnType<typeof askIn>, other: ReturnType<typeof askIn>): boolean {
  return one === null ? other === null : isSameAsk(one, other);
}

function isSamePage(one: Place, other: Place): boolean {
  if (one.kind === "run" && other.kind === "run") return one.id === other.id && one.runId === other.runId;
  return one.kind === other.kind && jobOf(one) === jobOf(other);
}

/** Whether nothing is known yet about the page being shown. */
function isAwaiting(model: Model): boolean {
  const { kept, choices, jobs, shown, pages, trouble, plan } = model;
  if (trouble !== null) return false;
  const { place } = kept;
  switch (place.kind) {
    case "home":
      return jobs === null;
    case "form": {
      const ask = askIn(model);
      return choices === null || (ask !== null && !isSameAsk(ask, plan?.ask ?? null));
    }
    case "job":
      return shown === null;
    case "run":
      return !pages.has(pageKey(place.id, place.runId));
  }
}

function pageOf(context: RenderContext): TemplateResult {
  const { kept, trouble, shown, choices, jobs } = context.model;
  const { place } = kept;
  const isBare = {
    home: jobs === null,
    form: choices === null,
    job: shown === null,
    run: false,
  }[place.kind];
  if (isBare && trouble !== null) return troubleView(trouble, context.actions);
  if (isBare) return skeleton();
  const line = troubleBanner(trouble, context.actions);
  switch (place.kind) {
    case "home":
      return html`${line}${listPage(context)}`;
    case "form":
      return html`${line}${formPage(context)}`;
    case "run":
      return html`${line}${runPageOf(context, place)}`;
    case "job":
      return html`${line}${jobPage(context)}`;
  }
}

function jobPage(context: RenderContext): TemplateResult {
  const view = context.model.shown?.view ?? null;
  // The Rules panel shows measurements of rules.
  if (view === null || view.ask.kind === "select") return unknownJob(context);
  return view.ask.kind === "bench" ? benchPage(context, view) : comparePage(context, view, view.ask);
}

function unknownJob({ actions }: RenderContext): TemplateResult {
  return stateView({
    icon: "none",
    heading: t("This experiment no longer exists"),
    text: t("Its folder below purser's home was removed."),
    actions: [{ label: t("Back to Experiments"), run: () => actions.back() }],
  });
}

/** The state of the page being shown, for screen readers. */
function spoken({ kept, shown, trouble, plan }: Model): string {
  if (trouble !== null) return trouble.message;
  const view = shown?.view ?? null;
  if (kept.place.kind === "form") return plan?.problem ?? "";
  if (kept.place.kind !== "job" || view === null) return "";
  return view.ask.kind === "compare"
    ? spokenComparison(view, stateNames[view.state.kind].word)
    : spokenState(view);
}
