import { handoversOf } from "../../continuity/feature.ts";
import { guardsOf } from "../../guard/feature.ts";
import type { Feature, ServiceCore } from "../../hooks/feature.ts";
import { serveJobs, createSchedule } from "../../jobs/serve-jobs.ts";
import { rulesOf, taskWeights } from "../../rules/feature.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import type { ServicePorts } from "../service-ports.ts";
import { recordBenches } from "./record-benches.ts";

export interface JobsInput extends ServicePorts {
  readonly settings: SettingsStore;
  readonly onProblem: (message: string) => void;
}

export function createJobs(ports: JobsInput, core: ServiceCore | undefined): Feature {
  const jobs = ports.benches?.(
    core === undefined
      ? { rules: undefined }
      : { rules: rulesOf.of(core)?.service, handovers: handoversOf.of(core) },
  );
  const trust = core && guardsOf.of(core)?.trust;
  const wakes = jobs && trust && createSchedule({ ...ports, jobs, trust });
  if (core !== undefined && jobs !== undefined) taskWeights.give(core, () => jobs.jobs.taskWeights());
  return {
    name: "jobs",
    serve: [serveJobs(jobs)],
    onWindow: () => wakes?.soon(),
    load: () => {
      wakes?.start();
      if (core !== undefined)
        void recordBenches(ports.home.benches, {
          append: (entries) => core.ledger.append(entries),
          onProblem: ports.onProblem,
        });
    },
    tick: () => wakes?.schedule.noteTime(),
    isBusy: () => jobs?.isBusy === true || wakes?.schedule.isUsed === true,
    stop: async () => {
      await wakes?.stop();
      await jobs?.stop();
    },
  };
}
