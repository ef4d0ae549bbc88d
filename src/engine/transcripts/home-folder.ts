import path, { type PlatformPath } from "node:path";

export interface HomeInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** How this machine writes paths; another's only in tests. */
  readonly paths?: PlatformPath;
}

/** The folder an agent keeps its files in: what the first of the variables that is set names, else the default. */
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
