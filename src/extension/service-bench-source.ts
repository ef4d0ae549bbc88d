import { DisposableList, type Disposable } from "../engine/base/disposable.ts";
import { fail, succeed, type Result } from "../engine/base/result.ts";
import type { BenchClient } from "../engine/service/bench-client.ts";
import type { JobSummary } from "../engine/service/bench-view.ts";
import type { Asked } from "../engine/service/peer.ts";
import type { BenchFailure, BenchSource } from "./bench-source.ts";

type Benches = Pick<BenchClient, keyof BenchClient>;
/** `failed` says why in the user's words. */
type State = { readonly kind: "starting" | "ready" } | { readonly kind: "failed"; readonly reason: string };

/** The way to the service, which comes and goes. */
interface Link {
  readonly client: { readonly benches: Benches } | undefined;
  readonly state: State;
  onClient(listener: () => void): Disposable;
  onChange(listener: (state: State) => void): Disposable;
  retry(): Promise<void>;
}

export interface BenchWindow {
  /** The folder whose suite may be used and whose budgets hold, at this moment; null in one that is not trusted. */
  readonly workspace: () => string | null;
  readonly isTrusted: () => boolean;
  /** What agents need of the window's environment; see `benchEnvironment`. */
  readonly env: () => Record<string, string>;
}

/** Benches as the service has them. */
export function serviceBenchSource(link: Link, window: BenchWindow): BenchSource {
  const ask = async <Answer>(
    question: (benches: Benches) => Promise<Asked<Answer>>,
  ): Promise<Result<Answer, BenchFailure>> => {
    const { client, state } = link;
    if (client === undefined)
      // A connection that ended is made anew by itself, until it is said that it cannot be.
      return state.kind === "failed"
        ? fail("offline", state.reason)
        : fail("starting", "the service is not connected yet");
    const asked = await question(client.benches);
    if (asked.ok) return succeed(asked.value);
    return fail(asked.reason === "closed" ? "starting" : "failed", asked.detail);
  };
  return {
    get isTrusted() {
      return window.isTrusted();
    },
    ready: () => reached(link),
    choices: (signal) => ask((benches) => benches.choices(window.workspace(), window.env(), signal)),
    plan: async (asked, signal) => {
      const answer = await ask((benches) => benches.plan(asked, window.env(), signal));
      return answer.ok ? succeed(answer.value.plan) : answer;
    },
    start: (asked) => ask((benches) => benches.start(asked, window.env(), window.workspace())),
    cancel: (id) => ask((benches) => benches.cancel(id)),
    resume: (id) => ask((benches) => benches.resume(id, window.env())),
    list: async (signal) => {
      const answer = await ask((benches) => benches.list(signal));
      return answer.ok ? succeed(answer.value.jobs) : answer;
    },
    read: async (id, signal) => {
      const answer = await ask((benches) => benches.read(id, signal));
      return answer.ok ? succeed(answer.value.view) : answer;
    },
    runPage: async (id, runId, signal) => {
      const answer = await ask((benches) => benches.runPage(id, runId, signal));
      return answer.ok ? succeed(answer.value.page) : answer;
    },
    change: async (id, runId, path) => {
      const answer = await ask((benches) => benches.change(id, runId, path));
      return answer.ok ? succeed(answer.value.change) : answer;
    },
    retry: () => link.retry(),
    onChange: (listener) => listen(link, listener),
  };
}

/** A window that just began is connected in a moment. Milliseconds. */
const longestWait = 20_000;

function reached(link: Link): Promise<void> {
  const isKnown = () => link.client !== undefined || link.state.kind === "failed";
  if (isKnown()) return Promise.resolve();
  return new Promise((resolve) => {
    const owned = new DisposableList();
    const look = () => {
      if (isKnown()) end();
    };
    const end = () => {
      owned.dispose();
      resolve();
    };
    const timer = setTimeout(end, longestWait);
    owned.add({ dispose: () => clearTimeout(timer) });
    owned.add(link.onClient(look));
    owned.add(link.onChange(look));
  });
}

/** Hears every client there is, one after the other. */
function listen(link: Link, listener: (jobs: readonly JobSummary[] | undefined) => void): Disposable {
  let current: Disposable | undefined;
  const attach = () => {
    current?.dispose();
    current = link.client?.benches.onChanged(listener);
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
