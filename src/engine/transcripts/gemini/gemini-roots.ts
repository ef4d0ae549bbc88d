import path from "node:path";
import { agentHome, type HomeInput } from "../home-folder.ts";

/** The folders in which Gemini CLI stores its projects' sessions. They need not exist. */
export function geminiRoots(input: HomeInput): string[] {
  const { home, paths = path } = input;
  const homes = [agentHome(input, ["GEMINI_CLI_HOME"], "."), paths.join(home, ".cache")];
  // Its macOS sandbox has another home.
  return homes.map((folder) => paths.join(folder, ".gemini", "tmp"));
}
