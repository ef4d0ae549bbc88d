import { sentence, t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Freshness } from "../../ledger/ledger-answers.ts";
import { ensureService } from "../../service/ensure.ts";
import { connectService, type ServiceClient } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";
import { hasOtherSources, outcomeOf, questionOf } from "./quick.ts";
import { servicePorts } from "../service/service-access.ts";
import type { UsageOutcome } from "./usage-outcome.ts";
import type { UsageRequest } from "./usage-request.ts";
import type { Disposable } from "../../base/events.ts";
import { wholeNumber } from "../../base/local-format.ts";

/** Waits until the service has read everything. Throws the signal's reason when the user interrupts. */
export async function askThoroughly(
  request: UsageRequest,
  host: CliHost,
  { mayStart }: { mayStart: boolean },
): Promise<Result<UsageOutcome>> {
  const ports = { ...servicePorts(host), signal: host.signal };
  const client = await (mayStart ? ensureService(ports) : connectService(ports));
  host.signal.throwIfAborted();
  if (!client.ok) return client;
  try {
    return await ask(client.value, request, host);
  } finally {
    client.value.dispose();
  }
}

async function ask(
  client: ServiceClient,
  request: UsageRequest,
  host: CliHost,
): Promise<Result<UsageOutcome>> {
  const read = await catchUp(client, request, host);
  host.signal.throwIfAborted();
  if (!read.ok) return read;
  const answer = await client.ask("usage", questionOf(request), host.signal);
  host.signal.throwIfAborted();
  if (!answer.ok) return answer;
  if (hasOtherSources(answer.value, host)) {
    const roots = answer.value.places.map((root) => cleanText(root)).join(", ");
    return fail(
      "elsewhere",
      sentence(
        "the service uses another time zone or other folders than this terminal: {0}; restart it with this terminal's: purser service restart",
        roots,
      ),
    );
  }
  return succeed(outcomeOf(answer.value, request));
}

/** Recent changes only on request. */
async function catchUp(
  client: ServiceClient,
  { isFresh }: UsageRequest,
  host: CliHost,
): Promise<Result<Freshness | null>> {
  const progress = new LedgerProgress(client, host);
  try {
    const status = await client.ask("ledgerStatus", {}, host.signal);
    if (!status.ok) return status;
    const { readOnly, freshness } = status.value;
    // A read-only ledger's reason is among its problems, which are printed with the answer.
    if (readOnly !== null) return succeed(freshness);
    if (freshness.asOf !== null && !isFresh) return succeed(freshness);
    const read = await client.ask("catchUp", {}, host.signal);
    return read.ok ? succeed(read.value.freshness) : read;
  } finally {
    progress.dispose();
  }
}

/** On a terminal one line, which is cleared at the end. */
class LedgerProgress implements Disposable {
  readonly #host: Pick<CliHost, "stderr">;
  readonly #subscription: Disposable;
  #hasPrinted = false;

  constructor(client: Pick<ServiceClient, "on">, host: Pick<CliHost, "stderr">) {
    this.#host = host;
    this.#subscription = client.on("ledgerChanged", ({ freshness }) => this.#print(freshness));
  }

  dispose(): void {
    this.#subscription.dispose();
    if (this.#hasPrinted && this.#isOnTerminal) this.#host.stderr.write("\r\u001b[K");
  }

  get #isOnTerminal(): boolean {
    return this.#host.stderr.isTTY === true;
  }

  #print({ files, done }: Freshness): void {
    if (done >= files) return;
    const { stderr } = this.#host;
    if (this.#isOnTerminal)
      stderr.write(
        `\r\u001b[K${t("Reading transcripts: {0} of {1}", wholeNumber(done), wholeNumber(files))}`,
      );
    else if (!this.#hasPrinted)
      stderr.write(`${t("Reading {0} transcripts …", wholeNumber(files - done))}\n`);
    this.#hasPrinted = true;
  }
}
