import { createHash, randomUUID } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../base/result.ts";
import { parseJson } from "../../base/parse.ts";
import type { WrittenRules } from "./read-rules.ts";

/**
 * The rules from the YAML files, where sources are run. In bundles, `scripts/build/written-rules.ts` replaces this file. Parsing takes
 * half a second in each test and thread, so the result is cached in `out`, with a hash of its sources.
 */
const folder = import.meta.dirname;
const cacheFile = path.join(folder, "../../../../out/guard-rules.json");

interface Cached {
  readonly hash: string;
  readonly rules: WrittenRules;
}

function isCached(value: unknown): value is Cached {
  return typeof value === "object" && value !== null && "hash" in value && "rules" in value;
}

function currentHash(): string {
  const hash = createHash("sha256").update(readFileSync(path.join(folder, "../calls/rule.ts")));
  for (const file of globSync("**/*.yaml", { cwd: folder }).toSorted())
    hash.update(`\0${file}\0`).update(readFileSync(path.join(folder, file)));
  return hash.digest("hex");
}

function readCache(): unknown {
  try {
    return parseJson(readFileSync(cacheFile, "utf8"));
  } catch (error) {
    errorCode(error);
    return undefined;
  }
}

/** If the folder cannot be written, each process parses the files. */
function writeCache(cached: Cached): void {
  const whole = `${cacheFile}.${randomUUID()}`;
  try {
    mkdirSync(path.dirname(cacheFile), { recursive: true });
    writeFileSync(whole, JSON.stringify(cached));
    renameSync(whole, cacheFile);
  } catch (error) {
    errorCode(error);
    rmSync(whole, { force: true });
  }
}

async function load(): Promise<WrittenRules> {
  const hash = currentHash();
  const cached = readCache();
  if (isCached(cached) && cached.hash === hash) return cached.rules;
  const { readRules } = await import("./read-rules.ts");
  const read = readRules(folder);
  if (!read.ok) throw new Error(`the guard rules cannot be read:\n${read.detail.text}`);
  writeCache({ hash, rules: read.value });
  return read.value;
}

export const writtenRules: WrittenRules = await load();
