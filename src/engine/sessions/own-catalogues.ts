import type { FileProblem } from "../base/disk/file-problem.ts";
import { builtInCatalogue, type Catalogue } from "../usage/catalogue.ts";
import { withOverrides } from "../usage/catalogue-overrides.ts";
import type { ContextSettings } from "../settings/contexts.ts";

interface OwnCatalogue {
  readonly catalogue: Catalogue;
  /** The user's figures that are rejected, and why. */
  readonly problems: readonly FileProblem[];
}

/** Maximum cached catalogues; few folders have models of their own. */
const maxKept = 50;

/** Catalogues with the user's own figures applied. Cached, because building one takes a while. */
export class OwnCatalogues {
  readonly #made = new Map<ContextSettings["models"], OwnCatalogue>();

  /** The user's rejected figures, in any folder. */
  get problems(): FileProblem[] {
    const all = [...this.#made.values()].flatMap(({ problems }) => problems);
    return [...new Map(all.map((problem) => [problem.path, problem])).values()];
  }

  /** Drops the cached catalogues, because the settings changed. */
  clear(): void {
    this.#made.clear();
  }

  /** @param settings whose `models` object stays identical while unchanged; it is the cache key */
  forSettings({ models }: Pick<ContextSettings, "models">): OwnCatalogue {
    const known = this.#made.get(models);
    if (known !== undefined) return known;
    const { catalogue, rejected } = withOverrides(builtInCatalogue, models);
    const problems = rejected.map(({ model, problem }) => ({
      path: `purser.models ${model}`.trim(),
      reason: problem,
    }));
    const made = { catalogue, problems };
    if (this.#made.size >= maxKept) this.#made.clear();
    this.#made.set(models, made);
    return made;
  }
}
