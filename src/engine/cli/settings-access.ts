import { purserHome } from "../base/disk/home.ts";
import { SettingsKeeper } from "../service/settings-store.ts";
import type { CliHost } from "./ports.ts";

/** Returns the user's settings, read in this terminal: the same as the service's. */
export function settingsKeeper(
  host: Pick<CliHost, "env" | "home" | "now">,
  onProblem: (message: string) => void,
): SettingsKeeper {
  const clock = { now: () => host.now() };
  return new SettingsKeeper({ home: purserHome(host), platform: process.platform, clock, onProblem });
}
