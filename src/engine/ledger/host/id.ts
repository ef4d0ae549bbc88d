import { randomBytes } from "node:crypto";
import path from "node:path";
import { sha256Hex } from "../../base/hash.ts";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { readPrivateFile, writePrivateFile } from "../../base/private-files.ts";
import type { PurserPaths } from "../../base/paths.ts";

const shape = /^[0-9a-f]{16}$/u;

/**
 * Returns an id that distinguishes this home's ledger from any other, on this machine or on another that shares a
 * project's folder. Random and stored; derived from the home's path if it cannot be stored.
 */
export function ledgerId({ folder }: Pick<PurserPaths, "folder">): string {
  const file = path.join(folder, "ledger-id");
  const kept = readPrivateFile(file);
  const known = kept.ok ? (kept.value ?? "").trim() : "";
  if (shape.test(known)) return known;
  const drawn = randomBytes(8).toString("hex");
  try {
    writePrivateFile(file, `${drawn}\n`);
    return drawn;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return sha256Hex(folder, 16);
  }
}
