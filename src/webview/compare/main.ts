import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./compare-protocol.ts";
import { PurserCompare } from "./compare-view.ts";

startPage({
  page: new PurserCompare(),
  hostMessage,
  answers: ["plan", "jobs", "comparison"],
  state: panelState,
});
