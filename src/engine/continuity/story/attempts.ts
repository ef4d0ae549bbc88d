import type { DeadEnd, ErrorCluster } from "../packet/packet.ts";
import { firstWords } from "./prompt-text.ts";
import { placeIn } from "../../guard/work.ts";
import { scrub } from "../../base/scrub.ts";
import type { PastAction } from "./past-action.ts";

interface Failing {
  readonly what: string;
  readonly isCheck: boolean;
  text: string;
  times: number;
  turn: number;
}
interface Edited {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

const [maxFailing, maxEdits, maxReverts] = [200, 200, 20];
/** An action that failed once may have been a slip. */
const minTimes = 2;
/** Characters. */
const [maxActionLength, maxTextLength] = [140, 300];

/** Attempts that led nowhere: they failed again and again without a success since, or were taken back. */
export class Attempts {
  readonly #failing = new Map<string, Failing>();
  #edits: Edited[] = [];
  readonly #reverts = new Map<string, DeadEnd>();

  add(action: PastAction, turn: number, root: string | null): void {
    if (action.outcome === "failed") this.#fail(action, turn, root);
    if (action.outcome === "succeeded") this.#failing.delete(action.key);
    if (action.outcome === "failed") return;
    if (action.kind === "edit") this.#edit(action, turn, root);
    const { undoes = [] } = action.line ?? {};
    if (undoes === "all") {
      for (const file of new Set(this.#edits.map((edit) => edit.file))) this.#revert(file, turn);
      this.#edits = [];
    } else
      for (const each of undoes) {
        const path = placeIn(each, root) ?? each;
        const undone = this.#edits.filter(({ file }) => file === path || file.startsWith(`${path}/`));
        for (const file of new Set(undone.map((edit) => edit.file))) this.#revert(file, turn);
        this.#edits = this.#edits.filter((edit) => !undone.includes(edit));
      }
  }

  /** Newest last. */
  deadEnds(): DeadEnd[] {
    const failed = [...this.#failing.values()]
      .filter(({ times, isCheck }) => times >= minTimes && !isCheck)
      .map(({ what, text, times, turn }): DeadEnd => ({
        turn,
        text: (text === "" ? what : `${what}: ${text}`).slice(0, maxTextLength),
        how: "failed",
        times,
      }));
    return [...failed, ...this.#reverts.values()].toSorted((a, b) => a.turn - b.turn);
  }

  #fail(action: PastAction, turn: number, root: string | null): void {
    const known = this.#failing.get(action.key);
    this.#failing.delete(action.key);
    this.#failing.set(action.key, {
      what: known?.what ?? describe(action, root),
      // A check that fails is open work, and not the wrong way.
      isCheck: (action.line?.checks.length ?? 0) > 0,
      text: action.failure?.text ?? "",
      times: (known?.times ?? 0) + 1,
      turn,
    });
    const [oldest] = this.#failing.keys();
    if (this.#failing.size > maxFailing && oldest !== undefined) this.#failing.delete(oldest);
  }

  #edit({ change, writes }: PastAction, turn: number, root: string | null): void {
    const [path] = writes;
    if (path === undefined) return;
    const file = placeIn(path, root) ?? path;
    const { before = "", after = "" } = change ?? {};
    const undone = this.#edits.findLast(
      (edit) => edit.file === file && change !== null && edit.before === after && edit.after === before,
    );
    if (undone !== undefined) {
      this.#revert(file, turn);
      this.#edits = this.#edits.filter((edit) => edit !== undone);
    } else this.#edits = [...this.#edits, { file, before, after }].slice(-maxEdits);
  }

  #revert(file: string, turn: number): void {
    const times = (this.#reverts.get(file)?.times ?? 0) + 1;
    this.#reverts.delete(file);
    const text = `An edit of ${file} was taken back`.slice(0, maxTextLength);
    this.#reverts.set(file, { turn, text, how: "reverted", times });
    const [oldest] = this.#reverts.keys();
    if (this.#reverts.size > maxReverts && oldest !== undefined) this.#reverts.delete(oldest);
  }
}

/** Names an action in a few words: its command, or the tool with its file. */
export function describe({ command, tool, reads, writes }: PastAction, root: string | null): string {
  if (command !== null) return firstWords(scrub(command), maxActionLength);
  const [file] = [...writes, ...reads];
  return firstWords(file === undefined ? tool : `${tool} ${placeIn(file, root) ?? file}`, maxActionLength);
}

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
