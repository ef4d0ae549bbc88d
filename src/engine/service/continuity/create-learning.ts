import { TtlCache } from "../../base/ttl-cache.ts";
import { repositoryRoot } from "../hooks/repository-root.ts";
import { isOnBattery } from "./battery.ts";
import { LearnedCache } from "./learned-cache.ts";
import { LearningHost, type LearningPorts } from "./learning-host.ts";

export interface LearningInput extends Omit<LearningPorts, "program" | "isOnBattery" | "learn"> {
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
  return {
    host: program === undefined ? undefined : new LearningHost({ ...input, program, isOnBattery }),
    told: new LearnedCache({
      ledger,
      rootOf: (folder) => projects.get(folder),
      isShared: () => settings.now().learnAcrossProjects,
      elapsed,
      onProblem,
    }),
  };
}
