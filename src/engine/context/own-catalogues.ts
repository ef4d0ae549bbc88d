import type { FileProblem } from "../transcripts/claude/files.ts";
import { builtInCatalogue, type Catalogue } from "../usage/catalogue.ts";
import { withOverrides } from "../usage/catalogue-overrides.ts";
import type { ContextSettings } from "../settings/contexts.ts";

interface OwnCatalogue {
  readonly catalogue: Catalogue;
  /** What of the user's figures cannot be taken. */
  readonly problems: readonly FileProblem[];
}

/** Folders with models of their own are few. */
const mostKept = 50;

/** The catalogue with the user's own figures over it. Making one takes a while, so each is made once. */
export class OwnCatalogues {
  readonly #made = new Map<ContextSettings["models"], OwnCatalogue>();

  /** What of the user's figures cannot be taken, in any folder. */
  get problems(): FileProblem[] {
    const all = [...this.#made.values()].flatMap(({ problems }) => problems);
    return [...new Map(all.map((problem) => [problem.path, problem])).values()];
  }

  /** Others hold from now on. */
  clear(): void {
    this.#made.clear();
  }

  /** @param settings whose `models` is the same object while it is the same */
  of({ models }: Pick<ContextSettings, "models">): OwnCatalogue {
    const known = this.#made.get(models);
    if (known !== undefined) return known;
    const { catalogue, rejected } = withOverrides(builtInCatalogue, models);
    const problems = rejected.map(({ model, problem }) => ({
      path: `purser.models ${model}`.trim(),
      reason: problem,
    }));
    const made = { catalogue, problems };
    if (this.#made.size >= mostKept) this.#made.clear();
    this.#made.set(models, made);
    return made;
  }
}
