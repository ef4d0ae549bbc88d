import { startPage } from "../components/start-page.ts";
import { hostMessage, panelState } from "./protocol.ts";
import { PurserLedger } from "./ledger-view.ts";
import { misunderstood } from "./describe-ledger.ts";

startPage({
  page: new PurserLedger(),
  hostMessage,
  answers: ["overview", "session"],
  misunderstood: { type: "offline", message: misunderstood },
  state: panelState,
});
