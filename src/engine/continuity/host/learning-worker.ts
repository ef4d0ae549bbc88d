import os from "node:os";
import { setTimeout as pauseFor } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { TtlCache } from "../../base/timing.ts";
import { Pace, type LearnStore } from "../learn/task.ts";
import type { LearnFile } from "../learn/past-sessions.ts";
import { learn } from "../learn/run-learn.ts";
import { lineReader } from "../story/read-line.ts";
import { agents } from "../../transcripts/agents.ts";
import { repositoryRoot } from "../../base/paths.ts";
import type { FromLearning, LearningTask, ToLearning } from "./learning-thread.ts";
import { packetToKeep } from "./packet-to-keep.ts";

interface Waiting {
  readonly settle: (answer: never) => void;
  readonly fault: (error: Error) => void;
}

const waiting = new Map<number, Waiting>();
let last = 0;

function post(message: FromLearning): void {
  parentPort?.postMessage(message);
}

/** The host's reply finds its caller by its number; the caller knows the answer's type. */
function send<Answer>(message: object): Promise<Answer> {
  return new Promise((settle, fault) => {
    const id = (last += 1);
    waiting.set(id, { settle, fault });
    parentPort?.postMessage({ id, ...message });
  });
}

/** The ledger, which the host owns. */
const store: LearnStore = {
  ask: (name, asked) => send({ kind: "ask", name, asked }),
  append: async (entries) => {
    await send<unknown>({ kind: "append", entries });
  },
};

async function files({ env, home }: Pick<LearningTask, "env" | "home">): Promise<LearnFile[]> {
  const found = await Promise.all(
    agents.map(async ({ name, history }) =>
      history === null
        ? []
        : (await history()).files({ env, home }).map((file) => ({ ...file, agent: name })),
    ),
  );
  return found.flat();
}

const projectCacheTtl = 600_000;
/** A thread is ended from outside: nothing cancels it from within. */
const { signal } = new AbortController();

/** Linux has a priority per thread; on other systems this would change the whole service's priority. */
function yieldToOthers(): void {
  if (process.platform === "linux") os.setPriority(0, os.constants.priority.PRIORITY_LOW);
}

function begin({ home, temporary, only, pause, now, ...input }: LearningTask): void {
  const projects = new TtlCache((folder) => repositoryRoot(folder, home), {
    trust: projectCacheTtl,
    now: () => performance.now(),
  });
  void learn(
    {
      store,
      signal,
      readLine: lineReader({ home, temporary }),
      rootOf: (folder) => projects.get(folder),
      pace: new Pace({ pause: async () => await pauseFor(pause), now: () => performance.now() }),
      files: () => files({ home, ...input }),
      packetEntry: (read) => packetToKeep(read, { store, now }),
      onProgress: (task, done, of) => post({ kind: "progress", task, done, of }),
      onProblem: (message) => post({ kind: "problem", message }),
    },
    only,
  ).then((done) => {
    if (done.ok) post({ kind: "done", report: done.value });
  });
}

// A failure is an uncaught rejection, which the host receives as the worker's `error` event.
parentPort?.on("message", (message: Exclude<ToLearning, { kind: "answer" }> | Answer) => {
  if (message.kind === "begin") {
    yieldToOthers();
    begin(message.task);
  } else {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "answer") asked?.settle(message.answer);
    else asked?.fault(new Error(message.message));
  }
});

interface Answer {
  readonly kind: "answer";
  readonly id: number;
  readonly answer: never;
}
