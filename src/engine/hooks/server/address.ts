import * as z from "zod";
import { succeed, type Result } from "../../base/result.ts";
import { hookPath, type HookProgram } from "../program.ts";
import { readPrivateFile } from "../../base/disk/private-file.ts";
import { writePrivateFile } from "../../base/disk/private-place.ts";
import type { PurserHome } from "../../base/disk/home.ts";

/**
 * Where hooks are answered: what `hooks.json` says. It outlives the service that wrote it, since agents' settings name the port
 * and the token: both stay the same until the port is taken by somebody else, and then both change.
 */
const placeSchema = z.object({
  /** On 127.0.0.1. */
  port: z.int().min(1).max(65_535),
  /** What a hook shows: `Authorization: Bearer TOKEN`. It opens nothing else of the service. */
  token: z.string().min(16).max(512),
});

export type HookPlace = z.infer<typeof placeSchema>;

/** Null when no service has answered hooks here yet, or the file is no such thing. */
export function readHookPlace(home: PurserHome): Result<HookPlace | null, "unsafe_place"> {
  const text = readPrivateFile(home.hooks);
  if (!text.ok) return text;
  try {
    return succeed(placeSchema.safeParse(JSON.parse(text.value ?? "null")).data ?? null);
  } catch {
    return succeed(null);
  }
}

/** @throws the system's error */
export function writeHookPlace(home: PurserHome, place: HookPlace): void {
  writePrivateFile(home.hooks, `${JSON.stringify(place, null, 2)}\n`);
}

/** Where an agent of this kind posts its hooks. */
export function hookUrl({ port }: HookPlace, program: HookProgram = "claude-code"): string {
  return `http://127.0.0.1:${port}${hookPath(program)}`;
}
