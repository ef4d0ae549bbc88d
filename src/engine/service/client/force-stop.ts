import { fail, succeed, type Result } from "../../base/result.ts";
import { stateOf } from "../../base/lock/owner.ts";
import type { ClientPorts } from "./client.ts";
import { readRecordWithAge } from "../service-record.ts";
import { english } from "../../base/text/english.ts";

/** Returns the process of an unresponsive service, if certain to be the service: process ids are reused. */
export function findService({ home, machine, clock }: ClientPorts): Result<number, "not_running" | "unsure"> {
  const found = readRecordWithAge(home, clock.now());
  if (!found.ok) return fail("unsure", found.detail);
  if (found.value === null) return fail("not_running", english("{0} tells of no service", home.record));
  const { record, silence } = found.value;
  const state = stateOf(record, machine, silence);
  const who = english("process {0} on {1}", record.pid, record.machine.host);
  if (state === "gone") return fail("not_running", english("{saidWho} has ended", { saidWho: who }));
  const isCertain = state === "alive" && record.startTime !== null;
  return isCertain
    ? succeed(record.pid)
    : fail(
        "unsure",
        english("it is not certain that {saidWho} is the service; end it yourself", { saidWho: who }),
      );
}
