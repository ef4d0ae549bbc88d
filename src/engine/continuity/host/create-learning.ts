import path from "node:path";
import { TtlCache } from "../../base/timing.ts";
import { repositoryRoot } from "../../base/paths.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { LearnedCache } from "./learned-cache.ts";
import { LearningHost, type LearningPorts } from "./learning-host.ts";
import { readdirSync, readFileSync } from "node:fs";

const folder = "/sys/class/power_supply";

/**
 * Returns whether the machine runs on its battery, as Linux reports it. Null if unknown: on other systems, or
 * if the system knows no power supply.
 */
export function isOnBattery(place = folder): boolean | null {
  const supplies = names(place).map((name) => ({
    type: read(path.join(place, name, "type")),
    online: read(path.join(place, name, "online")),
    status: read(path.join(place, name, "status")),
    scope: read(path.join(place, name, "scope")),
  }));
  // A mouse has its own battery.
  const own = supplies.filter(({ scope }) => scope !== "Device");
  if (own.some(({ type, online }) => type !== "Battery" && online === "1")) return false;
  const batteries = own.filter(({ type }) => type === "Battery");
  if (batteries.length === 0) return own.some(({ online }) => online === "0") ? true : null;
  return batteries.some(({ status }) => status === "Discharging");
}

function names(place: string): string[] {
  try {
    return readdirSync(place).toSorted();
  } catch {
    // Other systems have no such folder.
    return [];
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // Not every supply has every file.
    return null;
  }
}

export interface LearningInput extends Omit<LearningPorts, "program" | "isOnBattery" | "learn"> {
  readonly settings: Pick<SettingsStore, "now" | "of">;
  /** Program of the thread; undefined for a service that learns nothing. */
  readonly learningWorker?: string;
}

const projectCacheTtl = 60_000;

/** Creates the parts that learn from past sessions, and those that give hooks the results. */
export function createLearning({ learningWorker: program, ...input }: LearningInput) {
  const { ledger, settings, userHome, onProblem } = input;
  const elapsed = () => performance.now();
  const projects = new TtlCache((folder) => repositoryRoot(folder, userHome), {
    trust: projectCacheTtl,
    now: elapsed,
  });
  const wanted: LearningPorts["ledger"] = {
    ask: (name, asked) => ledger.ask(name, asked),
    append: (entries) => ledger.append(entries.filter((entry) => isWanted(entry, settings))),
  };
  return {
    host:
      program === undefined
        ? undefined
        : new LearningHost({ ...input, ledger: wanted, program, isOnBattery }),
    told: new LearnedCache({
      ledger,
      rootOf: (folder) => projects.get(folder),
      isShared: () => settings.now().learnAcrossProjects,
      elapsed,
      onProblem,
    }),
  };
}

/** Packets are stored only where the user lets them be. */
function isWanted(entry: LedgerEntry, settings: Pick<SettingsStore, "of">): boolean {
  return entry.kind !== "resume-packet" || settings.of(entry.folder ?? null).continuityPackets;
}
