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
