import { nearestOf } from "../../base/text.ts";
import type { Finding } from "../delivery.ts";
import { checkExport } from "./checks/missing-exports.ts";
import { checkPackage } from "./checks/missing-packages.ts";
import { checkPath } from "./checks/missing-paths.ts";
import { checkRef } from "./checks/missing-refs.ts";
import { checkScript } from "./checks/missing-scripts.ts";
import { checkTarget } from "./checks/missing-targets.ts";
import { checkTest } from "./checks/missing-tests.ts";
import { type FactPorts, listed, missing, quoted } from "./checks/check.ts";
import { type Claim, isWithin, type FlagClaim } from "./claims/claim.ts";

/** Maximum findings reported per call. */
const maxFindings = 3;

/** A bundle of its own, loaded with the first call that names anything. */
export { callClaims } from "./claims/from-call.ts";

/** Looks up what a call names, and returns what is missing. */
export async function findMissing(claims: readonly Claim[], ports: FactPorts): Promise<Finding[]> {
  const found = await Promise.all(claims.map((claim) => check(claim, ports)));
  const places: string[] = [];
  const all = found.flatMap((finding) => {
    const about = finding?.about ?? "";
    // Skip repeats, and anything inside a folder already reported missing.
    if (finding === null || places.some((place) => isWithin(about, place))) return [];
    places.push(about);
    return [finding];
  });
  return all.slice(0, maxFindings);
}

async function check(claim: Claim, ports: FactPorts): Promise<Finding | null> {
  switch (claim.kind) {
    case "path":
      return await checkPath(claim, ports);
    case "script":
      return await checkScript(claim, ports);
    case "target":
      return await checkTarget(claim, ports);
    case "ref":
      return await checkRef(claim, ports);
    case "package":
      return await checkPackage(claim, ports);
    case "flag":
      return await checkFlag(claim, ports);
    case "export":
      return await checkExport(claim, ports);
    case "test":
      return await checkTest(claim, ports);
  }
}

/** Checks whether an installed program knows an option, by its own help. Reports nothing without a similar option. */
async function checkFlag(
  { program, subcommand, flag, folder }: FlagClaim,
  ports: FactPorts,
): Promise<Finding | null> {
  const help = await ports.help(program, subcommand, folder);
  if (help === null) return null;
  const known = new Set<string>();
  for (const [, no, name = ""] of help.matchAll(/--(\[no-?\]-?)?([a-z][a-z\d-]+)/gu)) {
    known.add(`--${name}`);
    if (no !== undefined || program === "git") known.add(`--no-${name}`);
  }
  // Hardly any options: this text is not a help.
  if (known.size < 4) return null;
  const opposite = flag.startsWith("--no-") ? `--${flag.slice("--no-".length)}` : `--no-${flag.slice(2)}`;
  // Programs take the beginning of an option for the whole.
  if ([...known].some((each) => each.startsWith(flag) || each.startsWith(opposite))) return null;
  const nearest = nearestOf(
    flag.slice(2),
    [...known].map((each) => each.slice(2)),
  );
  if (nearest.length === 0) return null;
  const name = subcommand === null ? program : `${program} ${subcommand}`;
  return missing("unknown-flag", {
    about: `${name} ${flag}`,
    says: `The installed ${quoted(name)} has no option ${quoted(flag)}.`,
    nearest: `The nearest that it has: ${listed(nearest.map((each) => `--${each}`))}.`,
  });
}
