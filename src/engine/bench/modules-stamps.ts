import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { errorCode } from "../base/error-code.ts";
import { changedFiles, stampFiles } from "./watched-files.ts";

/** How installed packages were as they were installed, beside them: what changed them since is seen at the next bench's start. */
const stampsName = "stamps.json";
const stampsFile = z.record(z.string(), z.string());

/** Where tools keep what they worked out, which no run's outcome rests on. */
const caches = new Set([".vite", ".vite-temp", ".vitest", ".cache", ".package-lock.json"]);

/** Whether a path in a folder of packages is of no package. With `/`. */
export function isOfTool(place: string): boolean {
  return caches.has(place.split("/", 1)[0] ?? place);
}

/** @param folder that holds `node_modules`, as it was just installed */
export async function keepStamps(folder: string): Promise<void> {
  const stamps = await stampFiles(path.join(folder, "node_modules"), isOfTool);
  await writeFile(path.join(folder, stampsName), JSON.stringify(Object.fromEntries(stamps)));
}

/** What is other than it was installed, by path; null where nobody knows how that was. */
export async function changedSince(folder: string): Promise<string[] | null> {
  const before = stampsFile.safeParse(parsed(await textOf(path.join(folder, stampsName))));
  if (!before.success) return null;
  const now = await stampFiles(path.join(folder, "node_modules"), isOfTool);
  return changedFiles(new Map(Object.entries(before.data)), now);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
