import type { EconomyView } from "../../engine/recurring/recurring-answers.ts";
import type { Days, HostMessage, PanelState, PanelMessage } from "./economy-protocol.ts";
import type { PageActions, PageContext } from "../components/page-context.ts";

/** The panel's whole state. Only `applyMessage` and the `with…` functions change it, and the page is rendered from it alone. */
export interface Model {
  readonly kept: PanelState;
  readonly view: EconomyView | null;
  readonly trouble: Extract<HostMessage, { type: "error" | "offline" }> | null;
  /** The user made a request, and the answer is pending. */
  readonly isAsking: boolean;
}

export function firstModel(kept: PanelState): Model {
  return { kept, view: null, trouble: null, isAsking: true };
}

/** Applies a message of the host to the model. A failure does not remove what is shown; an answer about another choice is late. */
export function applyMessage(model: Model, message: HostMessage): Model {
  if (message.type !== "economy") return { ...model, trouble: message, isAsking: false };
  const { days, project } = model.kept;
  if (message.days !== days || message.project !== project) return model;
  return { ...model, view: message.view, trouble: null, isAsking: false };
}

export function withAsking(model: Model): Model {
  return { ...model, isAsking: true };
}

/** Chooses a span and one project, or all. */
export function withChoice(
  model: Model,
  choice: { readonly days?: Days; readonly project?: string | null },
): Model {
  return { ...model, kept: { ...model.kept, ...choice }, isAsking: true };
}

/** Actions of the Economy panel. */
export interface Actions extends PageActions {
  /** Posts a message that changes nothing on the page. */
  post(message: PanelMessage): void;
  /** Shows another span, or another project. @param project null for all */
  narrow(choice: { readonly days?: Days; readonly project?: string | null }): void;
}

export type RenderContext = PageContext<Model, Actions>;
