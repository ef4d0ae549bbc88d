import { sha256Hex } from "../../base/hash.ts";
import { lostKinds } from "../../ledger/entries.ts";
import type { LostItem } from "../../ledger/answers.ts";
import type { OpenWork, ResumePacket } from "../packet/packet.ts";

export { lostKinds as itemKinds };
/** One item known before a compaction. Its text comes from the session: data, without secrets. */
export type WorkItem = Readonly<LostItem>;
type ItemKind = WorkItem["kind"];

/** Files beyond these are seldom needed again. */
const maxFiles = 15;

/** The words before the name of open work. */
const openWords: Readonly<Record<OpenWork["kind"], string>> = {
  todo: "",
  unverified: "",
  failing: "fails: ",
};

/** Lists the items of a packet without repeats, the most important first. */
export function itemsOf(packet: ResumePacket): WorkItem[] {
  const { decisions, open, files, deadEnds, errors, conventions } = packet;
  const all = [
    ...decisions.map(({ text, turn }) => itemFrom("decision", text, turn)),
    ...open.map(({ kind, text, turn }) => itemFrom("open", `${openWords[kind]}${text}`, turn)),
    ...files.slice(0, maxFiles).map(({ path, turn }) => itemFrom("file", path, turn)),
    ...deadEnds.map(({ text, turn }) => itemFrom("dead_end", text, turn)),
    ...errors.map(({ text, turn, fix }) =>
      itemFrom("error", fix === null ? text : `${text} (mended by: ${fix.text})`, turn),
    ),
    ...conventions.map(({ text, turn }) => itemFrom("convention", text, turn)),
  ];
  return [...new Map(all.toReversed().map((item) => [item.id, item])).values()].toReversed();
}

function itemFrom(kind: ItemKind, text: string, turn: number): WorkItem {
  const id = sha256Hex(JSON.stringify([kind, text]), 12);
  return { id, kind, text, turn };
}
