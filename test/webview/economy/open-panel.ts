import { panelMessage, type PanelMessage } from "../../../src/webview/economy/protocol.ts";
import type { PanelKind } from "../panel-page.ts";

export const economyPanel: PanelKind<PanelMessage> = {
  folder: "economy",
  title: "Economy",
  panelMessages: panelMessage,
};
