import { panelMessage, type PanelMessage } from "../../../src/webview/report/report-protocol.ts";
import type { PanelKind } from "../panel-page.ts";

export const statusPanel: PanelKind<PanelMessage> = {
  folder: "report",
  title: "Status Report",
  panelMessages: panelMessage,
};
