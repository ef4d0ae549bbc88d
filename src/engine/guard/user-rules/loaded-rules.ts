import { succeed, type Result } from "../../base/result.ts";
import type { GuardedCall } from "../calls/find-hits.ts";
import type { GuardRule } from "../calls/rule.ts";
import type { Hit } from "../calls/rule-set.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { Judge, Silence } from "./apply.ts";
import { emptyConfig, type GuardConfig } from "./config.ts";

export interface GuardFile {
  readonly name: string;
  /** Returns what differs when the file has changed; empty for no file. */
  readonly stamp: () => string;
  /** Returns its text; empty for no file. */
  readonly text: () => Result<string>;
}

export interface LoadedRulesPorts {
  /** The user's `guard.yaml`. */
  readonly file: GuardFile;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds, never set back. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

const loadCatalogue = async () => await import("../catalogue/judge-all.ts");
type Catalogue = Awaited<ReturnType<typeof loadCatalogue>>;

/** Shortest time between two looks at the file. Milliseconds. */
const lookInterval = 1000;

/**
 * All guard rules on calls, and what the user's file says of them. The rules' code is loaded with the first call, the file read again when it
 * changes; while it has a fault the last good rules stay.
 */
export class LoadedRules {
  readonly #ports: LoadedRulesPorts;
  #judge: Judge | undefined;
  #silence: Silence | undefined;
  #stamp = "";
  #config: GuardConfig = emptyConfig;
  #lookedAt = -Infinity;
  #loading: Promise<Judge> | undefined;

  constructor(ports: LoadedRulesPorts) {
    this.#ports = ports;
  }

  /** Returns the rules that fire on a call; a promise only while rules are loaded. */
  judge(call: GuardedCall, context: ShellContext): Hit[] | Promise<Hit[]> {
    const judge = this.#isCurrent() ? this.#judge : undefined;
    const now = this.#ports.now();
    if (judge !== undefined) return judge(call, context, now);
    return this.#loadOnce(context).then((loaded) => loaded(call, context, now));
  }

  /**
   * Whether the user wants nothing of a rule on a text: it is off, or an exception holds. While a file is being read that may say so,
   * nothing is wanted of any rule.
   */
  isExcepted(rule: string, text: string, context: ShellContext): boolean {
    const { file, now, onProblem } = this.#ports;
    const isCurrent = this.#isCurrent();
    if (this.#silence === undefined && file.stamp() === "") return false;
    if (!isCurrent || this.#silence === undefined)
      this.#loadOnce(context).catch((error: unknown) => onProblem(`${file.name}: ${String(error)}`));
    const { folder, home } = context;
    return this.#silence?.({ rule, texts: [text], folder, home }, now()) ?? true;
  }

  /** Returns all rules, with the user's, as they are now. */
  async all(context: ShellContext): Promise<readonly GuardRule[]> {
    await this.#load(context);
    const { catalogue, effectiveRules } = await loadCatalogue();
    return effectiveRules(catalogue, this.#config);
  }

  #loadOnce(context: ShellContext): Promise<Judge> {
    this.#loading ??= this.#load(context).finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  #isCurrent(): boolean {
    const at = this.#ports.elapsed();
    if (at - this.#lookedAt < lookInterval) return true;
    this.#lookedAt = at;
    return this.#ports.file.stamp() === this.#stamp;
  }

  async #load(context: ShellContext): Promise<Judge> {
    const { file, onProblem } = this.#ports;
    const rules = await loadCatalogue();
    const stamp = file.stamp();
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      const read = await this.#readFile(rules, context);
      if (read.ok) this.#config = read.value;
      else onProblem(`${file.name}: ${read.detail}; the last good rules stay`);
    }
    this.#silence = rules.makeSilence(this.#config);
    this.#judge = rules.judgeBy(this.#config);
    return this.#judge;
  }

  async #readFile(rules: Catalogue, context: ShellContext): Promise<Result<GuardConfig>> {
    const text = this.#ports.file.text();
    if (!text.ok) return text;
    if (text.value.trim() === "") return succeed(emptyConfig);
    const { readConfig } = await import("./read-config.ts");
    return readConfig(text.value, {
      known: new Set(rules.catalogue.map(({ id }) => id)),
      coded: new Set(rules.codedRules.map(({ id }) => id)),
      whyNoPattern: rules.whyNoPattern,
      firedOn: (own, example) => rules.firedOn(own, example, context),
    });
  }
}
