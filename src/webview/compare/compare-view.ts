import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { stateNames } from "../bench/describe-bench.ts";
import { PanelPage } from "../components/components-page.ts";
import { skeleton, stateView, troubleBanner, troubleView } from "../components/states.ts";
import {
  type Actions,
  type RenderContext,
  firstModel,
  applyMessage,
  isSameAsk,
  withAsk,
  withPlace,
  type Model,
} from "./compare-model.ts";
import { comparePage } from "./compare-detail-page.ts";
import { homePage } from "./compare-home-page.ts";
import { planPage } from "./plan-page.ts";
import {
  firstState,
  type HostMessage,
  type PanelMessage,
  type PanelState,
  type Place,
} from "./compare-protocol.ts";
import { spokenState } from "./describe-compare.ts";

/** The Compare panel's page: all comparisons, a plan, or one started comparison. */
export class PurserCompare extends PanelPage<Model, HostMessage, PanelMessage> {
  constructor() {
    super({ firstState, firstModel, ready, applyMessage, isAwaiting, spoken });
  }

  override handle(message: HostMessage): void {
    if (message.type === "show") {
      // A plan that was started is no longer a draft.
      if (this.model.isBusy && message.place.kind === "comparison") this.setModel(withAsk(this.model, null));
      this.#actions.look(message.place);
    } else if (message.type === "showPlan") this.#actions.choose(message.ask);
    else super.handle(message);
  }

  protected override content(): TemplateResult {
    return pageOf({ ...this.renderContext, actions: this.#actions });
  }

  protected override back(): boolean {
    const isBack = this.model.kept.place.kind !== "home";
    if (isBack) this.#actions.look({ kind: "home" });
    return isBack;
  }

  readonly #actions: Actions = {
    ...this.pageActions,
    pick: () => this.post({ type: "pick" }),
    look: (place) => {
      this.navigate(withPlace(this.model, place), !isSamePage(this.model.kept.place, place));
      this.post({ type: "look", place });
    },
    choose: (ask) => {
      if (this.model.kept.place.kind !== "plan") this.#actions.look({ kind: "plan" });
      this.setModel(withAsk(this.model, ask));
      this.post({ type: "plan", ask });
    },
    discard: () => {
      this.setModel(withAsk(this.model, null));
      this.focusHeading();
    },
    start: (ask) => this.press({ type: "start", ask }),
    cancel: (id) => this.press({ type: "cancel", id }),
    resume: (id) => this.press({ type: "resume", id }),
    export: (id, format) => this.post({ type: "export", id, format }),
    openRun: (id, runId, beside) => this.post({ type: "openRun", id, runId, beside }),
  };
}

customElements.define("purser-compare", PurserCompare);

function ready({ place, ask }: PanelState): PanelMessage {
  return { type: "ready", place, ask };
}

function isSamePage(one: Place, other: Place): boolean {
  return one.kind === "comparison" && other.kind === "comparison"
    ? one.id === other.id
    : one.kind === other.kind;
}

/** Whether nothing is known yet about the page being shown. */
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

function pageOf(context: RenderContext): TemplateResult {
  const { kept, trouble, shown, jobs, plan } = context.model;
  const { place } = kept;
  const isBare = { home: jobs === null, plan: plan === null, comparison: shown === null }[place.kind];
  if (isBare && trouble !== null) return troubleView(trouble, context.actions);
  const line = troubleBanner(trouble, context.actions);
  switch (place.kind) {
    case "home":
      return html`${line}${homePage(context)}`;
    case "plan":
      return html`${line}${planPage(context)}`;
    case "comparison": {
      if (shown === null) return skeleton();
      const ask = shown.view?.ask;
      return shown.view === null || ask?.kind !== "compare"
        ? unknownComparison(context)
        : html`${line}${comparePage(context, shown.view, ask)}`;
    }
  }
}

function unknownComparison({ actions }: RenderContext): TemplateResult {
  return stateView({
    icon: "none",
    heading: t("There is no such comparison any more"),
    text: t("Its folder below purser's home was removed."),
    actions: [{ label: t("Back to Compare"), run: () => actions.back() }],
  });
}

/** The state of the page being shown, for screen readers. */
function spoken({ kept, shown, trouble, plan }: Model): string {
  if (trouble !== null) return trouble.message;
  const view = shown?.view ?? null;
  if (kept.place.kind === "comparison")
    return view === null ? "" : spokenState(view, stateNames[view.state.kind].word);
  return kept.place.kind === "plan" ? (plan?.problem ?? "") : "";
}
