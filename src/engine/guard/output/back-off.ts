import * as z from "zod/mini";

/** A compressor's work on the outputs of one command. */
export interface ShortenedKind {
  readonly compressor: string;
  /** The program and its subcommand, such as `npm test`. */
  readonly command: string;
}

/** Outputs of a command that are looked back at; commands that are remembered. */
const [mostRecent, mostUses] = [20, 300];
/** Characters. */
const longestName = 80;

const use = z.object({
  compressor: z.string().check(z.maxLength(longestName)),
  command: z.string().check(z.maxLength(longestName)),
  /** The latest outputs that were made smaller, the last one last, and whether the agent asked for the original. */
  recent: z
    .array(z.object({ id: z.string().check(z.maxLength(20)), isAsked: z.boolean() }))
    .check(z.maxLength(mostRecent)),
  /** Time since which its outputs are left alone. Milliseconds since the epoch; null where they are not. */
  offSince: z.nullable(z.number()),
});

/** How often originals were asked for, by command: the last used last. */
export const outputUses = z.object({ schema: z.literal(1), uses: z.array(use).check(z.maxLength(mostUses)) });
export type OutputUses = Readonly<z.infer<typeof outputUses>>;
type Use = OutputUses["uses"][number];

export const noUses: OutputUses = { schema: 1, uses: [] };

/**
 * A compressor rests where the original is asked for at least this often, and for at least this share of the latest outputs. An
 * original that is asked for costs the smaller text and a call on top of it, so that with half of an output left out, which is usual,
 * nothing is saved any more from a third on.
 */
const [leastAsked, askedShare] = [3, 1 / 3];

export function isOff({ uses }: OutputUses, kind: ShortenedKind): boolean {
  return uses.some((each) => isOf(each, kind) && each.offSince !== null);
}

/** Paused compressors, each with its command. */
export function restingIn({ uses }: OutputUses): readonly Use[] {
  return uses.filter(({ offSince }) => offSince !== null);
}

/** Notes an output that was made smaller. */
export function withMade(all: OutputUses, kind: ShortenedKind, id: string): OutputUses {
  const known = all.uses.find((each) => isOf(each, kind));
  const recent = [...(known?.recent ?? []), { id, isAsked: false }].slice(-mostRecent);
  const { compressor, command } = named(kind);
  const made = { compressor, command, offSince: known?.offSince ?? null, recent };
  return { schema: 1, uses: [...all.uses.filter((each) => each !== known), made].slice(-mostUses) };
}

/** Notes that an agent asked for an original, and lets the compressor rest where that is often. */
export function withAsked(all: OutputUses, id: string, now: number): OutputUses {
  return {
    schema: 1,
    uses: all.uses.map((each) => {
      if (!each.recent.some((one) => one.id === id && !one.isAsked)) return each;
      const recent = each.recent.map((one) => (one.id === id ? { ...one, isAsked: true } : one));
      const asked = recent.filter(({ isAsked }) => isAsked).length;
      const isOften = asked >= leastAsked && asked >= recent.length * askedShare;
      return { ...each, recent, offSince: each.offSince ?? (isOften ? now : null) };
    }),
  };
}

/** Lets the compressors of a command work again, as if nothing had been asked for. */
export function withoutRest(all: OutputUses, command: string): OutputUses {
  return {
    schema: 1,
    uses: all.uses.map((each) =>
      each.command === command && each.offSince !== null ? { ...each, recent: [], offSince: null } : each,
    ),
  };
}

function isOf(each: Use, kind: ShortenedKind): boolean {
  const { compressor, command } = named(kind);
  return each.compressor === compressor && each.command === command;
}

function named({ compressor, command }: ShortenedKind): ShortenedKind {
  return { compressor: compressor.slice(0, longestName), command: command.slice(0, longestName) };
}
