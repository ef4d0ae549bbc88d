import type { ErrorCluster } from "../packet/packet.ts";
import { scrub } from "../../base/scrub.ts";
import type { PastAction } from "./past-action.ts";
import { describe } from "./attempts.ts";

interface Cluster {
  readonly signature: string;
  readonly tool: string;
  readonly text: string;
  turn: number;
  times: number;
  /** Calls that show whether it is gone. */
  key: string;
  checks: readonly string[];
  /** The newest edit since it came up last, and the newest command that may change something. */
  edit: Done | null;
  command: Done | null;
  fix: Done | null;
}
interface Done {
  readonly turn: number;
  readonly text: string;
}

/** Beyond this number the oldest are forgotten. */
const maxClusters = 100;

/** Errors, and what was done before each was gone. */
export class Errors {
  readonly #clusters = new Map<string, Cluster>();

  add(action: PastAction, turn: number, root: string | null): void {
    if (action.outcome === "failed") {
      this.#fail(action, turn);
      return;
    }
    for (const cluster of this.#clusters.values()) {
      if (cluster.fix !== null) continue;
      if (action.outcome === "succeeded" && shows(action, cluster))
        cluster.fix = cluster.edit ?? cluster.command;
      else if (action.kind === "edit") cluster.edit = { turn, text: describe(action, root) };
      else if (action.line?.effect === "change") cluster.command = { turn, text: describe(action, root) };
    }
  }

  /** Errors that occurred more than once, or were repaired. The newest last. */
  clusters(): ErrorCluster[] {
    return [...this.#clusters.values()]
      .filter(({ times, fix }) => times > 1 || fix !== null)
      .map(({ turn, signature, tool, text, times, fix }) => ({ turn, signature, tool, text, times, fix }));
  }

  #fail({ failure, key, line, tool }: PastAction, turn: number): void {
    if (failure === null || failure.text === "") return;
    const { signature, text } = failure;
    const known = this.#clusters.get(signature);
    this.#clusters.delete(signature);
    this.#clusters.set(signature, {
      signature,
      tool: scrub(line?.name ?? tool).slice(0, 100),
      text,
      turn,
      times: (known?.times ?? 0) + 1,
      key,
      checks: line?.checks ?? [],
      // The edit before the error came back did not repair it.
      edit: null,
      command: null,
      fix: null,
    });
    const [oldest] = this.#clusters.keys();
    if (this.#clusters.size > maxClusters && oldest !== undefined) this.#clusters.delete(oldest);
  }
}

/** Whether a success shows that an error is gone: the same call, or the same kind of check. */
function shows({ key, line }: PastAction, cluster: Cluster): boolean {
  return key === cluster.key || (line?.checks.some((kind) => cluster.checks.includes(kind)) ?? false);
}
