import type { DriverName } from "./run-facts.ts";
import type { GoldenAgent } from "./suite/suite.ts";

/** Model names as each agent's API has them. An alias that means another model tomorrow would be no baseline. */
const usual: Readonly<Record<DriverName, string>> = {
  claude: "claude-sonnet-5-5",
  codex: "gpt-5.5-codex",
  replay: "claude-sonnet-5-5",
};

/** The model to run an agent with when none is requested: the one in its definition, if it is one of the driver's. */
export function defaultModel(driver: DriverName, agent: Pick<GoldenAgent, "model">): string {
  return driver === "codex" ? usual.codex : (agent.model ?? usual[driver]);
}
