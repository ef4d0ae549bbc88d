import type { Finding } from "../../delivery.ts";
import type { FlagClaim } from "../claims/claim.ts";
import type { FactPorts } from "../facts-ports.ts";
import { nearestOf } from "../../../base/text.ts";
import { listed, missing, quoted } from "./tell.ts";

/** Checks whether an installed program knows an option, by its own help. Reports nothing without a similar option. */
export async function checkFlag(
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
  // A help of hardly any options is none.
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
