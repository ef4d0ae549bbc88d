/** Ids of sessions as agents make them: nothing else gets onto a command line. */
const plainId = /^[\w.-]{1,128}$/u;

/** Says in one line how a session's packet can be had; null where its id is no plain word. */
export function offerLine(session: string, command: (session: string) => string): string | null {
  if (!plainId.test(session) || session.startsWith("-")) return null;
  return `Context Purser: notes on the last session on this project and branch (files, decisions, dead ends, open work) are printed by \`${command(session)}\`. Read them if the task goes on with that work.`;
}
