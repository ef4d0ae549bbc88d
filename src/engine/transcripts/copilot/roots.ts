import { agentHome, type HomeInput } from "../home-folder.ts";

/** The folder in which Copilot CLI keeps its sessions and its store. Need not exist. */
export function copilotRoots(input: HomeInput): string[] {
  return [agentHome(input, ["COPILOT_HOME", "COPILOT_CONFIG_DIR"], ".copilot")];
}
