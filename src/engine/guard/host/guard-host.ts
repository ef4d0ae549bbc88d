import { randomUUID } from "node:crypto";
import os from "node:os";
import { sentence, compose } from "../../base/language.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { ensurePrivateFolder, writeBehindLink } from "../../base/private-files.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import type { GuardEffects } from "../../ledger/ledger-answers.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { SettingsStore } from "../../settings/settings-store.ts";
import type {
  AddedException,
  GuardEffectView,
  GuardExceptionScope,
  GuardRuleBook,
  GuardView,
} from "../guard-answers.ts";
import type { ShellContext } from "../commands/invocation.ts";
import { netViewOf } from "../net/net-figures.ts";
import { helpsTooLittle } from "../effect/silent-rules.ts";
import {
  describeRules,
  textWithException,
  exceptionFor,
  type UnwantedHit,
} from "../user-rules/describe-guard-user-rules.ts";
import { guardFileAt } from "./project-files.ts";

export interface GuardHostPorts {
  readonly home: Pick<PurserPaths, "folder" | "guardRules">;
  readonly userHome: string;
  readonly clock: Clock;
  readonly ledger: Pick<LedgerHost, "answer">;
  readonly settings: Pick<SettingsStore, "now">;
}

export interface ExceptionWish {
  readonly hit: UnwantedHit;
  readonly scope: GuardExceptionScope;
  /** Days on which the exception holds, including today; null for all. */
  readonly days: number | null;
}

type NothingMore = Readonly<Record<string, never>>;

/** Maximum exceptions that can be taken back. */
const maxUndone = 20;

/** Describes guard rules and their actions, and writes the user's exceptions. */
export class GuardHost {
  readonly #ports: GuardHostPorts;
  /** The file's text before and after each written exception, the newest last. */
  readonly #written = new Map<string, { readonly before: string; readonly after: string }>();
  /** Settles when the current change of the file ends, as the next change reads its result. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(ports: GuardHostPorts) {
    this.#ports = ports;
  }

  /** @param asked since milliseconds since the epoch, and the maximum of single hits */
  async view(asked: { readonly since: number; readonly most: number }): Promise<Result<{ view: GuardView }>> {
    const { ledger, settings } = this.#ports;
    const book = await ledger.answer("guardBook", asked);
    if (!book.ok) return book;
    const effects = await ledger.answer("guardEffects", asked.since);
    if (!effects.ok) return effects;
    const saved = await ledger.answer("savedOutputs", 0);
    if (!saved.ok) return saved;
    const { guardMode: all, guardFamilies: families } = settings.now();
    const modes = { all, families };
    return succeed({
      view: {
        modes,
        since: asked.since,
        ...book.value.answer,
        effects: effectsOf(effects.value.answer),
        net: netViewOf(saved.value.answer, asked.since),
      },
    });
  }

  async rules(): Promise<Result<{ book: GuardRuleBook }>> {
    return succeed({ book: await describeRules(guardFileAt(this.#ports.home.guardRules), this.#context) });
  }

  /** Writes an exception into the user's file, so that a rule no longer fires on calls like a hit. */
  except(wish: ExceptionWish): Promise<Result<AddedException>> {
    return this.#inTurn(() => this.#except(wish));
  }

  /** Takes an exception back: the file is again as it was, byte for byte. */
  undo(id: string): Promise<Result<NothingMore>> {
    return this.#inTurn(() => Promise.resolve(this.#undo(id)));
  }

  async #except({ hit, scope, days }: ExceptionWish): Promise<Result<AddedException>> {
    const { home, clock } = this.#ports;
    const file = guardFileAt(home.guardRules);
    const exception = exceptionFor(hit, { scope, days, now: clock.now() });
    if (exception === null)
      return fail("unknown_place", sentence("what {0} fired on is not known well enough for that", hit.rule));
    const before = file.text();
    if (!before.ok) return fail(before.reason, compose`${file.name}: ${before.detail}`);
    const made = await textWithException(before.value, exception, this.#context);
    if (!made.ok) return fail(made.reason, compose`${file.name}: ${made.detail}`);
    const { text: after, line } = made.value;
    const replaced = this.#replace(before.value, after);
    if (!replaced.ok) return replaced;
    const id = randomUUID();
    this.#written.set(id, { before: before.value, after });
    for (const old of [...this.#written.keys()].slice(0, -maxUndone)) this.#written.delete(old);
    return succeed({ id, exception, file: file.name, line });
  }

  #undo(id: string): Result<NothingMore> {
    const file = this.#ports.home.guardRules;
    const written = this.#written.get(id);
    if (written === undefined)
      return fail(
        "forgotten",
        sentence("the exception can no longer be taken back here; remove it from {0}", file),
      );
    const replaced = this.#replace(written.after, written.before);
    if (!replaced.ok) return replaced;
    this.#written.delete(id);
    return succeed({});
  }

  /** Writes the file if it still has the text that the change is based on. */
  #replace(expected: string, text: string): Result<void> {
    const { home } = this.#ports;
    const file = guardFileAt(home.guardRules);
    const now = file.text();
    if (!now.ok) return fail(now.reason, compose`${file.name}: ${now.detail}`);
    if (now.value !== expected)
      return fail(
        "changed_meanwhile",
        sentence("{0} was changed meanwhile, and is left as it is", file.name),
      );
    const place = ensurePrivateFolder(home.folder);
    if (!place.ok) return place;
    try {
      const isStill = () => {
        const found = file.text();
        return found.ok && found.value === expected;
      };
      return writeBehindLink(file.name, text, isStill)
        ? succeed(undefined)
        : fail("changed_meanwhile", sentence("{0} was changed meanwhile, and is left as it is", file.name));
    } catch (error) {
      return fail("unwritable", sentence("{0} cannot be written ({1})", file.name, errorCode(error)));
    }
  }

  get #context(): ShellContext {
    return { folder: null, home: this.#ports.userHome, project: null, temporary: os.tmpdir() };
  }

  #inTurn<Value>(change: () => Promise<Value>): Promise<Value> {
    const done = this.#changing.then(change);
    this.#changing = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }
}

/** Outcomes of delivered hits, including rules that fell silent without recent hits. */
function effectsOf({ effects, advice }: GuardEffects): GuardEffectView[] {
  const tooLittle = new Set(advice.filter(helpsTooLittle).map(({ rule }) => rule));
  const known = effects.map((effect): GuardEffectView => {
    const { rule, advised, asked, denied, followed, progress, ignored, overridden, mistaken } = effect;
    const told = advised + asked + denied;
    const outcomes = { followed, progress, ignored, overridden, mistaken };
    return { rule, told, ...outcomes, helpsTooLittle: tooLittle.has(rule) };
  });
  const listed = new Set(known.map(({ rule }) => rule));
  const none = { told: 0, followed: 0, progress: 0, ignored: 0, overridden: 0, mistaken: 0 };
  const others = [...tooLittle].filter((rule) => !listed.has(rule));
  return [...known, ...others.map((rule) => ({ rule, ...none, helpsTooLittle: true }))];
}
