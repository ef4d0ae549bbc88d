import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { repairInstalled } from "../../hooks/install/repair/repair.ts";
import { removeInstalled } from "../../hooks/install/remove.ts";
import { readHookPlace } from "../../hooks/server/address.ts";
import { installWorld } from "../../hooks/install/world.ts";
import { forgetInstallation, otherShims } from "../../hooks/install/installations.ts";
import { purserHome } from "../../base/disk/home.ts";
import { quickAsk } from "../client/quick-ask.ts";

/**
 * Uninstalls what was put into agents' settings, and ends the service. If another purser of this user's remains, in another editor or as
 * a package, points the hooks to that one instead. Relies on the installation records alone, so it needs no service and no editor.
 * @param folder the folder of the extension being removed
 */
export async function takeOutHooks(folder: string): Promise<void> {
  const { env } = process;
  const userHome = os.homedir();
  const home = purserHome({ env, home: userHome });
  const [shim] = otherShims(home, folder);
  forgetInstallation(home, folder);
  const place = readHookPlace(home);
  const world = installWorld(
    {
      env,
      home: userHome,
      program: path.join(folder, "dist", "service.cjs"),
      cwd: null,
      // What is posted stays posted: this is no time to decide anew.
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
