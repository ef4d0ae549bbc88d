import { fail, succeed, type Result } from "../base/result.ts";
import { stateOf } from "./holder.ts";
import type { ClientPorts } from "./service-client.ts";
import { readRecord, silenceOf } from "./service-record.ts";

/** The process of a service that does not answer, if it is certain that it is one: ids are used again. */
export function findService({ home, machine, clock }: ClientPorts): Result<number, "not_running" | "unsure"> {
  const read = readRecord(home);
  if (!read.ok) return fail("unsure", read.detail);
  const record = read.value;
  if (record === null) return fail("not_running", `${home.record} tells of no service`);
  const state = stateOf(record, machine, silenceOf(home, clock.now()));
  const who = `process ${record.pid} on ${record.machine.host}`;
  if (state === "gone") return fail("not_running", `${who} has ended`);
  const isCertain = state === "alive" && record.startTime !== null;
  return isCertain
    ? succeed(record.pid)
    : fail("unsure", `it is not certain that ${who} is the service; end it yourself`);
}
