/**
 * Where a number comes from: the agent or API said it, we counted it, we modelled it, or nobody knows.
 * An unknown number is `null`, never 0.
 */
export type Provenance = "official" | "measured" | "estimated" | "unknown";

/** A number with its provenance. `source` says in a few plain words what it rests on, for a tooltip. */
export type Figure =
  | { readonly value: number; readonly provenance: Exclude<Provenance, "unknown">; readonly source: string }
  | { readonly value: null; readonly provenance: "unknown"; readonly source: string };

export function unknownFigure(source: string): Figure {
  return { value: null, provenance: "unknown", source };
}
