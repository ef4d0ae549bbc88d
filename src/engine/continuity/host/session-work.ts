import { renderPacket } from "../packet/render.ts";
import type { Continuity } from "./create.ts";
import type { SessionWork } from "./handover-host.ts";

export interface SessionWorkInput {
  readonly continuity: Pick<Continuity, "storyOf" | "packetOf">;
  /** How full a session's context is now; undefined where unknown. Tokens. */
  readonly contextOf: (session: string) => { readonly tokens: number } | undefined;
}

/** Makes what tells the work of a session as of now, whichever agent's it is. */
export function sessionWorkOf({
  continuity,
  contextOf,
}: SessionWorkInput): (session: string) => Promise<SessionWork | null> {
  return async (session) => {
    const [found, packet] = [await continuity.storyOf(session), await continuity.packetOf(session)];
    if (found === null || packet === null) return null;
    return {
      packet,
      packetText: renderPacket(packet).text,
      folder: found.story.folder ?? packet.folder,
      summary: found.story.summary,
      carried: contextOf(session)?.tokens ?? null,
    };
  };
}
