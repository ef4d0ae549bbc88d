import type { DriverName } from "./run-facts.ts";
import type { GoldenAgent } from "./suite/suite.ts";

/** Model names as in each agent's API. An alias that means another model tomorrow could not be a baseline. */
const usual: Readonly<Record<DriverName, string>> = {
  claude: "claude-sonnet-5-5",
  codex: "gpt-5.5-codex",
  replay: "claude-sonnet-5-5",
};

/** The model to run an agent with when none is requested: the one in its definition, if it is one of the driver's. */
export function defaultModel(driver: DriverName, agent: Pick<GoldenAgent, "model">): string {
  return driver === "codex" ? usual.codex : (agent.model ?? usual[driver]);
}
