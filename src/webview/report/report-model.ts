import type { ReportView } from "../../engine/rules/rules-answers.ts";
import type { HostMessage, PanelState, PanelMessage } from "./report-protocol.ts";
import type { PageActions, PageContext } from "../components/page-context.ts";

/** The panel's whole state. Only `heard` and the `with…` functions change it, and the page is rendered from it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly report: ReportView | null;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** The user made a request, and the answer is pending. */
  readonly isAsking: boolean;
}

export function firstModel(kept: PanelState): Model {
  return { kept, report: null, trouble: null, isAsking: true };
}

/** Applies a message of the host to the model. A failure does not remove the report. */
export function applyMessage(model: Model, message: HostMessage): Model {
  return message.type === "report"
    ? { ...model, report: message.report, trouble: null, isAsking: false }
    : { ...model, trouble: message, isAsking: false };
}

export function withAsking(model: Model): Model {
  return { ...model, isAsking: true };
}

/** Chooses one project, or all. */
export function withProject(model: Model, project: string | null): Model {
  return { ...model, kept: { ...model.kept, project }, isAsking: true };
}

/** Switches between a chart and its table. */
export function withTableToggled(model: Model, agent: string): Model {
  const { tables } = model.kept;
  const isTable = tables.includes(agent);
  return {
    ...model,
    kept: { ...model.kept, tables: isTable ? tables.filter((each) => each !== agent) : [...tables, agent] },
  };
}

/** Actions of the Status panel. */
export interface Actions extends PageActions {
  /** Posts a message that changes nothing on the page. */
  post(message: PanelMessage): void;
  /** Shows one project. @param project null for all */
  narrow(project: string | null): void;
}

export type RenderContext = PageContext<Model, Actions>;
