import type { Disposable } from "../../base/events.ts";
import { purserPaths } from "../../base/paths.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { UnattendedWork } from "../../continuity/handover.ts";
import { createWakePorts, type WakePorts, type AgentPlace } from "../../recurring/agents.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import { connectService } from "../../service/client.ts";
import { ensureService } from "../../service/ensure.ts";
import { builtInCatalogue } from "../../usage/catalogue.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "../service/service-access.ts";

/** Maximum wakes per message, which has a maximum size. */
const atOnce = 50;

/** The service and the machine for wakes from a terminal. Starts the service on first use, if `starts` is set. */
export class WakeService implements Disposable {
  readonly #host: CliHost;
  #client: Promise<Result<Requester & Disposable>> | undefined;

  readonly #starts: boolean;

  constructor(host: CliHost, { starts }: { readonly starts: boolean }) {
    this.#host = host;
    this.#starts = starts;
  }

  portsFor(place: AgentPlace): WakePorts {
    const { env, home, now, pid, signal, service, program } = this.#host;
    return createWakePorts({
      paths: purserPaths(this.#host),
      place,
      env,
      home,
      clock: { now },
      pid,
      signal,
      self: [service.execPath, program],
      isElectron: service.isElectron,
      catalogue: builtInCatalogue,
      handOver: (session, work) => this.#handOver(session, work),
      record: (wakes) => this.#record(wakes),
      learnedRotation: async ({ program }) => {
        const client = await this.#ensure();
        if (!client.ok) return null;
        const answer = await client.value.ask("wakeRotation", { program });
        return answer.ok ? answer.value.learned : null;
      },
    });
  }

  dispose(): void {
    void this.#client?.then((client) => {
      if (client.ok) client.value.dispose();
    });
  }

  async #handOver(session: string, unattended: UnattendedWork): Promise<Result<string>> {
    const client = await this.#ensure();
    if (!client.ok) return client;
    const made = await client.value.ask("handoverMake", { session, unattended });
    return made.ok ? succeed(made.value.draft.text) : fail("no_document", made.detail);
  }

  /** Wakes that cannot be recorded now are stored, and recorded with the next one. */
  async #record(wakes: readonly WakeRow[]): Promise<boolean> {
    const client = await this.#ensure();
    if (!client.ok) return false;
    for (let from = 0; from < wakes.length; from += atOnce) {
      const answer = await client.value.ask("wakeRecord", { wakes: wakes.slice(from, from + atOnce) });
      if (!answer.ok) return false;
    }
    return true;
  }

  #ensure(): Promise<Result<Requester & Disposable>> {
    const ports = servicePorts(this.#host);
    this.#client ??= this.#starts
      ? ensureService({ ...ports, signal: this.#host.signal })
      : connectService(ports);
    return this.#client;
  }
}
