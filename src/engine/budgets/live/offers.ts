import { type Sentence, compose } from "../../base/language.ts";
import path from "node:path";
import { sha256Base64Url } from "../../base/hash.ts";
import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { errorCode } from "../../base/result.ts";
import type { Budget } from "../budget.ts";
import { convoyOf, limitsAmong } from "../convoys/members.ts";
import { readPrivateFile, writePrivateFile } from "../../base/private-files.ts";
import type { PurserPaths } from "../../base/paths.ts";

/** Agents working together on one branch of a project. */
export interface ConcurrentAgents {
  /** Null outside of a repository. */
  readonly branch: string | null;
  readonly sessionIds: readonly string[];
}

/** Whether every agent has a limit: its convoy's, or the whole project's. */
export function areLimited(budgets: readonly Budget[], { branch, sessionIds }: ConcurrentAgents): boolean {
  const isLimited = (convoyId: string | null) => limitsAmong(budgets, convoyId).length > 0;
  return sessionIds.every((sessionId) => isLimited(convoyOf(budgets, { sessionId, branches: [branch] })));
}

const keptFile = z.object({ schema: z.literal(1), offered: z.array(z.string().check(z.maxLength(64))) });
/** Maximum stored offers: users with older ones already know budgets. */
const maxOffers = 500;
const keyLength = 22;

export class BudgetOffers {
  readonly #file: string;
  readonly #onProblem: (message: Sentence) => void;
  #offered: string[] | undefined;

  constructor({ folder }: Pick<PurserPaths, "folder">, onProblem: (message: Sentence) => void) {
    this.#file = path.join(folder, "budget-offers.json");
    this.#onProblem = onProblem;
  }

  /** Returns true for the first caller only. */
  claim(project: string, branch: string | null): boolean {
    const identity = JSON.stringify([project, branch]);
    const key = sha256Base64Url(identity, keyLength);
    const offered = (this.#offered ??= this.#read());
    if (offered.includes(key)) return false;
    this.#offered = [...offered, key].slice(-maxOffers);
    try {
      writePrivateFile(this.#file, `${JSON.stringify({ schema: 1, offered: this.#offered }, null, 2)}\n`);
    } catch (error) {
      this.#onProblem(
        compose`What budgets were offered for is not kept: ${this.#file} cannot be written (${errorCode(error)})`,
      );
    }
    return true;
  }

  /**
   * Reads the stored offers; an unreadable file counts as empty, so earlier offers may be repeated once.
   */
  #read(): string[] {
    const text = readPrivateFile(this.#file);
    if (!text.ok) this.#onProblem(text.detail);
    return text.ok ? (readJson(keptFile, text.value)?.offered ?? []) : [];
  }
}
