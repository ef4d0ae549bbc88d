import { startPage } from "../components/start-page.ts";
import { misunderstood } from "./describe.ts";
import { hostMessage, panelState } from "./protocol.ts";
import { PurserGuard } from "./view.ts";

startPage({
  page: new PurserGuard(),
  hostMessage,
  answers: ["view", "rules", "excepted"],
  misunderstood: { type: "offline", message: misunderstood },
  state: panelState,
});
