import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./bench-protocol.ts";
import { PurserBench } from "./bench-view.ts";

startPage({
  page: new PurserBench(),
  hostMessage,
  answers: ["choices", "plan", "jobs", "bench", "run"],
  state: panelState,
});
