import { placeIn, subsystemOf } from "../../guard/work.ts";
import type { WorkingFile } from "../packet/packet.ts";
import type { PastAction } from "./past-action.ts";

interface Touched {
  readonly path: string;
  turn: number;
  reads: number;
  edits: number;
  /** Decayed sum of touches, as of `step`. */
  weight: number;
  step: number;
  outcome: WorkingFile["outcome"];
}

/** Beyond this number the lightest are forgotten. */
const maxFiles = 500;
/**
 * Weights of touches: how much one counts, and after how many touches of any file it counts half (frecency).
 * Files in the part of the project with recent work are the most likely to be needed next. `npm run bench --
 * continuity` prints how often the next session's files are found; `-- --tune` compares other values.
 */
export interface Weighing {
  readonly read: number;
  readonly edit: number;
  readonly halfLife: number;
  /** For a file in the part of the project with the most recent touches; others in proportion. */
  readonly near: number;
  /** For a file that the last failing check names. */
  readonly failing: number;
}
export const usualWeighing: Weighing = { read: 1, edit: 2, halfLife: 5, near: 1, failing: 1 };

export class WorkingFiles {
  readonly #weighing: Weighing;
  readonly #files = new Map<string, Touched>();
  #step = 0;
  #failing: readonly string[] = [];

  constructor(weighing: Weighing = usualWeighing) {
    this.#weighing = weighing;
  }

  /** Paths of files that were edited, and are not verified since. */
  get unverified(): string[] {
    return [...this.#files.values()]
      .filter(({ outcome }) => outcome === "unverified")
      .map(({ path }) => path);
  }

  /** @param turn prompts so far @param root the project's folder; files elsewhere do not count */
  add(action: PastAction, turn: number, root: string | null): void {
    if (action.outcome !== "failed") {
      for (const file of action.reads) this.#touch(file, { turn, root, isEdit: false });
      for (const file of action.writes) this.#touch(file, { turn, root, isEdit: true });
      for (const file of action.line?.artefacts ?? [])
        this.#touch(file, { turn, root, isEdit: true, isArtefact: true });
      if (action.line?.undoes === "all") this.#undo(() => true);
      else
        for (const file of action.line?.undoes ?? []) {
          const path = placeIn(file, root) ?? file;
          this.#undo((each) => each === path || each.startsWith(`${path}/`));
        }
    }
    const isCheck = (action.line?.checks.length ?? 0) > 0;
    if (!isCheck) return;
    this.#failing = action.outcome === "failed" ? (action.failure?.files ?? []) : [];
    if (action.outcome === "succeeded")
      for (const file of this.#files.values()) if (file.outcome === "unverified") file.outcome = "verified";
  }

  /** Returns the files that the next session most likely needs, best first. */
  best(count: number): WorkingFile[] {
    const { near, failing } = this.#weighing;
    const parts = new Map<string, number>();
    for (const file of this.#files.values()) {
      const part = partOf(file.path);
      parts.set(part, (parts.get(part) ?? 0) + this.#now(file));
    }
    const highest = Math.max(...parts.values(), Number.MIN_VALUE);
    const scored = Array.from(this.#files.values(), (file) => {
      const isNamed = this.#failing.some((name) => name === file.path || name.endsWith(`/${file.path}`));
      const share = (parts.get(partOf(file.path)) ?? 0) / highest;
      const score = this.#now(file) + near * share + (isNamed ? failing : 0);
      return { file, score };
    });
    return scored
      .toSorted((a, b) => b.score - a.score || b.file.step - a.file.step || order(a.file.path, b.file.path))
      .slice(0, count)
      .map(({ file: { path, turn, reads, edits, outcome } }) => ({ path, turn, reads, edits, outcome }));
  }

  #touch(file: string, { turn, root, isEdit, isArtefact = false }: Touch): void {
    const path = placeIn(file, root)?.replace(/^\.\//u, "") ?? null;
    if (path === null || path === "" || path.length > maxPathLength) return;
    this.#step += 1;
    const known = this.#files.get(path) ?? {
      path,
      turn,
      reads: 0,
      edits: 0,
      weight: 0,
      step: 0,
      outcome: "read",
    };
    const weight = isEdit ? this.#weighing.edit : this.#weighing.read;
    known.weight = this.#now(known) + weight;
    known.step = this.#step;
    known.turn = turn;
    if (isEdit) {
      known.edits += 1;
      if (!isArtefact) known.outcome = "unverified";
    } else known.reads += 1;
    this.#files.set(path, known);
    if (this.#files.size > maxFiles) this.#forgetOne();
  }

  #undo(isUndone: (path: string) => boolean): void {
    for (const file of this.#files.values())
      if (file.outcome === "unverified" && isUndone(file.path)) {
        file.outcome = "read";
      }
  }

  #now({ weight, step }: Touched): number {
    return weight * 2 ** ((step - this.#step) / this.#weighing.halfLife);
  }

  #forgetOne(): void {
    let lowest: Touched | null = null;
    for (const file of this.#files.values())
      if (lowest === null || this.#now(file) < this.#now(lowest)) lowest = file;
    if (lowest !== null) this.#files.delete(lowest.path);
  }
}

interface Touch {
  readonly turn: number;
  readonly root: string | null;
  readonly isEdit: boolean;
  /** Whether no check verifies it. */
  readonly isArtefact?: boolean;
}

/** Characters. */
const maxPathLength = 400;

/** The part of the project that a file belongs to; its tests are in the same. */
function partOf(path: string): string {
  return subsystemOf(path, null) ?? "";
}

/** The same order on every machine. */
function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
