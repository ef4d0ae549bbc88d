import path from "node:path";
import * as z from "zod";
import { parseJson } from "../base/parse-json.ts";
import { errorCode } from "../base/error-code.ts";
import { waitsForUser } from "./rule.ts";
import { readPrivateFile } from "../base/disk/private-file.ts";
import { writePrivateFile } from "../base/disk/private-place.ts";
import type { PurserHome } from "../base/disk/home.ts";
import { readRules, type RulesLedger } from "./book/stored.ts";

export interface RulesNudgePorts {
  readonly home: Pick<PurserHome, "folder">;
  readonly ledger: Pick<RulesLedger, "ask">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string) => void;
}

const keptFile = z.object({ schema: z.literal(1), at: z.number() });
const day = 24 * 60 * 60_000; // ms

/**
 * Sees to it that a user is told once a day that rules wait for them: by whoever asks first, a session that begins, a window or a
 * terminal. Kept over restarts.
 */
export class RulesNudge {
  readonly #ports: RulesNudgePorts;
  readonly #file: string;
  /** Undefined before the file was looked at. */
  #toldAt: number | null | undefined;
  /** How many rules wait; undefined where the ledger has not said. */
  #waiting: number | undefined;
  #isAsking = false;

  constructor(ports: RulesNudgePorts) {
    this.#ports = ports;
    this.#file = path.join(ports.home.folder, "rules-told.json");
  }

  /** So many wait from now on. */
  hear({ waiting }: { readonly waiting: number }): void {
    this.#waiting = waiting;
  }

  /** How many rules wait, which whoever asks tells the user now; 0 where none do, or where the user was told today. */
  async claim(): Promise<number> {
    if (!this.#isDue()) return 0;
    await this.#ask();
    return this.claimNow() ?? 0;
  }

  /** The same for who does not wait for the ledger: null where it has not said yet. It is asked then. */
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
    if (this.#toldAt === undefined) this.#toldAt = this.#read();
    // What was told in the future was told by a clock that was wrong.
    const age = this.#toldAt === null ? day : this.#ports.now() - this.#toldAt;
    return age >= day || age < 0;
  }

  /** A file that cannot be read is as none: then the user may be told once more. */
  #read(): number | null {
    const text = readPrivateFile(this.#file);
    if (!text.ok) this.#ports.onProblem(text.detail);
    return text.ok && text.value !== null
      ? (keptFile.safeParse(parseJson(text.value)).data?.at ?? null)
      : null;
  }

  #keep(at: number): void {
    this.#toldAt = at;
    try {
      writePrivateFile(this.#file, `${JSON.stringify({ schema: 1, at })}\n`);
    } catch (error) {
      this.#ports.onProblem(
        `That rules wait was told, which is not kept: ${this.#file} cannot be written (${errorCode(error)})`,
      );
    }
  }
}
