import { panelMessage, type PanelMessage } from "../../../src/webview/status/protocol.ts";
import type { PanelKind } from "../panel-page.ts";

export const statusPanel: PanelKind<PanelMessage> = {
  ...{ folder: "status", title: "Status Report" },
  said: panelMessage,
};
