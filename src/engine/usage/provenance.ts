import type { Sentence } from "../base/text/sentence.ts";
/**
 * Source of a number: reported by the agent or API, counted by us, estimated by a model of ours, or
 * unknown. An unknown number is `null`, never 0.
 */
export type Provenance = "official" | "measured" | "estimated" | "unknown";

/**
 * A number with its provenance. `source` explains its basis in a few plain words, for a tooltip. `isAssumed` marks a
 * number that rests only on the agent's assumption, so that the user is offered to set the right one.
 */
export type Figure =
  | {
      readonly value: number;
      readonly provenance: Exclude<Provenance, "unknown">;
      readonly source: Sentence;
      readonly isAssumed?: true;
    }
  | { readonly value: null; readonly provenance: "unknown"; readonly source: Sentence };

/**
 * Marks a formatted figure with its provenance, the same in every table: `~1.92` is an estimate, `1.92*` is official,
 * and a measured figure has no mark. A bound, such as `< $0.001`, already shows that it is not exact.
 */
export function marked(text: string, provenance: Provenance): string {
  if (provenance === "official") return `${text}*`;
  return provenance === "estimated" && !/^[<>]/u.test(text) ? `~${text}` : text;
}

export function unknownFigure(source: Sentence): Figure {
  return { value: null, provenance: "unknown", source };
}
