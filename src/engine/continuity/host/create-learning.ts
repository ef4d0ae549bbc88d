import { TtlCache } from "../../base/ttl-cache.ts";
import { repositoryRoot } from "../../base/disk/repository-root.ts";
import type { LedgerEntry } from "../../ledger/entries/entry.ts";
import type { SettingsStore } from "../../settings/store.ts";
import { isOnBattery } from "./battery.ts";
import { LearnedCache } from "./learned-cache.ts";
import { LearningHost, type LearningPorts } from "./learning-host.ts";

export interface LearningInput extends Omit<LearningPorts, "program" | "isOnBattery" | "learn"> {
  readonly settings: Pick<SettingsStore, "now" | "of">;
  /** Program of the thread; undefined for a service that learns nothing. */
  readonly learningWorker?: string;
}

/** Time for which the project of a folder is not looked for again. Milliseconds. */
const trust = 60_000;

/** Creates what learns from past sessions, and what tells hooks of it. */
export function createLearning({ learningWorker: program, ...input }: LearningInput) {
  const { ledger, settings, userHome, onProblem } = input;
  const elapsed = () => performance.now();
  const projects = new TtlCache((folder) => repositoryRoot(folder, userHome), { trust, now: elapsed });
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
