import type { ShellContext } from "../commands/invocation.ts";
import type { Effort } from "../effort.ts";
import { isPathKind, pathKinds, placePath, type PathKind, type PlacedPath } from "./path-kinds.ts";

/** Steps for making a path absolute, besides its text. */
const placingSteps = 6;
/** Characters that are placed in the time of one step. */
const placedCharacters = 4;
/** Steps for testing one kind, besides the path's text. */
const kindSteps = 2;
/** Characters that are tested in the time of one step. */
const testedCharacters = 32;

/** A path that a command names. Each of its kinds is determined once, however many rules ask. */
export class KnownPath {
  readonly #placed: PlacedPath | null;
  readonly #effort: Effort;
  readonly #kinds = new Map<PathKind, boolean>();

  constructor(
    written: string,
    {
      folder,
      context,
      effort,
    }: { readonly folder: string | null; readonly context: ShellContext; readonly effort: Effort },
  ) {
    const isGranted = effort.take(placingSteps + Math.ceil(written.length / placedCharacters));
    this.#placed = isGranted ? placePath(written, folder, context) : null;
    this.#effort = effort;
  }

  /** Tests whether it is of one of the kinds in a list. */
  isOne(list: string): boolean {
    for (const kind of kindsIn(list)) if (this.#is(kind)) return true;
    return false;
  }

  #is(kind: PathKind): boolean {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    if (this.#placed === null) return false;
    const steps = kindSteps + Math.floor(this.#placed.full.length / testedCharacters);
    const isKind = this.#effort.take(steps) && isPathKind(kind, this.#placed);
    this.#kinds.set(kind, isKind);
    return isKind;
  }
}

const kindLists = new Map<string, readonly PathKind[]>();

/** Returns the kinds of a list that `|` separates. */
export function kindsIn(list: string): readonly PathKind[] {
  const known = kindLists.get(list);
  if (known !== undefined) return known;
  const kinds = list.split("|").map((name) => {
    const kind = pathKinds.find((each) => each === name);
    if (kind === undefined) throw new Error(`No kind of path is named ${name}`);
    return kind;
  });
  kindLists.set(list, kinds);
  return kinds;
}
