import type { Sentence } from "../base/language.ts";
import { purserPaths } from "../base/paths.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import type { CliHost } from "./cli-ports.ts";

export function settingsStore(
  host: Pick<CliHost, "env" | "home" | "now">,
  onProblem: (message: Sentence) => void,
): SettingsStore {
  const clock = { now: () => host.now() };
  return new SettingsStore({ home: purserPaths(host), platform: process.platform, clock, onProblem });
}
