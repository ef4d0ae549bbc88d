import { createHash, randomUUID } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../base/result.ts";
import { parseJson } from "../../base/parse.ts";
import type { WrittenRules } from "./read-rules.ts";

/**
 * The rules that are written in YAML, where sources are run. Parsing takes half a second, which tests and threads would each take
 * again: the last result is kept in `out`, with a hash of all that it was made of. In bundles, `scripts/build/written-rules.ts` replaces this file.
 */
const folder = import.meta.dirname;
const keptFile = path.join(folder, "../../../../out/guard-rules.json");

interface Kept {
  readonly hash: string;
  readonly rules: WrittenRules;
}

function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "hash" in value && "rules" in value;
}

function currentHash(): string {
  const hash = createHash("sha256").update(readFileSync(path.join(folder, "../calls/rule.ts")));
  for (const file of globSync("**/*.yaml", { cwd: folder }).toSorted())
    hash.update(`\0${file}\0`).update(readFileSync(path.join(folder, file)));
  return hash.digest("hex");
}

function readKept(): unknown {
  try {
    return parseJson(readFileSync(keptFile, "utf8"));
  } catch (error) {
    errorCode(error);
    return undefined;
  }
}

/** A folder that cannot be written is no fault: then each process parses the files. */
function keep(kept: Kept): void {
  const whole = `${keptFile}.${randomUUID()}`;
  try {
    mkdirSync(path.dirname(keptFile), { recursive: true });
    writeFileSync(whole, JSON.stringify(kept));
    renameSync(whole, keptFile);
  } catch (error) {
    errorCode(error);
    rmSync(whole, { force: true });
  }
}

async function load(): Promise<WrittenRules> {
  const hash = currentHash();
  const kept = readKept();
  if (isKept(kept) && kept.hash === hash) return kept.rules;
  const { readRules } = await import("./read-rules.ts");
  const read = readRules(folder);
  if (!read.ok) throw new Error(`the guard rules cannot be read:\n${read.detail.text}`);
  keep({ hash, rules: read.value });
  return read.value;
}

export const writtenRules: WrittenRules = await load();
