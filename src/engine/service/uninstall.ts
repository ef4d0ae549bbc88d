import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { repairInstalled } from "../guard/install/repair-hooks.ts";
import { removeInstalled } from "../guard/install/remove-installed.ts";
import { readHookPlace } from "./hook-place.ts";
import { installWorld } from "./install-world.ts";
import { forgetInstallation, otherShims } from "./installations.ts";
import { purserHome } from "./purser-home.ts";
import { quickAsk } from "./quick-ask.ts";

/**
 * What an editor runs once the extension was uninstalled and the editor began anew, with a runtime of its own and nobody who would read
 * what is printed: takes out of agents' settings what was put into them, and ends the service. Where another purser of this user's is
 * still there, in another editor or as a package, hooks are made to lead to that one instead. It works by what was remembered of each
 * installation alone, so that it needs no service and no editor.
 */
const { env } = process;
const userHome = os.homedir();
const home = purserHome({ env, home: userHome });
const folder = path.join(path.dirname(import.meta.filename), "..");

/** The editor ends what takes longer than 5 s. Each file is changed as a whole or not at all. Milliseconds. */
const longest = 4500;

async function main(): Promise<void> {
  const [shim] = otherShims(home, folder);
  forgetInstallation(home, folder);
  const place = readHookPlace(home);
  const world = installWorld(
    {
      env,
      home: userHome,
      program: path.join(folder, "dist", "service.cjs"),
      cwd: null,
      // What was posted stays so: this is no time to decide anew.
      posting: "always",
      run: () => Promise.resolve(null),
    },
    place.ok ? place.value : null,
  );
  if (shim !== undefined) {
    const isUsable = (other: string) => existsSync(other) && !other.startsWith(`${folder}${path.sep}`);
    await repairInstalled({ ...world, shim: { ...world.shim, path: shim }, isUsable });
    return;
  }
  await removeInstalled(world);
  await quickAsk({ home, version: "0.0.0", method: "shutdown", params: { reason: "asked" }, within: 1000 });
}

setTimeout(() => process.exit(0), longest).unref();
main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`Context Purser: ${String(error)}\n`);
    process.exit(1);
  },
);
