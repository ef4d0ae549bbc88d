import path from "node:path";
import { agentHome, type HomeInput } from "../../../transcripts/home-folder.ts";

/** Returns the folder with Copilot CLI's hook files: the user's own, or a project's. */
export function copilotFolder(of: HomeInput | string): string {
  return typeof of === "string"
    ? path.join(of, ".github", "hooks")
    : path.join(agentHome(of, ["COPILOT_HOME"], ".copilot"), "hooks");
}

/** Copilot CLI reads every file in its folder; this one is purser's. */
export function copilotFile(folder: string): string {
  return path.join(folder, "purser.json");
}
