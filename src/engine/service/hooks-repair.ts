import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type * as z from "zod";
import { systemClock } from "../base/clock.ts";
import { agentNames, withoutHttpInWords } from "../guard/install/install-words.ts";
import { repairHooks, type Repair } from "../guard/install/repair-hooks.ts";
import { readHookPlace } from "./hook-place.ts";
import type { repairSaid } from "./hook-repair.ts";
import { purserHome } from "./purser-home.ts";
import { repairWorld } from "./repair-world.ts";
import { briefRunner } from "./run-briefly.ts";
import { SettingsKeeper } from "./settings-keeper.ts";

/**
 * The program that mends the user's own hooks, in no project: what a service begins once it answers hooks. Prints what it did, as
 * `hook-repair.ts` reads it.
 */
const { env } = process;
const place = path.dirname(import.meta.filename);
const isBundled = !import.meta.filename.endsWith(".ts");
const home = purserHome({ env, home: os.homedir() });

function noticeOf({ program, file, outcome, becameCommands }: Repair): string | null {
  if (outcome !== "repaired" || becameCommands === null) return null;
  const agent = agentNames[program];
  return `Context Purser: ${agent}'s hooks in ${file} were posted and are commands from now on. ${withoutHttpInWords(becameCommands)}`;
}

async function main(): Promise<void> {
  const answered = readHookPlace(home);
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(place, isBundled ? ".." : "../../..", "package.json"), "utf8"),
  );
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  const settings = new SettingsKeeper({ home, clock: systemClock, onProblem: () => undefined }).now();
  const world = repairWorld(
    {
      env,
      home: os.homedir(),
      program: path.join(place, isBundled ? "service.cjs" : "main.ts"),
      cwd: null,
      version: isManifest ? String(manifest.version) : "unknown",
      posting: settings.hookPosting,
      run: briefRunner(env),
    },
    answered.ok ? answered.value : null,
  );
  const repairs = await repairHooks(world, ["user"]);
  const said = repairs.map((repair) => ({
    file: repair.file,
    outcome: repair.outcome,
    detail: repair.detail,
    notice: noticeOf(repair),
  })) satisfies z.input<typeof repairSaid>;
  process.stdout.write(JSON.stringify(said));
}

void main();
