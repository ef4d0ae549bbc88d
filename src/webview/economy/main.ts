import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./economy-protocol.ts";
import { PurserEconomy } from "./economy-view.ts";

startPage({
  page: new PurserEconomy(),
  hostMessage,
  answers: ["economy"],
  state: panelState,
});
