import { join } from "node:path";
import type { Result } from "../../src/engine/base/result.ts";
import { succeed } from "../../src/engine/base/result.ts";
import { installAgent, npmInstall } from "./install.ts";

export const geminiVersion = "0.61.0";

export interface GeminiProgram {
  /** A script for Node. */
  readonly script: string;
  /** Where Node keeps the compiled script: most of a start is compiling it. */
  readonly compiled: string;
}

/** Installs Gemini CLI into the cache, or reuses it. It works without its optional packages, which are for terminals. */
export async function installGemini(cache: string): Promise<Result<GeminiProgram, "cannot_install">> {
  const folder = `gemini-cli-${geminiVersion}`;
  const installed = await installAgent(
    {
      wanted: `@google/gemini-cli@${geminiVersion}`,
      folder,
      binary: join("node_modules", "@google", "gemini-cli", "bundle", "gemini.js"),
    },
    cache,
    (wanted, into) => npmInstall(wanted, into, ["--omit=optional"]),
  );
  if (!installed.ok) return installed;
  return succeed({ script: installed.value, compiled: join(cache, folder, "compiled") });
}
