import { parentPort } from "node:worker_threads";
import { systemClock } from "../../base/timing.ts";
import { defaultHookContext } from "../../hooks/hooks-handler.ts";
import { callGuardHandler } from "../calls/calls-handler.ts";
import type { GuardHitEntry } from "../hit-entry.ts";
import { type CallDone, type CallTask, silentPorts } from "../unanswered.ts";
import { createRuleJudge } from "./create-rules.ts";

// One call, one answer. A failure is an uncaught rejection, which the hook program receives as the worker's `error` event.
parentPort?.once("message", ({ home, userHome, temporary, event, about, settings }: CallTask) => {
  const hits: GuardHitEntry[] = [];
  const { calls } = createRuleJudge({
    home,
    clock: systemClock,
    userHome,
    platform: process.platform,
    temporary,
    readsFiles: true,
    // `purser guard check` reports these: a hook has no one to notify.
    onProblem: () => undefined,
  });
  const handler = callGuardHandler({ ...silentPorts(settings, hits), ...calls });
  void Promise.resolve(handler.answer(event, { ...defaultHookContext, ...about })).then((answer) => {
    const done: CallDone = { answer, hits };
    parentPort?.postMessage(done);
  });
});
