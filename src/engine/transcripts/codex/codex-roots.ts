import path from "node:path";
import { agentHome, type HomeInput } from "../home-folder.ts";

/**
 * The folders in which Codex stores rollouts: active ones by day, archived ones flat. They need not exist.
 * `CODEX_HOME` moves both.
 */
export function codexRoots(input: HomeInput): string[] {
  const { paths = path } = input;
  const home = agentHome(input, ["CODEX_HOME"], ".codex");
  return [paths.join(home, "sessions"), paths.join(home, "archived_sessions")];
}
