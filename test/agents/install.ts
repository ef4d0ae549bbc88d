import { compose } from "../../src/engine/base/language.ts";
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { Result } from "../../src/engine/base/result.ts";

/** The newest version, with which everything is tested. */
export const newestClaude = "2.1.332";
/** The oldest supported version, which writes no `api-request` lines. */
const oldestClaude = "2.1.197";
export const generations = [newestClaude, oldestClaude] as const;
export type Generation = (typeof generations)[number];

/** Installs one npm package into a folder; returns an error message, or null. */
export type InstallPackage = (wanted: string, folder: string) => Promise<string | null>;

/** The cache folder of the agents: `PURSER_AGENTS_CACHE`, else a folder in the user's cache. */
export function agentsCache(env: NodeJS.ProcessEnv, home: string): string {
  return env["PURSER_AGENTS_CACHE"] ?? join(home, ".cache", "purser-agents");
}

/** An agent's npm package: its name with version, its folder in the cache, and the binary's path below that. */
export interface AgentPackage {
  readonly wanted: string;
  readonly folder: string;
  readonly binary: string;
}

/** Installs one version of Claude Code into the cache, or reuses it, and returns the path of its binary. */
export async function installClaude(
  version: Generation,
  cache: string,
  installPackage: InstallPackage = npmInstall,
): Promise<Result<string, "cannot_install">> {
  const agent = {
    wanted: `@anthropic-ai/claude-code@${version}`,
    folder: `claude-code-${version}`,
    binary: join("node_modules", "@anthropic-ai", "claude-code", "bin", "claude.exe"),
  };
  return installAgent(agent, cache, installPackage);
}

/**
 * Installs an agent into the cache, or reuses it, and returns the path of its binary. It is installed beside its final
 * folder and renamed into it, so that two processes may do this at once: the slower one finds the folder taken and uses
 * that.
 */
export async function installAgent(
  { wanted, folder, binary: below }: AgentPackage,
  cache: string,
  installPackage: InstallPackage = npmInstall,
): Promise<Result<string, "cannot_install">> {
  const home = join(cache, folder);
  const binary = join(home, below);
  if (await exists(binary)) return succeed(binary);
  await mkdir(cache, { recursive: true });
  const half = await mkdtemp(join(cache, "half-"));
  try {
    await writeFile(join(half, "package.json"), JSON.stringify({ name: "agents", private: true }));
    const trouble = await installPackage(wanted, half);
    if (trouble !== null) return fail("cannot_install", compose`npm install ${wanted}: ${trouble}`);
    await rename(half, home).catch(async (error: unknown) => {
      if (!(await exists(binary))) throw error;
    });
    if (await exists(binary)) return succeed(binary);
    return fail("cannot_install", compose`${wanted} has no ${binary}`);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

export async function npmInstall(
  wanted: string,
  folder: string,
  options: readonly string[] = [],
): Promise<string | null> {
  const npm = await execa(
    "npm",
    ["install", "--save-exact", "--no-audit", "--no-fund", "--fetch-retries=1", ...options, wanted],
    {
      cwd: folder,
      reject: false,
      all: true,
      timeout: 300_000,
    },
  );
  return npm.failed ? npm.all.trim().split("\n").slice(-5).join(" | ") : null;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
