import { panelMessage, type PanelMessage } from "../../../src/webview/economy/economy-protocol.ts";
import type { PanelKind } from "../panel-page.ts";

export const economyPanel: PanelKind<PanelMessage> = {
  folder: "economy",
  title: "Recurring Agents",
  panelMessages: panelMessage,
};
