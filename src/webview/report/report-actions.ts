import type { PageActions, PageContext } from "../components/components-page.ts";
import type { Model } from "./report-model.ts";
import type { PanelMessage } from "./protocol.ts";

/** Actions of the Status panel. */
export interface Actions extends PageActions {
  /** Posts a message that changes nothing on the page. */
  post(message: PanelMessage): void;
  /** Shows one project. @param project null for all */
  narrow(project: string | null): void;
}

export type RenderContext = PageContext<Model, Actions>;
