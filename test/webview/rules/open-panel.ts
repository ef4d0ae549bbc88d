import { panelMessage, type PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import type { PanelKind } from "../panel-page.ts";

export const rulesPanel: PanelKind<PanelMessage> = {
  folder: "rules",
  title: "Rules",
  panelMessages: panelMessage,
};
