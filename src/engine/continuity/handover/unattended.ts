import * as z from "zod";
import { bounds, type ResumePacket } from "../packet/packet.ts";

/** Facts about a session that a schedule woke, in addition to its record. A program wrote its prompts, and no person reads its replies. */
export const unattendedWork = z.object({
  /** The purpose of the work. */
  objective: z.string().min(1).max(2000),
  /** Decisions in people's words, the oldest first. */
  decisions: z.array(z.string().min(1).max(bounds.text)).max(bounds.lines),
  /** Beginnings of the prompts that the program wrote. */
  beginnings: z.array(z.string().min(1).max(200)).max(10),
});
export type UnattendedWork = z.infer<typeof unattendedWork>;

/** Returns a packet without a program's prompts among the requests and decisions of people. */
export function unattendedPacket(
  packet: ResumePacket,
  { objective, decisions, beginnings }: UnattendedWork,
): ResumePacket {
  const isPrompt = (text: string) => beginnings.some((beginning) => text.startsWith(beginning));
  const people = packet.asked.filter(({ text }) => !isPrompt(text));
  const turns = new Set(people.map(({ turn }) => turn));
  const task = { turn: packet.turns, text: objective.slice(0, bounds.text) };
  return {
    ...packet,
    asked: [...people.slice(1 - bounds.lines), task],
    // A decision in an unknown prompt may come from a program.
    decisions: [
      ...packet.decisions.filter(({ turn }) => turns.has(turn)),
      ...decisions.map((text) => ({ turn: packet.turns, text })),
    ].slice(-bounds.lines),
  };
}
