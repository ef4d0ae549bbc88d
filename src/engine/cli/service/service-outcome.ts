import * as z from "zod/mini";
import { plainSentence, type Sentence, t } from "../../base/language.ts";
import { decimalNumber, wholeNumber } from "../../base/local-format.ts";
import { cellsOf, padCells } from "../text-cells.ts";
import { cleanText } from "../../base/text.ts";
import type { ServiceDescription } from "../../sessions/session-requests.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { asLine } from "../terminal-text.ts";
import { described, sentenceSchema } from "../../base/sentence-schema.ts";

const bytes = z.int().check(z.nonnegative());

export const serviceJson = z
  .strictObject({
    schema: z.literal(1),
    running: z.boolean(),
    reason: described(z.nullable(sentenceSchema), "Why it does not run, or cannot be reached."),
    service: z.nullable(
      z.strictObject({
        pid: z.int(),
        version: z.string(),
        startedAt: z.iso.datetime(),
        uptimeSeconds: z.int().check(z.nonnegative()),
        clients: described(
          z.int().check(z.nonnegative()),
          "Windows and terminals connected, besides this one.",
        ),
        liveSessions: z.int().check(z.nonnegative()),
        memory: described(z.strictObject({ rss: bytes, heap: bytes }), "Bytes."),
        cpuMs: described(z.number().check(z.nonnegative()), "CPU time used so far."),
        idleMinutes: described(
          z.nullable(z.number()),
          "It ends after being of no use for this long; null never.",
        ),
      }),
    ),
    home: described(z.string(), "The folder of what is purser's own."),
  })
  .check(z.meta({ title: "purser service status --json" }));

type ServiceJson = z.infer<typeof serviceJson>;

export interface ServiceOutcome {
  readonly home: string;
  readonly description: ServiceDescription | null;
  readonly failure: { readonly reason: string; readonly detail: Sentence } | null;
}

export function serviceToJson({ home, description, failure }: ServiceOutcome, now: number): ServiceJson {
  const service =
    description === null
      ? null
      : {
          pid: description.pid,
          version: description.version,
          startedAt: new Date(description.startedAt).toISOString(),
          uptimeSeconds: secondsSince(description.startedAt, now),
          clients: description.clients,
          liveSessions: description.live,
          memory: description.memory,
          cpuMs: description.cpu,
          idleMinutes: description.idleAfter === null ? null : description.idleAfter / 60_000,
        };
  const running = service !== null || failure?.reason !== "not_running";
  return { schema: 1, running, reason: failure?.detail ?? null, service, home };
}

export function printService({ home, description, failure }: ServiceOutcome, host: CliHost): void {
  const style = styleFor(host);
  if (description === null) {
    const isOff = failure?.reason === "not_running";
    host.stdout.write(`${style.bold(isOff ? t("not running") : t("not reachable"))}\n`);
    if (!isOff) host.stderr.write(`${asLine(failure?.detail ?? plainSentence(""))}\n`);
    return;
  }
  const { pid, version, startedAt, clients, live, memory, cpu } = description;
  const lines = [
    [t("process"), String(pid)],
    [t("version"), version],
    [t("running for"), describeDuration(secondsSince(startedAt, host.now()))],
    [t("clients"), wholeNumber(clients)],
    [t("live sessions"), wholeNumber(live)],
    [t("memory"), t("{0} MB", wholeNumber(memory.rss / 1_000_000))],
    [t("CPU time"), describeDuration(cpu / 1000)],
    [t("folder"), cleanText(home)],
  ];
  const width = Math.max(...lines.map(([name = ""]) => cellsOf(name)));
  for (const [name = "", value = ""] of lines)
    host.stdout.write(`${style.bold(padCells(name, width))}  ${value}\n`);
}

/** Never negative: clocks are sometimes set back. */
function secondsSince(then: number, now: number): number {
  return Math.max(0, Math.round((now - then) / 1000));
}

function describeDuration(seconds: number): string {
  if (seconds < 60) return t("{0} s", decimalNumber(seconds, seconds < 10 ? 1 : 0));
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? t("{0} min", minutes) : t("{0} h {1} min", Math.floor(minutes / 60), minutes % 60);
}
