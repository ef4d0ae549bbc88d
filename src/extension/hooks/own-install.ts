import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RepairWorld } from "../../engine/hooks/install/repair/repair.ts";
import { readHookPlace, type HookPlace } from "../../engine/hooks/server/address.ts";
import { purserHome } from "../../engine/base/disk/home.ts";
import { repairWorld } from "../../engine/hooks/install/repair/world.ts";

export interface HookMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The extension's folder and version. */
  readonly extension: string;
  readonly version: string;
  /** The user's setting for posted hooks. */
  readonly posting: RepairWorld["posting"];
  readonly run: RepairWorld["run"];
}

/** The machine as the installer sees it. @param project a folder of the window; null without a project */
export function hookWorld(machine: HookMachine, project: string | null): RepairWorld {
  const { env, extension, version, posting, run } = machine;
  const home = homedir();
  const place = readHookPlace(purserHome({ env, home }));
  const program = path.join(extension, "dist", "service.cjs");
  const places = { env, home, program, cwd: project, posting, run, version };
  return repairWorld(places, place.ok ? place.value : null);
}

const attempts = 20;
/** Milliseconds. */
const between = 100;

/** Waits for the hook endpoint of a service that has just started. Null when there is none. */
export async function awaitHookPlace(
  env: HookMachine["env"],
  isServed: () => boolean,
): Promise<HookPlace | null> {
  const home = purserHome({ env, home: homedir() });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const place = readHookPlace(home);
    if (!place.ok || place.value !== null || !isServed()) return place.ok ? place.value : null;
    await pause(between);
  }
  return null;
}
