import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./ledger-protocol.ts";
import { PurserLedger } from "./ledger-view.ts";

startPage({
  page: new PurserLedger(),
  hostMessage,
  answers: ["overview", "session"],
  state: panelState,
});
