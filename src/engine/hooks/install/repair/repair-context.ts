import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { isVersionBefore } from "../../../base/process.ts";
import type { RepairContext } from "./repair.ts";
import type { HookServerAddress } from "../../server/address.ts";
import { installContext, type InstallInput } from "../hooks-install-context.ts";
import { readJson } from "../../../base/parse.ts";

export interface RepairInput extends InstallInput {
  /** Version of the running program. */
  readonly version: string;
}

/**
 * Returns what repairing hooks needs of the machine.
 * @param address the hook server's address; null while no service has answered hooks here
 */
export function repairContext(
  { version, ...paths }: RepairInput,
  address: HookServerAddress | null,
): RepairContext {
  return { ...installContext(paths, address), isUsable: (shim) => isAsNew(shim, version) };
}

const manifestSchema = z.object({ version: z.string() });

/**
 * Whether a shim belongs to an extension or package no older than this version. Its manifest is in the folder above the shim's.
 */
function isAsNew(shim: string, version: string): boolean {
  if (!existsSync(shim)) return false;
  // A shim run from source, in the repository, is always new enough.
  const root = path.join(path.dirname(shim), shim.endsWith(".ts") ? "../../.." : "..");
  try {
    const manifest = readJson(manifestSchema, readFileSync(path.join(root, "package.json"), "utf8"));
    return manifest !== null && !isVersionBefore(manifest.version, version);
  } catch {
    // A shim without a package has no owner, and may stay outdated for ever.
    return false;
  }
}
