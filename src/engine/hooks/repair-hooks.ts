import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import * as z from "zod/mini";
import { sentenceSchema } from "../base/sentence-schema.ts";
import { readJson } from "../base/parse.ts";
import { rethrowUnlessSystemError } from "../base/result.ts";
import { cleanText } from "../base/text.ts";
import type { HookHandler } from "./hooks-handler.ts";
import type { PurserPaths } from "../base/paths.ts";
import type { ServiceLog } from "../base/log.ts";

export { ownHooks } from "./install/installer.ts";
export {
  repairHooks,
  repairInstalled,
  type Repair,
  type RepairContext,
  repairContext,
} from "./install/repair.ts";

export interface HookRepairPorts {
  readonly home: PurserPaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: ServiceLog;
  /** Path of the repair program; see `hooks-repair-program.ts`. */
  readonly program: string;
}

const repairReport = z.array(
  z.object({
    file: z.string(),
    outcome: z.enum(["repaired", "shared", "failed"]),
    detail: sentenceSchema,
    /** A notice for the user. Null if nothing changed for them. */
    notice: z.nullable(z.string()),
  }),
);
export type RepairReport = z.infer<typeof repairReport>;

/** Time limit for the repair program, which reads a few files and checks for other accounts. Milliseconds. */
const maxDurationMs = 30_000;

type RepairNoticeEvent = "SessionStart" | "UserPromptSubmit";

/**
 * Repairs the user's own hooks once the service knows the address of its hook server, so that terminal
 * sessions do not depend on a window. Runs in a separate process, so that its code and memory are released
 * afterwards. The next session notifies the user of the changes, once.
 */
export class HookRepair {
  readonly #ports: HookRepairPorts;
  readonly #over = new AbortController();
  #notices: string[] = [];

  constructor(ports: HookRepairPorts) {
    this.#ports = ports;
  }

  start(): void {
    if (!this.#over.signal.aborted && isAnyInstalled(this.#ports.home)) this.#run();
  }

  stop(): void {
    this.#over.abort();
  }

  /** Notifies the user of repairs, through the agent's own notices. */
  readonly handler: HookHandler<RepairNoticeEvent> = {
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
      timeout: maxDurationMs,
      windowsHide: true,
      signal: this.#over.signal,
    };
    execFile(process.execPath, [program], options, (error, out, complaint) => {
      if (this.#over.signal.aborted) return;
      if (error === null) this.#collect(out);
      else log.write("warn", `Hooks could not be looked at: ${cleanText(complaint || error.message)}`);
    });
  }

  #collect(out: string): void {
    const { log } = this.#ports;
    const parsed = readJson(repairReport, out);
    if (parsed === null) {
      log.write("warn", "Hooks were looked at, and what was found is not understood");
      return;
    }
    for (const { file, outcome, detail, notice } of parsed) {
      log.write(outcome === "failed" ? "warn" : "info", `Hooks in ${file}: ${outcome}: ${detail.text}`);
      if (notice !== null) this.#notices.push(notice);
    }
  }
}

function isAnyInstalled({ installedHooks }: PurserPaths): boolean {
  try {
    return readdirSync(installedHooks).length > 0;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}
