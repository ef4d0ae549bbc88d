import type { OpenWork, ResumePacket } from "../packet/packet.ts";

/**
 * Recommends what to do first, by what a session left: a failed check comes before unverified edits, these before what is on the list. In
 * sentences of our own and texts of the session.
 *
 * @param isUnattended whether no person reads along: then it is what an agent can do alone
 */
export function nextAction({ open, conventions, lastReply }: ResumePacket, isUnattended = false): string {
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
    return isUnattended
      ? "Look in the task for the answer to what the session asked last (see open decisions). Without one, ask there in a comment, and block the task."
      : "Ask the user what the session asked last (see open decisions).";
  if (isUnattended)
    return "Nothing is known to be left open: do the next step of the task. Where only a person can tell it, ask in a comment, and block the task.";
  return "Nothing is known to be left open: ask the user what comes next.";
}

/** Whether a reply ends with a question. */
export function asksSomething(text: string): boolean {
  return /[?？]["'”’)\]*_`\s]*$/u.test(text);
}
