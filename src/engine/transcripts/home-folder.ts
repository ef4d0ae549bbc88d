import path, { type PlatformPath } from "node:path";

export interface HomeInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** This machine's path rules; tests pass another platform's. */
  readonly paths?: PlatformPath;
}

/**
 * The folder an agent stores its files in: the first of the environment variables that is set, else the default.
 */
export function agentHome(
  { env, home, paths = path }: HomeInput,
  names: readonly string[],
  usual: string,
): string {
  const [configured] = names.map((name) => (env[name] ?? "").trim()).filter((folder) => folder !== "");
  if (configured === undefined) return paths.join(home, usual);
  const isInHome = /^~(?=$|[\\/])/u.test(configured);
  return paths.resolve(isInHome ? paths.join(home, configured.slice(1)) : configured);
}

/**
 * The folders in which Codex stores rollouts: active ones by day, archived ones flat. They need not exist.
 * `CODEX_HOME` moves both.
 */
export function codexRoots(input: HomeInput): string[] {
  const { paths = path } = input;
  const home = agentHome(input, ["CODEX_HOME"], ".codex");
  return [paths.join(home, "sessions"), paths.join(home, "archived_sessions")];
}

/** The folder of Copilot CLI's sessions and store. It need not exist. */
export function copilotRoots(input: HomeInput): string[] {
  return [agentHome(input, ["COPILOT_HOME", "COPILOT_CONFIG_DIR"], ".copilot")];
}

/** The folders in which Gemini CLI stores its projects' sessions. They need not exist. */
export function geminiRoots(input: HomeInput): string[] {
  const { home, paths = path } = input;
  const homes = [agentHome(input, ["GEMINI_CLI_HOME"], "."), paths.join(home, ".cache")];
  // Its macOS sandbox has another home.
  return homes.map((folder) => paths.join(folder, ".gemini", "tmp"));
}
