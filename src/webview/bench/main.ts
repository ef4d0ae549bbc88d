import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./protocol.ts";
import { PurserBench } from "./bench-view.ts";
import { misunderstood } from "./describe-bench.ts";

startPage({
  page: new PurserBench(),
  hostMessage,
  answers: ["choices", "plan", "jobs", "bench", "run"],
  misunderstood: { type: "offline", message: misunderstood },
  state: panelState,
});
