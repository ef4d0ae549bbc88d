import { connect, type Socket } from "node:net";
import { isSentence, plainSentence, type Sentence } from "../base/language.ts";
import type { Freshness } from "../ledger/ledger-answers.ts";
import type { TokenUsage } from "../usage/token-counts.ts";
import type { UsageAnswer } from "../ledger/ledger-requests.ts";
import { parseJson } from "../base/parse.ts";
import { trustIn } from "../protocol/endpoint.ts";
import { readPrivateFile } from "../base/private-files.ts";
import { protocolVersion } from "../protocol/serve.ts";
import type { PurserPaths } from "../base/paths.ts";

export interface QuickQuestion {
  readonly home: PurserPaths;
  readonly version: string;
  readonly method: string;
  readonly params: object;
  /** Milliseconds. */
  readonly within: number;
}

/** Bytes. */
const maxAnswerSize = 64 * 1024 * 1024;
const headerEnd = "\r\n\r\n";

/**
 * Like `connectService`, but without the library and the schemas, which load more slowly than the request takes. Undefined without a proper answer:
 * the caller then uses the regular way, which reports the reason. Does not validate the answer.
 */
export async function quickAsk(question: QuickQuestion, trust = trustIn): Promise<unknown> {
  const record = readEndpoint(question.home);
  const trusted = record === undefined ? "gone" : trust(record.socket);
  if (record === undefined || trusted === "gone" || trusted === "foreign") return undefined;
  const { version, method, params } = question;
  const socket = connect(record.socket);
  const timer = setTimeout(() => socket.destroy(), question.within);
  try {
    const answers = new QuickAnswers(socket);
    if (trusted === "unproven" && !(await isProved(answers, record))) return undefined;
    const hello = { token: record.token, version, protocol: protocolVersion };
    const welcome = await answers.ask(1, "hello", hello);
    const protocol = memberOf(welcome, "protocol");
    if (typeof protocol !== "number" || protocol > protocolVersion) return undefined;
    return await answers.ask(2, method, params);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** Checks without sending the token. */
async function isProved(
  answers: QuickAnswers,
  { socket: address, token }: { readonly socket: string; readonly token: string },
): Promise<boolean> {
  const { newChallenge, proofOf } = await import("../protocol/proof.ts");
  const challenge = newChallenge();
  const answer = await answers.ask(0, "prove", { challenge });
  return memberOf(answer, "proof") === proofOf("service", { token, address, challenge });
}

/** Undefined for a value without it. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function readEndpoint(home: PurserPaths): { socket: string; token: string } | undefined {
  const text = readPrivateFile(home.record);
  if (!text.ok || text.value === null) return undefined;
  const record = parseJson(text.value);
  const [socket, token] = [memberOf(record, "socket"), memberOf(record, "token")];
  return typeof socket === "string" && typeof token === "string" ? { socket, token } : undefined;
}

/** Ignores messages that answer no request. */
class QuickAnswers {
  readonly #socket: Socket;
  readonly #waiting = new Map<unknown, (result: unknown) => void>();
  #held = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #size = 0;
  #wanted = 0;
  #isOver = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    // A `close` event follows.
    socket.on("error", () => undefined);
    socket.on("close", () => this.#end());
  }

  ask(id: number, method: string, params: object): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.#isOver) {
        resolve(undefined);
        return;
      }
      this.#waiting.set(id, resolve);
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      this.#socket.write(`Content-Length: ${Buffer.byteLength(body)}${headerEnd}${body}`);
    });
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // A long answer arrives in many chunks, which are joined when it is complete.
    if (this.#size < this.#wanted) return;
    this.#held = Buffer.concat(this.#chunks);
    for (;;) {
      const end = this.#held.indexOf(headerEnd);
      if (end < 0) break;
      const length = Number(/content-length: *(\d{1,12})/iu.exec(this.#held.toString("latin1", 0, end))?.[1]);
      const start = end + headerEnd.length;
      if (!(length <= maxAnswerSize)) {
        this.#socket.destroy();
        return;
      }
      this.#wanted = start + length;
      if (this.#held.length < this.#wanted) break;
      this.#take(parseJson(this.#held.toString("utf8", start, this.#wanted)));
      this.#held = this.#held.subarray(this.#wanted);
      this.#wanted = 0;
    }
    this.#chunks = [this.#held];
    this.#size = this.#held.length;
  }

  #take(message: unknown): void {
    const id = memberOf(message, "id");
    this.#waiting.get(id)?.(memberOf(message, "result"));
    this.#waiting.delete(id);
  }

  #end(): void {
    this.#isOver = true;
    for (const settle of this.#waiting.values()) settle(undefined);
    this.#waiting.clear();
  }
}

type Report = UsageAnswer["report"];
type Sum = Report["totals"];

/**
 * Parses by hand, so that a terminal prints it before the schemas would be loaded. Undefined for an invalid answer; tests compare it with the schema.
 */
export function readUsageAnswer(value: unknown): UsageAnswer | undefined {
  try {
    return {
      report: reportIn(value),
      places: placesIn(value),
      zoneOffset: numberIn(value, "zoneOffset"),
      freshness: freshnessIn(value),
    };
  } catch (error) {
    if (error instanceof NotOfThisKind) return undefined;
    throw error;
  }
}

class NotOfThisKind extends Error {}

function reportIn(value: unknown): Report {
  const report = memberOf(value, "report");
  const rows = listIn(report, "rows").map((row) => ({
    key: textIn(row, "key"),
    model: textIn(row, "model"),
    ...sumIn(row),
    lastAt: maybe(numberIn, row, "lastAt"),
  }));
  return { rows, totals: sumIn(memberOf(report, "totals")), undated: numberIn(report, "undated") };
}

function sumIn(value: unknown): Sum {
  return {
    responses: numberIn(value, "responses"),
    usage: usageIn(memberOf(value, "usage")),
    usd: maybe(numberIn, value, "usd"),
    unpriced: numberIn(value, "unpriced"),
    standardTier: numberIn(value, "standardTier"),
  };
}

function usageIn(value: unknown): TokenUsage {
  return {
    input: numberIn(value, "input"),
    output: numberIn(value, "output"),
    cacheCreation5m: numberIn(value, "cacheCreation5m"),
    cacheCreation1h: numberIn(value, "cacheCreation1h"),
    cacheRead: numberIn(value, "cacheRead"),
  };
}

function placesIn(value: unknown): string[] {
  return listIn(value, "places").map((place) => {
    if (typeof place !== "string") throw new NotOfThisKind();
    return place;
  });
}

function freshnessIn(value: unknown): Freshness {
  const freshness = memberOf(value, "freshness");
  return {
    asOf: maybe(numberIn, freshness, "asOf"),
    files: numberIn(freshness, "files"),
    done: numberIn(freshness, "done"),
    problems: listIn(freshness, "problems").map((problem) => ({
      path: textIn(problem, "path"),
      reason: sentenceIn(problem, "reason"),
    })),
  };
}

function numberIn(value: unknown, name: string): number {
  const member = memberOf(value, name);
  if (typeof member !== "number" || !Number.isFinite(member)) throw new NotOfThisKind();
  return member;
}

function textIn(value: unknown, name: string): string {
  const member = memberOf(value, name);
  if (typeof member !== "string") throw new NotOfThisKind();
  return member;
}

function sentenceIn(value: unknown, name: string): Sentence {
  const member = memberOf(value, name);
  if (typeof member === "string") return plainSentence(member);
  if (!isSentence(member)) throw new NotOfThisKind();
  return member;
}

function listIn(value: unknown, name: string): unknown[] {
  const member = memberOf(value, name);
  if (!Array.isArray(member)) throw new NotOfThisKind();
  return member;
}

function maybe<Value>(
  read: (value: unknown, name: string) => Value,
  value: unknown,
  name: string,
): Value | null {
  return memberOf(value, name) === null ? null : read(value, name);
}
