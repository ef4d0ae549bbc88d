import type {
  BenchAsk,
  BenchChoices,
  JobSummary,
  JobView,
  RunPage,
} from "../../engine/service/bench-view.ts";
import { askFor } from "./form.ts";
import type { HostMessage, PanelState, Place, PlanMessage } from "./protocol.ts";

/** All that the panel knows. It changes only by `heard` and `with…`; what is shown is made of it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly choices: Extract<HostMessage, { type: "choices" }> | null;
  /** Of what is asked now, or of what was asked before while that is reckoned. */
  readonly plan: PlanMessage | null;
  readonly jobs: readonly JobSummary[] | null;
  /** Null `view`: there is no such bench. */
  readonly bench: { readonly id: string; readonly view: JobView | null } | null;
  readonly pages: ReadonlyMap<string, RunPage | null>;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** A button was pressed whose effect is not there yet. */
  readonly isBusy: boolean;
}

export function firstModel(kept: PanelState): Model {
  const nothing = { choices: null, plan: null, jobs: null, bench: null, trouble: null };
  return { kept, ...nothing, pages: new Map(), isBusy: false };
}

/** What is known after the host said something. An answer to what nobody asks any more changes nothing. */
export function heard(model: Model, message: HostMessage): Model {
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
  // Runs that ended do not change; a bench's other runs may be looked at again.
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

/** The suite that is chosen, if it is still there. */
export function offerOf(choices: BenchChoices, ask: BenchAsk) {
  return choices.suites.find(({ suite }) =>
    suite.origin === "workspace" && ask.suite.origin === "workspace"
      ? suite.folder === ask.suite.folder
      : suite.origin === ask.suite.origin,
  );
}
