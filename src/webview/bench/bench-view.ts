import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { PanelPage } from "../components/components-page.ts";
import { skeleton, stateView, troubleBanner, troubleView } from "../components/states.ts";
import {
  type Actions,
  type RenderContext,
  benchOf,
  firstModel,
  applyMessage,
  isSameAsk,
  pageKey,
  withAsk,
  withPlace,
  type Model,
} from "./bench-model.ts";
import { benchPage } from "./bench-detail-page.ts";
import { homePage } from "./bench-home-page.ts";
import {
  firstState,
  type HostMessage,
  type PanelMessage,
  type PanelState,
  type Place,
} from "./bench-protocol.ts";
import { runPageOf } from "./run-page.ts";
import { spokenState } from "./describe-bench.ts";

/** The Bench panel's page: the form and all benches, one bench, or one of its runs. */
export class PurserBench extends PanelPage<Model, HostMessage, PanelMessage> {
  constructor() {
    super({ firstState, firstModel, ready, applyMessage, isAwaiting, spoken });
  }

  override handle(message: HostMessage): void {
    if (message.type === "show") this.#actions.look(message.place);
    else super.handle(message);
    const { ask } = this.model.kept;
    // New choices may fill the form: request the price of its content.
    if (message.type === "choices" && ask !== null) this.post({ type: "plan", ask });
  }

  protected override content(): TemplateResult {
    return pageOf({ ...this.renderContext, actions: this.#actions });
  }

  protected override back(): boolean {
    const { place } = this.model.kept;
    if (place.kind === "home") return false;
    const { bench } = this.model;
    // Runs of a comparison are shown here; their job has its page in Compare.
    if (place.kind === "run" && bench?.id === place.id && bench.view?.ask.kind === "compare")
      this.post({ type: "openComparison", id: place.id });
    else this.#actions.look(place.kind === "run" ? { kind: "bench", id: place.id } : { kind: "home" });
    return true;
  }

  override home(): void {
    this.#actions.look({ kind: "home" });
  }

  readonly #actions: Actions = {
    ...this.pageActions,
    look: (place) => {
      // Adding a run beside the shown one does not make it a new page.
      this.navigate(withPlace(this.model, place), !isSamePage(this.model.kept.place, place));
      this.post({ type: "look", place });
    },
    choose: (ask) => {
      if (this.model.kept.place.kind !== "home") this.#actions.look({ kind: "home" });
      this.setModel(withAsk(this.model, ask));
      this.post({ type: "plan", ask });
    },
    start: (ask) => this.press({ type: "start", ask }),
    cancel: (id) => this.press({ type: "cancel", id }),
    resume: (id) => this.press({ type: "resume", id }),
    export: (id) => this.post({ type: "export", id }),
    manageTrust: () => this.post({ type: "manageTrust" }),
    openChange: (asked) => this.post({ type: "openChange", ...asked }),
  };
}

customElements.define("purser-bench", PurserBench);

function ready({ place, ask }: PanelState): PanelMessage {
  return { type: "ready", place, ask };
}

function isSamePage(one: Place, other: Place): boolean {
  if (one.kind === "run" && other.kind === "run") return one.id === other.id && one.runId === other.runId;
  return one.kind === other.kind && benchOf(one) === benchOf(other);
}

/** Whether nothing is known yet about the page being shown. */
function isAwaiting({ kept, choices, jobs, bench, pages, trouble, plan }: Model): boolean {
  if (trouble !== null) return false;
  const { place, ask } = kept;
  switch (place.kind) {
    case "home":
      return choices === null || jobs === null || (ask !== null && !isSameAsk(plan?.ask ?? ask, ask));
    case "bench":
      return bench === null;
    case "run":
      return !pages.has(pageKey(place.id, place.runId));
  }
}

function pageOf(context: RenderContext): TemplateResult {
  const { kept, trouble, bench, choices, jobs } = context.model;
  const { place } = kept;
  const isBare =
    place.kind === "home" ? choices === null && jobs === null : bench === null && place.kind === "bench";
  if (isBare && trouble !== null) return troubleView(trouble, context.actions);
  const line = troubleBanner(trouble, context.actions);
  switch (place.kind) {
    case "home":
      return html`${line}${homePage(context)}`;
    case "run":
      return html`${line}${runPageOf(context, place)}`;
    case "bench":
      if (bench === null) return skeleton();
      return bench.view === null ? unknownBench(context) : html`${line}${benchPage(context, bench.view)}`;
  }
}

function unknownBench({ actions }: RenderContext): TemplateResult {
  return stateView({
    icon: "none",
    heading: t("This benchmark no longer exists"),
    text: t("Its folder below purser's home was removed."),
    actions: [{ label: t("Back to Benchmark"), run: () => actions.back() }],
  });
}

/** The state of the page being shown, for screen readers. */
function spoken({ kept, bench, trouble, plan, choices }: Model): string {
  const view = bench?.view ?? null;
  const problem = plan?.problem ?? null;
  if (trouble !== null) return trouble.message;
  if (kept.place.kind === "bench") return view === null ? "" : spokenState(view);
  if (kept.place.kind === "home" && choices !== null && problem !== null) return problem;
  return "";
}
