import type { Disposable } from "../base/disposable.ts";
import { fail, succeed } from "../base/result.ts";
import type { BenchKeeper } from "./bench-keeper.ts";
import {
  benchCancel,
  benchChanged,
  benchChoicesOf,
  benchList,
  benchPlanOf,
  benchRead,
  benchResume,
  benchChangeOf,
  benchRunOf,
  benchStart,
} from "./bench-protocol.ts";
import type { JobSummary } from "./bench-view.ts";
import { LatestSender } from "./latest-sender.ts";
import type { AnswerOf, Peer } from "./peer.ts";
import type { RequestKind } from "./protocol.ts";

/** Answers one client's questions about benches. @param keeper undefined where a service holds none */
export function answerOfBenches(peer: Peer, keeper: BenchKeeper | undefined): void {
  const answer = <Params, Answer>(
    kind: RequestKind<Params, Answer>,
    ask: (
      benches: BenchKeeper,
      params: Params,
      signal: AbortSignal,
    ) => Promise<AnswerOf<Answer>> | AnswerOf<Answer>,
  ) =>
    peer.answer(kind, (params, signal) =>
      keeper === undefined ? fail("no_benches", "this service runs no benches") : ask(keeper, params, signal),
    );
  answer(benchChoicesOf, (benches, params, signal) => benches.choices(params, signal));
  answer(benchPlanOf, async (benches, params, signal) => {
    const plan = await benches.plan(params, signal);
    return plan.ok ? succeed({ plan: plan.value }) : plan;
  });
  answer(benchStart, (benches, params) => benches.start(params));
  answer(benchCancel, (benches, { id }) => benches.cancel(id));
  answer(benchResume, (benches, { id, env }) => benches.resume(id, env));
  answer(benchList, async (benches) => succeed(await benches.jobs.list()));
  answer(benchRead, async (benches, { id }) => succeed(await benches.jobs.read(id)));
  answer(benchChangeOf, (benches, { id, runId, path }) =>
    succeed({ change: benches.jobs.change(id, runId, path) }),
  );
  answer(benchRunOf, async (benches, { id, runId }) => succeed(await benches.jobs.runPage(id, runId)));
}

/** Tells a client what happens to benches, from now on. A slow one is told less often, but of every bench that changed. */
export function tellOfBenches(peer: Peer, keeper: BenchKeeper): Disposable {
  const waiting = new Map<string, JobSummary>();
  const sender = new LatestSender(() => {
    const jobs = [...waiting.values()];
    waiting.clear();
    return peer.tell(benchChanged, { jobs });
  });
  const listening = keeper.jobs.onChange((jobs) => {
    for (const job of jobs) waiting.set(job.id, job);
    sender.offer(undefined);
  });
  return {
    dispose: () => {
      listening.dispose();
      sender.clear();
    },
  };
}
