import type { Invocation } from "../../commands/invocation.ts";
import type { Claim, TargetClaim } from "./claim.ts";
import { isCertain, readOperands, type OptionSpec } from "./operands.ts";
import { placeOf } from "./absolute-path.ts";

const tools: Readonly<Record<TargetClaim["tool"], OptionSpec>> = {
  make: {
    flags:
      "-B -k -n -s -w -S --always-make --keep-going --dry-run --just-print --silent --quiet --print-directory --no-print-directory -j --jobs",
    valued: "-C --directory -f --file --makefile -o -W -l",
  },
  just: { flags: "-n --dry-run -q --quiet -v --verbose --yes", valued: "-d -f --justfile", isLeading: true },
  task: { flags: "-f --force -s --silent -v --verbose -y --yes -n --dry -p --parallel", valued: "-d --dir" },
};

/** Returns the targets in a build tool's command. */
export function targetClaims({ program, args, folder }: Invocation): Claim[] {
  const tool = program === "gmake" ? "make" : program;
  if (tool !== "make" && tool !== "just" && tool !== "task") return [];
  const spec = tools[tool];
  const known = readOperands(
    spec,
    // `-j8` has its number, `-j` may have none.
    args.filter(({ text }) => !/^(?:-j|--jobs=)./u.test(text)),
  );
  if (known === null) return [];
  const { operands, flags, values, dashes } = known;
  // Its number may be the next word.
  const all =
    flags.has("-j") || flags.has("--jobs") ? operands.filter(({ text }) => !/^\d+$/u.test(text)) : operands;
  const moved = values.get("-C") ?? values.get("--directory") ?? values.get("-d") ?? values.get("--dir");
  const file =
    values.get("-f") ?? values.get("--file") ?? values.get("--makefile") ?? values.get("--justfile");
  if ([moved, file].some((each) => each !== undefined && !isCertain(each))) return [];
  // Where just is given a justfile, it takes the folder by other rules.
  if (tool === "just" && moved !== undefined) return [];
  const place = moved === undefined ? folder : placeOf(moved.text, folder);
  if (place === null || !all.every(isCertain)) return [];
  const names = (tool === "task" && dashes !== null ? all.slice(0, dashes) : all).map(({ text }) => text);
  const targets = names.filter((name) => !name.includes("="));
  const counted = tool === "just" ? targets.slice(0, 1) : targets;
  return counted
    .filter((name) => /^[A-Za-z_][\w.:-]*$/u.test(name) && name.length <= 100)
    .map((name) => ({ kind: "target", tool, name, folder: place, file: file?.text ?? null }));
}
