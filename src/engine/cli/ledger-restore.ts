import { randomUUID } from "node:crypto";
import path from "node:path";
import { nodeFiles } from "../base/file-port.ts";
import { wholeNumber } from "../base/format.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { loadSqlEngine } from "../ledger/database.ts";
import { restoreLedger } from "../ledger/restore-ledger.ts";
import { takeLock } from "../service/generation-lock.ts";
import { connectService } from "../service/service-client.ts";
import type { CliHost } from "./cli-host.ts";
import { ledgerFailed, said } from "./ledger-access.ts";
import { servicePorts } from "./service-access.ts";

/** What is written before the service ends may take some time. Milliseconds. */
const longestStop = 15_000;

/** Puts a backup in the ledger's place. Meanwhile no service runs, and none can be begun. */
export async function restore(name: string, host: CliHost): Promise<number> {
  const ports = servicePorts(host);
  const { home, pid, machine, clock } = ports;
  // A window whose service ends begins another at once: whoever has this lock lets it wait.
  const start = takeLock({ folder: home.folder, name: "start", pid, machine, clock });
  if (!start.ok) return ledgerFailed(host, "a service is just being started; try again in a moment");
  try {
    const stopped = await stopService(ports);
    if (!stopped.ok) return ledgerFailed(host, stopped.detail);
    if (stopped.value !== null) said(host, `The service, process ${stopped.value}, has ended`);
    return await putInPlace(path.resolve(host.cwd, name), home.folder, host);
  } finally {
    start.value.release();
  }
}

/** Answers the process that ended, or null when there was none. */
async function stopService(ports: ReturnType<typeof servicePorts>): Promise<Result<number | null>> {
  const client = await connectService(ports);
  if (!client.ok)
    return client.reason === "not_running"
      ? succeed(null)
      : fail(client.reason, `${client.detail}; purser service stop --force ends it`);
  const { pid } = client.value;
  const isEnded = await client.value.shutdown("asked", longestStop);
  client.value.dispose();
  return isEnded
    ? succeed(pid)
    : fail("unresponsive", `process ${pid} does not end; purser service stop --force ends it`);
}

async function putInPlace(backup: string, folder: string, host: CliHost): Promise<number> {
  const { machine } = servicePorts(host);
  const done = await restoreLedger(
    { folder, backup },
    {
      files: nodeFiles,
      engine: await loadSqlEngine(host.ledgerPrograms.sqlWasm),
      unique: randomUUID,
      pid: host.pid,
      host: machine.id.host,
      isAlive: machine.isAlive,
    },
  );
  if (!done.ok) return ledgerFailed(host, `${done.detail}; the ledger is as it was`);
  said(host, `${backup} is the ledger now, with ${wholeNumber(done.value.applied)} entries`);
  return said(host, `What was there is in ${done.value.replaced}`);
}
