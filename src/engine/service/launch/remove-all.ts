import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { repairInstalled } from "../../hooks/repair-hooks.ts";
import { installContext, removeInstalled, forgetInstallation, otherShims } from "../../hooks/install.ts";
import { readHookServerAddress } from "../../hooks/server.ts";
import { purserPaths } from "../../base/paths.ts";
import { quickAsk } from "../quick-ask.ts";

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
