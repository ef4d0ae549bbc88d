import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { readPrivateFile } from "../../base/disk/private-file.ts";
import { writePrivateFile } from "../../base/disk/private-place.ts";
import type { PurserHome } from "../../base/disk/home.ts";

const shape = /^[0-9a-f]{16}$/u;

/**
 * What tells the ledger of a home from any other, on this machine or another that shares a project's folder. Drawn once and kept; where it
 * cannot be kept, it is made of the home's own path.
 */
export function ledgerId({ folder }: Pick<PurserHome, "folder">): string {
  const file = path.join(folder, "ledger-id");
  const kept = readPrivateFile(file);
  const known = kept.ok ? (kept.value ?? "").trim() : "";
  if (shape.test(known)) return known;
  const drawn = randomBytes(8).toString("hex");
  try {
    writePrivateFile(file, `${drawn}\n`);
    return drawn;
  } catch (error) {
    // Only what the system refuses is expected here; a bug is thrown on.
    errorCode(error);
    return createHash("sha256").update(folder).digest("hex").slice(0, 16);
  }
}
