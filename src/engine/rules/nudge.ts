import { type Sentence, compose } from "../base/language.ts";
import path from "node:path";
import * as z from "zod/mini";
import { readJson } from "../base/parse.ts";
import { errorCode } from "../base/result.ts";
import { waitsForUser } from "./rule.ts";
import { readPrivateFile, writePrivateFile } from "../base/private-files.ts";
import type { PurserPaths } from "../base/paths.ts";
import { readRules, type RulesLedger } from "./book/rules-book-rows.ts";

export interface RulesNudgePorts {
  readonly home: Pick<PurserPaths, "folder">;
  readonly ledger: Pick<RulesLedger, "ask">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: Sentence) => void;
}

const keptFile = z.object({ schema: z.literal(1), at: z.number() });
const day = 24 * 60 * 60_000; // ms

/**
 * Notifies a user once a day of rules that wait, through the first to ask: a starting session, a window or a
 * terminal. Stored across restarts.
 */
export class RulesNudge {
  readonly #ports: RulesNudgePorts;
  readonly #file: string;
  /** When the user was last notified, in milliseconds since the epoch. Undefined before the file was read. */
  #nudgedAt: number | null | undefined;
  /** Number of waiting rules; undefined until the ledger has answered. */
  #waiting: number | undefined;
  #isAsking = false;

  constructor(ports: RulesNudgePorts) {
    this.#ports = ports;
    this.#file = path.join(ports.home.folder, "rules-told.json");
  }

  update({ waiting }: { readonly waiting: number }): void {
    this.#waiting = waiting;
  }

  /**
   * Claims today's notification. Returns the number of waiting rules, which the caller must now show to the
   * user. 0 if none wait, or if the user was already notified.
   */
  async claim(): Promise<number> {
    if (!this.#isDue()) return 0;
    await this.#ask();
    return this.claimNow() ?? 0;
  }

  /** Same as `claim`, without waiting for the ledger: returns null while its answer is unknown, and requests it. */
  claimNow(): number | null {
    if (!this.#isDue()) return 0;
    if (this.#waiting === undefined) {
      void this.#ask();
      return null;
    }
    if (this.#waiting > 0) this.#keep(this.#ports.now());
    return this.#waiting;
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const known = await readRules(this.#ports.ledger);
    this.#isAsking = false;
    if (known.ok) this.#waiting = known.value.rules.filter(waitsForUser).length;
  }

  #isDue(): boolean {
    if (this.#nudgedAt === undefined) this.#nudgedAt = this.#read();
    // A time in the future comes from a clock that was wrong.
    const age = this.#nudgedAt === null ? day : this.#ports.now() - this.#nudgedAt;
    return age >= day || age < 0;
  }

  /** An unreadable file counts as missing: the user may be notified once more. */
  #read(): number | null {
    const text = readPrivateFile(this.#file);
    if (!text.ok) this.#ports.onProblem(text.detail);
    return text.ok ? (readJson(keptFile, text.value)?.at ?? null) : null;
  }

  #keep(at: number): void {
    this.#nudgedAt = at;
    try {
      writePrivateFile(this.#file, `${JSON.stringify({ schema: 1, at })}\n`);
    } catch (error) {
      this.#ports.onProblem(
        compose`That rules wait was told, which is not kept: ${this.#file} cannot be written (${errorCode(error)})`,
      );
    }
  }
}
