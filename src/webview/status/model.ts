import type { ReportView } from "../../engine/service/rules-view.ts";
import type { HostMessage, PanelState } from "./protocol.ts";

/** All that the panel knows. It changes only by `heard` and `with…`; what is shown is made of it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly report: ReportView | null;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** An answer is awaited that somebody asked for. */
  readonly isAsking: boolean;
}

export function firstModel(kept: PanelState): Model {
  return { kept, report: null, trouble: null, isAsking: true };
}

/** What is known after the host said something: what went wrong does not take away what was there. */
export function heard(model: Model, message: HostMessage): Model {
  return message.type === "report"
    ? { ...model, report: message.report, trouble: null, isAsking: false }
    : { ...model, trouble: message, isAsking: false };
}

export function withAsking(model: Model): Model {
  return { ...model, isAsking: true };
}

/** Of one project, or of all. */
export function withProject(model: Model, project: string | null): Model {
  return { ...model, kept: { ...model.kept, project }, isAsking: true };
}

/** As a chart where it is a table, and the other way round. */
export function withTableToggled(model: Model, agent: string): Model {
  const { tables } = model.kept;
  const isTable = tables.includes(agent);
  return {
    ...model,
    kept: { ...model.kept, tables: isTable ? tables.filter((each) => each !== agent) : [...tables, agent] },
  };
}
