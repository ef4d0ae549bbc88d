import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { isVersionBefore } from "../../../base/text/version-order.ts";
import type { RepairWorld } from "./repair.ts";
import type { HookPlace } from "../../server/address.ts";
import { installWorld, type InstallPlaces } from "../world.ts";

export interface RepairPlaces extends InstallPlaces {
  /** Of the program. */
  readonly version: string;
}

/** The machine as mending hooks sees it. @param address where hooks are answered; null while no service has answered any here */
export function repairWorld({ version, ...places }: RepairPlaces, address: HookPlace | null): RepairWorld {
  return { ...installWorld(places, address), isUsable: (shim) => isAsNew(shim, version) };
}

const manifestSchema = z.object({ version: z.string() });

/** Below the shim's folder is what it belongs to: an extension's folder or a package. */
function isAsNew(shim: string, version: string): boolean {
  if (!existsSync(shim)) return false;
  // As it is written, in the repository, it is as new as it gets.
  const root = path.join(path.dirname(shim), shim.endsWith(".ts") ? "../../.." : "..");
  try {
    const text = readFileSync(path.join(root, "package.json"), "utf8");
    const { success, data } = manifestSchema.safeParse(JSON.parse(text));
    return success && !isVersionBefore(data.version, version);
  } catch {
    // A shim of no package is nobody's: it may be stale for ever.
    return false;
  }
}
