/** The names that tested versions of an agent write at each place of its rows, separated by spaces. */
export type KnownMembers = ReadonlyMap<string, ReadonlySet<string>>;

export function knownMembers(places: Readonly<Record<string, string>>): KnownMembers {
  return new Map(Object.entries(places).map(([place, names]) => [place, new Set(names.split(" "))]));
}

/**
 * Returns the members of a row that no tested version writes, each with its place. Skips places that the table lacks:
 * purser reads nothing there.
 */
export function unknownMembersAt(known: KnownMembers, place: string, value: unknown): string[] {
  const names = known.get(place);
  if (names === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    names.has(name) ? unknownMembersAt(known, `${place}.${name}`, member) : [`${place}.${name}`],
  );
}
