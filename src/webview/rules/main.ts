import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./rules-protocol.ts";
import { PurserRules } from "./rules-view.ts";

startPage({
  page: new PurserRules(),
  hostMessage,
  answers: [
    "rules",
    "evidence",
    "learning",
    "jobs",
    "offer",
    "plan",
    "trials",
    "trial",
    "trialPlan",
    "learned",
  ],
  state: panelState,
});
