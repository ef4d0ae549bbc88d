import path from "node:path";
import { watch } from "node:fs";
import { type Disposable, DisposableList } from "../base/events.ts";
import { fail, succeed } from "../base/result.ts";
import type { JobQueue } from "./queue.ts";
import { benchNotices, benchRequests } from "./job-requests.ts";
import type { JobSummary, WakeJob } from "./bench-answers.ts";
import { type Handlers, type ServeClient, type Client, serve, sendLatest } from "../protocol/serve.ts";
import { sentence, type Sentence, compose } from "../base/language.ts";
import { ensurePrivateFolder } from "../base/private-files.ts";
import { Debounce } from "../base/timing.ts";
import { agreedFile, WakeSchedule } from "../recurring/agents.ts";
import { isUnderWay } from "./compare-answers.ts";
import { type HostPorts, sampleFolder } from "../base/process.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import type { FolderTrust } from "../settings/folder-trust.ts";

const missing = fail("no_benches", sentence("this service runs no benches"));

const handlers: Handlers<JobQueue, typeof benchRequests> = {
  benchChoices: (benches, params, signal) => benches.choices(params, signal),
  async benchPlan(benches, params, signal) {
    const plan = await benches.plan(params, signal);
    return plan.ok ? succeed({ plan: plan.value }) : plan;
  },
  async wakePlan(benches, { ask, env }, signal) {
    const plan = await benches.planWake({ ask, env }, signal);
    return plan.ok ? succeed({ plan: plan.value }) : plan;
  },
  benchStart: (benches, params) => benches.start(params),
  benchCancel: (benches, { id }) => benches.cancel(id),
  benchResume: (benches, { id, env }) => benches.resume(id, env),
  benchList: async (benches) => succeed(await benches.jobs.list()),
  benchRead: async (benches, { id }) => succeed(await benches.jobs.read(id)),
  benchRun: async (benches, { id, runId }) => succeed(await benches.jobs.runPage(id, runId)),
  benchChange: (benches, { id, runId, path }) => succeed({ change: benches.jobs.change(id, runId, path) }),
};

export function serveJobs(part: JobQueue | undefined): ServeClient {
  return serve({
    requests: benchRequests,
    part,
    missing,
    handlers: () => handlers,
    publish,
  });
}

/** A slow client is notified less often, but of every bench that changed. */
function publish(benches: JobQueue, client: Client): Disposable {
  const waiting = new Map<string, JobSummary>();
  const waitingWakes = new Map<string, WakeJob>();
  const listen = (listener: (value: undefined) => void) =>
    benches.jobs.onChange(({ jobs, wakes }) => {
      for (const job of jobs) waiting.set(job.id, job);
      for (const wake of wakes) waitingWakes.set(wake.id, wake);
      listener(undefined);
    });
  return sendLatest(listen, () => {
    const [jobs, wakes] = [[...waiting.values()], [...waitingWakes.values()]];
    waiting.clear();
    waitingWakes.clear();
    return client.notify(benchNotices.benchChanged, { jobs, wakes });
  });
}

interface ScheduleInput extends Pick<HostPorts, "home" | "env" | "clock" | "pid" | "log"> {
  readonly settings: SettingsStore;
  readonly jobs: JobQueue;
  readonly trust: Pick<FolderTrust, "folders" | "isTrusted">;
}

interface ScheduleHost {
  readonly schedule: WakeSchedule;
  /** Folders may have come, or are trusted now. */
  readonly soon: () => void;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** Many files may change at once. Milliseconds. */
const patience = { quiet: 100, most: 1000 };

/** Undefined in a sample, which has no real agents. */
export function createSchedule({
  home,
  env,
  clock,
  pid,
  log,
  settings,
  jobs,
  trust,
}: ScheduleInput): ScheduleHost | undefined {
  if (sampleFolder(env) !== undefined) return undefined;
  const owned = new DisposableList();
  const onProblem = (message: Sentence) => log.write("warn", message.text);
  const isOn = () => settings.now().wakes;
  const schedule = new WakeSchedule({
    isOn,
    projects: () => trust.folders(),
    // Their code is loaded only once agents are to be woken.
    read: async (project, name) => {
      const { readTrustedAgents } = await import("../recurring/read-agents.ts");
      return await readTrustedAgents(project, name, {
        wakes: home.wakes,
        clock,
        pid,
        isTrusted: trust.isTrusted,
      });
    },
    wake: async ({ project, agent, slot }) => {
      const ask = { kind: "wake" as const, project, agent, isFresh: false, slot };
      const started = jobs.start({ ask, env: {}, project });
      if (started.ok) await jobs.whenEnded(started.value.id);
    },
    now: () => clock.now(),
    after: (milliseconds, act) => {
      const timer = setTimeout(act, milliseconds);
      return { dispose: () => clearTimeout(timer) };
    },
    onProblem,
  });
  const soon = owned.add(new Debounce(patience, () => schedule.changed()));
  let watched: Disposable | undefined;
  // A person's agreement is a file, whoever wrote it.
  const follow = () => {
    if (!isOn()) {
      watched?.dispose();
      watched = undefined;
    } else watched ??= watchFolder(home.wakes, () => soon.ask(), onProblem);
    soon.ask();
  };
  owned.add(
    jobs.jobs.onChange(({ wakes }) => {
      // An agent that a person had woken may be due by now.
      if (isOn() && wakes.some(({ ask, state }) => ask.slot === null && !isUnderWay(state))) soon.ask();
    }),
  );
  let wasOn = false;
  owned.add(
    settings.onChange(() => {
      // Other settings change more often.
      if (isOn() === wasOn) return;
      wasOn = isOn();
      follow();
    }),
  );
  return {
    schedule,
    soon: () => {
      if (isOn()) soon.ask();
    },
    start: () => {
      wasOn = isOn();
      if (wasOn) follow();
    },
    stop: async () => {
      owned.dispose();
      watched?.dispose();
      await schedule.stop();
    },
  };
}

function watchFolder(
  folder: string,
  onChange: () => void,
  onProblem: (message: Sentence) => void,
): Disposable {
  const place = ensurePrivateFolder(folder);
  if (!place.ok) onProblem(place.detail);
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || name === path.basename(agreedFile(folder))) onChange();
    });
    watcher.on("error", (error) => onProblem(compose`${folder}: ${String(error)}`));
    return { dispose: () => watcher.close() };
  } catch (error) {
    onProblem(compose`${folder} cannot be watched: ${String(error)}`);
    return { dispose: () => undefined };
  }
}
