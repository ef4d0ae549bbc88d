import { compose } from "../../src/engine/base/language.ts";
import { mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { Result } from "../../src/engine/base/result.ts";
import { childEnv } from "../engine/support/child-env.ts";
import { installAgent } from "./install.ts";

export const copilotVersion = "1.0.102";

export interface CopilotProgram {
  readonly binary: string;
  /** The folder it has unpacked itself into: one for all homes, instead of 235 MB in each. */
  readonly unpacked: string;
}

/** Installs Copilot CLI into the cache, or reuses it, and lets it unpack itself there once. */
export async function installCopilot(cache: string): Promise<Result<CopilotProgram, "cannot_install">> {
  const name = process.platform === "win32" ? "copilot.exe" : "copilot";
  const folder = `copilot-${copilotVersion}`;
  const installed = await installAgent(
    {
      wanted: `@github/copilot@${copilotVersion}`,
      folder,
      binary: join("node_modules", "@github", `copilot-${process.platform}-${process.arch}`, name),
    },
    cache,
  );
  if (!installed.ok) return installed;
  const binary = installed.value;
  const unpacked = join(cache, `${folder}-unpacked`);
  if (await exists(unpacked)) return succeed({ binary, unpacked });
  const half = await mkdtemp(join(cache, "half-"));
  try {
    const result = await execa(binary, ["--version"], {
      cwd: half,
      extendEnv: false,
      env: { ...childEnv, ...offline, HOME: half, COPILOT_CACHE_HOME: half, COPILOT_SEA_EXTRACT_ONLY: "1" },
      stdin: "ignore",
      all: true,
      reject: false,
      timeout: 60_000,
    });
    if (result.failed)
      return fail("cannot_install", compose`${binary} cannot unpack itself: ${result.all.slice(-500)}`);
    await rename(half, unpacked).catch(async (error: unknown) => {
      if (!(await exists(unpacked))) throw error;
    });
    return succeed({ binary, unpacked });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

/** No sign-in, telemetry or updates. */
export const offline = { COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false" } as const;

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
