import path from "node:path";
import type { Finding } from "../../delivery.ts";
import type { TargetClaim } from "../claims/claim.ts";
import { placeOf } from "../claims/absolute-path.ts";
import type { FactPorts } from "../facts-ports.ts";
import { justRecipes, makeTargets, taskNames } from "./build-files.ts";
import { nearestOf } from "../../../base/text.ts";
import { listed, missing, quoted } from "./tell.ts";

const readers = { make: makeTargets, just: justRecipes, task: taskNames } as const;

/** Names of build files, in the order in which the tool takes them. */
const usualFiles: Readonly<Record<TargetClaim["tool"], readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", ".justfile", "Justfile", "JUSTFILE"],
  task: ["yml", "yaml", "dist.yml", "dist.yaml"].flatMap((end) => [`Taskfile.${end}`, `taskfile.${end}`]),
};

/** Maximum targets listed for a file without a similar one. */
const mostListed = 12;

/** Checks whether a build file has a target. */
export async function checkTarget(claim: TargetClaim, ports: FactPorts): Promise<Finding | null> {
  const { tool, name, folder } = claim;
  const file = claim.file === null ? await buildFile(claim, ports) : placeOf(claim.file, folder);
  if (file === null) return null;
  const text = await ports.text(file);
  const names = text === null ? null : readers[tool](text);
  if (names === null || names.includes(name)) return null;
  if (tool === "make" && (await couldBeMade(name, folder, ports))) return null;
  const nearest = nearestOf(name, names);
  return missing("missing-target", {
    about: `${tool} ${name} (${file})`,
    says: `${quoted(file)} has no ${words[tool]} ${quoted(name)}.`,
    nearest:
      nearest.length > 0
        ? `The nearest that it has: ${listed(nearest)}.`
        : names.length === 0
          ? ""
          : `It has: ${names.slice(0, mostListed).map(quoted).join(", ")}${names.length > mostListed ? ", …" : ""}.`,
  });
}

const words = { make: "target", just: "recipe", task: "task" } as const;

/** Returns the build file that the tool takes; null where that is not certain. */
async function buildFile({ tool, folder }: TargetClaim, ports: FactPorts): Promise<string | null> {
  for (let at = folder; ; at = path.dirname(at)) {
    for (const name of usualFiles[tool]) {
      const file = path.join(at, name);
      if ((await ports.look(file)) === "file") return file;
    }
    if (tool === "make" || path.dirname(at) === at) return null;
  }
}

/** Whether make may know how to build a file by its own rules, or has it already. */
async function couldBeMade(name: string, folder: string, ports: FactPorts): Promise<boolean> {
  const names = await ports.list(folder);
  if (names === null) return true;
  const stem = name.replace(/\.[^.]*$/u, "").toLowerCase();
  return names.some((each) => {
    const other = each.toLowerCase();
    return other === name.toLowerCase() || other.startsWith(`${stem}.`) || other.startsWith(`s.${stem}`);
  });
}
