import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import * as z from "zod";
import { parseJson } from "../base/parse-json.ts";
import { errorCode } from "../base/error-code.ts";
import { cleanText } from "../base/text/text.ts";
import type { HookHandler } from "./handler.ts";
import type { PurserHome } from "../base/disk/home.ts";
import type { ServiceLog } from "../base/log.ts";

export interface HookRepairPorts {
  readonly home: PurserHome;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: ServiceLog;
  /** What mends; see `hooks-repair-program.ts`. */
  readonly program: string;
}

/** What the program prints. */
const repairSaid = z.array(
  z.object({
    file: z.string(),
    outcome: z.enum(["repaired", "shared", "failed"]),
    detail: z.string(),
    /** For the user to know; null where nothing is another way than before. */
    notice: z.string().nullable(),
  }),
);
export type RepairSaid = z.infer<typeof repairSaid>;

/** It looks at a few files, and asks who has accounts. Milliseconds. */
const longest = 30_000;

type Told = "SessionStart" | "UserPromptSubmit";

/**
 * Mends the user's own hooks when the service has begun and knows where it answers them, so that sessions in a terminal need no window for
 * it. That is done by a process of its own, which takes its code and its memory with it. What is another way since then is told to the
 * user by the next session, once.
 */
export class HookRepair {
  readonly #ports: HookRepairPorts;
  readonly #over = new AbortController();
  #notices: string[] = [];

  constructor(ports: HookRepairPorts) {
    this.#ports = ports;
  }

  /** Nothing is begun where nothing was ever installed. */
  begin(): void {
    if (!this.#over.signal.aborted && isAnyInstalled(this.#ports.home)) this.#run();
  }

  finish(): void {
    this.#over.abort();
  }

  /** Tells the user what was mended, in the words of the agent's own notices. */
  readonly handler: HookHandler<Told> = {
    name: "hooks",
    events: ["SessionStart", "UserPromptSubmit"],
    budget: 50,
    answer: () => {
      if (this.#notices.length === 0) return null;
      const notice = this.#notices.join("\n");
      this.#notices = [];
      return { notice };
    },
  };

  #run(): void {
    const { program, env, log } = this.#ports;
    const isElectron = process.versions["electron"] !== undefined;
    const options = {
      env: { ...env, ...(isElectron ? { ELECTRON_RUN_AS_NODE: "1" } : {}) },
      timeout: longest,
      windowsHide: true,
      signal: this.#over.signal,
    };
    execFile(process.execPath, [program], options, (error, out, complaint) => {
      if (this.#over.signal.aborted) return;
      if (error === null) this.#hear(out);
      else log.write("warn", `Hooks could not be looked at: ${cleanText(complaint || error.message)}`);
    });
  }

  #hear(out: string): void {
    const { log } = this.#ports;
    const said = repairSaid.safeParse(parseJson(out));
    if (!said.success) {
      log.write("warn", "Hooks were looked at, and what was found is not understood");
      return;
    }
    for (const { file, outcome, detail, notice } of said.data) {
      log.write(outcome === "failed" ? "warn" : "info", `Hooks in ${file}: ${outcome}: ${detail}`);
      if (notice !== null) this.#notices.push(notice);
    }
  }
}

function isAnyInstalled({ installedHooks }: PurserHome): boolean {
  try {
    return readdirSync(installedHooks).length > 0;
  } catch (error) {
    errorCode(error);
    return false;
  }
}
