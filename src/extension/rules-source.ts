import { DisposableList, type Disposable } from "../engine/base/disposable.ts";
import { fail, succeed, type Result } from "../engine/base/result.ts";
import type { Asked } from "../engine/service/peer.ts";
import type { RulesClient } from "../engine/service/rules-client.ts";

type Rules = Pick<RulesClient, keyof RulesClient>;
type State = { readonly kind: "starting" | "ready" } | { readonly kind: "failed"; readonly reason: string };

/** The way to the service, which comes and goes. */
export interface RulesLink {
  readonly client: { readonly rules: Rules } | undefined;
  readonly state: State;
  onClient(listener: () => void): Disposable;
  onChange(listener: (state: State) => void): Disposable;
  retry(): Promise<void>;
}

/**
 * - `starting`: there is nobody to ask yet; a change is told when there is, or will not be;
 * - `offline`: there is nobody to ask, and the detail says why in the user's words;
 * - `failed`: it was asked and could not do it.
 */
export type RulesFailure = "starting" | "offline" | "failed";

/** Where the panel and the palette have rules from. */
export class RulesSource {
  readonly #link: RulesLink;

  constructor(link: RulesLink) {
    this.#link = link;
  }

  async ask<Answer>(
    question: (rules: Rules) => Promise<Asked<Answer>>,
  ): Promise<Result<Answer, RulesFailure>> {
    const { client, state } = this.#link;
    if (client === undefined)
      return state.kind === "failed"
        ? fail("offline", state.reason)
        : fail("starting", "the service is not connected yet");
    const asked = await question(client.rules);
    if (asked.ok) return succeed(asked.value);
    return fail(asked.reason === "closed" ? "starting" : "failed", asked.detail);
  }

  retry(): Promise<void> {
    return this.#link.retry();
  }

  /** Rules changed, so many wait; undefined: any answer may be another than it was. */
  onChange(listener: (waiting: number | undefined) => void): Disposable {
    const link = this.#link;
    let current: Disposable | undefined;
    const attach = () => {
      current?.dispose();
      current = link.client?.rules.onChanged(({ waiting }) => listener(waiting));
    };
    attach();
    const owned = new DisposableList();
    owned.add({ dispose: () => current?.dispose() });
    owned.add(
      link.onClient(() => {
        attach();
        listener(undefined);
      }),
    );
    owned.add(
      link.onChange(({ kind }) => {
        if (kind === "failed") listener(undefined);
      }),
    );
    return owned;
  }
}
