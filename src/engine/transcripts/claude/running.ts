import { readdirSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { errorCode } from "../../base/error-code.ts";
import type { IsAlive } from "../live-reader.ts";
import { readOpening } from "../open-file.ts";

/** Upper bound; a registration is much smaller. Bytes. */
const longest = 64 * 1024;
const registration = z.looseObject({ pid: z.int().positive(), sessionId: z.string() });

/**
 * The sessions with a live process, according to the agent's own registry (`sessions/<pid>.json`). A file left behind by
 * a killed process does not count.
 */
export function runningSessions(roots: readonly string[], isAlive: IsAlive): Set<string> {
  const running = new Set<string>();
  for (const root of roots) {
    const folder = path.join(root, "sessions");
    for (const name of list(folder)) {
      if (!/^\d+\.json$/u.test(name)) continue;
      const found = readRegistration(path.join(folder, name));
      if (found !== undefined && isAlive(found.pid)) running.add(found.sessionId);
    }
  }
  return running;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    errorCode(error);
    return [];
  }
}

/** A file may vanish, or be half-written, between listing and reading: the next poll then finds the session. */
function readRegistration(file: string): z.infer<typeof registration> | undefined {
  try {
    return registration.safeParse(JSON.parse(String(readOpening(file, longest)))).data;
  } catch {
    return undefined;
  }
}
