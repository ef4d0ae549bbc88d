import type { Disposable } from "../base/disposable.ts";
import { fail, succeed } from "../base/result.ts";
import type { JobQueue } from "./queue.ts";
import { benchNotices, benchRequests } from "./job-requests.ts";
import type { JobSummary, WakeJob } from "./answers/bench.ts";
import { serve, type Client, type ServeClient, type Handlers } from "../protocol/serve.ts";
import { sendLatest } from "../protocol/latest-notice.ts";
import { sentence } from "../base/text/sentence.ts";

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

/**
 * Benches for clients.
 * @param part undefined for a service without benches
 */
export function serveJobs(part: JobQueue | undefined): ServeClient {
  return serve({
    requests: benchRequests,
    part,
    missing,
    handlers: () => handlers,
    publish,
  });
}

/** Notifies a slow client less often, but of every bench that changed. */
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
