/** A part of the code shared by several programs. */
export interface Chunk {
  readonly name: string;
  readonly bytes: number;
  /** Names of the chunks it imports, without cycles. */
  readonly imports: readonly string[];
  /** Names of the programs that load it. */
  readonly programs: ReadonlySet<string>;
  /**
   * What it, or its imports, requires from the host, such as VS Code's API. Empty for nothing. Other hosts
   * cannot load it.
   */
  readonly needs: string;
}

/** Chunks merged into one file. */
interface Group {
  readonly names: ReadonlySet<string>;
  readonly bytes: number;
  /** Names of all chunks it loads, directly or indirectly. */
  readonly before: ReadonlySet<string>;
  /** Names of the programs that load it, even if needlessly. */
  readonly programs: ReadonlySet<string>;
  readonly needs: string;
}

/**
 * Returns which chunks to merge into one file, each file as its chunks' names in order. Merging two chunks saves one file for programs that
 * load both; programs that load only one then needlessly read the other, and everything it imports. Merges the pair with the greatest gain
 * until none gains. Files never import each other in a circle, and code that needs a host is never merged with code that does not. No
 * program reads more than a share of its code in vain, however much others gain.
 * @param fileCost cost of opening one more file, in bytes that a program could read instead
 */
export function planChunks(chunks: readonly Chunk[], fileCost: number): readonly (readonly string[])[] {
  let groups = groupsOf(chunks);
  const limits = new Map([...loadedBytes(groups)].map(([name, own]) => [name, maxLoad * own + fileCost]));
  for (;;) {
    const best = bestPair(groups, fileCost, limits);
    if (best === undefined) return groups.map(({ names }) => [...names].toSorted());
    groups = merge(groups, ...best);
  }
}

function groupsOf(chunks: readonly Chunk[]): Group[] {
  const importsOf = new Map(chunks.map(({ name, imports }) => [name, imports]));
  return chunks.map(({ name, bytes, imports, programs, needs }) => {
    const before = new Set(imports);
    // Iterating a set includes elements added meanwhile.
    for (const each of before) for (const further of importsOf.get(each) ?? []) before.add(further);
    return { names: new Set([name]), bytes, before, programs, needs };
  });
}

/** @param limits maximum bytes that each program may load */
function bestPair(
  groups: readonly Group[],
  fileCost: number,
  limits: ReadonlyMap<string, number>,
): readonly [Group, Group] | undefined {
  let best: readonly [Group, Group] | undefined;
  let most = 0;
  const loaded = loadedBytes(groups);
  for (const [index, one] of groups.entries()) {
    for (const other of groups.slice(index + 1)) {
      if (other.needs !== one.needs) continue;
      const both = [...one.programs].filter((program) => other.programs.has(program)).length;
      const saved = both * fileCost;
      const inVain = (one.programs.size - both) * other.bytes + (other.programs.size - both) * one.bytes;
      // Cheaper conditions come first.
      if (saved - inVain <= most) continue;
      const lost = [...lostBy(one, other, groups, fileCost), ...lostBy(other, one, groups, fileCost)];
      const gain = lost.reduce((left, [, bytes]) => left - bytes, saved);
      const isTooMuch = lost.some(
        ([program, bytes]) => (loaded.get(program) ?? 0) + bytes > (limits.get(program) ?? 0),
      );
      if (gain <= most || isTooMuch || leadsAround(one, other, groups) || leadsAround(other, one, groups))
        continue;
      best = [one, other];
      most = gain;
    }
  }
  return best;
}

/** Maximum size of what a program loads, in relation to the code that it needs. */
const maxLoad = 1.15;

/** Bytes that each program loads. */
function loadedBytes(groups: readonly Group[]): ReadonlyMap<string, number> {
  const loaded = new Map<string, number>();
  for (const { programs, bytes } of groups)
    for (const program of programs) loaded.set(program, (loaded.get(program) ?? 0) + bytes);
  return loaded;
}

/** Returns the bytes that each program of a group reads in vain when it has to load another one: its content, and what it loads. */
function lostBy(
  one: Group,
  other: Group,
  groups: readonly Group[],
  fileCost: number,
): readonly (readonly [program: string, bytes: number])[] {
  const further = groups.filter((group) => group !== one && meet(group.names, other.before));
  return [...one.programs]
    .filter((program) => !other.programs.has(program))
    .map((program) => {
      const unread = further.filter(({ programs }) => !programs.has(program));
      return [program, unread.reduce((sum, { bytes }) => sum + bytes + fileCost, other.bytes)];
    });
}

/** Whether a group imports another through a third one, in which case merging the two would create a circle. */
function leadsAround(from: Group, to: Group, groups: readonly Group[]): boolean {
  return groups.some(
    (group) =>
      group !== from && group !== to && meet(group.names, from.before) && meet(to.names, group.before),
  );
}

function merge(groups: readonly Group[], one: Group, other: Group): Group[] {
  const names = union(one.names, other.names);
  const before = new Set([...one.before, ...other.before].filter((name) => !names.has(name)));
  const programs = union(one.programs, other.programs);
  const rest = groups
    .filter((group) => group !== one && group !== other)
    .map((group) => ({
      ...group,
      before: meet(names, group.before) ? union(group.before, union(names, before)) : group.before,
      programs: meet(group.names, before) ? union(group.programs, programs) : group.programs,
    }));
  return [...rest, { names, bytes: one.bytes + other.bytes, before, programs, needs: one.needs }];
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true;
  return false;
}

function union(some: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...some, ...others]);
}
