import { compose } from "../../src/engine/base/language.ts";
import { join } from "node:path";
import { fail } from "../../src/engine/base/result.ts";
import type { Result } from "../../src/engine/base/result.ts";
import { installAgent } from "./install.ts";

/** The newest version, with which everything is tested, and the oldest supported one. */
export const [codexVersion, oldestCodex] = ["0.171.0", "0.169.0"] as const;

/** Codex's supported platforms: Node's name to the target triple in Codex's folders. */
const triples: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
  "win32-x64": "x86_64-pc-windows-msvc",
  "win32-arm64": "aarch64-pc-windows-msvc",
};

/** Installs Codex into the cache and returns the path of the binary itself, bypassing the launcher. */
export async function installCodex(
  cache: string,
  version: string = codexVersion,
): Promise<Result<string, "cannot_install">> {
  const platform = `${process.platform}-${process.arch}`;
  const triple = triples[platform];
  if (triple === undefined) return fail("cannot_install", compose`there is no Codex for ${platform}`);
  const name = process.platform === "win32" ? "codex.exe" : "codex";
  const agent = {
    wanted: `@openai/codex@${version}`,
    folder: `codex-${version}`,
    binary: join("node_modules", "@openai", `codex-${platform}`, "vendor", triple, "bin", name),
  };
  return installAgent(agent, cache);
}
