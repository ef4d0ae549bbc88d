import { cleanText } from "../../base/text/text.ts";
import type { InstallWorld } from "../../hooks/install/installer.ts";
import { ensureService } from "../../service/client/ensure.ts";
import { readHookPlace, type HookPlace } from "../../hooks/server/address.ts";
import { installWorld as worldAt } from "../../hooks/install/world.ts";
import { briefRunner } from "../../base/process/run-briefly.ts";
import { purserHome } from "../../base/disk/home.ts";
import type { Settings } from "../../settings/shape.ts";
import type { CliHost } from "../ports.ts";
import { servicePorts } from "../service/access.ts";
import { settingsKeeper } from "../settings-access.ts";

/** Returns the context for installing hooks. @param cwd the project's folder, or one in it */
export function installWorld(host: CliHost, cwd: string, address: HookPlace | null): InstallWorld {
  const { env, home, service, run = briefRunner(env) } = host;
  const { hookPosting: posting } = settingsAt(host);
  return worldAt({ env, home, program: service.program, cwd, posting, run }, address);
}

/** Returns the user's settings. */
export function settingsAt(host: CliHost): Settings {
  return settingsKeeper(host, (message) => void host.stderr.write(`${cleanText(message)}\n`)).now();
}

/**
 * Returns where hooks are answered.
 * @param isBegun whether to start the service when none has answered hooks here yet
 */
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
