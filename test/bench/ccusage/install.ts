import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const version = "20.0.24";

/** Installs ccusage's native binary from npm into a cache folder outside the repository. */
export function installCcusage(): { file: string; version: string } {
  const cache = process.env["PURSER_BENCH_CACHE"] ?? path.join(os.homedir(), ".cache", "purser-bench");
  const folder = path.join(cache, `ccusage-${version}`);
  const name = process.platform === "win32" ? "ccusage.exe" : "ccusage";
  const file = path.join(
    folder,
    "node_modules/@ccusage",
    `ccusage-${process.platform}-${process.arch}`,
    "bin",
    name,
  );
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--prefix", folder];
    execFileSync("npm", ["install", ...flags, `ccusage@${version}`], {
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    chmodSync(file, 0o755);
  }
  return { file, version };
}
