/** A part of the code that several programs share. */
export interface Chunk {
  readonly name: string;
  readonly bytes: number;
  /** Names of the chunks that it imports. They lead back to no chunk. */
  readonly imports: readonly string[];
  /** Names of the programs that load it. */
  readonly programs: ReadonlySet<string>;
  /** What it, or what it imports, asks of its host, such as VS Code's interface; empty for nothing. Other hosts cannot load it. */
  readonly needs: string;
}

/** Chunks that are one file. */
interface Group {
  readonly names: ReadonlySet<string>;
  readonly bytes: number;
  /** Names of all chunks that are loaded because of it, however far away. */
  readonly before: ReadonlySet<string>;
  /** Names of the programs that load it, be it in vain. */
  readonly programs: ReadonlySet<string>;
  readonly needs: string;
}

/**
 * Returns which chunks become one file, each by its chunks' names in their order. Programs that load both of two chunks open one file
 * less when these are merged; programs that load one of them read the other, and all that it imports, in vain. The pair that gains most
 * is merged, until none gains. Files never import each other in a circle, and what needs a host is never merged with what does not.
 * @param fileCost what opening one more file costs a program, in bytes that it could read instead
 */
export function planChunks(chunks: readonly Chunk[], fileCost: number): readonly (readonly string[])[] {
  let groups = groupsOf(chunks);
  for (;;) {
    const best = bestPair(groups, fileCost);
    if (best === undefined) return groups.map(({ names }) => [...names].toSorted());
    groups = merge(groups, ...best);
  }
}

function groupsOf(chunks: readonly Chunk[]): Group[] {
  const importsOf = new Map(chunks.map(({ name, imports }) => [name, imports]));
  return chunks.map(({ name, bytes, imports, programs, needs }) => {
    const before = new Set(imports);
    // A set is walked to its end, also when it grows on the way.
    for (const each of before) for (const further of importsOf.get(each) ?? []) before.add(further);
    return { names: new Set([name]), bytes, before, programs, needs };
  });
}

function bestPair(groups: readonly Group[], fileCost: number): readonly [Group, Group] | undefined {
  let best: readonly [Group, Group] | undefined;
  let most = 0;
  for (const [index, one] of groups.entries()) {
    for (const other of groups.slice(index + 1)) {
      if (other.needs !== one.needs) continue;
      const both = [...one.programs].filter((program) => other.programs.has(program)).length;
      const saved = both * fileCost;
      const inVain = (one.programs.size - both) * other.bytes + (other.programs.size - both) * one.bytes;
      // The cheaper questions come first.
      if (saved - inVain <= most) continue;
      const gain = saved - lostBy(one, other, groups, fileCost) - lostBy(other, one, groups, fileCost);
      if (gain <= most || leadsAround(one, other, groups) || leadsAround(other, one, groups)) continue;
      best = [one, other];
      most = gain;
    }
  }
  return best;
}

/** Returns what the programs of a group lose when they have to load another one, in bytes: what it holds, and what is loaded because of it. */
function lostBy(one: Group, other: Group, groups: readonly Group[], fileCost: number): number {
  const further = groups.filter((group) => group !== one && meet(group.names, other.before));
  return [...one.programs]
    .filter((program) => !other.programs.has(program))
    .flatMap((program) => further.filter(({ programs }) => !programs.has(program)))
    .reduce(
      (sum, { bytes }) => sum + bytes + fileCost,
      [...one.programs].filter((program) => !other.programs.has(program)).length * other.bytes,
    );
}

/** Whether a group imports another by way of a third: were the two merged, the third would import what imports it. */
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
