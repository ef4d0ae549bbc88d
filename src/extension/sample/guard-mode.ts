import { setTimeout as delay } from "node:timers/promises";
import { Emitter } from "../../engine/base/events.ts";
import type { PurserPaths } from "../../engine/base/paths.ts";
import { setOwnSettings } from "../../engine/hooks/own-settings.ts";
import type { GuardControllerPorts } from "../guard/guard-controller.ts";

/** Time after which a service has read a changed settings file. Milliseconds. */
const settingsRead = 1700;

/** Guard's modes in the sample: in its own settings file, which goes with it. */
export function sampleGuardModes(
  paths: Pick<PurserPaths, "folder" | "settings">,
): Pick<GuardControllerPorts, "setMode" | "onSince" | "onSettingsChange"> {
  const changes = new Emitter<void>();
  let since: number | null = null;
  return {
    setMode: async ({ family, mode, held }) => {
      const others = Object.entries(held.families).filter(([name]) => name !== family);
      const chosen: readonly [string, string][] =
        family === null || mode === null ? others : [...others, [family, mode]];
      const families = new Map(chosen);
      const setting =
        family === null
          ? { place: ["guardMode"] as const, value: mode ?? "observe" }
          : { place: ["guardFamilies"] as const, value: Object.fromEntries(families) };
      const written = setOwnSettings([setting], paths);
      if (!written.ok) throw new Error(written.detail.text);
      // Families are set one after the other, and the mode of all is last.
      if (family === null) await delay(settingsRead);
      else setTimeout(() => changes.fire(), settingsRead).unref();
    },
    onSince: {
      get: () => since,
      set: (at) => {
        since = at;
      },
    },
    onSettingsChange: (listener) => changes.on(() => listener()),
  };
}
