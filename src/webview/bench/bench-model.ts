import type {
  BenchAsk,
  BenchChoices,
  JobSummary,
  JobView,
  RunPage,
} from "../../engine/jobs/bench-answers.ts";
import { askFor } from "./bench-form.ts";
import type { HostMessage, PanelState, Place, PlanMessage, ChangeAsked } from "./bench-protocol.ts";
import type { PageActions, PageContext } from "../components/page-context.ts";

/** The panel's whole state. Only `heard` and the `with…` functions change it, and the page is rendered from it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly choices: Extract<HostMessage, { type: "choices" }> | null;
  /** The plan of the current request, or the previous plan while a new one is being made. */
  readonly plan: PlanMessage | null;
  readonly jobs: readonly JobSummary[] | null;
  /** The view is null if there is no such bench. */
  readonly bench: { readonly id: string; readonly view: JobView | null } | null;
  readonly pages: ReadonlyMap<string, RunPage | null>;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** A button was pressed, and its effect is pending. */
  readonly isBusy: boolean;
}

export function firstModel(kept: PanelState): Model {
  const nothing = { choices: null, plan: null, jobs: null, bench: null, trouble: null };
  return { kept, ...nothing, pages: new Map(), isBusy: false };
}

/** Applies a message of the host to the model. An outdated answer changes nothing. */
export function applyMessage(model: Model, message: HostMessage): Model {
  switch (message.type) {
    case "choices": {
      const ask = askFor(message.choices, model.kept.ask);
      return { ...model, choices: message, kept: { ...model.kept, ask }, trouble: null };
    }
    case "plan":
      return isSameAsk(message.ask, model.kept.ask) ? { ...model, plan: message } : model;
    case "jobs":
      return { ...model, jobs: message.jobs, trouble: null };
    case "bench": {
      if (benchOf(model.kept.place) !== message.id) return model;
      const { id, view } = message;
      return { ...model, bench: { id, view }, trouble: null, isBusy: false };
    }
    case "run":
      return {
        ...model,
        pages: new Map(model.pages).set(pageKey(message.id, message.runId), message.page),
        trouble: null,
      };
    case "error":
    case "offline":
      return { ...model, trouble: message, isBusy: false };
    case "show":
      return withPlace(model, message.place);
  }
}

export function withPlace(model: Model, place: Place): Model {
  const bench = model.bench?.id === benchOf(place) ? model.bench : null;
  // Completed runs do not change, and the user may return to them.
  const pages = place.kind === "home" ? new Map<string, RunPage | null>() : model.pages;
  return { ...model, kept: { ...model.kept, place }, bench, pages, trouble: null, isBusy: false };
}

export function withAsk(model: Model, ask: BenchAsk): Model {
  return { ...model, kept: { ...model.kept, ask } };
}

export function benchOf(place: Place): string | null {
  return place.kind === "home" ? null : place.id;
}

export function pageKey(id: string, runId: string): string {
  return `${id} ${runId}`;
}

export function isSameAsk(one: BenchAsk, other: BenchAsk | null): boolean {
  return other !== null && JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

function inOrder(ask: BenchAsk): unknown[] {
  const { suite, agents, taskIds, model, effort, driver, runs, parallel, tokenCap } = ask;
  const folder = suite.origin === "workspace" ? suite.folder : null;
  return [folder, agents, taskIds, model, effort, driver, runs, parallel, tokenCap];
}

/** Finds the chosen suite, if it still exists. */
export function offerOf(choices: BenchChoices, ask: BenchAsk) {
  return choices.suites.find(({ suite }) =>
    suite.origin === "workspace" && ask.suite.origin === "workspace"
      ? suite.folder === ask.suite.folder
      : suite.origin === ask.suite.origin,
  );
}

/** Actions of the Bench panel. */
export interface Actions extends PageActions {
  look(place: Place): void;
  choose(ask: BenchAsk): void;
  start(ask: BenchAsk): void;
  cancel(id: string): void;
  resume(id: string): void;
  export(id: string): void;
  manageTrust(): void;
  openChange(asked: Omit<ChangeAsked, "type">): void;
}

export type RenderContext = PageContext<Model, Actions>;
