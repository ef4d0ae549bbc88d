import { purserHome } from "../base/disk/home.ts";
import { SettingsKeeper } from "../service/settings-store.ts";
import type { CliHost } from "./ports.ts";

/** The user's settings, read where this terminal is: the same as a service has them. */
export function settingsKeeper(
  host: Pick<CliHost, "env" | "home" | "now">,
  onProblem: (message: string) => void,
): SettingsKeeper {
  const clock = { now: () => host.now() };
  return new SettingsKeeper({ home: purserHome(host), platform: process.platform, clock, onProblem });
}
