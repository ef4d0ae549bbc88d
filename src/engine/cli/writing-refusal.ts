import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../base/result.ts";

/** A full disk may still take a few bytes. */
const probeBytes = 65_536;

/** Permissions do not show a full disk, or a file system that refuses. Returns the system's code; null if writing works. */
export function writingRefusal(folder: string): string | null {
  try {
    const probe = mkdtempSync(path.join(folder, ".purser-probe-"));
    try {
      writeFileSync(path.join(probe, "probe"), Buffer.alloc(probeBytes), { flush: true });
    } finally {
      rmSync(probe, { recursive: true, force: true });
    }
    return null;
  } catch (error) {
    return errorCode(error);
  }
}
