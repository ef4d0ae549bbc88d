import { agentHome, type HomeInput } from "../home-folder.ts";

/** Where Copilot CLI keeps its sessions and its store. Need not exist. */
export function copilotRoot(input: HomeInput): string {
  return agentHome(input, ["COPILOT_HOME", "COPILOT_CONFIG_DIR"], ".copilot");
}
