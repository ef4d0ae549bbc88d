import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./protocol.ts";
import { PurserStatus } from "./report-view.ts";
import { misunderstood } from "./describe-report.ts";

startPage({
  page: new PurserStatus(),
  hostMessage,
  answers: ["report"],
  misunderstood: { type: "offline", message: misunderstood },
  state: panelState,
});
