import { t } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { Disposable } from "../../base/events.ts";
import type { Freshness } from "../../ledger/ledger-answers.ts";
import type { ServiceClient } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";

/** Waits until the service has read all transcripts once, and on request everything written so far. */
export async function catchUp(
  client: ServiceClient,
  { isFresh }: { readonly isFresh: boolean },
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
