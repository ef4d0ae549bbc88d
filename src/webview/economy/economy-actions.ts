import type { PageActions, PageContext } from "../components/components-page.ts";
import type { Model } from "./economy-model.ts";
import type { Days, PanelMessage } from "./protocol.ts";

/** Actions of the Economy panel. */
export interface Actions extends PageActions {
  /** Posts a message that changes nothing on the page. */
  post(message: PanelMessage): void;
  /** Shows another span, or another project. @param project null for all */
  narrow(choice: { readonly days?: Days; readonly project?: string | null }): void;
}

export type RenderContext = PageContext<Model, Actions>;
