import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./protocol.ts";
import { PurserRules } from "./rules-view.ts";
import { misunderstood } from "./describe-rules.ts";

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
  misunderstood: { type: "offline", message: misunderstood },
  state: panelState,
});
