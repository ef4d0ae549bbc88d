import { startPage } from "../components/start-page.ts";
import { hostMessage, storedState } from "./experiments-protocol.ts";
import { PurserExperiments } from "./experiments-view.ts";

startPage({
  page: new PurserExperiments(),
  hostMessage,
  answers: ["choices", "plan", "jobs", "job", "run"],
  state: storedState,
});
