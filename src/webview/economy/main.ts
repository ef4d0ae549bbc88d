import { startPage } from "../components/start-page.ts";
import { misunderstood } from "./describe-economy.ts";
import { hostMessage, panelState } from "./protocol.ts";
import { PurserEconomy } from "./economy-view.ts";

startPage({
  page: new PurserEconomy(),
  hostMessage,
  answers: ["economy"],
  misunderstood: { type: "offline", message: misunderstood },
  state: panelState,
});
