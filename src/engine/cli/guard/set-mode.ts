import { sentence, t } from "../../base/language.ts";
import { purserPaths } from "../../base/paths.ts";
import { fail, type Result } from "../../base/result.ts";
import { setOwnSettings } from "../../hooks/own-settings.ts";
import {
  canBeRequired,
  guardFamilies,
  protectingFamilies,
  type FamilyMode,
  type GuardFamily,
  type GuardMode,
} from "../../settings/guard.ts";
import type { CliHost } from "../cli-ports.ts";

/** @param family null for the mode of all rules */
export function setGuardMode(
  mode: GuardMode,
  family: GuardFamily | null,
  host: Pick<CliHost, "env" | "home">,
): Result<void> {
  const place = family === null ? (["guardMode"] as const) : (["guardFamilies", family] as const);
  return setOwnSettings([{ place, value: mode }], purserPaths(host));
}

/** @param family null for all that can be required */
export function requireFamily(family: GuardFamily | null, host: Pick<CliHost, "env" | "home">): Result<void> {
  if (family !== null && !canBeRequired(family))
    return fail(
      "not_protecting",
      sentence(
        "{0} only advises agents, so it cannot be required; {1} can",
        family,
        protectingFamilies.join(", "),
      ),
    );
  const chosen = family === null ? protectingFamilies : [family];
  const mode: FamilyMode = "required";
  return setOwnSettings(
    chosen.map((each) => ({ place: ["guardFamilies", each], value: mode })),
    purserPaths(host),
  );
}

/** A mode for all does not change a family's own. */
export function ownModesText(
  mode: GuardMode,
  own: Readonly<Partial<Record<GuardFamily, FamilyMode>>>,
): string {
  return guardFamilies
    .flatMap((family) => {
      const its = own[family];
      return its === undefined || its === mode
        ? []
        : [t("{0} keeps its own mode, {1}: purser guard {2} --family {0} changes it.", family, its, mode)];
    })
    .map((line) => `${line}\n`)
    .join("");
}
