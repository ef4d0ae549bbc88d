import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface Installed {
  readonly file: string;
  readonly version: string;
}

/** Installs ccusage's native binary from npm into a cache folder outside the repository. */
export function installCcusage(version = "20.0.24"): Installed {
  const name = process.platform === "win32" ? "ccusage.exe" : "ccusage";
  const binary = `@ccusage/ccusage-${process.platform}-${process.arch}/bin/${name}`;
  const file = installed("ccusage", version, binary);
  chmodSync(file, 0o755);
  return { file, version };
}

/** Installs codeburn, which is a script for Node.js. */
export function installCodeburn(version = "0.9.15"): Installed {
  return { file: installed("codeburn", version, "codeburn/dist/cli.js"), version };
}

/** Returns a package's file, below `node_modules`. */
function installed(name: string, version: string, wanted: string): string {
  const cache = process.env["PURSER_BENCH_CACHE"] ?? path.join(os.homedir(), ".cache", "purser-bench");
  const folder = path.join(cache, `${name}-${version}`);
  const file = path.join(folder, "node_modules", wanted);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--prefix", folder];
  execFileSync("npm", ["install", ...flags, `${name}@${version}`], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (!existsSync(file))
    throw new Error(`npm has no ${wanted} of ${name} ${version}: name another version with --${name}`);
  return file;
}
