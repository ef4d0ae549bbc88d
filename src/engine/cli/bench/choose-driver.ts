import { sentence, t } from "../../base/language.ts";
import { said } from "../language/said.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { DriverName } from "../../bench/run-facts.ts";
import { makeDriver, firstReadyDriver, type Driver } from "../../bench/drivers.ts";
import type { Suite } from "../../bench/suite.ts";
import { driverPorts } from "./bench-context.ts";
import type { CliHost } from "../cli-ports.ts";

const tryingWords = t(
  "To try it with recordings, add --driver replay (a demo; it says nothing about a model)",
);

/** The requested driver, else the first agent that is ready. Recordings are replayed only on request. */
export async function chooseDriver(
  wanted: DriverName | null,
  suite: Pick<Suite, "folder">,
  host: CliHost,
): Promise<Result<Driver>> {
  const ports = driverPorts(host);
  if (wanted === null) {
    const first = await firstReadyDriver(suite, ports);
    return first.ok
      ? first
      : fail(first.reason, sentence("no agent is ready. {0}. {1}", said(first.detail), tryingWords));
  }
  const made = await makeDriver(wanted, suite, ports);
  if (!made.ok) return made;
  const ready = await made.value.ready();
  return ready.ok ? succeed(made.value) : ready;
}
