import { type Sentence, sentence, plainSentence } from "../../base/language.ts";
import { isObject, readJson } from "../../base/parse.ts";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { probeSession, forwardedVariables, type HookProgram } from "../../hooks/program.ts";

/** `unserved`: the hook's program ran, but no service. */
export type Played =
  | { readonly kind: "answered"; readonly pid: number; readonly ms: number; readonly isByCurl: boolean }
  | { readonly kind: "unserved" }
  | { readonly kind: "failed"; readonly detail: Sentence };

export interface PlayInput {
  readonly program: HookProgram;
  readonly event: string;
  readonly handler: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
}

/**
 * The hook's program ends within 3.5 s if nobody has to answer; starting it on a busy system takes longer.
 * Milliseconds.
 */
const maxTime = 15_000;
const maxSize = 64 * 1024; // bytes

const answerSchema = z.object({
  purserProbe: z.object({
    session: z.string(),
    caller: z.string(),
    servicePid: z.nullable(z.int()),
    isByCurl: z._default(z.boolean(), false),
  }),
});

/** Plays a marked call as the agent would: runs its line, or posts it. Nothing records it. */
export async function playHook(input: PlayInput): Promise<Played> {
  const session = probeSession(randomUUID());
  const body = JSON.stringify({ session_id: session, hook_event_name: input.event, cwd: input.cwd });
  const startedAt = performance.now();
  const output = await deliver(input, body);
  if (!output.ok) return { kind: "failed", detail: output.detail };
  const ms = performance.now() - startedAt;
  const answer = readJson(answerSchema, output.text)?.purserProbe;
  if (answer === undefined)
    return {
      kind: "failed",
      detail:
        output.text === ""
          ? sentence("it ran but nothing answered: its program is missing or does not start")
          : sentence("the answer did not come from purser"),
    };
  if (answer.session !== session || answer.caller !== input.program)
    return { kind: "failed", detail: sentence("the answer was for another call") };
  return answer.servicePid === null
    ? { kind: "unserved" }
    : { kind: "answered", pid: answer.servicePid, ms, isByCurl: answer.isByCurl };
}

type Output =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly detail: Sentence };

async function deliver(input: PlayInput, body: string): Promise<Output> {
  const { handler, platform } = input;
  if (!isObject(handler)) return { ok: false, detail: sentence("it is no hook") };
  if (typeof handler["url"] === "string") return await post(handler["url"], handler["headers"], input, body);
  const argv = commandOf(handler, platform);
  return argv === null
    ? { ok: false, detail: sentence("its form is unknown") }
    : await execute(argv, input, body);
}

function commandOf(
  { command, args, bash, powershell }: Readonly<Record<string, unknown>>,
  platform: NodeJS.Platform,
): readonly [string, readonly string[]] | null {
  if (typeof command === "string" && Array.isArray(args)) return [command, args.map(String)];
  if (platform === "win32" && typeof powershell === "string")
    return ["powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", powershell]];
  if (platform !== "win32" && typeof bash === "string") return ["bash", ["-c", bash]];
  if (typeof command !== "string") return null;
  return platform === "win32"
    ? ["powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", command]]
    : ["/bin/sh", ["-c", command]];
}

function execute(
  [program, args]: readonly [string, readonly string[]],
  { env, cwd, signal }: PlayInput,
  body: string,
): Promise<Output> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, cwd, signal, timeout: maxTime, maxBuffer: maxSize, windowsHide: true };
    const child = execFile(program, [...args], options, (error, text) => {
      if (error === null) resolve({ ok: true, text: text.trim() });
      else if (error.killed === true) resolve({ ok: false, detail: sentence("it did not stop in time") });
      else resolve({ ok: false, detail: sentence("it ended with {0}", String(error.code ?? error.signal)) });
    });
    // A program that ends before it has read everything closes the pipe.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(body);
  });
}

/** purser's service listens nowhere else. */
const ownAddress = /^http:\/\/127\.0\.0\.1:\d{1,5}\/hook\/[\w-]+$/u;

async function post(
  url: string,
  headers: unknown,
  { env, signal }: PlayInput,
  body: string,
): Promise<Output> {
  if (!ownAddress.test(url)) return { ok: false, detail: sentence("{0} is not on this machine", url) };
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headersIn(headers, env), "Content-Type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(maxTime)]),
    });
    const text = await response.text();
    if (response.ok) return { ok: true, text };
    const isToken = response.status === 401;
    return {
      ok: false,
      detail: isToken
        ? sentence("its token does not match the service's")
        : sentence("the answer was {0}", response.status),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const cause =
      error.cause instanceof Error && "code" in error.cause ? String(error.cause.code) : error.name;
    return {
      ok: false,
      detail: cause === "ECONNREFUSED" ? sentence("nothing listens on its port") : plainSentence(cause),
    };
  }
}

/** An agent puts variables of its environment into the headers that name them. */
function headersIn(headers: unknown, env: PlayInput["env"]): Record<string, string> {
  if (!isObject(headers)) return {};
  const forwarded = new Set<string>(Object.values(forwardedVariables));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (typeof value !== "string") return [];
      const variable = value.startsWith("$") ? value.slice(1) : null;
      if (variable === null) return [[name, value]];
      return forwarded.has(variable) ? [[name, env[variable] ?? ""]] : [];
    }),
  );
}
