import { Worker } from "node:worker_threads";
import { shortLimits } from "../../base/process.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { LearnReport } from "../learn/run-learn.ts";
import type { TaskName } from "../learn/task.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { QuestionName } from "../../ledger/questions.ts";
import type { HomeInput } from "../../transcripts/home-folder.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import { sentence, type Sentence, plainSentence } from "../../base/language.ts";

export interface LearningTask extends HomeInput {
  readonly temporary: string;
  /** Null for all tasks. */
  readonly only: TaskName | null;
  /** Pause between two slices of work. Milliseconds. */
  readonly pause: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type ToLearning =
  | { readonly kind: "begin"; readonly task: LearningTask }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly message: string };

export type FromLearning =
  | { readonly kind: "ask"; readonly id: number; readonly name: QuestionName; readonly asked: never }
  | { readonly kind: "append"; readonly id: number; readonly entries: readonly LedgerEntry[] }
  | { readonly kind: "progress"; readonly task: TaskName; readonly done: number; readonly of: number }
  | { readonly kind: "problem"; readonly message: Sentence }
  | { readonly kind: "done"; readonly report: LearnReport };

export interface LearningThreadPorts {
  readonly program: string;
  readonly ledger: Pick<LedgerHost, "ask" | "append">;
  readonly signal: AbortSignal;
  readonly onProgress: (task: TaskName, done: number, of: number) => void;
  readonly onProblem: (message: Sentence) => void;
}

/**
 * Learns in a thread that ends with it. It may be ended at any point: the next run continues from the state
 * in the ledger.
 */
export function learnInThread(
  task: LearningTask,
  { program, ledger, signal, onProgress, onProblem }: LearningThreadPorts,
): Promise<Result<LearnReport, "cancelled" | "failed">> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(fail("cancelled", sentence("stopped before it began")));
      return;
    }
    const thread = new Worker(program, { resourceLimits: shortLimits });
    const post = (message: ToLearning) => thread.postMessage(message);
    const stop = () => void thread.terminate();
    const reply = (id: number, work: Promise<Result<unknown>>) => {
      work.then(
        (done) =>
          post(
            done.ok
              ? { kind: "answer", id, answer: done.value }
              : { kind: "failure", id, message: `${done.reason}: ${done.detail.text}` },
          ),
        (error: unknown) => post({ kind: "failure", id, message: String(error) }),
      );
    };
    signal.addEventListener("abort", stop, { once: true });
    thread.on("message", (message: FromLearning) => {
      switch (message.kind) {
        case "ask":
          reply(message.id, ledger.ask(message.name, message.asked));
          break;
        case "append":
          reply(message.id, ledger.append(message.entries));
          break;
        case "progress":
          onProgress(message.task, message.done, message.of);
          break;
        case "problem":
          onProblem(message.message);
          break;
        case "done":
          resolve(succeed(message.report));
          stop();
      }
    });
    thread.once("error", (error: unknown) =>
      resolve(
        fail("failed", error instanceof Error ? plainSentence(error.message) : plainSentence(String(error))),
      ),
    );
    thread.once("exit", () => {
      signal.removeEventListener("abort", stop);
      resolve(fail("cancelled", sentence("stopped; it goes on from here the next time")));
    });
    post({ kind: "begin", task });
  });
}
