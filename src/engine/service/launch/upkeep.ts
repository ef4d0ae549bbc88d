import os from "node:os";
import path from "node:path";
import { packageVersion, briefRunner } from "../../base/process.ts";
import { systemClock } from "../../base/timing.ts";
import {
  describeWithoutHttp,
  installContext,
  removeInstalled,
  forgetInstallation,
  otherShims,
  onFailureOf,
} from "../../hooks/install.ts";
import {
  type Repair,
  repairHooks,
  type RepairReport,
  repairContext,
  repairInstalled,
} from "../../hooks/repair-hooks.ts";
import { readHookServerAddress } from "../../hooks/server.ts";
import { purserPaths } from "../../base/paths.ts";
import { SettingsStore } from "../../settings/settings-store.ts";
import { existsSync } from "node:fs";
import { quickAsk } from "../quick-ask.ts";

/** Only Claude Code posts hooks. */
function noticeOf({ file, outcome, becameCommands }: Repair): string | null {
  if (outcome !== "repaired" || becameCommands === null) return null;
  return `Context Purser: Claude Code's hooks in ${file} were posted and are commands from now on. ${describeWithoutHttp(becameCommands).text}`;
}

/** Outside of any project. `program` is the service's; its shim should run the hooks. */
export async function repairOwnHooks(program: string): Promise<RepairReport> {
  const { env } = process;
  const home = purserPaths({ env, home: os.homedir() });
  const root = path.join(path.dirname(program), program.endsWith(".ts") ? "../../.." : "..");
  const address = readHookServerAddress(home);
  const { platform } = process;
  const ports = { home, platform, clock: systemClock, onProblem: () => undefined };
  const settings = new SettingsStore(ports);
  const context = repairContext(
    {
      env,
      home: os.homedir(),
      program,
      cwd: null,
      version: packageVersion(path.join(root, "package.json")),
      posting: settings.now().hookPosting,
      onFailure: onFailureOf(settings),
      run: briefRunner(env),
    },
    address.ok ? address.value : null,
  );
  const repairs = await repairHooks(context, ["user"]);
  return repairs.map((repair) => ({
    file: repair.file,
    outcome: repair.outcome,
    detail: repair.detail,
    notice: noticeOf(repair),
  }));
}

/**
 * Ends the service too. If another purser of this user's remains, in another editor or as a package, points the hooks to that one instead. Relies on
 * the installation records alone, so it needs no service and no editor. `folder` is that of the removed extension.
 */
export async function removeAllHooks(folder: string): Promise<void> {
  const { env } = process;
  const userHome = os.homedir();
  const home = purserPaths({ env, home: userHome });
  const [shim] = otherShims(home, folder);
  forgetInstallation(home, folder);
  const address = readHookServerAddress(home);
  const context = installContext(
    {
      env,
      home: userHome,
      program: path.join(folder, "dist", "service.cjs"),
      cwd: null,
      // Posted hooks stay posted: removal must not decide that again.
      posting: "always",
      onFailure: "kept",
      run: () => Promise.resolve(null),
    },
    address.ok ? address.value : null,
  );
  if (shim !== undefined) {
    const isUsable = (other: string) => existsSync(other) && !other.startsWith(`${folder}${path.sep}`);
    await repairInstalled({ ...context, shim: { ...context.shim, path: shim }, isUsable });
    return;
  }
  await removeInstalled(context);
  await quickAsk({ home, version: "0.0.0", method: "shutdown", params: { reason: "asked" }, within: 1000 });
}
