import { t } from "../../base/language.ts";
import type { Disposable } from "../../base/events.ts";
import { wholeNumber } from "../../base/local-format.ts";
import type { Freshness } from "../../ledger/answers.ts";
import type { ServiceClient } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";

/** On a terminal one line, which is cleared at the end. */
export class LedgerProgress implements Disposable {
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
