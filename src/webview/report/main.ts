import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./report-protocol.ts";
import { PurserStatus } from "./report-view.ts";

startPage({
  page: new PurserStatus(),
  hostMessage,
  answers: ["report"],
  state: panelState,
});
