import path from "node:path";
import { nearestOf } from "../../../base/text.ts";
import type { Finding } from "../../delivery.ts";
import { type TargetClaim, placeOf } from "../claims/claim.ts";
import { type FactPorts, missing, nearestOrAll, quoted } from "./check.ts";

/** Longer build files are not read. Characters. */
const maxLength = 500_000;
/** A file with longer lines is not read. Characters. */
const maxLineLength = 5000;

/** Parts of a makefile that may give targets which its text does not name. */
const makesMore =
  /^[ ]*(?:-?include|sinclude|vpath|load|-load)\b|^[ \t]*(?:override\s+)?(?:VPATH|MAKEFILES)\b|\$[({](?:eval|call|foreach)\b|^\.DEFAULT\b/mu;

/** Returns the targets of a makefile; null where it may have others. */
function makeTargets(text: string): string[] | null {
  if (text.length > maxLength || makesMore.test(text)) return null;
  const names = new Set<string>();
  const lines = text.replaceAll(/\\\r?\n/gu, " ").split(/\r?\n/u);
  for (const line of lines) {
    if (line.length > maxLineLength) return null;
    if (line.startsWith("\t") || /^\s*(?:#|$)/u.test(line)) continue;
    // A line with `=` sets a variable.
    const rule = /^(?<targets>[^:=#]+?)&?::?(?!:?:?=)(?<rest>.*)$/u.exec(line);
    const { targets, rest = "" } = rule?.groups ?? {};
    if (targets === undefined || /^\s*(?:export|define|override|ifeq|ifneq|ifdef|ifndef)\b/u.test(line))
      continue;
    if (/[$%*?[]/u.test(targets)) return null;
    for (const name of targets.trim().split(/\s+/u)) if (!name.startsWith(".")) names.add(name);
    // Names of phony targets need no rule.
    if (targets.trim() === ".PHONY") {
      if (rest.includes("$")) return null;
      for (const name of rest.replace(/#.*/su, "").trim().split(/\s+/u)) if (name !== "") names.add(name);
    }
  }
  return [...names];
}

/** Returns the recipes of a justfile; null where it may have others. */
function justRecipes(text: string): string[] | null {
  if (text.length > maxLength || /^(?:import|mod)\b|^set\s+fallback\b/mu.test(text)) return null;
  const names = new Set<string>();
  for (const line of text.split(/\r?\n/u)) {
    const alias = /^alias\s+(?<name>[A-Za-z_][\w-]*)\s*:=/u.exec(line)?.groups?.["name"];
    if (alias !== undefined) names.add(alias);
    const recipe = /^@?(?<name>[A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)/u.exec(line)?.groups?.["name"];
    // A default value of a parameter may have a colon of its own.
    const first = /^@?(?<name>[A-Za-z_][\w-]*)\b/u.exec(line)?.groups?.["name"];
    if (recipe !== undefined) names.add(recipe);
    else if (first !== undefined && line.includes(":") && !line.includes(":=")) names.add(first);
  }
  return [...names];
}

/** Returns the tasks of a Taskfile; null where it may have others, or cannot be read line by line. */
function taskNames(text: string): string[] | null {
  const isOther =
    /^(?:includes|"|'|\{|---\s*\S)|^tasks:[ \t]*[^\s#]|\baliases:|[&*]\w+\s*$|<<:|\{\{\s*\.MATCH/mu;
  if (text.length > maxLength || isOther.test(text)) return null;
  const lines = text.split(/\r?\n/u);
  const begin = lines.findIndex((line) => /^tasks:\s*(?:#.*)?$/u.test(line));
  if (begin === -1) return null;
  const names: string[] = [];
  let indent: string | null = null;
  for (const line of lines.slice(begin + 1)) {
    if (/^\s*(?:#.*)?$/u.test(line)) continue;
    if (/^\S/u.test(line)) break;
    const own = /^\s+/u.exec(line)?.[0] ?? "";
    indent ??= own;
    if (own !== indent) continue;
    const name =
      /^\s+(?:"(?<double>[^"]+)"|'(?<single>[^']+)'|(?<bare>[\w.*-]+(?::[\w.*-]+)*))\s*:(?:\s|$)/u.exec(
        line,
      )?.groups;
    const found = name?.["double"] ?? name?.["single"] ?? name?.["bare"];
    // Something else than a task's name: the reader does not know this form.
    if (found === undefined || found.includes("*")) return null;
    names.push(found);
  }
  return names;
}

const readers = { make: makeTargets, just: justRecipes, task: taskNames } as const;

/** Names of build files, in the order in which the tool takes them. */
const usualFiles: Readonly<Record<TargetClaim["tool"], readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", ".justfile", "Justfile", "JUSTFILE"],
  task: ["yml", "yaml", "dist.yml", "dist.yaml"].flatMap((end) => [`Taskfile.${end}`, `taskfile.${end}`]),
};

/** Checks whether a build file has a target. */
export async function checkTarget(claim: TargetClaim, ports: FactPorts): Promise<Finding | null> {
  const { tool, name, folder } = claim;
  const file = claim.file === null ? await buildFile(claim, ports) : placeOf(claim.file, folder);
  if (file === null) return null;
  const text = await ports.text(file);
  const names = text === null ? null : readers[tool](text);
  if (names === null || names.includes(name)) return null;
  if (tool === "make" && (await couldBeMade(name, folder, ports))) return null;
  return missing("missing-target", {
    about: `${tool} ${name} (${file})`,
    says: `${quoted(file)} has no ${words[tool]} ${quoted(name)}.`,
    nearest: nearestOrAll(nearestOf(name, names), names, 12),
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
