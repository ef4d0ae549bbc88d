import type { JobSummary, JobView, RunPage } from "../../engine/jobs/bench-answers.ts";
import type { TrialHead } from "../../engine/rules/trial-answers.ts";
import {
  askOf,
  filledForm,
  formOf,
  isSameAsk,
  withSeed,
  type ExperimentForm,
  type ExperimentSeed,
} from "./form/form.ts";
import type {
  ChangeAsked,
  ChoicesMessage,
  ExportFormat,
  HostMessage,
  PanelMessage,
  PanelState,
  Place,
  PlanMessage,
  PlannedAsk,
} from "./experiments-protocol.ts";
import type { PageActions, PageContext } from "../components/page-context.ts";

/** The panel's whole state. Only `applyMessage` and the `with…` functions change it, and the page is rendered from it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly choices: ChoicesMessage | null;
  /** The command's argument, until the choices that fill the form arrive. */
  readonly seed: ExperimentSeed | null;
  /** The plan of the current request, or the previous plan while a new one is being made. */
  readonly plan: PlanMessage | null;
  readonly jobs: readonly JobSummary[] | null;
  readonly trials: readonly TrialHead[];
  /** The view is null if there is no such experiment. */
  readonly shown: { readonly id: string; readonly view: JobView | null } | null;
  readonly pages: ReadonlyMap<string, RunPage | null>;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** A button was pressed, and its effect is pending. */
  readonly isBusy: boolean;
}

export function firstModel(kept: PanelState): Model {
  const nothing = {
    choices: null,
    seed: null,
    plan: null,
    jobs: null,
    trials: [],
    shown: null,
    trouble: null,
  };
  return { kept, ...nothing, pages: new Map(), isBusy: false };
}

/** Applies a message of the host to the model. An outdated answer changes nothing. */
export function applyMessage(model: Model, message: HostMessage): Model {
  switch (message.type) {
    case "choices":
      return {
        ...withForm({ ...model, choices: message, seed: null }, seeded(model, message)),
        trouble: null,
      };
    case "plan":
      return isSameAsk(message.ask, askIn(model)) ? { ...model, plan: message } : model;
    case "jobs":
      return { ...model, jobs: message.jobs, trials: message.trials, trouble: null };
    case "job": {
      if (jobOf(model.kept.place) !== message.id) return model;
      const { id, view } = message;
      return { ...model, shown: { id, view }, trouble: null, isBusy: false };
    }
    case "run":
      return {
        ...model,
        pages: new Map(model.pages).set(pageKey(message.id, message.runId), message.page),
        trouble: null,
      };
    case "chosen": {
      const { form } = model.kept;
      return form?.subject === message.subject ? withForm(model, { ...form, change: message.change }) : model;
    }
    case "copied": {
      const { form } = model.kept;
      return form === null ? model : withForm(model, { ...form, promptFile: message.file });
    }
    case "error":
    case "offline":
      return { ...model, trouble: message, isBusy: false };
    case "show":
      return withPlace(model, message.place);
    case "begin":
      return begun(model, message.seed);
  }
}

/** The form of new choices, with what a command knows. */
function seeded({ kept, seed }: Model, offers: ChoicesMessage): ExperimentForm | null {
  const form = filledForm(offers, kept.form);
  return form === null || seed === null ? form : filledForm(offers, withSeed(form, seed));
}

/** Shows the form with what a command knows; it waits for choices if there are none yet. */
function begun(model: Model, seed: ExperimentSeed): Model {
  const placed = withPlace(model, { kind: "form" });
  const form = seeded({ ...placed, seed }, placed.choices ?? noChoices);
  return placed.choices === null ? { ...placed, seed } : withForm(placed, form);
}

const noChoices: ChoicesMessage = {
  type: "choices",
  choices: { suites: [], history: [], drafts: [], drivers: [], driver: "claude" },
  isTrusted: true,
  prompts: [],
  ruleAgents: [],
};

export function withPlace(model: Model, place: Place): Model {
  const shown = model.shown?.id === jobOf(place) ? model.shown : null;
  // Completed runs do not change, and the user may return to them.
  const pages = jobOf(place) === null ? new Map<string, RunPage | null>() : model.pages;
  return { ...model, kept: { ...model.kept, place }, shown, pages, trouble: null, isBusy: false };
}

export function withForm(model: Model, form: ExperimentForm | null): Model {
  return { ...model, kept: { ...model.kept, form } };
}

/** Plans an earlier experiment again. */
export function withEarlier(model: Model, ask: PlannedAsk): Model {
  return withForm(model, formOf(ask, model.kept.form));
}

/** Returns the form's request. */
export function askIn({ kept }: Pick<Model, "kept">): PlannedAsk | null {
  return kept.form === null ? null : askOf(kept.form);
}

export function jobOf(place: Place): string | null {
  return place.kind === "job" || place.kind === "run" ? place.id : null;
}

export function pageKey(id: string, runId: string): string {
  return `${id} ${runId}`;
}

/** Actions of the Experiments panel. */
export interface Actions extends PageActions {
  look(place: Place): void;
  /** Fills in the form, and requests the price of it. */
  fill(form: ExperimentForm): void;
  /** Shows the form of an earlier experiment. */
  planAgain(ask: PlannedAsk): void;
  start(ask: PlannedAsk): void;
  cancel(id: string): void;
  resume(id: string): void;
  export(id: string, format: ExportFormat): void;
  openChange(asked: Omit<ChangeAsked, "type">): void;
  /** Posts a message whose effect is elsewhere in the editor. */
  ask(
    message: Extract<
      PanelMessage,
      {
        type:
          "chooseFile" | "copyPrompt" | "openPrompt" | "openRules" | "shorten" | "draftTasks" | "manageTrust";
      }
    >,
  ): void;
}

export type RenderContext = PageContext<Model, Actions>;
