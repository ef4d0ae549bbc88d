import { startPage } from "../components/start-page.ts";
import { misunderstood } from "./describe-guard.ts";
import { hostMessage, panelState } from "./protocol.ts";
import { PurserGuard } from "./guard-view.ts";

startPage({
  page: new PurserGuard(),
  hostMessage,
  answers: ["view", "rules", "excepted"],
  misunderstood: { type: "offline", message: misunderstood },
  state: panelState,
});
