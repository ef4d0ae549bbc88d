import { english } from "../../base/text/english.ts";
import { Worker } from "node:worker_threads";
import { fail, succeed, type Result } from "../../base/result.ts";
import { shortLimits } from "../../base/process/thread-limits.ts";
import type { GuardReplay } from "../answers.ts";
import type { Settings } from "../../settings/shape.ts";
import type { ReplayInput } from "./replay-history.ts";

/** A replay as plain data, for a thread. */
export interface ReplayTask extends Pick<
  ReplayInput,
  "env" | "home" | "purser" | "temporary" | "since" | "family" | "charactersPerToken"
> {
  readonly models: Settings["models"];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type ReplayMessage =
  | { readonly kind: "progress"; readonly files: number; readonly of: number }
  | { readonly kind: "problem"; readonly message: string }
  | { readonly kind: "done"; readonly replay: GuardReplay };

interface ThreadPorts extends Pick<ReplayInput, "onProgress" | "onProblem" | "signal"> {
  /** Program of the thread. */
  readonly program: string;
}

/** Plays the user's history in a thread of its own, as it takes seconds; ends the thread when cancelled. */
export function replayInThread(
  task: ReplayTask,
  { program, signal, onProgress, onProblem }: ThreadPorts,
): Promise<Result<GuardReplay, "cancelled" | "failed">> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(fail("cancelled", english("stopped before it began")));
      return;
    }
    const thread = new Worker(program, { resourceLimits: shortLimits });
    const stop = () => void thread.terminate();
    signal.addEventListener("abort", stop, { once: true });
    thread.on("message", (message: ReplayMessage) => {
      if (message.kind === "progress") onProgress(message.files, message.of);
      else if (message.kind === "problem") onProblem(message.message);
      else {
        resolve(succeed(message.replay));
        stop();
      }
    });
    thread.once("error", (error: unknown) =>
      resolve(fail("failed", error instanceof Error ? error.message : String(error))),
    );
    thread.once("exit", () => {
      signal.removeEventListener("abort", stop);
      resolve(fail("cancelled", english("stopped before all files were read")));
    });
    thread.postMessage(task);
  });
}
