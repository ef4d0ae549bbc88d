import { sentence, type Sentence, plainSentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { GuardReplay } from "../guard-answers.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import { type HostPorts, shortLimits } from "../../base/process.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import { Worker } from "node:worker_threads";
import type { Settings } from "../../settings/shape.ts";
import type { ReplayInput } from "./replay-history.ts";

export interface HistoryPlayerPorts extends Pick<
  HostPorts,
  "env" | "userHome" | "temporary" | "clock" | "log"
> {
  readonly home: ReplayTask["purser"];
  /** Program of the thread. */
  readonly program: string;
  readonly ledger: Pick<LedgerHost, "answer">;
  readonly settings: Pick<SettingsStore, "now">;
}

export type AskedReplay = Pick<ReplayTask, "since" | "family">;

interface ReplayListener {
  readonly signal: AbortSignal;
  readonly onProgress: (files: number, of: number) => void;
}

/** Plays the user's history to today's guards, one replay at a time. */
export class HistoryPlayer {
  readonly #ports: HistoryPlayerPorts;
  #isPlaying = false;

  constructor(ports: HistoryPlayerPorts) {
    this.#ports = ports;
  }

  async play(asked: AskedReplay, listener: ReplayListener): Promise<Result<{ replay: GuardReplay }>> {
    if (this.#isPlaying)
      return fail(
        "busy",
        sentence("another replay is running, maybe in another window; wait for its end, or cancel it"),
      );
    this.#isPlaying = true;
    try {
      const played = await this.#play(asked, listener);
      return played.ok ? succeed({ replay: played.value }) : played;
    } finally {
      this.#isPlaying = false;
    }
  }

  async #play(asked: AskedReplay, listener: ReplayListener): Promise<Result<GuardReplay>> {
    const { env, userHome, temporary, clock, log, home, program, ledger, settings } = this.#ports;
    const facts = await ledger.answer("rentFacts", null);
    const { guardRules, trustedFolders } = home;
    const task: ReplayTask = {
      ...asked,
      // A process's environment is not a plain object, so it cannot be sent to a thread.
      env: { ...env },
      home: userHome,
      purser: { guardRules, trustedFolders },
      temporary,
      now: clock.now(),
      models: settings.now().models,
      charactersPerToken: facts.ok ? facts.value.answer.charactersPerToken : [],
    };
    const onProblem = (message: Sentence) => log.write("warn", `A replay to guards: ${message.text}`);
    return await replayInThread(task, { ...listener, program, onProblem });
  }
}

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
  | { readonly kind: "problem"; readonly message: Sentence }
  | { readonly kind: "done"; readonly replay: GuardReplay };

interface ThreadPorts extends Pick<ReplayInput, "onProgress" | "onProblem" | "signal"> {
  /** Program of the thread. */
  readonly program: string;
}

/** Plays the user's history in a thread, as it takes seconds. */
function replayInThread(
  task: ReplayTask,
  { program, signal, onProgress, onProblem }: ThreadPorts,
): Promise<Result<GuardReplay, "cancelled" | "failed">> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(fail("cancelled", sentence("stopped before it began")));
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
      resolve(fail("failed", plainSentence(error instanceof Error ? error.message : String(error)))),
    );
    thread.once("exit", () => {
      signal.removeEventListener("abort", stop);
      resolve(fail("cancelled", sentence("stopped before all files were read")));
    });
    thread.postMessage(task);
  });
}
