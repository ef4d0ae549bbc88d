import { panelMessage, type PanelMessage } from "../../../src/webview/guard/guard-protocol.ts";
import type { PanelKind } from "../panel-page.ts";

export const guardPanel: PanelKind<PanelMessage> = {
  folder: "guard",
  title: "Guard",
  panelMessages: panelMessage,
};
