import type { OpenWork, ResumePacket } from "../packet/packet.ts";

/**
 * Recommends what to do first, by what a session left: a failed check comes before unverified edits, these before what is on the list. In
 * sentences of our own and texts of the session.
 */
export function nextAction({ open, conventions, lastReply }: ResumePacket): string {
  const first = (kind: OpenWork["kind"]) => open.find((each) => each.kind === kind)?.text;
  const failing = first("failing");
  if (failing !== undefined) return `Mend the check that failed last: ${failing}`;
  const unverified = first("unverified");
  if (unverified !== undefined) {
    const check = conventions.find(({ text }) => /^(?:test|check)/iu.test(text))?.text;
    return `Run the checks first. ${unverified}${check === undefined ? "" : `. As seen before: ${check}`}`;
  }
  const todo = first("todo");
  if (todo !== undefined) return `Go on with the agent's list: ${todo}`;
  if (lastReply !== null && asksSomething(lastReply))
    return "Ask the user what the session asked last (see open decisions).";
  return "Nothing is known to be left open: ask the user what comes next.";
}

/** Whether a reply ends with a question. */
export function asksSomething(text: string): boolean {
  return /[?？]["'”’)\]*_`\s]*$/u.test(text);
}
