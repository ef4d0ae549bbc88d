import { compose, plainSentence, sentence, type Sentence } from "../../base/language.ts";
import { isObject } from "../../base/parse.ts";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  isScript,
  shimBehind,
  otherShims,
  type OwnHandler,
  readSettings,
  type HookFile,
  shimPathIn,
  wantedHooks,
} from "../../hooks/install.ts";
import { isWithShim } from "../../hooks/program.ts";
import { ownHooks, type RepairContext } from "../../hooks/repair-hooks.ts";

import type { LastHook } from "../../ledger/questions.ts";
import { purserPaths } from "../../base/paths.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { describeTime } from "../terminal-text.ts";
import type { CliHost } from "../cli-ports.ts";
import type { FoundService } from "./check-service.ts";
import { note, ok, problem } from "./diagnosis.ts";
import { playHook, type Played } from "./play-hook.ts";
import type { Finding } from "./doctor-schema.ts";

export interface LiveInput {
  readonly context: RepairContext;
  readonly host: CliHost;
  readonly cwd: string;
  readonly service: FoundService["state"];
  readonly lastHooks: readonly LastHook[];
}

/** An answer since then proves as much as a played call. Milliseconds. */
const recentTime = 24 * 60 * 60_000;

export async function checkLive(file: HookFile, input: LiveInput): Promise<Finding[]> {
  const { context, host, lastHooks } = input;
  const settings = await readSettings(file.file, context.disk);
  if (!settings.ok || settings.value.bytes === null) return [];
  const about = aboutFile(file);
  const at = lastHooks.find(({ program }) => program === file.program)?.at;
  const last =
    at === undefined
      ? plainSentence("")
      : compose` ${sentence("The last hook of {0} was answered at {1}.", agentNames.of(file.program), describeTime(at, host.now()))}`;
  const isLate = at === undefined || host.now() - at > recentTime;
  const findings: Finding[] = [];
  for (const own of differentLines(ownHooks(settings.value.bytes, file.program), input)) {
    const blocked = whyNotPlayed(own, file, input);
    const played = blocked === null ? await play(own, file, input) : null;
    if (played?.kind === "answered") {
      const ms = Math.max(1, Math.round(played.ms));
      const what = isPosted(own.value)
        ? sentence("A test call posted like its hooks was answered by the service in {0} ms.", ms)
        : sentence("A test call through its hook command was answered by the service in {0} ms.", ms);
      const isSlow = isScripted(own, input) && !isWithShim(own.event) && !played.isByCurl;
      findings.push(
        isSlow
          ? note(
              "hooks-slow",
              compose`${what} ${sentence("It started Node, as curl did not reach the service.")}`,
              sentence("Install curl 7.47 or newer, where agents find it."),
              about,
            )
          : ok("hooks-live", compose`${what}${last}`, about),
      );
    } else if (played?.kind === "failed")
      findings.push(
        problem(
          "hooks-live",
          compose`${sentence("A test call through {0} failed: {1}.", own.event, played.detail)}${last}`,
          sentence("purser hooks repair, or purser hooks install."),
          about,
        ),
      );
    else {
      const why =
        played === null
          ? sentence("No test call was made: {0}.", blocked ?? "")
          : sentence("The test call ran the hook; no service is running to answer it.");
      findings.push(
        isLate
          ? note(
              "hooks-live",
              compose`${why}${last}`,
              sentence("purser service start, then purser doctor again."),
              about,
            )
          : ok("hooks-live", compose`${why}${last}`, about),
      );
    }
  }
  return findings;
}

export function aboutFile({ program, file }: Pick<HookFile, "program" | "file">): string {
  return `${agentNames.of(program)}, ${path.normalize(file)}`;
}

/** Whether curl should pass the hook on. */
function isScripted({ value }: OwnHandler, { context }: LiveInput): boolean {
  const shim = shimPathIn(value);
  return shim !== null && isScript(shim, context);
}

/** The event does not affect whether a call arrives: one call per program, address and way is enough. */
function differentLines(all: readonly OwnHandler[], input: LiveInput): OwnHandler[] {
  const kinds = new Map(
    all.toReversed().map((own) => {
      const { value } = own;
      const [url, headers] = isObject(value) ? [value["url"], value["headers"]] : [];
      const token: unknown = isObject(headers) ? headers["Authorization"] : undefined;
      return [
        JSON.stringify([shimPathIn(value), url, token, isScripted(own, input) && isWithShim(own.event)]),
        own,
      ] as const;
    }),
  );
  return [...kinds.values()].toReversed();
}

/** Null if a call may be played. */
function whyNotPlayed(
  own: OwnHandler,
  file: HookFile,
  { context, service, host }: LiveInput,
): Sentence | null {
  if (service === "other") return sentence("the service has another version or cannot be reached");
  if (isPosted(own.value)) {
    if (file.scope !== "user") return sentence("purser does not post hooks of a project");
    return service === "same" ? null : sentence("no service runs");
  }
  const shim = shimPathIn(own.value);
  const behind = shim === null ? null : shimBehind(shim, context);
  if (shim === null || behind === null) return sentence("its command is not one that purser writes");
  // An older program takes a played call for a real one.
  if (!context.isUsable(behind)) return sentence("its program, {0}, is missing or older", behind);
  // Others may write a project's files: only a line that is purser's to the letter is run from there.
  if (file.scope !== "user" && !(isOurs(behind, context, host) && isAsWritten(own, shim, file, context)))
    return sentence("its command is not one that this purser writes, and others may have changed the file");
  return null;
}

function isOurs(shim: string, { shim: { path: current }, isSame }: RepairContext, host: CliHost): boolean {
  const folder = path.dirname(path.dirname(host.service.program));
  return [current, ...otherShims(purserPaths(host), folder)].some((known) => isSame(known, shim));
}

function isAsWritten(
  { event, value }: OwnHandler,
  shim: string,
  { program, scope }: HookFile,
  { shim: current, platform }: RepairContext,
): boolean {
  const isShared = scope === "project";
  const entries = wantedHooks({
    program,
    shim: { ...current, path: shim },
    address: null,
    isShared,
    platform,
  });
  const wanted = entries.find((entry) => entry.event === event)?.handler;
  return wanted !== undefined && isDeepStrictEqual(runningPart(value), runningPart(wanted));
}

function runningPart(handler: unknown): unknown {
  if (!isObject(handler)) return null;
  const { command, args, bash, powershell, url } = handler;
  return { command, args, bash, powershell, url };
}

function isPosted(handler: unknown): boolean {
  return isObject(handler) && typeof handler["url"] === "string";
}

async function play(
  { event, value }: OwnHandler,
  { program }: HookFile,
  { host, cwd, context: { platform } }: LiveInput,
): Promise<Played> {
  const { env, signal } = host;
  return await playHook({ program, event, handler: value, env, cwd, platform, signal });
}
