import type { ResumePacket } from "../packet/packet.ts";

/** Where work is done. Packets are looked for by it. */
interface WorkPlace {
  /** The project's folder. */
  readonly folder: string;
  /** Null outside of a repository, and where no branch is checked out. */
  readonly branch: string | null;
}

export interface LastWorkPorts {
  readonly placeOf: (folder: string) => WorkPlace | null;
  /** Returns the newest packets of other sessions at a place, the newest first. */
  readonly newestPackets: (
    wanted: WorkPlace & { readonly since: number; readonly until: number; readonly except: string },
  ) => Promise<readonly ResumePacket[]>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A session that ended earlier is nothing to go on with. Milliseconds. */
const span = 7 * 24 * 60 * 60_000;
/** A packet may be this much in the future: clocks of machines differ. Milliseconds. */
const ahead = 24 * 60 * 60_000;

/** Returns the packet of the last session on the project and branch of a folder, besides the one that asks; null for none. */
export async function lastWork(
  { folder, session }: { readonly folder: string; readonly session: string },
  { placeOf, newestPackets, now }: LastWorkPorts,
): Promise<ResumePacket | null> {
  const place = placeOf(folder);
  if (place === null) return null;
  const packets = await newestPackets({
    ...place,
    since: now() - span,
    until: now() + ahead,
    except: session,
  });
  return packets.find(tellsAnything) ?? null;
}

/** A session in which nothing was done leaves nothing to go on with. */
function tellsAnything({ files, open, decisions, deadEnds, errors, done }: ResumePacket): boolean {
  return [files, open, decisions, deadEnds, errors, done].some((part) => part.length > 0);
}
