import { sentence } from "../../base/language.ts";
import path from "node:path";
import { wholeNumber } from "../../base/local-format.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { restoreInThread } from "../../ledger/ledger-thread.ts";
import { takeHomeLock } from "../../service/build-stamp.ts";
import { ensurePrivateFolder } from "../../base/private-files.ts";
import { connectService } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";
import { printLine } from "./ledger-access.ts";
import { servicePorts } from "../service/service-access.ts";

/** Milliseconds. */
const maxStopTime = 15_000;

/** No service runs meanwhile, and none can start. */
export async function restore(name: string, host: CliHost): Promise<Result<number>> {
  const ports = servicePorts(host);
  const { home } = ports;
  const own = ensurePrivateFolder(home.folder);
  if (!own.ok) return own;
  // A window starts another service as soon as its own ends. This lock makes it wait.
  const start = await takeHomeLock("start", ports);
  if (!start.ok) return fail("failed", sentence("a service is starting; try again in a moment"));
  try {
    const stopped = await stopService(ports);
    if (!stopped.ok) return stopped;
    if (stopped.value !== null)
      printLine(host, sentence("The service, process {0}, was stopped", stopped.value));
    return await putInPlace(path.resolve(host.cwd, name), home.folder, host);
  } finally {
    await start.value.release();
  }
}

/** The process that ended; null for none. */
async function stopService(ports: ReturnType<typeof servicePorts>): Promise<Result<number | null>> {
  const client = await connectService(ports);
  if (!client.ok)
    return client.reason === "not_running"
      ? succeed(null)
      : fail(client.reason, sentence("{0}; stop it with purser service stop --force", client.detail));
  const { pid } = client.value;
  const isEnded = await client.value.shutdown("asked", maxStopTime);
  client.value.dispose();
  return isEnded
    ? succeed(pid)
    : fail(
        "unresponsive",
        sentence("process {0} does not stop; stop it with purser service stop --force", pid),
      );
}

async function putInPlace(backup: string, folder: string, host: CliHost): Promise<Result<number>> {
  const { ledger, sqlWasm: wasmPath } = host.ledgerPrograms;
  const done = await restoreInThread({ folder, backup, wasmPath }, ledger);
  if (!done.ok) return fail("failed", sentence("{0}; the ledger was not changed", done.detail));
  printLine(
    host,
    sentence("{0} is now the ledger, with {1} entries", backup, wholeNumber(done.value.applied)),
  );
  return printLine(host, sentence("The previous ledger is in {0}", done.value.replaced));
}
