import * as z from "zod/mini";
import { succeed, type Result } from "../../base/result.ts";
import { hookPath, type HookProgram } from "../program.ts";
import { readPrivateFile, writePrivateFile } from "../../base/private-files.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { readJson } from "../../base/parse.ts";

/**
 * Address of the hook server, as stored in `hooks.json`. It outlives its service, since agents' settings
 * contain the port and the token. Both stay the same until another process takes the port; then both change.
 */
const placeSchema = z.object({
  /** On 127.0.0.1. */
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  /** Sent by hooks as `Authorization: Bearer TOKEN`. Grants access to nothing else in the service. */
  token: z.string().check(z.minLength(16), z.maxLength(512)),
});

export type HookServerAddress = z.infer<typeof placeSchema>;

/** Returns null when no service has answered hooks here yet, or the file is invalid. */
export function readHookServerAddress(home: PurserPaths): Result<HookServerAddress | null, "unsafe_place"> {
  const text = readPrivateFile(home.hooks);
  return text.ok ? succeed(readJson(placeSchema, text.value)) : text;
}

/** @throws the system's error */
export function writeHookServerAddress(home: PurserPaths, address: HookServerAddress): void {
  writePrivateFile(home.hooks, `${JSON.stringify(address, null, 2)}\n`);
}

export function hookUrl({ port }: HookServerAddress, program: HookProgram = "claude-code"): string {
  return `http://127.0.0.1:${port}${hookPath(program)}`;
}
