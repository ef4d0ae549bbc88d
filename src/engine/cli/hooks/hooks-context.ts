import { type InstallContext, installContext as worldAt } from "../../hooks/install.ts";
import { ensureService } from "../../service/ensure.ts";
import { readHookServerAddress, type HookServerAddress } from "../../hooks/server.ts";
import { briefRunner } from "../../base/process.ts";
import { purserPaths } from "../../base/paths.ts";
import type { Settings } from "../../settings/shape.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "../service/service-access.ts";
import { settingsStore } from "../settings-access.ts";
import { said } from "../language/said.ts";

export function installContext(
  host: CliHost,
  cwd: string,
  address: HookServerAddress | null,
): InstallContext {
  const { env, home, service, run = briefRunner(env) } = host;
  const { hookPosting: posting } = settingsAt(host);
  return worldAt({ env, home, program: service.program, cwd, posting, run }, address);
}

export function settingsAt(host: CliHost): Settings {
  return settingsStore(host, (message) => void host.stderr.write(`${said(message)}\n`)).now();
}

/** `isBegun`: start the service if none has answered hooks here yet. */
export async function hookAddress(host: CliHost, isBegun: boolean): Promise<HookServerAddress | null> {
  const known = readHookServerAddress(purserPaths(host));
  if (!known.ok) return null;
  if (known.value !== null || !isBegun) return known.value;
  const client = await ensureService({ ...servicePorts(host), signal: host.signal });
  if (!client.ok) return null;
  client.value.dispose();
  const now = readHookServerAddress(purserPaths(host));
  return now.ok ? now.value : null;
}
