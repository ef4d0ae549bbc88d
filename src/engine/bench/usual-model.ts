import type { DriverName } from "./run-facts.ts";
import type { GoldenAgent } from "./suite/suite.ts";

/** Names as each agent's API has them. A name that means another model tomorrow would be no baseline. */
const usual: Readonly<Record<DriverName, string>> = {
  claude: "claude-sonnet-5-5",
  codex: "gpt-5.5-codex",
  replay: "claude-sonnet-5-5",
};

/** The model an agent is run with where nobody asked for one: what its definition names, where that is one of the driver's. */
export function usualModel(driver: DriverName, agent: Pick<GoldenAgent, "model">): string {
  return driver === "codex" ? usual.codex : (agent.model ?? usual[driver]);
}
