import { sentence } from "../../base/language.ts";
import { purserPaths } from "../../base/paths.ts";
import { guardRules, shellContext } from "../guard/guard-access.ts";
import { OwnCatalogues } from "../../sessions/live.ts";
import type { CliHost } from "../cli-ports.ts";
import { settingsStore } from "../settings-access.ts";
import type { Settings } from "../../settings/shape.ts";
import { note, ok, problem } from "./diagnosis.ts";
import type { Finding } from "./doctor-schema.ts";

export interface FoundSettings {
  readonly settings: Settings;
  readonly findings: readonly Finding[];
}

export function findSettings(host: CliHost): FoundSettings {
  const store = settingsStore(host, () => undefined);
  try {
    const settings = store.now();
    const catalogues = new OwnCatalogues();
    catalogues.forSettings(settings);
    const faults = [...store.problems(), ...catalogues.problems].map(({ path, reason }) =>
      problem(
        "settings",
        sentence("Part of it has no effect: {0}", reason),
        sentence("Fix it; the rest of the file applies."),
        path,
      ),
    );
    const { settings: file } = purserPaths(host);
    return {
      settings,
      findings: faults.length > 0 ? faults : [ok("settings", sentence("Settings are valid."), file)],
    };
  } finally {
    store.dispose();
  }
}

export async function checkGuard(host: CliHost, cwd: string): Promise<Finding[]> {
  // Faults are reported with their files.
  const files = await guardRules(host, () => undefined).files(shellContext(host, cwd));
  const findings = files.flatMap(({ name, state, faults }) => {
    if (state === "untrusted")
      return [
        note(
          "guard-untrusted",
          sentence("It is not used because its folder is not trusted."),
          "purser guard trust",
          name,
        ),
      ];
    return faults.map(({ line, message }) =>
      problem(
        "guard-rules",
        sentence("Line {0}: {1}", line, message),
        sentence("Fix the line; until then, its last valid content applies."),
        name,
      ),
    );
  });
  const isAnyFaulty = findings.some(({ level }) => level === "problem");
  return isAnyFaulty ? findings : [ok("guard-rules", sentence("Guard rules are valid.")), ...findings];
}
