import { english } from "../../base/text/english.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { GuardReplay } from "../answers.ts";
import { replayInThread, type ReplayTask } from "./replay-in-thread.ts";
import type { LedgerHost } from "../../ledger/host/ledger-host.ts";
import type { HostPorts } from "../../base/process/host-ports.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";

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
        english("another replay goes on, maybe in another window; wait for its end, or cancel it"),
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
      // A process's own environment is no plain object, which a thread could be sent.
      env: { ...env },
      home: userHome,
      purser: { guardRules, trustedFolders },
      temporary,
      now: clock.now(),
      models: settings.now().models,
      charactersPerToken: facts.ok ? facts.value.answer.charactersPerToken : [],
    };
    const onProblem = (message: string) => log.write("warn", `A replay to guards: ${message}`);
    return await replayInThread(task, { ...listener, program, onProblem });
  }
}
