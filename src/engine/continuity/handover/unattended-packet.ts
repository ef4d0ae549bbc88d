import { scrubLine } from "../../base/scrub.ts";
import { bounds, type ResumePacket } from "../packet/packet.ts";
import type { UnattendedWork } from "../handover.ts";

/** Returns a packet without a program's prompts among the requests and decisions of people. */
export function unattendedPacket(
  packet: ResumePacket,
  { objective, decisions, beginnings }: UnattendedWork,
): ResumePacket {
  const isPrompt = (text: string) => beginnings.some((beginning) => text.startsWith(beginning));
  const people = packet.asked.filter(({ text }) => !isPrompt(text));
  const turns = new Set(people.map(({ turn }) => turn));
  const task = { turn: packet.turns, text: within(objective) };
  return {
    ...packet,
    asked: [...people.slice(1 - bounds.lines), task],
    // A decision in an unknown prompt may come from a program.
    decisions: [
      ...packet.decisions.filter(({ turn }) => turns.has(turn)),
      ...decisions.map((text) => ({ turn: packet.turns, text: within(text) })),
    ].slice(-bounds.lines),
  };
}

/** A text of a task, whose secrets are not for the document. */
function within(text: string): string {
  return scrubLine(text, 8 * bounds.text).slice(0, bounds.text);
}
