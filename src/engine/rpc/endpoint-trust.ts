import { lstatSync } from "node:fs";
import path from "node:path";
import { isOpen, isOwn } from "../base/disk/private-file.ts";

/**
 * Who may listen at an address, as far as the address itself tells:
 *
 * - `own`: nobody but this user. A socket is in a folder of the user's that is closed to others, so none of them can make one there,
 *   also when the service that made it is no more;
 * - `unproven`: anybody. A pipe of Windows has no folder: whoever comes first has the name, so its listener is to prove who it is;
 * - `foreign`: others can make sockets there;
 * - `gone`: there is no such folder. Somebody could make it before one connects.
 */
export type EndpointTrust = "own" | "unproven" | "foreign" | "gone";

export function trustIn(address: string): EndpointTrust {
  if (isPipe(address)) return "unproven";
  const folder = path.dirname(address);
  // A link could lead elsewhere a moment later.
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return "gone";
  return stats.isDirectory() && isOwn(stats) && !isOpen(stats) ? "own" : "foreign";
}

export function isPipe(address: string): boolean {
  return address.startsWith("\\\\");
}
