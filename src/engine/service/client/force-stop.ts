import { fail, succeed, type Result } from "../../base/result.ts";
import { stateOf } from "../../base/lock/owner.ts";
import type { ClientPorts } from "./client.ts";
import { readRecordWithAge } from "../service-record.ts";
import { sentence } from "../../base/text/sentence.ts";

/** Returns the process of an unresponsive service, if certain to be the service: process ids are reused. */
export function findService({ home, machine, clock }: ClientPorts): Result<number, "not_running" | "unsure"> {
  const found = readRecordWithAge(home, clock.now());
  if (!found.ok) return fail("unsure", found.detail);
  if (found.value === null) return fail("not_running", sentence("{0} tells of no service", home.record));
  const { record, silence } = found.value;
  const state = stateOf(record, machine, silence);
  const who = sentence("process {0} on {1}", record.pid, record.machine.host);
  if (state === "gone") return fail("not_running", sentence("{who} has ended", { who: who }));
  const isCertain = state === "alive" && record.startTime !== null;
  return isCertain
    ? succeed(record.pid)
    : fail("unsure", sentence("it is not certain that {who} is the service; end it yourself", { who: who }));
}
