import { lstatSync } from "node:fs";
import path from "node:path";
import { isOpen, isOwn } from "../base/disk/private-file.ts";

/**
 * Who may listen at an address, judged by the address alone:
 * - `own`: only this user. The socket's folder belongs to the user and is closed to others, so they cannot
 * create a socket there, even after its service has ended;
 * - `unproven`: anybody. A Windows pipe has no folder: the first to ask gets the name, so the listener must
 * prove its identity;
 * - `foreign`: others can create sockets there;
 * - `gone`: the folder does not exist. Somebody could create it before the connection is made.
 */
export type EndpointTrust = "own" | "unproven" | "foreign" | "gone";

export function trustIn(address: string): EndpointTrust {
  if (isPipe(address)) return "unproven";
  const folder = path.dirname(address);
  // Does not follow links: a link could point elsewhere a moment later.
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return "gone";
  return stats.isDirectory() && isOwn(stats) && !isOpen(stats) ? "own" : "foreign";
}

export function isPipe(address: string): boolean {
  return address.startsWith("\\\\");
}
