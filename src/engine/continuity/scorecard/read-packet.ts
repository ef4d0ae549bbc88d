import { parseJson } from "../../base/parse-json.ts";
import { resumePacket, type ResumePacket } from "../packet/packet.ts";

/** Reads a packet as the ledger stores it; null for none, and for one of another version. */
export function readPacket(text: string | null): ResumePacket | null {
  return resumePacket
    .nullable()
    .catch(null)
    .parse(parseJson(text ?? ""));
}
