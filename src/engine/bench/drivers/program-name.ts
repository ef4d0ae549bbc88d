/**
 * Names the program of a run: its version, and the model that answered most requests, which a model's short
 * name does not identify. Undefined without a version.
 */
export function programName(
  version: string | null,
  models: readonly string[],
): { readonly program?: string } {
  if (version === null || version === "") return {};
  const counts = new Map<string, number>();
  for (const model of models) counts.set(model, (counts.get(model) ?? 0) + 1);
  const [mostFrequent] = [...counts].toSorted(
    ([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1),
  );
  return {
    program: [version, ...(mostFrequent === undefined ? [] : [mostFrequent[0]])].join(" ").slice(0, 200),
  };
}
