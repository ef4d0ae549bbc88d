import { agentHome, type HomeInput } from "../home-folder.ts";

/** The folder of Copilot CLI's sessions and store. It need not exist. */
export function copilotRoots(input: HomeInput): string[] {
  return [agentHome(input, ["COPILOT_HOME", "COPILOT_CONFIG_DIR"], ".copilot")];
}
