import type { JobSummary, JobView } from "../../engine/jobs/bench-answers.ts";
import type { CompareAsk } from "../../engine/jobs/compare-answers.ts";
import type { HostMessage, PanelState, Place, PlanMessage, ExportFormat } from "./compare-protocol.ts";
import type { PageActions, PageContext } from "../components/page-context.ts";

/** The panel's whole state. Only `heard` and the `with…` functions change it, and the page is rendered from it alone. */
export interface Model {
  readonly kept: PanelState;
  /** The plan of the current request, or the previous plan while a new one is being made. */
  readonly plan: PlanMessage | null;
  /** Comparisons only; other jobs have their own panels. */
  readonly jobs: readonly JobSummary[] | null;
  /** The view is null if there is no such comparison. */
  readonly shown: { readonly id: string; readonly view: JobView | null } | null;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** A button was pressed, and its effect is pending. */
  readonly isBusy: boolean;
}

export function firstModel(kept: PanelState): Model {
  return { kept, plan: null, jobs: null, shown: null, trouble: null, isBusy: false };
}

/** Applies a message of the host to the model. An outdated answer changes nothing. */
export function applyMessage(model: Model, message: HostMessage): Model {
  switch (message.type) {
    case "plan":
      return isSameAsk(message.ask, model.kept.ask) ? { ...model, plan: message, trouble: null } : model;
    case "jobs":
      return { ...model, jobs: message.jobs, trouble: null };
    case "comparison": {
      const { place } = model.kept;
      if (place.kind !== "comparison" || place.id !== message.id) return model;
      const { id, view } = message;
      return { ...model, shown: { id, view }, trouble: null, isBusy: false };
    }
    case "error":
    case "offline":
      return { ...model, trouble: message, isBusy: false };
    case "show":
      return withPlace(model, message.place);
    case "showPlan":
      return withAsk(withPlace(model, { kind: "plan" }), message.ask);
  }
}

export function withPlace(model: Model, place: Place): Model {
  const shown = place.kind === "comparison" && model.shown?.id === place.id ? model.shown : null;
  return { ...model, kept: { ...model.kept, place }, shown, trouble: null, isBusy: false };
}

/** @param ask null for no plan */
export function withAsk(model: Model, ask: CompareAsk | null): Model {
  return { ...model, kept: { ...model.kept, ask } };
}

/** Whether two requests are equal, in any order of their members. */
export function isSameAsk(one: CompareAsk, other: CompareAsk | null): boolean {
  return other !== null && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, own]): [string, unknown] => [key, sorted(own)]));
}

/** Actions of the Compare panel. */
export interface Actions extends PageActions {
  look(place: Place): void;
  /** Starts choosing a comparison, step by step in the editor's quick pick. */
  pick(): void;
  /** Requests a plan, and shows it. */
  choose(ask: CompareAsk): void;
  /** Gives up the plan that was not started. */
  discard(): void;
  start(ask: CompareAsk): void;
  cancel(id: string): void;
  resume(id: string): void;
  export(id: string, format: ExportFormat): void;
  openRun(id: string, runId: string, beside: string | null): void;
}

export type RenderContext = PageContext<Model, Actions>;
