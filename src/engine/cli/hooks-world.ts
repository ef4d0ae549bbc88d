import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../base/error-code.ts";
import type { InstallWorld } from "../guard/install/installer.ts";
import { nodeSettingsDisk } from "../guard/install/settings-disk.ts";
import { ensureService } from "../service/ensure-service.ts";
import { readHookPlace, type HookPlace } from "../service/hook-place.ts";
import { purserHome } from "../service/purser-home.ts";
import type { CliHost } from "./cli-host.ts";
import { servicePorts } from "./service-access.ts";

/** No settings file is larger. Bytes. */
const largest = 4 * 1024 * 1024;

/** The machine as installing hooks sees it. @param cwd the project's folder, or one in it */
export function installWorld(host: CliHost, cwd: string, address: HookPlace | null): InstallWorld {
  const { env, home, service } = host;
  const place = path.dirname(service.program);
  return {
    env,
    home,
    // A worktree has settings of its own: agents look for them where they work.
    project: repositoryOf(cwd) ?? cwd,
    disk: nodeSettingsDisk,
    records: path.join(purserHome({ env, home }).folder, "installed-hooks"),
    unique: randomUUID,
    platform: process.platform,
    readText,
    list,
    address,
    // The runtime is looked for by the agent: ours may be an editor's, or be gone with the next version.
    shim: {
      path: path.join(place, service.program.endsWith(".ts") ? "hook-shim.ts" : "hook.cjs"),
      runtime: "node",
    },
    isInRepository: (folder) => repositoryOf(folder) !== undefined,
  };
}

/** Where hooks are answered. @param isBegun whether the service is started when none has answered hooks here yet */
export async function hookAddress(host: CliHost, isBegun: boolean): Promise<HookPlace | null> {
  const known = readHookPlace(purserHome(host));
  if (!known.ok) return null;
  if (known.value !== null || !isBegun) return known.value;
  const client = await ensureService({ ...servicePorts(host), signal: host.signal });
  if (!client.ok) return null;
  client.value.dispose();
  const now = readHookPlace(purserHome(host));
  return now.ok ? now.value : null;
}

/** The nearest folder with a repository, the folder itself included. */
function repositoryOf(folder: string): string | undefined {
  for (let each = folder; ; each = path.dirname(each)) {
    if (existsSync(path.join(each, ".git"))) return each;
    if (each === path.dirname(each)) return undefined;
  }
}

function readText(file: string): string | null {
  try {
    const stats = statSync(file);
    // Opening a FIFO would wait for its writer.
    return stats.isFile() && stats.size <= largest ? readFileSync(file, "utf8") : null;
  } catch (error) {
    errorCode(error);
    return null;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    errorCode(error);
    return [];
  }
}
