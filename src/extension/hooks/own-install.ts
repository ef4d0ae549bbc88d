import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RepairContext } from "../../engine/hooks/install/repair/repair.ts";
import { readHookServerAddress, type HookServerAddress } from "../../engine/hooks/server/address.ts";
import { purserPaths } from "../../engine/base/disk/home.ts";
import { repairContext } from "../../engine/hooks/install/repair/repair-context.ts";

export interface HookMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The extension's folder and version. */
  readonly extension: string;
  readonly version: string;
  /** The user's setting for posted hooks. */
  readonly posting: RepairContext["posting"];
  readonly run: RepairContext["run"];
}

/** The machine as the installer sees it. @param project a folder of the window; null without a project */
export function ownRepairContext(machine: HookMachine, project: string | null): RepairContext {
  const { env, extension, version, posting, run } = machine;
  const home = homedir();
  const address = readHookServerAddress(purserPaths({ env, home }));
  const program = path.join(extension, "dist", "service.cjs");
  const paths = { env, home, program, cwd: project, posting, run, version };
  return repairContext(paths, address.ok ? address.value : null);
}

const attempts = 20;
/** Milliseconds. */
const between = 100;

/** Waits for the hook endpoint of a service that has just started. Null when there is none. */
export async function awaitHookServerAddress(
  env: HookMachine["env"],
  isServed: () => boolean,
): Promise<HookServerAddress | null> {
  const home = purserPaths({ env, home: homedir() });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const address = readHookServerAddress(home);
    if (!address.ok || address.value !== null || !isServed()) return address.ok ? address.value : null;
    await pause(between);
  }
  return null;
}
