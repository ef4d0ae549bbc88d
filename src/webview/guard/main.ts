import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./guard-protocol.ts";
import { PurserGuard } from "./guard-view.ts";

startPage({
  page: new PurserGuard(),
  hostMessage,
  answers: ["view", "rules", "excepted"],
  state: panelState,
});
